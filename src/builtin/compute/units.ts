import { readExpression, unitIn } from '../../quantities/expression.ts';
import { showNumber } from '../../quantities/numbers.ts';
import { inUnit, isMoney, type Quantity, showQuantity } from '../../quantities/quantity.ts';
import { unitCalled } from '../../quantities/units.ts';
import type { Language } from '../../words/spelling.ts';
import type { Asker, Computation, Computed } from '../computation.ts';
import { type Period, periodOf } from '../date-slots.ts';
import { saySpan } from './dates.ts';

/** Of a conversion no more is worth saying. */
const DIGITS = 7;

/** "10 miles in km"; of a measure that is another in Britain both are said. */
function convert(input: Readonly<Record<string, unknown>>, asker: Asker): Computed | undefined {
  const { language } = asker;
  const that = input.amount === undefined ? asker.before().amount : undefined;
  const amount = that ?? readExpression(String(input.amount), { language })?.result;
  const unit = unitIn(String(input.unit));
  const from = amount?.of;
  if (!amount || !unit || !from) return undefined;
  const asked = that ? `${number(that, language)} ${from.name}` : String(input.amount);
  const found = inUnit(amount, unit);
  const [amountSaid, unitSaid, fromSaid] = [asked, unit.name, from.name].map((words) => spelt(words, language));
  const values = { amount: amountSaid, unit: unitSaid, from: fromSaid };
  if (!found) {
    // "A 10k run": one letter is not meant as a unit of another kind.
    if (from.name.length === 1 && !/[€$£]/u.test(from.name)) return undefined;
    const both = [amount, { value: 1, of: unit }].every(isMoney);
    const kinds = { kind: from.meanings[0]?.kind, other: unit.meanings[0]?.kind };
    return { code: both ? 'rates' : 'differ', values: { ...values, ...kinds } };
  }
  const span = found && spanOf(found, language);
  if (span !== undefined) return { code: 'span', values: { ...values, span }, came: { amount: found } };
  const british = inUnit(amount, unit, true);
  const [result, other] = [number(found, language), british && number(british, language)];
  const isTwofold = language === 'en' && other !== result;
  return { code: isTwofold ? 'twofold' : '', values: { ...values, result, british: other }, came: { amount: found } };
}

/** How many of the one are one of the other, in which the rest is said. */
const SMALLER: Readonly<Partial<Record<Period, readonly [number, Period]>>> = {
  hour: [60, 'minute'],
  day: [24, 'hour'],
  week: [7, 'day'],
};

/** A quantity as people say it. */
export function sayQuantity(quantity: Quantity, language: Language): string {
  return spanOf(quantity, language) ?? showQuantity(quantity, language);
}

/** "203 minutes" are 3 hours and 23 minutes: nobody says thirds of an hour. */
function spanOf({ value, of }: Quantity, language: Language): string | undefined {
  const period = of && periodOf(of.name);
  const [many, smaller] = (period && SMALLER[period]) ?? [];
  if (!period || !smaller || many === undefined || Number.isInteger(value)) return undefined;
  const all = value * many;
  const isEven = Math.abs(all - Math.round(all)) < 1e-6;
  if (!isEven) return undefined;
  const [whole, rest] = [Math.floor(Math.round(all) / many), Math.round(all) % many];
  return saySpan(
    [
      [whole, period],
      [rest, smaller],
    ],
    language,
  );
}

/** Written small, a German unit is still a noun: "stunden". Signs such as "km" stay. */
function spelt(words: string, language: Language): string {
  if (language === 'en') return words;
  return words.replace(/\p{L}{4,}/gu, (word) =>
    unitCalled(word) ? word.charAt(0).toUpperCase() + word.slice(1) : word,
  );
}

function number({ value }: Quantity, language: Asker['language']): string {
  return showNumber(Number(value.toPrecision(DIGITS)), language);
}

export const UNITS: Readonly<Record<string, Computation>> = { convert };
