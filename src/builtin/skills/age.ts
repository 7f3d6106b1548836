import { pattern } from '../../base/pattern.ts';
import { localDate, yearsBetween } from '../../when/calendar.ts';
import { findDate } from '../../when/find.ts';
import type { Slots } from '../phrases.ts';
import { type Intent, say, type UserRequest } from '../request.ts';
import { AGE } from './date-phrases.ts';

const dayIn = (words: string | undefined, { now, timeZone }: UserRequest) =>
  words === undefined ? undefined : findDate(words.replace(/^(?:dem|den) (?=\d)/iu, ''), { now, timeZone });

/** How old somebody is, or will be. */
export function age(request: UserRequest): Intent | undefined {
  const said = AGE(request.plain);
  if (!said) return ageOf(request);
  const slots: Slots | undefined = said?.day === undefined ? said : { ...said, born: `${said.day} ${said.year}` };
  const born = dayIn(slots?.born?.replace(/^(\d{4})$/u, '1 july $1'), request)?.at;
  const { now, timeZone, saying, in: either } = request;
  if (!slots || !born || born > now) return undefined;
  const then =
    slots.then === undefined ? undefined : dayIn(slots.then.replace(/^(\d{4})$/u, '31 december $1'), request)?.at;
  if (slots.then !== undefined && (then === undefined || then < born)) return undefined;
  if (then) {
    const reached = yearsBetween(born, then, timeZone);
    return say(either(`${reached} years on ${saying.day(then)}.`, `${reached} Jahre am ${saying.day(then)}.`));
  }
  const years = yearsBetween(born, now, timeZone);
  if (/^\d{4}$/u.test(slots.born ?? '')) {
    const turning = Number(localDate(now, timeZone).slice(0, 4)) - Number(slots.born);
    if (slots.turning) return say(either(`${turning} years.`, `${turning} Jahre.`));
    return say(
      either(
        `${turning - 1} or ${turning} years, by the birthday.`,
        `${turning - 1} oder ${turning} Jahre, je nach Geburtstag.`,
      ),
    );
  }
  return say(either(`${years} years, born on ${saying.day(born)}.`, `${years} Jahre, geboren am ${saying.day(born)}.`));
}

const HOW_OLD = /\b(?:wie alt|how old)\b/iu;
const BORN = /\b(?:geboren|geburtstag|born|birthday|jahrgang)\b/iu;
const DATE = /(?<day>\b\d{1,2}\.\s?(?:\d{1,2}\.|\p{L}{3,9})\s?\d{4}|\b\d{1,2} \p{L}{3,9} \d{4}|\b\d{4}-\d\d-\d\d)\b/iu;
const IN_YEAR = pattern(
  'iu',
  String.raw`\b(?:(?<next>nächstes|next)|(?<this>dieses|this)) (?:jahr|year)\b`,
  String.raw`|\b(?:in|im jahr|jahr|wird \p{L}+|werde ich) (?<year>\d{4})\b`,
);

/** In whatever order it is said: "Wie alt wird Emil nächstes Jahr? Er ist am 19.2.2023 geboren." */
function ageOf(request: UserRequest): Intent | undefined {
  const { text, now, timeZone, saying, in: either } = request;
  if (text.length > 160 || !HOW_OLD.test(text)) return undefined;
  const parts = text.split(/[?,;!]\s+|(?<=\p{L}{3})\.\s+/u);
  const about = parts.find((part) => BORN.test(part)) ?? '';
  const born = dayIn(DATE.exec(about)?.groups?.day, request)?.at;
  if (!born || born > now) return undefined;
  const asked = IN_YEAR.exec(text.replace(DATE, ' '))?.groups;
  if (!asked) {
    const years = yearsBetween(born, now, timeZone);
    return say(
      either(`${years} years, born on ${saying.day(born)}.`, `${years} Jahre, geboren am ${saying.day(born)}.`),
    );
  }
  const thisYear = Number(localDate(now, timeZone).slice(0, 4));
  const year = asked.year === undefined ? thisYear + (asked.next === undefined ? 0 : 1) : Number(asked.year);
  const reached = year - Number(localDate(born, timeZone).slice(0, 4));
  return reached < 0 ? undefined : say(either(`${reached} years in ${year}.`, `${reached} Jahre im Jahr ${year}.`));
}
