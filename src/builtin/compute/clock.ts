import { readExpression } from '../../quantities/expression.ts';
import { showNumber } from '../../quantities/numbers.ts';
import { inUnit } from '../../quantities/quantity.ts';
import { unitCalled } from '../../quantities/units.ts';
import { localDate, localTime, startOfDay } from '../../when/calendar.ts';
import { type ClockChange, clockChanges } from '../../when/clock-changes.ts';
import { exactTime } from '../../when/find.ts';
import { sayings } from '../../when/say.ts';
import { zoneOf } from '../../when/zone.ts';
import type { Language } from '../../words/spelling.ts';
import type { Asker, Computation, Computed } from '../computation.ts';
import { isHere, zoneNamed } from '../date-slots.ts';
import { homeOf } from '../home.ts';
import { inHours, saySpan } from './dates.ts';

type Input = Readonly<Record<string, unknown>>;

/** The time and the day here, and where the owner lives if the clock shows another time there. */
function now(asker: Asker): Computed {
  const { now: at, timeZone, language } = asker;
  const say = sayings(language, { timeZone, now: at });
  const values = {
    time: say.time(at),
    day: say.day(at),
    month: say.month(at),
    year: localDate(at, timeZone).slice(0, 4),
  };
  const place = homeOf(asker);
  const { code, values: there } = place === undefined ? { code: 'unknown' } : timeIn([place], at, asker);
  const home = code === '' && there?.zone !== timeZone ? there : undefined;
  return { code: '', values: { ...values, ...(home && { home }) }, came: { day: at } };
}

const AT_HOME = /^(?:at |bei mir )?(?:home|zu ?hause|daheim)$/iu;

/** The time in places, now or at an instant. */
function timeIn(places: readonly string[], at: Date, asker: Asker): Computed {
  const { language, now: today } = asker;
  const rows = places.map((place) => {
    const zone = zoneNamed(place, asker);
    const say = zone === undefined ? undefined : sayings(language, { timeZone: zone, now: today });
    return { place, ...(zone !== undefined && say && { zone, time: say.time(at), day: say.day(at) }) };
  });
  const unknown = rows.find(({ zone }) => zone === undefined);
  return unknown ? { code: 'unknown', values: unknown } : { code: '', values: { ...rows[0], rows } };
}

const NO_PLACE = /\d|^(?:an? )?(?:second|minute|hour|day|week|fortnight|month|year)s?$/iu;

function timeThere({ place: said }: Input, asker: Asker): Computed | undefined {
  const home = AT_HOME.test(String(said)) ? homeOf(asker) : undefined;
  const places = (home ?? String(said)).split(/(?:,| and | und )(?: ?in )?/iu);
  return places.some((place) => NO_PLACE.test(place)) ? undefined : timeIn(places, asker.now, asker);
}

const MOST_MINUTES = 2 * 24 * 60;

/** "In three hours", where "there" is a place or here. */
function later({ span, place = 'here' }: Input, asker: Asker): Computed | undefined {
  const minutes = minutesOf(span, asker.language);
  // From some days on nobody asks for the hour.
  if (minutes === undefined || minutes > MOST_MINUTES) return undefined;
  return thenIn(String(place), new Date(asker.now.getTime() + minutes * 60_000), { asker, from: asker.timeZone });
}

function minutesOf(span: unknown, language: Language): number | undefined {
  const amount = readExpression(String(span), { language })?.result;
  const minute = unitCalled('minute');
  const found = amount?.of && minute && inUnit(amount, minute);
  return found && Math.round(found.value);
}

/** A time of day as a clock in that zone shows it today: "9" is the morning, whatever the time is now. */
function clockIn(words: unknown, timeZone: string, { now: at }: Asker): Date | undefined {
  const found = exactTime(String(words), { timeZone, now: startOfDay(at, timeZone) });
  return found?.namesTime ? found.at : undefined;
}

/** The time in a place at an instant; its day only where it is another there than where it is counted from. */
function thenIn(place: string, at: Date, { asker, from }: { readonly asker: Asker; readonly from: string }): Computed {
  const { code, values = {} } = timeIn([place], at, asker);
  const zone = zoneNamed(place, asker);
  if (code !== '' || zone === undefined) return { code, values };
  const [day, start] = [localDate(at, zone), localDate(from === zone ? asker.now : at, from)];
  const shift = { ...(day > start && { next: true }), ...(day < start && { previous: true }) };
  return { code: isHere(place) ? 'here then' : 'then', values: { ...values, ...shift } };
}

