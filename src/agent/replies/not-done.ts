import { REMOTE_CHANNELS } from '../../notify/channels.ts';
import { unitCalled } from '../../quantities/units.ts';
import { monthNumber } from '../../words/months.ts';
import { type Known, timesIn } from './known.ts';

const PATH = /(?<![\p{L}\p{N}/:.@_-])(?:[\p{L}\p{N}_-]+\/)+[\p{L}\p{N}_.-]*\.\p{L}{1,5}(?![\p{L}\p{N}/])/gu;
/** A number in front of a word; not a part of a date, time, amount or range. */
const COUNT = /(?<![\d.,:/#–-]|\p{Sc} ?)(\d{1,3})(?![\d.,:/%–-]) (\p{L}{3,})/gu;
const MOST_NAMED = 3;

/**
 * What an answer about something done names although no call was given it or gave it: channels, paths of files, times,
 * numbers of items. It goes by these alone, not by what sentences say, so it holds in every language.
 */
export function namedWithoutCall(
  answer: string,
  known: Known,
  { now, timeZone }: { readonly now: string; readonly timeZone: string },
): string[] {
  const figures = known.figures();
  const paths = (answer.match(PATH) ?? []).filter((path) => !known.has(path));
  const channels = REMOTE_CHANNELS.filter(
    ({ id, label }) => [id, label].some((name) => isNamed(answer, name)) && !known.has(id) && !known.has(label),
  ).map(({ label }) => label);
  const times = timesOf(answer, known, { now, timeZone, figures });
  const counts = [...answer.matchAll(COUNT)].filter(
    ([, figure, word = '']) =>
      Number(figure) > 1 && !figures.has(Number(figure)) && !unitCalled(word) && monthNumber(word) === undefined,
  );
  const found = [...channels, ...paths, ...times, ...counts.map(([text]) => text)];
  return [...new Set(found)].slice(0, MOST_NAMED);
}

/** "At nine" may have been said as "9" or "9 pm". */
function timesOf(
  answer: string,
  known: Known,
  {
    now,
    timeZone,
    figures,
  }: { readonly now: string; readonly timeZone: string; readonly figures: ReadonlySet<number> },
): string[] {
  const times = known.times(timeZone);
  const isHour = (time: string) =>
    time.endsWith(':00') && [0, 12].some((noon) => figures.has(Number(time.slice(0, 2)) - noon));
  // "5:30" may be what was said as 17:30.
  const other = (time: string) => `${String((Number(time.slice(0, 2)) + 12) % 24).padStart(2, '0')}${time.slice(2)}`;
  return timesIn(answer).filter((time) => time !== now && !times.has(time) && !times.has(other(time)) && !isHour(time));
}

/** As a name: with its capital letter, since many are also ordinary words. */
function isNamed(answer: string, name: string): boolean {
  const at = answer.search(new RegExp(`(?<!\\p{L})${name[0]?.toUpperCase()}${name.slice(1)}(?!\\p{L})`, 'u'));
  return at >= 0;
}
