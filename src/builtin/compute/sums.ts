import { readExpression } from '../../quantities/expression.ts';
import { plus, type Quantity, times } from '../../quantities/quantity.ts';
import { readList } from '../amount-slots.ts';
import type { Asker, Computation, Computed } from '../computation.ts';
import { sayQuantity } from './units.ts';

const THAT = /\b(?:that|it|this|das|es|davon)\b/iu;

/** "18% of 245", "half of that". */
function sum({ sum: words }: Readonly<Record<string, unknown>>, asker: Asker): Computed | undefined {
  const { language } = asker;
  const that = asker.before().amount;
  const read = readExpression(String(words), { language, that });
  if (!read?.isSum) return undefined;
  const { result, whole, usesThat } = read;
  if (!Number.isFinite(result.value)) return { code: 'infinite', values: { sum: words } };
  const shown = that && usesThat ? withThat(String(words), sayQuantity(that, language)) : words;
  const rest = whole && plus(whole, result, -1);
  return {
    code: '',
    values: { sum: shown, result: sayQuantity(result, language) },
    came: { amount: result, ...(rest && { rest }) },
  };
}

function withThat(words: string, that: string): string {
  return THAT.test(words) ? words.replace(THAT, that) : `${that} ${words}`;
}

const FOLDS: Readonly<Record<string, (list: readonly Quantity[]) => Quantity | undefined>> = {
  sum: (list) => folded(list, (a, b) => plus(a, b, 1)),
  product: (list) => folded(list, times),
  mean: (list) => {
    const all = folded(list, (a, b) => plus(a, b, 1));
    return all && { ...all, value: all.value / list.length };
  },
  most: (list) => list.toSorted((a, b) => b.value - a.value)[0],
  least: (list) => list.toSorted((a, b) => a.value - b.value)[0],
};

function folded(
  [first, ...others]: readonly Quantity[],
  by: (a: Quantity, b: Quantity) => Quantity | undefined,
): Quantity | undefined {
  return others.reduce<Quantity | undefined>((all, each) => all && by(all, each), first);
}

/** "The average of 3, 4 and 8". */
function ofList({ list, take }: Readonly<Record<string, unknown>>, { language }: Asker): Computed | undefined {
  const amounts = readList(String(list), language)?.map(({ result }) => result);
  const result = amounts && FOLDS[String(take)]?.(amounts);
  return result && { code: '', values: { list, result: sayQuantity(result, language) }, came: { amount: result } };
}

/** "What is left?", after a part of something was worked out. */
function rest(_: unknown, asker: Asker): Computed | undefined {
  const { amount, rest: left } = asker.before();
  if (!amount || !left) return undefined;
  const whole = plus(left, amount, 1);
  const shown = (each: Quantity) => sayQuantity(each, asker.language);
  return (
    whole && {
      code: '',
      values: { whole: shown(whole), part: shown(amount), result: shown(left) },
      came: { amount: left },
    }
  );
}

export const SUMS: Readonly<Record<string, Computation>> = { sum, of_list: ofList, rest };
