import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pattern } from '../base/pattern.ts';
import { fromWallClock } from '../when/calendar.ts';
import { type Sayings, sayings } from '../when/say.ts';
import type { Language } from '../words/spelling.ts';
import type replies from './replies.json';
import { listName } from './things.ts';

/** Where and in which language a reply is read. */
export interface Reader {
  readonly language: Language;
  readonly timeZone: string;
  readonly now: Date;
}

export type ReplyCode = keyof typeof replies;

/** What we ask and say ourselves; what the results of a tool are told by stands beside the tool. */
export const REPLIES: typeof replies = JSON.parse(readFileSync(join(import.meta.dirname, 'replies.json'), 'utf8'));

/** @param reader needs a zone and a time only for replies that name a time. */
export function tell(code: ReplyCode, reader: Pick<Reader, 'language'> & Partial<Reader>, values: object = {}): string {
  return fillReply(REPLIES[code][reader.language], values, { timeZone: 'UTC', now: new Date(), ...reader });
}

const ROWS = String.raw`\{#(?<rows>[\w.]*)\}(?<each>.*?)\{/\}`;
const IF = String.raw`\{\?(?<if>[\w.]+)(?:=(?<is>\w+))?\}(?<then>.*?)\{/\?\}`;
const VALUE = String.raw`\{(?<name>[\w.]+)(?::(?<form>\w+))?\}`;
const NAMED = pattern('gsu', `${ROWS}|${IF}|${VALUE}`);

/**
 * Fill in a reply: `{path.of.value}`, `{at:near}` for an instant, `{day:day}` for a date, `{?name}…{/?}` where there is
 * a value, `{?name=code}…{/?}` where it is this one, and `{#rows}…{/}` once for each row of a list, whose fields come
 * first. `{#}`: the value itself is the list; `{row}` is a row that is a text, `{n}` its number.
 */
export function fillReply(template: string, value: unknown, reader: Reader): string {
  return template.replace(NAMED, (...found) => {
    const {
      rows,
      each,
      if: condition,
      is,
      then = '',
      name = '',
      form,
    } = found.at(-1) as Partial<Record<string, string>>;
    if (condition !== undefined) {
      const found = at(value, condition);
      return (is === undefined ? isThere(found) : found === is) ? fillReply(then, value, reader) : '';
    }
    if (each === undefined) return shown(at(value, name), form, reader);
    const list = rows === '' || rows === undefined ? value : at(value, rows);
    if (!Array.isArray(list)) return '';
    return list
      .map((row, index) => ({ n: index + 1, ...(typeof row === 'object' && row !== null ? row : { row }) }))
      .map((row) => fillReply(each, row, reader))
      .join('');
  });
}

/** An empty list is as good as none. */
function isThere(value: unknown): boolean {
  return (
    value !== undefined &&
    value !== null &&
    value !== false &&
    value !== '' &&
    !(Array.isArray(value) && value.length === 0)
  );
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

/** A page is not read out whole. */
const SHORT_CHARS = 2000;

/** How a text or a list is said. */
const WORDS: Readonly<Partial<Record<string, (value: unknown, language: Language) => string>>> = {
  /** `milk, eggs and tea` */
  and: (value, language) => {
    const texts = [value].flat().map(String);
    const and = language === 'de' ? ' und ' : ' and ';
    return texts.length < 2 ? (texts[0] ?? '') : `${texts.slice(0, -1).join(', ')}${and}${texts.at(-1)}`;
  },
  or: (value, language) => [value].flat().join(language === 'de' ? ' oder ' : ' or '),
  /** The id of a list as its owner calls it. */
  list: (value, language) => listName(String(value), language),
  short: (value) => {
    const text = String(value);
    return text.length <= SHORT_CHARS ? text : `${text.slice(0, SHORT_CHARS)}…`;
  },
};

function shown(value: unknown, form: string | undefined, { language, timeZone, now }: Reader): string {
  if (value === undefined || value === null) return '';
  const words = WORDS[form ?? ''];
  if (words) return words(value, language);
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
