import type { Language } from '../words/spelling.ts';
import { showMoney, showNumber } from './numbers.ts';
import { alike, type Named, ratio } from './units.ts';

/** So many of a unit, or of one over another: "6.5 litres per 100 km". */
export interface Quantity {
  readonly value: number;
  readonly of?: Named | undefined;
  /** Over so many of this unit. */
  readonly per?: { readonly times: number; readonly unit: Named } | undefined;
  /** A percentage: 0.15 for "15%". */
  readonly isShare?: boolean | undefined;
}

export const isMoney = ({ of }: Quantity): boolean => of?.meanings.some(({ kind }) => kind === 'money') ?? false;

/** The same quantity in another unit of its kind; undefined where the two measure different things. */
export function inUnit(quantity: Quantity, unit: Named, isBritish = false): Quantity | undefined {
  const { value, of, per } = quantity;
  if (!of) return undefined;
  if (per || unit.per) return rateIn(quantity, unit, isBritish);
  const units = alike(of, unit);
  if (!units) return undefined;
  const [{ is, plus: from = 0 }, { is: other, plus: to = 0 }] = units;
  const changed = from === to ? value * ratio(units, isBritish) : (value * is + from - to) / other;
  return { value: changed, of: unit };
}

/** Fuel over distance is the inverse of distance over fuel. */
function rateIn({ value, of, per }: Quantity, unit: Named, isBritish: boolean): Quantity | undefined {
  const below = unit.per;
  if (!of || !per || !below) return undefined;
  const change = (a: Named, b: Named) => {
    const units = alike(a, b);
    return units && ratio(units, isBritish);
  };
  const [above, under] = [change(of, unit), change(per.unit, below)];
  if (above !== undefined && under !== undefined)
    return { value: (value / per.times) * (above / under) * (unit.times ?? 1), of: unit };
  const [up, down] = [change(of, below), change(per.unit, unit)];
  if (up === undefined || down === undefined) return undefined;
  return { value: ((per.times * down) / (value * up)) * (unit.times ?? 1), of: unit };
}

/** An amount per year as an amount per month. */
export function perUnit({ value, of, per }: Quantity, unit: Named): Quantity | undefined {
  const units = per && alike(per.unit, unit);
  return units && { value: value / per.times / ratio(units), of, per: { times: 1, unit } };
}

/** Neither of them has a unit that the other cannot be given in. "80 + 15%" means 15 % of the 80. */
export function plus(a: Quantity, b: Quantity, sign: 1 | -1): Quantity | undefined {
  if (b.isShare && !a.isShare) return { ...a, value: a.value * (1 + sign * b.value) };
  if (a.per ? b.of && !b.per : b.per && a.of) return undefined;
  if (!a.of || !b.of) return sum(a, b, sign, a.of ? a : b);
  const [below, same] = [a.per ? b.per && perUnit(b, a.per.unit) : b, a.per ? a.of : undefined];
  const other = below && (same ? (alike(b.of, same) ? below : undefined) : inUnit(below, a.of));
  return other && sum({ ...a, value: a.value / (a.per?.times ?? 1) }, other, sign, a);
}

function sum(a: Quantity, b: Quantity, sign: 1 | -1, { of, per }: Quantity): Quantity {
  return {
    value: a.value + sign * b.value,
    of,
    ...(per && { per: { ...per, times: 1 } }),
    isShare: a.isShare && b.isShare,
  };
}

/** A rate times what it is counted by is so much of the other; else one of the two is a plain number. */
export function times(a: Quantity, b: Quantity): Quantity | undefined {
  const counted = a.per ? paidFor(a, b) : b.per ? paidFor(b, a) : undefined;
  if (counted) return counted;
  if (a.of && b.of) return undefined;
  const { of, per } = a.of ? a : b;
  return { value: a.value * b.value, of, per, ...(a.isShare && b.isShare && { isShare: true }) };
}

function paidFor({ value, of, per }: Quantity, by: Quantity): Quantity | undefined {
  if (!per || !by.of || by.per) return undefined;
  const counted = inUnit(by, per.unit);
  return counted && { value: (value * counted.value) / per.times, of };
}

/** Two amounts of one kind are so many times each other, others a rate; a distance by a speed is a time. */
export function over(a: Quantity, b: Quantity): Quantity | undefined {
  if (!b.of) return { ...a, value: a.value / b.value };
  if (b.per) {
    const same = a.per ? undefined : inUnit(a, b.of);
    return same && { value: (same.value / b.value) * b.per.times, of: b.per.unit };
  }
  if (!a.of || a.per) return undefined;
  const same = inUnit(b, a.of);
  return same ? { value: a.value / same.value } : { value: a.value / b.value, of: a.of, per: { times: 1, unit: b.of } };
}

/** As its author would write it: "64 euros", "£4.50", "96.56 km/h". */
export function showQuantity({ value, of, per, isShare }: Quantity, language: Language, digits = 12): string {
  if (isShare) return `${showNumber(value * 100, language)}${language === 'de' ? ' %' : '%'}`;
  const shown = isMoney({ value, of })
    ? showMoney(value, language)
    : showNumber(Number(value.toPrecision(digits)), language);
  const leads = of && /^[$€£¥₹]$/u.test(of.name) && language === 'en';
  const whole = !of ? shown : leads ? `${of.name}${shown}` : `${shown} ${of.name}`;
  if (!per || of?.per) return whole;
  const below = `${per.times === 1 ? '' : `${per.times} `}${per.unit.name}`;
  return `${whole} ${language === 'de' ? 'pro' : 'per'} ${below}`;
}
