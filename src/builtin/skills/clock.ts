import { isoWeek, localDate, localTime } from '../../when/calendar.ts';
import { findDate, findTime } from '../../when/find.ts';
import { zoneOfPlace } from '../../when/places.ts';
import { sayings } from '../../when/say.ts';
import { zoneOf } from '../../when/zone.ts';
import { wordsToDigits } from '../../words/numbers.ts';
import { showNumber } from '../numbers.ts';
import { type Intent, type Skill, say, type UserRequest } from '../request.ts';
import { clockChange } from './clock-changes.ts';
import { AT_HOME, CONVERTED, DIFFERENCE, ELSEWHERE, LATER, TIME, TODAY, UNIT } from './clock-phrases.ts';
import { clockSum } from './clock-sums.ts';
import { homeOf } from './memory.ts';

export const clock: Skill = {
  name: 'clock',
  examples: {
    en: ['what time is it?', 'what time is it in Tokyo?', "what's the date today?"],
    de: ['wie spät ist es?', 'wie spät ist es in Tokio?', 'welcher Tag ist heute?'],
  },
  recognize: (request) =>
    clockChange(request) ??
    later(request) ??
    converted(request) ??
    elsewhere(request) ??
    here(request) ??
    difference(request) ??
    clockSum(request),
};

function here(request: UserRequest): Intent | undefined {
  const { plain, now, timeZone, saying, in: either } = request;
  if (TIME(plain)) {
    const time = either(
      `It is ${saying.time(now)} on ${saying.day(now)}.`,
      `Es ist ${saying.time(now)} Uhr, ${saying.day(now)}.`,
    );
    return say([time, atHome(request)].filter(Boolean).join('\n'));
  }
  const unit = UNIT(plain)?.unit?.toLowerCase();
  if (unit === undefined)
    return TODAY(plain) ? say(either(`Today is ${saying.day(now)}.`, `Heute ist ${saying.day(now)}.`)) : undefined;
  if (/year|jahr/u.test(unit))
    return say(either('It is', 'Es ist').concat(` ${localDate(now, timeZone).slice(0, 4)}.`));
  if (/month|monat/u.test(unit)) return say(either(`It is ${saying.month(now)}.`, `Es ist ${saying.month(now)}.`));
  const week = isoWeek(now, timeZone);
  return say(either(`It is week ${week} (ISO 8601).`, `Es ist Kalenderwoche ${week}.`));
}

/** The time where the owner said they live, when the clock here shows another one. */
function atHome(request: UserRequest): string | undefined {
  const { now, timeZone } = request;
  const place = homeOf(request);
  const zone = place === undefined ? undefined : zoneOfPlace(place);
  if (place === undefined || zone === undefined || localTime(now, zone) === localTime(now, timeZone)) return undefined;
  return sayIn(now, place, request);
}

function elsewhere(request: UserRequest): Intent | undefined {
  if (AT_HOME(request.plain)) {
    const home = homeOf(request);
    return home === undefined ? undefined : say(sayIn(request.now, home, request));
  }
  const place = ELSEWHERE(request.plain.replace(/ (?:right now|now|jetzt|gerade|at the moment)$/iu, ''))?.place;
  if (place === undefined || /\b(?:when|if|wenn)\b/iu.test(place)) return undefined;
  const places = place.split(/ ?(?:,|\b(?:and|und)\b) ?/iu).filter(Boolean);
  // "The date in 6 weeks" is a day, and no place has a number.
  if (
    /\d/u.test(wordsToDigits(place)) ||
    /^(?:an? )?(?:second|minute|hour|day|week|fortnight|month|year)s?$/iu.test(place)
  )
    return undefined;
  const lines = places.map((each) => sayIn(request.now, each.replace(/^in /iu, ''), request));
  return say(lines.join('\n'));
}

function sayIn(at: Date, place: string, { now, language, in: either }: UserRequest): string {
  const zone = zoneOfPlace(place);
  if (zone === undefined)
    return either(
      `I do not know the time zone of ${place}; a larger city nearby may help.`,
      `Die Zeitzone von ${place} kenne ich nicht; vielleicht hilft eine größere Stadt in der Nähe.`,
    );
  const there = sayings(language, { timeZone: zone, now });
  return either(
    `In ${place} it is ${there.time(at)} on ${there.day(at)} (${zone}).`,
    `In ${place} ist es ${there.time(at)} Uhr, ${there.day(at)} (${zone}).`,
  );
}

