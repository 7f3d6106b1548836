import { pattern } from '../base/pattern.ts';
import { addToDate, daysInMonth, localDate } from './calendar.ts';
import { findDate, type Spoken } from './find.ts';

/** The first and the last day, as local dates. */
export interface DaySpan {
  readonly from: string;
  readonly to: string;
}

const SPAN = pattern(
  'iu',
  String.raw`^(?:(?:in|over|for|during|am|an|im) )?(?:the |der |dem |den |das )?(?<which>\p{L}+ )?`,
  '(?<unit>week|weekend|month|woche|wochenende|monat)$',
);
/** "The next 7 days". */
const DAYS_AHEAD =
  /^(?:(?:in|over|for) )?(?:the |den |die )?(?:next|coming|nächsten|kommenden) (?<n>\d{1,2}) (?:days|tagen?)$/iu;
const NEXT = /^(?:next|following|nächste[rnms]?|kommende[rnms]?)$/iu;
const LAST = /^(?:last|past|previous|letzte[rnms]?|vergangene[rnms]?|vorige[rnms]?)$/iu;
const THIS = /^(?:this|coming|diese[rnms]?)$/iu;

/**
 * The days that words such as "tomorrow", "this week" or "next month" refer to; undefined for other words.
 *
 * @param ahead the question is about the future: the current week then means seven days from today on.
 */
export function findDays(words: string, spoken: Spoken, { ahead = false } = {}): DaySpan | undefined {
  const { which = 'this', unit } = SPAN.exec(words.trim())?.groups ?? {};
  const days = Number(DAYS_AHEAD.exec(words.trim())?.groups?.n ?? 0);
  if (days > 0) return { from: dayFrom(spoken, 0), to: dayFrom(spoken, days - 1) };
  if (unit === undefined) {
    const at = findDate(words.replace(/'s$/u, ''), spoken)?.at;
    const date = at && localDate(at, spoken.timeZone);
    return date === undefined ? undefined : { from: date, to: date };
  }
  const named = which.trim();
  const step = NEXT.test(named) ? 1 : LAST.test(named) ? -1 : THIS.test(named) ? 0 : undefined;
  if (step === undefined) return undefined;
  if (/^mon/iu.test(unit)) return month(step, spoken, ahead);
  return /end/iu.test(unit) ? weekend(step, spoken) : week(step, spoken, ahead);
}

function dayFrom({ now, timeZone }: Spoken, days: number): string {
  return localDate(addToDate(now, days, { unit: 'day', timeZone }), timeZone);
}

/** How many days ago the last Monday was. */
function sinceMonday({ now, timeZone }: Spoken): number {
  return (new Date(`${localDate(now, timeZone)}T00:00:00Z`).getUTCDay() + 6) % 7;
}

function week(step: number, spoken: Spoken, ahead: boolean): DaySpan {
  if (ahead && step === 0) return { from: dayFrom(spoken, 0), to: dayFrom(spoken, 6) };
  const monday = 7 * step - sinceMonday(spoken);
  return { from: dayFrom(spoken, monday), to: dayFrom(spoken, monday + 6) };
}

function weekend(step: number, spoken: Spoken): DaySpan {
  const saturday = 7 * step + 5 - sinceMonday(spoken);
  return { from: dayFrom(spoken, saturday), to: dayFrom(spoken, saturday + 1) };
}

function month(step: number, { now, timeZone }: Spoken, ahead: boolean): DaySpan {
  const [year = 0, number = 1] = localDate(now, timeZone).split('-').map(Number);
  const first = new Date(Date.UTC(year, number - 1 + step, 1)).toISOString().slice(0, 10);
  const [y = 0, m = 1] = first.split('-').map(Number);
  const from = ahead && step === 0 ? localDate(now, timeZone) : first;
  return { from, to: `${first.slice(0, 8)}${String(daysInMonth(y, m)).padStart(2, '0')}` };
}
