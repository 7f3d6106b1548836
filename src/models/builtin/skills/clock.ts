import { isoWeek, localDate, localTime } from '../../../when/calendar.ts';
import { findDate } from '../../../when/find.ts';
import { zoneOfPlace } from '../../../when/places.ts';
import { sayings } from '../../../when/say.ts';
import { zoneOf } from '../../../when/zone.ts';
import { showNumber } from '../numbers.ts';
import { phrases } from '../phrases.ts';
import { type Intent, type Skill, say, type UserRequest } from '../request.ts';
import { homeOf } from './memory.ts';

const TIME = phrases({
  en: [
    "(what's|what is) the [current] time [now|right now|please]",
    'what time is it [now|right now]',
    '[the] [current] time [now|please]',
    'do you have the time',
    'how late is it',
    'what time do we have',
  ],
  de: [
    'wie (spät|viel uhr) (ist es|ist|haben wir) [jetzt|gerade]',
    'wieviel uhr (ist es|ist|haben wir) [jetzt|gerade]',
    '[aktuelle] (uhrzeit|zeit)',
    'wie (spät|viel uhr) es [jetzt|gerade] ist',
    'wie ist die uhrzeit',
    'was ist die uhrzeit',
  ],
});
const TODAY = phrases({
  en: [
    "(what|what's|what is|which) [is] [the|today's] [current] (date|day) [is it|is today|today] [today|now|it is]",
    "(what's|what is) today['s date]",
    "[today's|the] date [today]",
    'which day is (it|today)',
    'what day [of the week] is (it|today) [today]',
    'what is it today',
  ],
  de: [
    '(welcher|welchen|was für ein|was für einen) (tag|wochentag|datum) (ist|haben wir) [heute|es]',
    '(welches|was für ein|was ist das) datum [ist|haben wir] [heute|es]',
    'der wievielte ist heute',
    'den wievielten haben wir [heute]',
    '[das] [heutige] datum [heute]',
    'was ist heute für ein (tag|datum|wochentag)',
    'welcher tag heute ist',
  ],
});
const UNIT = phrases({
  en: [
    `(what|which) {unit:year|month|week|calendar week} [number] [of the year] (is it|is this|are we in|is it now|is
      it today)`,
  ],
  de: [
    `(welche|welches|welcher|welchen|in welcher|in welchem) {unit:jahr|monat|woche|kalenderwoche|kw} (ist|haben
    wir|sind wir|ist es) [heute|jetzt|gerade]`,
  ],
});
const ELSEWHERE = phrases({
  en: [
    "(what|what's|what is) [the] [current] time [is it|is] [now|right now] in {place}",
    'what time is it [now|right now] in {place} [now|right now|at the moment]',
    "(what's|what is) the [local] time in {place} [now|right now]",
    '[the|local|current] time in {place}',
    'how late is it in {place}',
    `is it (morning|night|day|daytime|evening|late|early|dark) [or (morning|night|day|daytime|evening|dark|light)]
      in {place}`,
    "(what's|what is|which|what) [the] (date|day) [is it|is today] in {place}",
  ],
  de: [
    'wie (spät|viel uhr) ist es [jetzt|gerade] in {place}',
    '[die] (uhrzeit|zeit|ortszeit) in {place}',
    'wie (spät|viel uhr) (ist es|ist|haben wir|hat man|haben die) [jetzt|gerade] in {place}',
    'wieviel uhr (ist es|haben wir|haben die) [jetzt|gerade] in {place}',
    'was ist [jetzt|gerade] [die] (uhrzeit|zeit) in {place}',
    'welcher tag ist [es] [heute|jetzt] in {place}',
  ],
});
const AT_HOME = phrases({
  en: [
    `(what time is it|what is the time|how late is it) [now|right now]
      (at home|where i live|where we live|at my place)`,
  ],
  de: ['wie (spät|viel uhr) ist es [jetzt|gerade] (zu hause|zuhause|daheim|bei mir|wo ich wohne|bei uns)'],
});
/** "When it is 9 here, what time is it in Tokyo?" */
const CONVERTED = phrases({
  en: [
    `(when|if) (it's|it is) {time} in {from} (what time (is it|will it be)|what's the time|what is the time) in
      {place}`,
    `(when|if) (it's|it is) {time} [here] (what time (is it|will it be)|what's the time|what is the time) in {place}`,
    '(what|what time|when) is {time} [my time|here|local time] in {place}',
    '{time} in {from} in {place} [time]',
    '(what|what time) is {time} {from} time [in|here] {place:maybe}',
  ],
  de: [
    'wenn es in {from} {time} ist wie (spät|viel uhr) ist es [dann] in {place}',
    'wenn es [hier|bei mir] {time} ist wie (spät|viel uhr) ist es [dann] in {place}',
    'wenn es in {from} {time} ist wie (spät|viel uhr) ist es [dann] (hier|bei uns|bei mir)',
    'wie (spät|viel uhr) ist {time} in {place}',
  ],
});

const DIFFERENCE = phrases({
  en: [
    "(what's|what is) the time difference (between|from) {a} (and|to) {b}",
    'how many hours (are|is) [there] [it] between {a} and {b}',
    'how (far|many hours) (ahead|behind) (is|are) {a} (of|from|to|than) {b}',
    'how many hours (ahead|behind) {b} is {a}',
  ],
  de: [
    '(wie groß|was) ist (der zeitunterschied|die zeitverschiebung) zwischen {a} und {b}',
    'wie[ ]viele stunden (unterschied|zeitunterschied|zeitverschiebung) (sind|liegen|ist|sind es) zwischen {a} und {b}',
  ],
});

export const clock: Skill = {
  name: 'clock',
  examples: {
    en: ['what time is it?', 'what time is it in Tokyo?', "what's the date today?"],
    de: ['wie spät ist es?', 'wie spät ist es in Tokio?', 'welcher Tag ist heute?'],
  },
  recognize: (request) => elsewhere(request) ?? here(request) ?? converted(request) ?? difference(request),
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
  return hour === undefined ? time : `${localDate(now, timeZone)} ${hour.padStart(2, '0')}:${minute}`;
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

/** "The time difference between London and New York", as it is today. */
function difference(request: UserRequest): Intent | undefined {
  const { a, b } = DIFFERENCE(request.plain) ?? {};
  const place = (words: string) => (/^(?:here|us|hier)$/iu.test(words) ? request.timeZone : zoneOfPlace(words));
  const [first, second] = [place(a ?? ''), place(b ?? '')];
  if (a === undefined || b === undefined || first === undefined || second === undefined) return undefined;
  const wall = (zone: string) => zoneOf(zone).wallAt(request.now.getTime());
  const hours = Math.round((wall(first) - wall(second)) / HALF_HOUR_MS) / 2;
  if (hours === 0)
    return say(request.in(`${a} and ${b} have the same time now.`, `In ${a} und ${b} ist es jetzt gleich spät.`));
  const [ahead, behind] = hours > 0 ? [a, b] : [b, a];
  const amount = showNumber(Math.abs(hours), request.language);
  return say(
    request.in(
      `${ahead} is ${amount} ${amount === '1' ? 'hour' : 'hours'} ahead of ${behind} now.`,
      `${ahead} ist ${behind} jetzt ${amount} ${amount === '1' ? 'Stunde' : 'Stunden'} voraus.`,
    ),
  );
}
