import { readExpression, unitIn } from '../../quantities/expression.ts';
import { showNumber } from '../../quantities/numbers.ts';
import { inUnit, isMoney, type Quantity } from '../../quantities/quantity.ts';
import type { Asker, Computation, Computed } from '../computation.ts';

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
  const values = { amount: asked, unit: unit.name, from: from.name };
  if (!found) {
    // "A 10k run": one letter is not meant as a unit of another kind.
    if (from.name.length === 1 && !/[€$£]/u.test(from.name)) return undefined;
    const both = [amount, { value: 1, of: unit }].every(isMoney);
    const kinds = { kind: from.meanings[0]?.kind, other: unit.meanings[0]?.kind };
    return { code: both ? 'rates' : 'differ', values: { ...values, ...kinds } };
  }
  const british = inUnit(amount, unit, true);
  const [result, other] = [number(found, language), british && number(british, language)];
  const isTwofold = language === 'en' && other !== result;
  return { code: isTwofold ? 'twofold' : '', values: { ...values, result, british: other }, came: { amount: found } };
}

function number({ value }: Quantity, language: Asker['language']): string {
  return showNumber(Number(value.toPrecision(DIGITS)), language);
}

export const UNITS: Readonly<Record<string, Computation>> = { convert };
