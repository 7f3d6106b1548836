import { told } from '../told.ts';
import { number } from './amounts.ts';
import type { Clock, Part, Piece } from './piece.ts';
import { longest, many, map, opt, type Rule, seq, skip, unless, word } from './rule.ts';
import type { Sense } from './token.ts';

/** A time of day, or the words for one that does not exist. */
type Read = Clock | string;

const halfDay = word('half-day');
const oclock = word('oclock');

/** `9`, `21`, `12`: the hour in figures or letters. */
const hour: Rule<number> = map(number, (n) => (Number.isInteger(n) && n <= 99 ? n : undefined));

/** `6:45`, `18.30 Uhr`, `9:30pm`. */
const written: Rule<Read> = map(seq(word('clock'), opt(oclock), opt(halfDay)), ([{ name }, , half]) => {
  const [hours = '', minutes = ''] = name.split(/[:.h]/iu);
  const read = clockAt(Number(hours), Number(minutes), half);
  const explicit = hours.startsWith('0');
  return typeof read === 'string' ? read : { ...read, either: read.either && !explicit, digital: true };
});

/** `7pm`, `8 o'clock`, `8 Uhr 30`, `ein Uhr`. */
const marked: Rule<Read> = longest<Read>(
  map(seq(hour, opt(oclock), halfDay), ([hours, , half]) => clockAt(hours, 0, half)),
  map(seq(hour, oclock), ([hours]) => clockAt(hours, 0)),
  map(seq(hour, oclock, hour), ([hours, , minutes]) => clockAt(hours, minutes)),
  map(seq(word('article'), oclock), () => clockAt(1, 0)),
);

/** `noon`, `12 noon`, `midnight`. */
const moment: Rule<Read> = map(seq(opt(seq(word('number'), opt(oclock))), word('moment')), ([said, { n, name }]) =>
  said === undefined || said[0].n === 12
    ? { minute: n, either: false, midnight: name === 'midnight' || n === 0 }
    : undefined,
);

/** `half past five`, `quarter to nine pm`, `ten minutes past 8`, `viertel nach sieben`. */
const past: Rule<Read> = longest<Read>(
  relative(
    map(word('half'), () => 30),
    word('past'),
  ),
  relative(
    map(seq(opt(word('article')), word('quarter')), () => 15),
    longest(word('past'), word('before')),
  ),
  relative(
    map(seq(number, opt(word('unit', 'minute'))), ([n]) => n),
    longest(word('past'), word('before')),
  ),
);

/**
 * "Half eight", half past eight: those who do not say "past" rarely say which half of the day either, so it is asked.
 */
const halfAfter: Rule<Read> = map(
  unless(seq(word('half'), hour, opt(oclock), opt(halfDay)), word('unit')),
  ([, hours, , half]) => {
    const full = clockAt(hours, 0, half);
    if (typeof full === 'string' || hours > 12) return undefined;
    return { ...full, minute: (full.minute + 30) % 1440, asked: full.either };
  },
);

/** `halb acht` is half past seven, `dreiviertel acht` a quarter to, `fünf vor halb neun` five minutes before that. */
const halfTo: Rule<Read> = map(
  seq(opt(seq(number, longest(word('past'), word('before')))), word('halfTo'), hour, opt(oclock)),
  ([off, { n: back }, hours]) => {
    const from = back === 15 ? -15 : -30;
    return offset(clockAt(hours, 0), from + (off ? off[0] * off[1].n : 0));
  },
);

/** `nine thirty`, `seven forty-five`: hour and minutes in words. */
const spoken: Rule<Read> = map(
  seq(
    hour,
    map(number, (n) => (n >= 10 && n < 60 ? n : undefined)),
    opt(halfDay),
  ),
  ([hours, minutes, half]) => (hours <= 24 ? clockAt(hours, minutes, half) : undefined),
);

const bare: Rule<Read> = unless(
  map(hour, (hours) => clockAt(hours, 0)),
  longest<unknown>(word('unit'), word('month'), seq(word('dash'), word('unit')), word('working')),
);

/** Unmistakably a time of day, even without "at". */
const certain: Rule<Read> = longest(written, marked, past, halfAfter, halfTo, moment);
const any: Rule<Read> = longest(certain, spoken, bare);

/** The end of a span: the "to 5" in "from 9 to 5" does not count minutes. */
const plain: Rule<Read> = longest(written, marked, moment, bare);

const join = seq(skip('comma'), skip('and'), skip('at'));
const more = many(any, longest<unknown>(seq(word('and'), skip('at')), seq(word('comma'), join)));

/** One or several times of day: `at 9`, `9:30pm`, `at 9, 12 and 17`. */
export const clocks: Rule<Piece> = longest(
  toPiece(
    seq(
      seq(skip('approx'), word('at', '')),
      map(seq(skip('approx'), more), ([, list]) => list),
    ),
  ),
  toPiece(first(seq(word('on', 'weak'), more))),
  toPiece(
    seq(
      skip('at', 'on', 'approx'),
      map(certain, (one) => [one]),
    ),
  ),
  toPiece(seq(skip('at'), startsCertain(more))),
);

