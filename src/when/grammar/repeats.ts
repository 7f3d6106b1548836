import { number, stride, unit } from './amounts.ts';
import { monthly, nth } from './days.ts';
import type { Part, Piece, Unit } from './piece.ts';
import { longest, many, map, opt, type Rule, seq, skip, word } from './rule.ts';
import type { Sense } from './token.ts';

const lead = skip('on', 'the', 'at', 'in');
const weekday = map(word('weekday'), ({ n }) => n);
const anyDay = longest(
  weekday,
  map(word('weekdays'), ({ n }) => n),
);
const plural = map(word('weekdays'), ({ n }) => n);
const between = seq(skip('comma', 'and', 'slash'), skip('on'), opt(word('every')));

/** `twice`, `three times`, `3 mal`. */
const often: Rule<number> = longest(
  map(word('often'), ({ n }) => n),
  map(seq(number, word('fold')), ([n]) => (Number.isInteger(n) && n > 0 ? n : undefined)),
);

/** `every 2 hours`, `each day`, `every 2nd day`, `daily`, `once a week`. */
const every: Rule<Piece> = longest<Piece>(
  map(seq(lead, word('every'), stride), ([, , said]) => ({ is: 'every', ...said })),
  map(seq(opt(word('once')), longest(word('article'), word('of', 'per')), unit), ([once, , { name, n }]) =>
    once === undefined ? undefined : { is: 'every', unit: name, n },
  ),
  map(seq(word('once'), word('every'), stride), ([, , said]) => ({ is: 'every', ...said })),
  map(seq(often, longest(word('article'), word('of', 'per'), word('every'), word('on')), unit), ([times, , of]) =>
    of.n === 1 ? { is: 'every', unit: of.name, n: 1, times } : undefined,
  ),
  map(seq(often, word('adverb')), ([times, { n, name }]) =>
    n === 1 && name !== 'night' ? { is: 'every', unit: name as Unit, n, times } : undefined,
  ),
  map(word('adverb'), adverb),
  map(seq(word('every'), word('last'), word('unit')), () => ({ is: 'unclear', why: 'which_month_not_said' })),
);

/** `hourly` is on the full hour, `nightly` is every day at night. */
function adverb({ n, name }: Sense): Piece {
  if (name === 'hour') return { is: 'every', n, unit: 'hour', onTheHour: true };
  return name === 'night' ? { is: 'every-part', part: 'night' } : { is: 'every', n, unit: name as Unit };
}

const everyPart: Rule<Piece> = map(seq(lead, word('every'), word('part')), ([, , { name }]) => ({
  is: 'every-part',
  part: name as Part,
}));

/** `every monday and thursday`, `tue/thu`, `fridays`, `every other sunday`, `weekdays`, `jeden zweiten Dienstag`. */
const weekdays: Rule<Piece> = longest<Piece>(
  map(seq(lead, word('every'), many(anyDay, between)), ([, , days]) => ({ is: 'weekdays', days, stride: 1 })),
  map(seq(lead, many(plural, between)), ([, days]) => ({ is: 'weekdays', days, stride: 1 })),
  map(seq(lead, plural, between, many(anyDay, between)), ([, first, , days]) => ({
    ...{ is: 'weekdays' as const, days: [first, ...days], stride: 1 },
  })),
  map(
    seq(
      lead,
      map(many(anyDay, between), (days) => (days.length > 1 ? days : undefined)),
    ),
    ([, days]) => ({
      ...{ is: 'weekdays' as const, days, stride: 1 },
    }),
  ),
  map(seq(lead, word('every'), longest(word('other'), word('ordinal')), anyDay), ([, , { n, is }, day]) =>
    is === 'other' || n === 2
      ? { is: 'weekdays', days: [day], stride: 2 }
      : { is: 'unclear', why: 'weeks_or_days_of_month' },
  ),
);

/** `monday to friday`, `from tue through thu`, also across the weekend. */
const range: Rule<Piece> = map(
  seq(lead, opt(word('every')), skip('from'), anyDay, longest(word('until'), word('dash')), anyDay),
  ([, , , from, , to]) => ({ is: 'weekdays', days: daysFromTo(from, to), stride: 1 }),
);

/** `on weekdays`, `at the weekend` in the plural, `every working day`. */
const kinds: Rule<Piece> = longest<Piece>(
  (tokens, at) => {
    const hit = seq(lead, word('unit'))(tokens, at);
    const text = hit && tokens[hit.end - 1]?.text.toLowerCase();
    const many_ = /^(?:weekdays|workdays|weekends|werktags|wochentags|wochenenden)$/u.test(text ?? '');
    return hit && many_ ? { end: hit.end, value: ofKind(hit.value[1].name) } : undefined;
  },
  map(seq(lead, word('every'), unit), ([, , { name }]) =>
    name === 'workday' || name === 'weekend' ? ofKind(name) : undefined,
  ),
  map(seq(lead, word('working'), word('unit', 'day')), ([, , { n }]) => (n === 1 ? ofKind('workday') : undefined)),
);

function ofKind(name: string): Piece {
  return { is: 'weekdays', days: name === 'weekend' ? [6, 0] : [1, 2, 3, 4, 5], stride: 1 };
}

/** `every year on 24 december`, `every 24 december`, `each january`. */
const yearly: Rule<Piece> = longest<Piece>(
  map(seq(word('every'), longest(word('ordinal'), word('number')), word('month')), ([, { n }, of]) => ({
    ...{ is: 'yearly' as const, day: n, month: of.n },
  })),
  map(seq(word('every'), word('month'), longest(word('ordinal'), word('number'))), ([, of, { n }]) => ({
    ...{ is: 'yearly' as const, day: n, month: of.n },
  })),
  map(seq(word('every'), word('holiday')), ([, { n }]) => ({
    ...{ is: 'yearly' as const, day: n % 100, month: Math.floor(n / 100) },
  })),
  map(seq(lead, word('every'), many(word('month'), between)), ([, , months]) => ({
    ...{ is: 'months' as const, months: months.map(({ n }) => n) },
  })),
);

const exceptDays: Rule<readonly number[]> = longest(
  many(anyDay, between),
  map(word('unit', 'weekend'), () => [6, 0]),
  map(word('unit', 'workday'), () => [1, 2, 3, 4, 5]),
);
const except: Rule<Piece> = map(seq(skip('comma'), word('except'), lead, exceptDays), ([, , , days]) => ({
  is: 'except',
  days,
}));

/** Everything that names recurring days or times. */
export const repeats: Rule<Piece> = longest(nth, monthly, everyPart, weekdays, range, kinds, yearly, except, every);

/** Also across the weekend: friday to monday. */
function daysFromTo(from: number, to: number): number[] {
  return Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, index) => (from + index) % 7);
}
