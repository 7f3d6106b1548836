import { readExpression } from '../../quantities/expression.ts';
import { showMoney } from '../../quantities/numbers.ts';
import { inUnit, over, perUnit, plus, type Quantity, showQuantity, times } from '../../quantities/quantity.ts';
import { unitCalled } from '../../quantities/units.ts';
import type { Language } from '../../words/spelling.ts';
import type { Asker, Computation, Computed } from '../computation.ts';

type Input = Readonly<Record<string, unknown>>;

/** The amounts that some of the words are; undefined where one that is there cannot be read. */
function amountsIn<Name extends string>(
  input: Input,
  language: Language,
  ...names: readonly Name[]
): Partial<Record<Name, Quantity>> | undefined {
  const found: Partial<Record<Name, Quantity>> = {};
  for (const name of names) {
    if (input[name] === undefined) continue;
    const amount = readExpression(String(input[name]), { language })?.result;
    if (!amount || !Number.isFinite(amount.value)) return undefined;
    found[name] = amount;
  }
  return found;
}

/** A sum of money has cents or none, whether or not its currency was said. */
function shown(language: Language, amounts: Readonly<Record<string, Quantity | undefined>>): Record<string, string> {
  const say = (each: Quantity) =>
    each.of || each.isShare ? showQuantity(each, language) : showMoney(each.value, language);
  return Object.fromEntries(Object.entries(amounts).flatMap(([name, each]) => (each ? [[name, say(each)]] : [])));
}

/** Discounts come off first, tax goes on what is left, the tip on all of it; then it is shared. */
function bill(input: Input, { language }: Asker): Computed | undefined {
  const found = amountsIn(input, language, 'amount', 'off', 'plus', 'tip', 'by');
  if (!found?.amount || found.by?.value === 0) return undefined;
  const changes: Record<string, Quantity> = {};
  let total: Quantity | undefined = found.amount;
  for (const [name, sign] of [
    ['off', -1],
    ['plus', 1],
    ['tip', 1],
  ] as const) {
    const share = found[name];
    const change: Quantity | undefined =
      share && total && (share.isShare ? times({ value: share.value }, total) : share);
    total = change && total ? plus(total, change, sign) : total;
    if (change) changes[`${name}Is`] = change;
  }
  const each = total && found.by && over(total, { value: found.by.value });
  const values = { ...shown(language, { ...found, ...changes, total, each }), ...(found.by && { by: found.by.value }) };
  const isPlain = Object.keys(changes).length === 0;
  return total && { code: each && isPlain ? 'shared' : '', values, came: { amount: each ?? total } };
}

/** What it is without a tax that it includes. */
function net(input: Input, { language }: Asker): Computed | undefined {
  const { amount, tax } = amountsIn(input, language, 'amount', 'tax') ?? {};
  if (!amount || !tax?.isShare) return undefined;
  const before = { ...amount, value: amount.value / (1 + tax.value) };
  const taxed = { ...amount, value: amount.value - before.value };
  return { code: '', values: shown(language, { amount, before, tax: taxed }), came: { amount: before } };
}

/** "30 is what percent of 120?" */
function share(input: Input, { language }: Asker): Computed | undefined {
  const { part, whole } = amountsIn(input, language, 'part', 'whole') ?? {};
  const ratio = part && whole && over(part, whole.of || !part.of ? whole : { ...whole, of: part.of });
  if (!part || !whole || !ratio || ratio.of || !Number.isFinite(ratio.value)) return undefined;
  const percent = { value: Number(ratio.value.toFixed(4)), isShare: true };
  return { code: '', values: shown(language, { part, whole, percent }), came: { amount: percent } };
}

