import { told } from '../told.ts';
import { amount, isElapsed, number } from './amounts.ts';
import type { Amount, Piece, Unit, Which } from './piece.ts';
import { longest, many, map, opt, type Rule, seq, skip, unless, word } from './rule.ts';
import type { Sense, Token } from './token.ts';

const lead = skip('on', 'the', 'at', 'and', 'in', 'from');
const month = word('month');
const of = skip('of', 'in', 'the');
const year = map(word('number'), ({ n, name }) => (/^\d{4}$/u.test(name) && n >= 1900 && n <= 2199 ? n : undefined));
/** `15th`, `first`. */
const ordinal: Rule<number> = map(word('ordinal'), ({ n }) => n);
const dayNumber: Rule<number> = longest(
  ordinal,
  map(word('number'), ({ n }) => (Number.isInteger(n) && n < 100 ? n : undefined)),
);

/** `Thursday week`, `a week on Thursday`. */
const aWeekAfter = (day: number): Piece => ({ is: 'weekday', day, which: 'week after' });
const theWeek: Rule<unknown> = (tokens, at) =>
  tokens[at]?.text.toLowerCase() === 'week' ? { end: at + 1, value: undefined } : undefined;

/** `this friday`, `next`, `the coming`, `last`. */
const which: Rule<Which> = map(
  longest(word('this'), word('next'), word('coming'), word('last')),
  ({ is }) => is as Exclude<Which, 'week after' | undefined>,
);

/** `today`, `tomorrow`, `tonight`. */
const relative: Rule<Piece> = longest<Piece>(
  map(seq(skip('at', 'on'), word('relative'), opt(word('part'))), ([, { n }]) => ({ is: 'relative', days: n })),
  map(word('tonight'), () => ({ is: 'relative', days: 0, night: true })),
  map(seq(word('this'), word('part')), () => ({ is: 'relative', days: 0 })),
);

const weekday: Rule<Piece> = longest<Piece>(
  map(seq(lead, opt(which), word('weekday'), opt(word('part'))), ([, said, { n }]) => ({
    ...{ is: 'weekday' as const, day: n, which: said },
  })),
  map(seq(lead, word('other'), longest(word('weekday'), word('weekdays'))), () => ({
    ...{ is: 'unclear' as const, why: 'which_day_meant_not_certain' },
  })),
  map(unless(seq(lead, word('weekday'), theWeek), number), ([, { n }]) => aWeekAfter(n)),
  map(seq(word('article'), theWeek, word('on'), word('weekday')), ([, , , { n }]) => aWeekAfter(n)),
);

/** `24 december`, `December 24th, 2026`, `on the 15th`, `the 3rd of next month`. */
const date: Rule<Piece> = longest<Piece>(
  map(seq(lead, dayNumber, opt(word('of')), month, skip('comma'), opt(year)), ([, day, , of, , in_]) =>
    dated(day, of, in_),
  ),
  map(seq(lead, month, opt(word('the')), dayNumber, skip('comma'), opt(year)), ([, of, , day, , in_]) =>
    dated(day, of, in_),
  ),
  map(seq(skip('on'), word('the'), ordinal), ([, , day]) => dated(day)),
  map(seq(word('on'), ordinal), ([, day]) => dated(day)),
  map(seq(lead, word('dotted')), ([, { name }]) => dotted(name)),
  map(seq(lead, word('holiday')), ([, { n }]) => ({ is: 'date', day: n % 100, month: Math.floor(n / 100) })),
  map(seq(lead, word('iso')), ([, { name }]) => ({ is: 'instant', text: name })),
  map(seq(lead, word('slashed')), ([, { name }]) => ({
    is: 'unclear',
    why: told('day_month_order', { word: name }),
  })),
  map(seq(word('on', ''), word('clock')), ([, { name }]) => ({
    is: 'unclear',
    why: told('date_or_time', { word: name }),
  })),
  map(seq(longest(word('in'), word('of')), month, opt(year)), ([, { n }, in_]) => ({
    ...{ is: 'within' as const, month: n, year: in_ },
  })),
  map(seq(longest(word('next'), word('this')), month), () => ({
    ...{ is: 'unclear' as const, why: 'which_day_month_not_said' },
  })),
);

/** `next week`, `this weekend`: another word has to say which day of it. */
const span: Rule<Piece> = map(
  seq(skip('on', 'in', 'at', 'of', 'the'), longest(word('this'), word('next'), word('last')), word('unit')),
  ([, { is }, { name, n }]): Piece | undefined =>
    n === 1 && ['week', 'month', 'year', 'weekend'].includes(name)
      ? { is: 'span', unit: name as Unit, which: is as 'this' | 'next' | 'last' }
      : undefined,
);