const theHour = opt(seq(word('the'), word('unit', 'hour')));
const minutesOf = (minute: number): Piece => ({ is: 'minutes', minute });

/** `at :30`, `at 15 minutes past the hour`, `at half past`, after "every hour". */
export const minutesOfHour: Rule<Piece> = longest<Piece>(
  map(seq(skip('at'), word('minutes')), ([, { name }]) => minutesOf(Number(name.slice(1)))),
  map(seq(skip('at'), number, opt(word('unit', 'minute')), word('past'), theHour), ([, n, , , hours]) =>
    hours === undefined ? undefined : minutesOf(n),
  ),
  map(seq(word('at'), opt(word('article')), word('quarter'), word('past'), theHour), () => minutesOf(15)),
  map(seq(word('at'), opt(word('article')), word('quarter'), word('before'), theHour), () => minutesOf(45)),
  map(seq(word('at'), word('half'), word('past'), theHour), () => minutesOf(30)),
  map(seq(word('on'), word('the'), word('unit', 'hour')), () => minutesOf(0)),
);

/** `in the morning`, `this evening`, `abends`: without an hour it stands for its usual one. */
export const part: Rule<Piece> = map(seq(skip('in', 'at', 'on', 'the', 'of'), word('part')), ([, { name }]) => ({
  is: 'part',
  part: name as Part,
}));

const joiner = longest<unknown>(seq(word('and')), word('until'), word('dash'));
const opening = longest<unknown>(word('between'), word('from'));

/** `between 9 and 5`, `from 22:00 to 2:00`, `9am-5pm`. */
export const window: Rule<Piece> = longest<Piece>(
  map(seq(opening, skip('at'), plain, joiner, skip('at'), plain), ([, , from, , , to]) => windowOf(from, to)),
  map(seq(longest(written, marked, moment), longest(word('until'), word('dash')), plain), ([from, , to]) =>
    windowOf(from, to),
  ),
);

/** "Between 9 and 5" ends in the afternoon; "2 and 4pm" are both in the afternoon; 22 to 2 spans midnight. */
function windowOf(from: Read, to: Read): Piece {
  if (typeof from === 'string') return noTimeOfDay(from);
  if (typeof to === 'string') return noTimeOfDay(to);
  const noon = 720;
  const end = to.either && to.minute <= from.minute && from.minute < noon ? to.minute + noon : to.minute;
  const sameHalf = from.either && !to.either && end >= noon && from.minute + noon < end && from.minute < 8 * 60;
  const start = sameHalf ? from.minute + noon : from.minute;
  return { is: 'window', from: start % 1440, to: end };
}

/** Minutes past or to the full hour. */
function relative(minutes: Rule<number>, direction: Rule<Sense>): Rule<Read> {
  return map(
    seq(
      minutes,
      direction,
      longest(
        map(seq(hour, opt(oclock), opt(halfDay)), ([h, , half]) => clockAt(h, 0, half)),
        moment,
      ),
    ),
    ([n, { n: sign }, full]) => (n < 60 ? offset(full, sign * n) : undefined),
  );
}

function offset(clock: Read, minutes: number): Read {
  if (typeof clock === 'string') return clock;
  return { ...clock, midnight: false, minute: (clock.minute + minutes + 1440) % 1440 };
}

/** `24:00` is the end of the day; `13pm` and `0am` do not exist. */
function clockAt(hours: number, minutes: number, half?: Sense): Read {
  const shown = `${hours}${minutes === 0 && hours <= 24 ? '' : `:${String(minutes).padStart(2, '0')}`}`;
  const said = `${shown}${half ? (half.n === 12 ? 'pm' : 'am') : ''}`;
  if (hours > 24 || minutes > 59 || (hours === 24 && minutes > 0)) return said;
  if (half && (hours > 12 || hours === 0)) return said;
  const full = half ? (hours % 12) + half.n : hours;
  return { minute: full * 60 + minutes, either: !half && hours >= 1 && hours <= 12 };
}

/** A list may begin without "at" when its first time is certain to be one. */
function startsCertain(list: Rule<readonly Read[]>): Rule<readonly Read[]> {
  return (tokens, at) => (certain(tokens, at) ? list(tokens, at) : undefined);
}

/** "Set an alarm for 7" leaves "for 7"; later in a sentence, "for 4" may mean four people. */
function first<Value>(rule: Rule<Value>): Rule<Value> {
  return (tokens, at) => (at === 0 ? rule(tokens, at) : undefined);
}

function noTimeOfDay(word: string): Piece {
  return { is: 'unclear', why: told('no_time_of_day', { word }) };
}

/** Times as a piece; one that does not exist makes it unclear. */
function toPiece(rule: Rule<readonly [unknown, readonly Read[], ...unknown[]]>): Rule<Piece> {
  return map(rule, ([, list]): Piece => {
    const wrong = list.find((one) => typeof one === 'string');
    if (wrong !== undefined) return noTimeOfDay(wrong);
    return { is: 'clocks', clocks: list.filter((one) => typeof one !== 'string') };
  });
}