/** By how much per cent the one is more or less than the other. */
function change(input: Input, { language }: Asker): Computed | undefined {
  const { from, to } = amountsIn(input, language, 'from', 'to') ?? {};
  if (!from || !to || from.value === 0) return undefined;
  const ratio = over({ value: to.value - from.value }, { value: from.value })?.value ?? 0;
  const by = { value: Number(Math.abs(ratio).toFixed(4)), isShare: true };
  const code = ratio === 0 ? 'same' : ratio > 0 ? 'more' : 'less';
  return { code, values: shown(language, { from, to, by }), came: { amount: by } };
}

/** "Petrol is 1.46 a litre, how much is 38 litres?", "75 a month for two years": whole payments are counted. */
function rated(input: Input, { language }: Asker): Computed | undefined {
  const { each: one, rate: said, amount } = amountsIn(input, language, 'each', 'rate', 'amount') ?? {};
  const unit = input.per === undefined ? undefined : unitCalled(String(input.per));
  const rate = said ?? (one && unit && { ...one, per: { times: 1, unit } });
  if (!rate?.per || !amount) return undefined;
  const isPaid = rate.per.unit.meanings.some((unit) => unit['a year has'] !== undefined);
  const counted = amount.of ? inUnit(amount, rate.per.unit) : amount;
  const n = counted && (isPaid ? Math.floor(counted.value / rate.per.times + 1e-9) : counted.value / rate.per.times);
  const each = { value: rate.value, of: rate.of };
  const total = n === undefined ? over(amount, rate) : times(each, { value: n });
  if (!total) return undefined;
  const code = n === undefined || !Number.isInteger(n) || rate.per.times > 1 ? 'rate' : '';
  return {
    code,
    values: { n, ...shown(language, { total, each, amount }), rate: input.rate },
    came: { amount: total },
  };
}

/** "34,500 a year, how much is that a month?" */
function per(input: Input, asker: Asker): Computed | undefined {
  const { language } = asker;
  const rate = input.rate === undefined ? asker.before().amount : amountsIn(input, language, 'rate')?.rate;
  const unit = unitCalled(String(input.per));
  const found = rate?.per && unit && perUnit(rate, unit);
  if (!found || !rate?.per || !unit) return undefined;
  const amount = { value: found.value, of: found.of };
  return { code: '', values: { ...shown(language, { amount }), per: unit.name }, came: { amount: found } };
}

/** "If 5 tickets cost 67.50, what do 8 cost?" What apples cost says nothing of pears. */
function proportion(input: Input, { language }: Asker): Computed | undefined {
  const { n = { value: 1 }, price, m = { value: 1 } } = amountsIn(input, language, 'n', 'price', 'm') ?? {};
  if (!price || n.value === 0 || !areAlike(String(input.thing ?? ''), String(input.other ?? ''))) return undefined;
  const ratio = over(m, n);
  if (!ratio || ratio.of) return undefined;
  const each = { ...price, value: price.value / n.value };
  const total = { ...price, value: price.value * ratio.value };
  const code = n.of ? 'amount' : m.value === 1 ? 'one' : n.value === 1 ? 'times' : '';
  return { code, values: { m: m.value, ...shown(language, { each, total }) }, came: { amount: total } };
}

function areAlike(thing: string, other: string): boolean {
  const stems = (words: string) =>
    (words.toLowerCase().match(/\p{L}{3,}/gu) ?? []).map((word) => word.replace(/(?:e[sn]?|[sn])$/u, ''));
  const known = new Set([...stems(thing), ...stems('them those these more such ones one davon mehr solche')]);
  const asked = stems(other);
  return asked.length === 0 || asked.some((word) => known.has(word));
}

/** "How many times does 7 go into 85?" */
function into(input: Input, { language }: Asker): Computed | undefined {
  const { n, whole } = amountsIn(input, language, 'n', 'whole') ?? {};
  if (!n || !whole || n.value === 0) return undefined;
  const rest = whole.value % n.value;
  const values = { times: Math.floor(whole.value / n.value), rest };
  return { code: rest === 0 ? '' : 'rest', values, came: { amount: { value: values.times } } };
}

export const MONEY: Readonly<Record<string, Computation>> = { bill, net, share, change, rated, per, proportion, into };