const which1st: Rule<number> = longest(
  ordinal,
  map(word('last'), () => -1),
);
const nths = many(which1st, seq(skip('and', 'comma'), opt(word('the'))));
const counted: Rule<number | 'day' | 'workday'> = longest<number | 'day' | 'workday'>(
  map(word('weekday'), ({ n }) => n),
  map(word('unit', 'day'), () => 'day' as const),
  map(word('unit', 'workday'), () => 'workday' as const),
  map(seq(word('working'), word('unit', 'day')), () => 'workday' as const),
);
const everyMonth = longest<unknown>(
  seq(
    longest(word('of'), word('in'), word('every')),
    skip('of', 'the', 'every', 'article', 'on'),
    word('unit', 'month'),
  ),
  seq(word('adverb', 'month')),
);
const leadEvery = seq(lead, opt(word('every')), opt(word('the')));

/** `the second tuesday of the month`, `the last friday of december`, `der erste Montag im Monat`. */
export const nth: Rule<Piece> = longest<Piece>(
  map(seq(leadEvery, nths, counted, everyMonth), ([, list, day]) => ({ is: 'nth', nths: list, day, of: 'month' })),
  map(seq(word('every'), word('unit', 'month'), lead, nths, counted), ([, , , list, day]) => ({
    is: 'nth',
    nths: list,
    day,
    of: 'month',
  })),
  map(seq(word('adverb', 'month'), lead, nths, counted), ([, , list, day]) => ({
    is: 'nth',
    nths: list,
    day,
    of: 'month',
  })),
  map(seq(lead, nths, counted, skip('of', 'in'), month, opt(year)), ([, list, day, , in_, when]) => ({
    ...{ is: 'nth' as const, nths: list, day, month: in_.n, year: when, of: 'named' as const },
  })),
  map(
    seq(lead, nths, counted, of, longest(word('this'), word('next')), word('unit', 'month')),
    ([, list, day, , { is }]) => ({ is: 'nth', nths: list, day, of: is as 'this' | 'next' }),
  ),
  map(seq(lead, word('end'), of, opt(word('every')), word('unit', 'month')), ([, , , each]) => ({
    is: 'nth',
    nths: [-1],
    day: 'day',
    of: each ? 'month' : 'this',
  })),
);

/** `on the 1st and 15th of every month`, `every month on the 3rd`, `am 1. jedes Monats`. */
const dom: Rule<number> = map(seq(skip('the'), ordinal, opt(word('unit', 'day'))), ([, day]) => day);
const doms = many(dom, skip('and', 'comma', 'the'));
/** `every 15th`: an ordinal in letters, or before a day or a unit, is something else. */
const dayInFigures: Rule<number> = (tokens, at) =>
  /^\d/u.test(tokens[at]?.text ?? '')
    ? unless(ordinal, longest<unknown>(word('unit'), word('weekday'), word('month'), word('working')))(tokens, at)
    : undefined;
export const monthly: Rule<Piece> = longest<Piece>(
  map(seq(lead, word('every'), many(dayInFigures, skip('and', 'comma', 'the'))), ([, , days]) => ({
    ...{ is: 'monthly' as const, days },
  })),
  map(seq(leadEvery, doms, everyMonth), ([, days]) => ({ is: 'monthly', days })),
  map(
    seq(longest<unknown>(seq(word('every'), word('unit', 'month')), word('adverb', 'month')), lead, doms),
    ([, , days]) => ({
      is: 'monthly',
      days,
    }),
  ),
  map(
    seq(
      lead,
      map(doms, (days) => (days.length > 1 ? days : undefined)),
    ),
    ([, days]) => ({ is: 'monthly', days }),
  ),
);

/** `an hour before`, `the day after`: the words that follow say before or after what. */
const shift: Rule<Piece> = longest<Piece>(
  map(seq(skip('the'), amount, longest(word('past'), word('before'), word('from'))), ([, said, { is }]) => ({
    is: 'shift',
    amount: said,
    sign: is === 'before' ? -1 : 1,
  })),
  map(seq(word('the'), word('unit', 'day'), longest(word('past'), word('before'))), ([, , { is }]) => ({
    is: 'shift',
    amount: { ms: 0, days: 1, months: 0, workdays: 0 },
    sign: is === 'before' ? -1 : 1,
  })),
  map(seq(word('unit', 'day'), longest(word('past'), word('before'))), ([, { is }]) => ({
    is: 'shift',
    amount: { ms: 0, days: 1, months: 0, workdays: 0 },
    sign: is === 'before' ? -1 : 1,
  })),
);

/** `timer`, `Küchenwecker`: it goes off when the time after or before its name is over. */
const isAlarm = (token: Token | undefined) =>
  /(?:^(?:alarm|timer|countdown|reminder|erinnerung)|wecker|timer|eieruhr)$/iu.test(token?.text ?? '');
