import { sayings } from '../when/say.ts';
import type { Language } from '../words/spelling.ts';

/** Where and in which language a reply is read. */
export interface Reader {
  readonly language: Language;
  readonly timeZone: string;
  readonly now: Date;
}

const NAMED = /\{#(?<rows>[\w.]*)\}(?<each>.*?)\{\/\}|\{(?<name>[\w.]+)(?::(?<form>\w+))?\}/gsu;

/**
 * Fill in a reply: `{path.of.value}`, `{at:near}` for an instant, `{day:day}` for a date, and `{#rows}…{/}` once for
 * each row of a list, whose fields come first (`{#}`: the value itself is the list; `{.}` a row that is a text).
 */
export function fillReply(template: string, value: unknown, reader: Reader): string {
  return template.replace(NAMED, (...found) => {
    const { rows, each, name = '', form } = found.at(-1) as Partial<Record<'rows' | 'each' | 'name' | 'form', string>>;
    if (each === undefined) return shown(at(value, name), form, reader);
    const list = rows === '' || rows === undefined ? value : at(value, rows);
    if (!Array.isArray(list)) return '';
    return list
      .map((row) => fillReply(each, typeof row === 'object' && row !== null ? { ...row } : { row }, reader))
      .join('');
  });
}

function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .filter((key) => key !== '')
    .reduce<unknown>((of, key) => (of as Readonly<Record<string, unknown>> | null | undefined)?.[key], value);
}

function shown(value: unknown, form: string | undefined, { language, timeZone, now }: Reader): string {
  if (value === undefined || value === null) return '';
  if (form === undefined || typeof value !== 'string')
    return Array.isArray(value) ? value.map(String).join(', ') : String(value);
  const isDay = /^\d{4}-\d\d-\d\d$/u.test(value);
  const instant = new Date(isDay ? `${value}T12:00:00Z` : value);
  if (Number.isNaN(instant.getTime())) return value;
  const say = sayings(language, { timeZone: isDay ? 'UTC' : timeZone, now });
  return form === 'day' ? say.day(instant) : form === 'time' ? say.time(instant) : say.nearAndTime(instant);
}