/** "9" and "12:30" have 24 hours here, and no day is to be found out; `3pm` is left to the grammar. */
function onToday(time: string, now: Date, timeZone: string): string {
  const [, hour, minute = '00'] = /^(\d{1,2})(?:[:.](\d\d))?(?: ?uhr)?$/iu.exec(time) ?? [];
  if (hour === undefined) return /^\d{1,2} /u.test(time) ? `at ${time}` : time;
  return `${localDate(now, timeZone)} ${hour.padStart(2, '0')}:${minute}`;
}

function converted(request: UserRequest): Intent | undefined {
  const slots = CONVERTED(request.plain);
  if (!slots?.time) return undefined;
  const from = slots.from === undefined ? request.timeZone : zoneOfPlace(slots.from);
  const found =
    from === undefined
      ? undefined
      : findDate(onToday(slots.time, request.now, from), { now: request.now, timeZone: from });
  if (!found?.namesTime) return undefined;
  if (slots.place)
    return zoneOfPlace(slots.place) === undefined ? undefined : say(sayIn(found.at, slots.place, request));
  const { saying, in: either } = request;
  return say(
    either(
      `That is ${saying.time(found.at)} on ${saying.day(found.at)} here.`,
      `Das ist hier ${saying.time(found.at)} Uhr, ${saying.day(found.at)}.`,
    ),
  );
}

const HALF_HOUR_MS = 30 * 60_000;

function later(request: UserRequest): Intent | undefined {
  const { place, there = place, amount } = LATER(request.plain) ?? {};
  const found = amount === undefined ? undefined : findTime(`in ${amount}`, request);
  if (found?.kind !== 'once' || found.rest !== '') return undefined;
  if (there !== undefined) return zoneOfPlace(there) === undefined ? undefined : say(sayIn(found.at, there, request));
  return say(
    request.in(`It will be ${request.saying.time(found.at)}.`, `Es ist dann ${request.saying.time(found.at)} Uhr.`),
  );
}

const HERE = /^(?:here|us|me|hier|uns|mir)$/iu;

/** "The time difference between London and New York", as it is today. */
function difference(request: UserRequest): Intent | undefined {
  const found = DIFFERENCE(request.plain);
  const { a = found?.other, b = found?.other && request.in('here', 'hier') } = found ?? {};
  const place = (words: string) => (HERE.test(words) ? request.timeZone : zoneOfPlace(words));
  const [first, second] = [place(a ?? ''), place(b ?? '')];
  if (a === undefined || b === undefined || first === undefined || second === undefined) return undefined;
  const wall = (zone: string) => zoneOf(zone).wallAt(request.now.getTime());
  const hours = Math.round((wall(first) - wall(second)) / HALF_HOUR_MS) / 2;
  const other = HERE.test(a) ? b : HERE.test(b) ? a : undefined;
  if (hours === 0 && other !== undefined)
    return say(
      request.in(`It is the same time in ${other} as here now.`, `In ${other} ist es jetzt so spät wie hier.`),
    );
  if (hours === 0)
    return say(request.in(`${a} and ${b} have the same time now.`, `In ${a} und ${b} ist es jetzt gleich spät.`));
  const [ahead, behind] = hours > 0 ? [a, b] : [b, a];
  const amount = showNumber(Math.abs(hours), request.language);
  const hour = request.in(amount === '1' ? 'hour' : 'hours', amount === '1' ? 'Stunde' : 'Stunden');
  if (HERE.test(ahead))
    return say(
      request.in(
        `It is ${amount} ${hour} later here than in ${behind} now.`,
        `Hier ist es jetzt ${amount} ${hour} später als in ${behind}.`,
      ),
    );
  return say(
    request.in(
      `${ahead} is ${amount} ${hour} ahead of ${behind} now.`,
      `${ahead} ist ${behind} jetzt ${amount} ${hour} voraus.`,
    ),
  );
}