const short: Rule<Amount> = map(amount, (said) => (isElapsed(said) ? said : undefined));
/** A sign, or the beginning or the end of what was said. */
const isEdge = (token: Token | undefined) => token === undefined || /^[,.;!?]$/u.test(token.text);
const setTo = longest<unknown>(word('on', 'weak'), word('at', 'weak'), word('set'));

/** "A timer for 20 minutes", "a 20-minute timer", "the cake is in the oven, half an hour": in that time. */
const countdown: Rule<Amount> = (tokens, at) => {
  const after = isAlarm(tokens[at - 1]) ? map(seq(opt(setTo), short), ([, said]) => said)(tokens, at) : undefined;
  const alone = after ?? short(tokens, at);
  const next = alone && tokens[alone.end];
  return alone && (after || isAlarm(next) || (isEdge(tokens[at - 1]) && isEdge(next))) ? alone : undefined;
};

/** "Two weeks from today", "ab heute". */
const fromWord: Rule<unknown> = (tokens, at) =>
  /^(?:from|ab|von)$/iu.test(tokens[at]?.text ?? '') ? { end: at + 1, value: undefined } : undefined;
const fromToday: Rule<unknown> = map(seq(fromWord, word('relative')), ([, { n }]) => (n === 0 ? n : undefined));

/** `in 20 minutes`, `2 hours from now`, `3 days ago`, `vor 2 Tagen`. */
const elapsed: Rule<Piece> = longest<Piece>(
  map(seq(word('in'), skip('approx'), amount, opt(seq(skip('from'), word('now')))), ([, , said]) => ({
    is: 'in',
    amount: said,
    sign: 1,
  })),
  map(seq(word('in'), skip('approx'), amount, fromToday), ([, , said]) =>
    isElapsed(said) ? undefined : { is: 'in', amount: said, sign: 1 },
  ),
  map(countdown, (said) => ({ is: 'in', amount: said, sign: 1 })),
  map(seq(amount, skip('from', 'past'), word('now')), ([said]) => ({ is: 'in', amount: said, sign: 1 })),
  map(seq(amount, skip('from', 'past'), word('relative')), ([said, , { n }]) =>
    n === 0 && said.ms === 0 ? { is: 'in', amount: said, sign: 1 } : undefined,
  ),
  map(seq(amount, word('ago')), ([said, { n }]) => (n === 0 ? { is: 'in', amount: said, sign: -1 } : undefined)),
  map(seq(word('ago'), amount), ([{ n }, said]) => (n === -1 ? { is: 'in', amount: said, sign: -1 } : undefined)),
);

/** `until friday`, `bis zum 24. Dezember`, `until the end of the month`. */
const untilWord: Rule<unknown> = (tokens, at) =>
  /^(?:until|till|through|bis)$/iu.test(tokens[at]?.text ?? '') ? { end: at + 1, value: undefined } : undefined;
const included: Rule<unknown> = (tokens, at) => ({
  end: /^(?:zum|zur|einschließlich|inklusive|including)$/iu.test(tokens[at]?.text ?? '') ? at + 1 : at,
  value: undefined,
});
const lastOfMonth: Rule<Piece> = map(seq(skip('the'), word('end'), of, word('unit', 'month')), () => ({
  ...{ is: 'nth' as const, nths: [-1], day: 'day' as const, of: 'this' as const },
}));
const until: Rule<Piece> = map(
  seq(untilWord, included, longest(relative, weekday, date, lastOfMonth)),
  ([, , said]): Piece | undefined => (said.is === 'within' ? undefined : { is: 'until', day: said }),
);

/** `the last day of the year`, `letzter Tag des Jahres`. */
const dayOfYear: Rule<Piece> = map(
  seq(lead, which1st, word('unit', 'day'), of, skip('this'), word('unit', 'year')),
  ([, which]): Piece | undefined =>
    which === -1 ? { is: 'date', day: 31, month: 12 } : which === 1 ? { is: 'date', day: 1, month: 1 } : undefined,
);

/** Everything that says which single day. */
export const day: Rule<Piece> = longest(relative, weekday, date, dayOfYear, span, elapsed, shift, until);

function dated(dayOfMonth: number, of?: Sense, year_?: number): Piece {
  const days = [0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][of?.n ?? 1] ?? 31;
  if (dayOfMonth < 1 || dayOfMonth > days) return { is: 'unclear', why: told('no_day_in_month', { day: dayOfMonth }) };
  return { is: 'date', day: dayOfMonth, month: of?.n, year: year_ };
}

/** Day first, as is usual wherever dates are written with dots. */
function dotted(name: string): Piece {
  const [dayOfMonth = 0, of = 0, year_] = name.split('.').filter(Boolean).map(Number);
  if (of < 1 || of > 12) return { is: 'unclear', why: told('no_date', { word: name }) };
  const full = year_ === undefined || year_ > 99 ? year_ : 2000 + year_;
  return dated(dayOfMonth, { is: 'month', n: of, name: '' }, full);
}
