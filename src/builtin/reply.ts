import { pattern } from '../base/pattern.ts';
import { fromWallClock } from '../when/calendar.ts';
import { type Sayings, sayings } from '../when/say.ts';
import type { Language } from '../words/spelling.ts';

/** Where and in which language a reply is read. */
export interface Reader {
  readonly language: Language;
  readonly timeZone: string;
  readonly now: Date;
}

const ROWS = String.raw`\{#(?<rows>[\w.]*)\}(?<each>.*?)\{/\}`;
const IF = String.raw`\{\?(?<if>[\w.]+)\}(?<then>.*?)\{/\?\}`;
const VALUE = String.raw`\{(?<name>[\w.]+)(?::(?<form>\w+))?\}`;
const NAMED = pattern('gsu', `${ROWS}|${IF}|${VALUE}`);

/**
 * Fill in a reply: `{path.of.value}`, `{at:near}` for an instant, `{day:day}` for a date, `{?name}…{/?}` where there is
 * a value, and `{#rows}…{/}` once for each row of a list, whose fields come first. `{#}`: the value itself is the list;
 * `{row}` is a row that is a text, `{n}` its number.
 */
export function fillReply(template: string, value: unknown, reader: Reader): string {
  return template.replace(NAMED, (...found) => {
    const { rows, each, if: condition, then = '', name = '', form } = found.at(-1) as Partial<Record<string, string>>;
    if (condition !== undefined) return at(value, condition) === undefined ? '' : fillReply(then, value, reader);
    if (each === undefined) return shown(at(value, name), form, reader);
    const list = rows === '' || rows === undefined ? value : at(value, rows);
    if (!Array.isArray(list)) return '';
    return list
      .map((row, index) => ({ n: index + 1, ...(typeof row === 'object' && row !== null ? row : { row }) }))
      .map((row) => fillReply(each, row, reader))
      .join('');
  });
}

function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .filter((key) => key !== '')
    .reduce<unknown>((of, key) => (of as Readonly<Record<string, unknown>> | null | undefined)?.[key], value);
}

/** How a value is said; without a form, as it is. */
const FORMS: Readonly<Record<string, (instant: Date, say: Sayings) => string>> = {
  day: (instant, say) => say.day(instant),
  time: (instant, say) => say.time(instant),
  near: (instant, say) => say.nearAndTime(instant),
};

function shown(value: unknown, form: string | undefined, { language, timeZone, now }: Reader): string {
  if (value === undefined || value === null) return '';
  const say = FORMS[form ?? ''];
  if (!say || typeof value !== 'string') return Array.isArray(value) ? value.map(String).join(', ') : String(value);
  const isDay = DAY.test(value);
  const instant = isDay
    ? new Date(`${value}T12:00:00Z`)
    : WALL.test(value)
      ? fromWallClock(`${value.replace(' ', 'T')}:00Z`, timeZone)
      : new Date(value);
  if (Number.isNaN(instant.getTime())) return value;
  return say(instant, sayings(language, { timeZone: isDay ? 'UTC' : timeZone, now }));
}

const DAY = /^\d{4}-\d\d-\d\d$/u;
/** As tools say a time of the owner's zone. */
const WALL = /^\d{4}-\d\d-\d\d \d\d:\d\d$/u;