/** "When it is 9am in New York, what time is it in Tokyo?" */
function converted({ clock, from = 'here', place = 'here' }: Input, asker: Asker): Computed | undefined {
  const zone = zoneNamed(String(from), asker);
  const at = zone === undefined ? undefined : clockIn(clock, zone, asker);
  return at && zone !== undefined ? thenIn(String(place), at, { asker, from: zone }) : undefined;
}

const HALF_HOUR_MS = 30 * 60_000;

/** "The time difference between London and New York", as it is today. */
function difference({ a = 'here', b = 'here' }: Input, asker: Asker): Computed | undefined {
  const [first, second] = [String(a), String(b)];
  const [zone, other] = [zoneNamed(first, asker), zoneNamed(second, asker)];
  if (zone === undefined || other === undefined) return undefined;
  const wall = (of: string) => zoneOf(of).wallAt(asker.now.getTime());
  const hours = Math.round((wall(zone) - wall(other)) / HALF_HOUR_MS) / 2;
  const [ahead, behind] = (hours > 0 ? [first, second] : [second, first]).map((each) => hereAs(each, asker.language));
  const n = Math.abs(hours);
  const code = hours === 0 ? 'same' : n === 1 ? 'one' : '';
  return { code, values: { ahead, behind, hours: showNumber(n, asker.language) } };
}

/** "Us" and "me" are here. */
function hereAs(place: string, language: Language): string {
  if (!isHere(place)) return place;
  return language === 'de' ? 'hier' : 'here';
}

/** When the clocks change next, or in a year, forward or back where that is asked. */
function changes({ place = 'here', year, direction }: Input, asker: Asker): Computed | undefined {
  const zone = zoneNamed(String(place), asker);
  if (zone === undefined) return undefined;
  const all = clockChanges(zone, asker.now);
  if (all.length === 0) return { code: 'none', values: { zone } };
  const sign = direction === 'forward' ? 1 : direction === 'back' ? -1 : undefined;
  const found = all.find(
    ({ at, hours }) =>
      (sign === undefined || Math.sign(hours) === sign) &&
      (year === undefined || localTime(at, zone).startsWith(String(year))),
  );
  return found && { code: found.hours > 0 ? 'forward' : 'back', values: { zone, ...saidOf(found, asker) } };
}

function saidOf({ before, hours }: ClockChange, { language, now: at }: Asker): Record<string, string> {
  const say = sayings(language, { timeZone: 'UTC', now: at });
  const [hour, half] = language === 'de' ? ['eine Stunde', 'eine halbe Stunde'] : ['an hour', 'half an hour'];
  return { time: say.time(before), day: say.day(before), by: Math.abs(hours) === 1 ? hour : half };
}

/** "If I leave at 9:40 and the drive takes 3 hours, when do I arrive?" */
function clockSum({ clock, span, back }: Input, asker: Asker): Computed | undefined {
  const { language } = asker;
  const at = clockIn(clock, 'UTC', { ...asker, timeZone: 'UTC' });
  const length = minutesOf(span, language);
  if (!at || length === undefined) return undefined;
  const start = at.getTime() / 60_000;
  const end = back === true ? start - length : start + length;
  const [from, to] = [start, end].map((minutes) => new Date(minutes * 60_000).toISOString().slice(11, 16));
  const days = Math.floor(end / 1440) - Math.floor(start / 1440);
  const code = days === 0 ? '' : days === 1 ? 'next day' : days < 0 ? 'day before' : 'later';
  return {
    code,
    values: { from, to, sign: back === true ? 'minus' : 'plus', span: saySpan(inHours(length), language), days },
  };
}

export const CLOCK: Readonly<Record<string, Computation>> = {
  now: (_, asker) => now(asker),
  time_there: timeThere,
  time_later: later,
  time_converted: converted,
  time_difference: difference,
  clock_changes: changes,
  clock_sum: clockSum,
};
