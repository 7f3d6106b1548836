import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a unit comes to in the base unit of its kind. */
export interface Unit {
  readonly kind: string;
  /** So many of the base unit. */
  readonly is: number;
  /** Where its zero lies, in the base unit: of temperatures. */
  readonly plus?: number;
  /** In Britain, where it is another there. */
  readonly uk?: number;
  /** So many are counted to a year, which has no whole number of weeks. */
  readonly 'a year has'?: number;
  /** The smaller unit that is said behind it: "5 foot 8". */
  readonly then?: string;
  readonly currency?: string;
}

/** A name and all that it may mean: a pound is a mass and a currency, and what it is compared with tells which. */
export interface Named {
  readonly name: string;
  readonly meanings: readonly Unit[];
  /** Of a speed and its like: "mph" is miles per hour, "l/100 km" litres per 100 km. */
  readonly per?: Named;
  readonly times?: number;
}

interface Row extends Unit {
  readonly names: string;
  readonly prefixes?: string;
  readonly of?: string;
  readonly per?: string;
}

const PREFIXES: readonly (readonly [sign: string, name: string, German: string, times: number])[] = [
  ['n', 'nano', 'Nano', 1e-9],
  ['µ', 'micro', 'Mikro', 1e-6],
  ['m', 'milli', 'Milli', 1e-3],
  ['c', 'centi', 'Zenti', 1e-2],
  ['d', 'deci', 'Dezi', 1e-1],
  ['h', 'hecto', 'Hekto', 100],
  ['k', 'kilo', 'Kilo', 1e3],
  ['M', 'mega', 'Mega', 1e6],
  ['G', 'giga', 'Giga', 1e9],
  ['T', 'tera', 'Tera', 1e12],
  ['P', 'peta', 'Peta', 1e15],
];

let known: ReadonlyMap<string, Named> | undefined;

/** The unit of that name, in English or German; undefined for other words. `Mb` and `MB` differ. */
export function unitCalled(words: string): Named | undefined {
  known ??= loadUnits();
  const name = words.trim().replace(/\s+/gu, ' ');
  const found = known.get(name) ?? known.get(name.toLowerCase());
  return found && { ...found, name };
}

function loadUnits(): ReadonlyMap<string, Named> {
  const text = readFileSync(join(import.meta.dirname, 'units.jsonl'), 'utf8');
  const rows = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]));
  const units = new Map<string, Named>();
  const add = (name: string, meanings: readonly Unit[], per?: Named) => {
    // As it is spelt goes before what is spelt alike: "B" is a byte and "b" may be one.
    for (const [spelt, isOwn] of [[name, true] as const, [name.toLowerCase(), false] as const]) {
      const others = units.get(spelt)?.meanings.filter((each) => !meanings.includes(each)) ?? [];
      units.set(spelt, {
        name,
        meanings: isOwn ? [...meanings, ...others] : [...others, ...meanings],
        ...(per && { per }),
      });
    }
  };
  for (const { names, prefixes = '', of, per, ...unit } of rows) {
    const all = names.split('|');
    const [above, below] = [of, per].map((name) => (name === undefined ? undefined : units.get(name)));
    for (const name of all) add(name, above ? above.meanings : [unit], below);
    for (const short of prefixes.split(' ').filter(Boolean)) {
      const [sign, ...longs] = PREFIXES.find(([each]) => short.startsWith(each)) ?? [''];
      const times = Number(longs.at(-1));
      const larger = { ...unit, is: unit.is * times };
      add(short, [larger]);
      // "km" and its kind have no other spelling than their sign.
      for (const name of all.filter((each) => each.length > 2 && sign !== ''))
        add(`${/^\p{Lu}/u.test(name) ? longs[1] : longs[0]}${name.toLowerCase()}`, [larger]);
    }
  }
  return units;
}

/** What two names measure that can be compared; undefined for a length and a mass. */
export function alike(a: Named, b: Named): readonly [Unit, Unit] | undefined {
  for (const first of a.meanings) {
    const second = b.meanings.find(({ kind, currency }) => kind === first.kind && currency === first.currency);
    if (second) return [first, second];
  }
  return undefined;
}

/** How many of the one are one of the other. Days, weeks, months and years are those of a calendar. */
export function ratio([from, to]: readonly [Unit, Unit], isBritish = false): number {
  const [a, b] = [from['a year has'], to['a year has']];
  // A week has seven days, a fortnight two weeks.
  const isOfWeeks = [from, to].every(({ is }) => is <= 1_209_600);
  if (a !== undefined && b !== undefined && !isOfWeeks) return b / a;
  const size = ({ is, uk }: Unit) => (isBritish ? (uk ?? is) : is);
  return size(from) / size(to);
}
