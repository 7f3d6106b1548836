import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../zone.ts';
import { type Amount, NO_AMOUNT, type Unit } from './piece.ts';
import { longest, many, map, opt, type Rule, seq, skip, word } from './rule.ts';
import type { Sense } from './token.ts';

/** `7`, `seven`, `twenty-five`. */
export const number: Rule<number> = longest(
  map(word('number'), ({ n }) => n),
  map(seq(word('tens'), opt(word('dash')), opt(word('number'))), ([tens, , ones]) =>
    ones === undefined ? tens.n : ones.n < 10 ? tens.n + ones.n : undefined,
  ),
);

/** `a couple of`, `a few`, `ein paar`. */
const few = map(seq(opt(word('article')), word('couple'), opt(word('of'))), ([, { n }]) => n);
const half = seq(skip('article'), word('half'), skip('article'));
/** A quantity before a unit, including `a`, `half an`, `two and a half`, `a quarter of an`. */
const count: Rule<number> = longest<number>(
  number,
  few,
  map(word('article'), () => 1),
  map(half, () => 0.5),
  map(seq(number, word('and'), half), ([whole]) => whole + 0.5),
  map(seq(opt(word('article')), word('quarter'), word('of'), word('article')), () => 0.25),
  map(seq(number, word('quarter'), word('of'), word('article')), ([quarters]) => quarters / 4),
);

/** `and a half` behind a unit. */
const andPart: Rule<number> = map(
  seq(word('and'), opt(word('article')), longest(word('half'), word('quarter'))),
  ([, , { n }]) => n,
);

/** A unit; a working day may be two words. */
export const unit: Rule<{ readonly name: Unit; readonly n: number }> = longest(
  map(word('unit'), ({ name, n }: Sense) => ({ name: name as Unit, n })),
  map(seq(word('working'), word('unit', 'day')), () => ({ name: 'workday' as const, n: 1 })),
);

const term: Rule<Amount> = map(seq(count, opt(word('dash')), unit, opt(andPart)), ([n, , of, more = 0]) =>
  amountOf((n + more) * of.n, of.name),
);

/** `20 minutes`, `an hour and a half`, `2 hours, 10 minutes and 5 seconds`. */
export const amount: Rule<Amount> = map(many(term, skip('and', 'comma')), (terms) => terms.reduce(add));

/** `hour`, `2 weeks`: what "every" counts. A number is not needed. */
export const stride: Rule<{ readonly n: number; readonly unit: Unit }> = map(
  seq(
    opt(
      longest(
        number,
        map(half, () => 0.5),
        map(word('other'), ({ n }) => n),
        map(word('ordinal'), ({ n }) => n),
      ),
    ),
    unit,
    opt(andPart),
  ),
  ([n = 1, of, more = 0]) => strideOf((n + more) * of.n, of.name),
);

/** Half an hour is 30 minutes: cron and intervals count whole units. */
function strideOf(n: number, name: Unit): { n: number; unit: Unit } | undefined {
  if (Number.isInteger(n)) return { n, unit: name };
  if (name === 'hour' && Number.isInteger(n * 60)) return { n: n * 60, unit: 'minute' };
  if (name === 'minute' && Number.isInteger(n * 60)) return { n: n * 60, unit: 'second' };
  return undefined;
}

const ELAPSED: Partial<Record<Unit, number>> = { second: SECOND_MS, minute: MINUTE_MS, hour: HOUR_MS };

/** Half a day is a number of hours; half a month is not well defined. */
function amountOf(n: number, name: Unit): Amount | undefined {
  const elapsed = ELAPSED[name];
  if (elapsed !== undefined) return { ...NO_AMOUNT, ms: n * elapsed };
  if (name === 'day' && n === 0.5) return { ...NO_AMOUNT, ms: DAY_MS / 2 };
  if (name === 'year' && Number.isInteger(n * 12)) return { ...NO_AMOUNT, months: n * 12 };
  if (!Number.isInteger(n) || name === 'weekend' || name === 'night') return undefined;
  if (name === 'quarter') return { ...NO_AMOUNT, months: n * 3 };
  if (name === 'workday') return { ...NO_AMOUNT, workdays: n };
  return name === 'month' ? { ...NO_AMOUNT, months: n } : { ...NO_AMOUNT, days: name === 'week' ? n * 7 : n };
}

function add(a: Amount, b: Amount): Amount {
  return { ms: a.ms + b.ms, days: a.days + b.days, months: a.months + b.months, workdays: a.workdays + b.workdays };
}

/** Whether it is elapsed time, whatever the clocks do, rather than days of the calendar. */
export function isElapsed({ days, months, workdays }: Amount): boolean {
  return days === 0 && months === 0 && workdays === 0;
}
