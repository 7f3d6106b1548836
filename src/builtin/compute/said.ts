import { readExpression } from '../../quantities/expression.ts';
import type { Quantity } from '../../quantities/quantity.ts';
import { daysBetween, localDate } from '../../when/calendar.ts';
import { exactTime, type Spoken } from '../../when/find.ts';
import { month } from '../../words/months.ts';
import type { Language } from '../../words/spelling.ts';
import type { Came } from '../computation.ts';

/** The end of the conversation. */
interface Said extends Spoken {
  readonly earlier: readonly { readonly by: 'person' | 'assistant'; readonly text: string }[];
}

const MONTH = month('en', 'de');
const DATES = new RegExp(
  `\\b(?:\\d{1,2}\\.? ${MONTH}|${MONTH} \\d{1,2},?)(?: \\d{4})?\\b|\\b\\d{4}-\\d\\d-\\d\\d\\b`,
  'giu',
);
const FIGURE = /(?<![\p{L}\d.,:-])(?:[$€£] ?)?\d[\d.,]*/gu;
/** An amount and its unit have no more words. */
const MOST_WORDS = 6;
/** A quotation of more has more than one figure. */
const MOST_CHARS = 600;

/** The one day and the one amount that an answer from a document names; none of several is meant. */
export function saidIn({ earlier, ...spoken }: Said): Came {
  const last = earlier.at(-1);
  if (last?.by !== 'assistant' || last.text.length > MOST_CHARS) return {};
  const text = last.text.replace(/\[[^[\]]*\]/gu, ' ');
  const day = theDay(text, spoken);
  const amount = theAmount(text);
  return { ...(day && { day }), ...(amount && { amount }) };
}

/** The only day, or the only one that is still to come. */
function theDay(text: string, spoken: Spoken): Date | undefined {
  const { now, timeZone } = spoken;
  const found = [...text.matchAll(DATES)].flatMap(([words]) => exactTime(words, spoken)?.at ?? []);
  const days = [...new Map(found.map((at) => [localDate(at, timeZone), at])).values()];
  const coming = days.filter((at) => daysBetween(now, at, timeZone) >= 0);
  const [only, ...others] = coming.length === 1 ? coming : days;
  return others.length === 0 ? only : undefined;
}

/** The only amount that has a unit, with what it is counted by: "850 euros a month", "monthly 22.50 €". */
function theAmount(text: string): Quantity | undefined {
  const language: Language = /\b(?:der|die|das|ist|und|kostet|im|pro)\b/iu.test(text) ? 'de' : 'en';
  const rest = text.replace(DATES, ' ');
  const found = [...rest.matchAll(FIGURE)].flatMap(({ index }) => {
    const words = rest.slice(index).split(/\s+/u).slice(0, MOST_WORDS);
    const ways = words.map((_, at) =>
      words
        .slice(0, words.length - at)
        .join(' ')
        .replace(/[.,;!?]+$/u, ''),
    );
    const read = ways.map((way) => readExpression(way, { language })).find((each) => each?.result.of && !each.isSum);
    return read ? [read.result] : [];
  });
  const [only, ...others] = found;
  if (!only || others.some(({ value }) => value !== only.value)) return undefined;
  const often = /\b(?:monatlich|monthly|wöchentlich|weekly|jährlich|yearly|annually|täglich|daily)/iu.exec(rest)?.[0];
  const per = only.per || often === undefined ? undefined : readExpression(`1 ${often}`, { language })?.result.per;
  return per ? { ...only, per } : only;
}
