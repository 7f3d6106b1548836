import type { Unit } from 'convert';
import type { Language } from '../words/spelling.ts';

/** The library of units, as far as it is used here. Its names are as it spells them: `Mb` and `MB` differ. */
export interface UnitLibrary {
  /** What a unit measures, such as "length"; undefined for what is no unit of it. */
  kindOf(unit: string): string | undefined;
  /** Both units must be of one kind. */
  convert(n: number, from: string, to: string): number;
}

/** So many of a unit of the library. */
interface Amount {
  readonly times: number;
  readonly unit: string;
}

/** A unit that a person named; speeds and fuel consumption are one unit over another. */
export interface Measure {
  readonly kind: string;
  readonly of: Amount;
  readonly per?: Amount;
}

/** Loaded with the first sentence that has the form of a conversion: it takes about 10 ms. */
export async function loadUnits(): Promise<UnitLibrary> {
  const { convert, getMeasureKind, MeasureKind } = await import('convert');
  return {
    kindOf: (unit) => {
      const kind = getMeasureKind(unit);
      return kind === undefined ? undefined : MeasureKind[kind].toLowerCase();
    },
    convert: (n, from, to) => convert(n, from as Unit).to(to as Unit),
  };
}

/** What the library lacks or has rounded to a few digits, by its definition. A calorie is the thermochemical one. */
const OWN_UNITS: ReadonlyMap<string, Amount> = new Map([
  ['cal', { times: 4.184, unit: 'J' }],
  ['kcal', { times: 4184, unit: 'J' }],
  ['carat', { times: 0.2, unit: 'g' }],
  ['Zentner', { times: 50, unit: 'kg' }],
  ['Esslöffel', { times: 15, unit: 'ml' }],
  ['Teelöffel', { times: 5, unit: 'ml' }],
  ['PS', { times: 75 * 9.80665, unit: 'W' }],
  ['au', { times: 149_597_870_700, unit: 'm' }],
  ['short hundredweight', { times: 100, unit: 'lb' }],
  ['long hundredweight', { times: 112, unit: 'lb' }],
  ['point', { times: 1 / 72, unit: 'in' }],
  ['pica', { times: 1 / 6, unit: 'in' }],
]);
/** In German only: an English pound is another. */
const PFUND: Measure = { kind: 'mass', of: { times: 0.5, unit: 'kg' } };

/** Everyday and German names, also where the library has something rarer: `ML` is no megalitre, `TL` no teralitre. */
const NAMES: readonly (readonly [unit: string, names: string])[] = [
  ['m', 'metern'],
  ['km', 'kilometern'],
  ['cm', 'zentimeter|zentimetern'],
  ['mm', 'mm|millimetern'],
  ['mm2', 'mm2|mm²'],
  ['mm3', 'mm3|mm³'],
  ['mile', 'meile|meilen'],
  ['nautical mile', 'seemeile|seemeilen'],
  ['ft', 'fuß|fuss'],
  ['inch', 'zoll|″'],
  ['point', 'points'],
  ['pica', 'picas'],
  ['light-year', 'lichtjahr|lichtjahre|lightyear|lightyears|light year|light years'],
  ['au', 'astronomical unit|astronomical units'],
  ['g', 'gramm|gr'],
  ['kg', 'kilo|kilos|kilogramm'],
  ['mg', 'mg|milligramm'],
  ['oz', 'unze|unzen'],
  ['tonne', 'ton|tons|tonnen'],
  ['Zentner', 'zentner'],
  ['short hundredweight', 'cental'],
  ['long hundredweight', 'imperial hundredweight|cwt'],
  ['carat', 'carats|karat|ct'],
  ['l', 'litern'],
  ['ml', 'ml|millilitern'],
  ['cl', 'zentiliter'],
  ['dl', 'deziliter'],
  ['cup', 'tasse|tassen|us cup|us cups'],
  ['tbsp', 'tbs'],
  ['Esslöffel', 'esslöffel|esslöffeln|el'],
  ['Teelöffel', 'teelöffel|teelöffeln|tl'],
  ['fl oz', 'fluid ounce|fluid ounces|floz'],
  ['gallon', 'gallone|gallonen'],
  ['C', 'grad celsius|degrees celsius|degrees c|centigrade|grad c|degree celsius|c|°c'],
  ['F', 'grad fahrenheit|degrees fahrenheit|degrees f|grad f|degree fahrenheit|f|°f'],
  ['K', 'k'],
  ['ms', 'ms'],
  ['s', 's|sekunde|sekunden|sec|secs'],
  ['min', 'minuten'],
  ['h', 'stunde|stunden|hr|hrs'],
  ['day', 'tag|tage|tagen'],
  ['week', 'woche|wochen'],
  ['month', 'monat|monate|monaten'],
  ['year', 'jahr|jahre|jahren'],
  ['m2', 'quadratmeter|quadratmetern|qm|sqm'],
  ['km2', 'quadratkilometer'],
  ['ft2', 'sqft|quadratfuß'],
  ['hectare', 'hektar'],
  ['square mile', 'quadratmeile|quadratmeilen'],
  ['m3', 'kubikmeter'],
  ['kWh', 'kilowattstunde|kilowattstunden|kilowatt hours|kwh'],
  ['kcal', 'kalorie|kalorien|kilokalorien|calorie|calories|kilocalorie|kilocalories'],
  ['J', 'j'],
  ['PS', 'ps|pferdestärke|pferdestärken|metric horsepower'],
  ['kW', 'kw'],
  ['Pa', 'pa'],
  ['B', 'b'],
  ['kB', 'kb'],
  ['MB', 'mb'],
  ['GB', 'gb'],
  ['TB', 'tb'],
  ['megabit', 'Mb'],
  ['gigabit', 'Gb'],
  ['terabit', 'Tb'],
];
const UNIT_OF = new Map(NAMES.flatMap(([unit, names]) => names.split('|').map((name) => [name, unit] as const)));

const SPEEDS: readonly (readonly [length: string, time: string, names: string])[] = [
  ['km', 'h', 'kmh|kph|stundenkilometer'],
  ['mile', 'h', 'mph'],
  ['nautical mile', 'h', 'kn|knot|knots|knoten'],
];
const SPEED_OF = new Map(
  SPEEDS.flatMap(([length, time, names]) => names.split('|').map((name) => [name, [length, time]] as const)),
);

const FUEL = 'fuel consumption';
const LITRES_PER_100_KM = /^l(?:iters?|itres?)? ?(?:\/|per|pro|auf) ?100 ?(?:km|kilomet\p{L}+)$/u;
const MILES_PER_GALLON = /^(?:mpg|miles per gallon|meilen pro gallone)$/u;

/** Undefined for words that name no unit. Gallons are those of the US; see `imperial`. */
export function measureOf(words: string, language: Language, library: UnitLibrary): Measure | undefined {
  const name = words.trim().replace(/\.$/u, '');
  const lower = name.toLowerCase();
  if (LITRES_PER_100_KM.test(lower)) return { kind: FUEL, of: one('l'), per: { times: 100, unit: 'km' } };
  if (MILES_PER_GALLON.test(lower)) return { kind: FUEL, of: one('mile'), per: one('gallon') };
  const speed = speedOf(SPEED_OF.get(lower) ?? lower.split(/ ?(?:\/| per | pro | an? ) ?/u), library);
  // Not the kilonewton, which is spelt like a knot.
  if (speed && !library.kindOf(name)) return speed;
  return language === 'de' && lower === 'pfund' ? PFUND : unitNamed(name, library);
}

/** A number of one unit in another of the same kind. */
export function convertMeasure(n: number, from: Measure, to: Measure, library: UnitLibrary): number {
  const change = (count: number, a: Amount, b: Amount) => library.convert(count * a.times, a.unit, b.unit) / b.times;
  if (!from.per || !to.per) return change(n, from.of, to.of);
  // Fuel over distance is the inverse of distance over fuel.
  const inverse = library.kindOf(from.of.unit) !== library.kindOf(to.of.unit);
  if (inverse) return change(1, from.per, to.of) / change(n, from.of, to.per);
  return change(n, from.of, to.of) / change(1, from.per, to.per);
}

/** Measures that are smaller in the US than in Britain. */
const TWOFOLD = /^(?:pints?|pt|quarts?|qt|gallons?|gal|fl oz)$/iu;
const BRITISH = [
  [/^p/iu, 'imperial pint'],
  [/^q/iu, 'imperial quart'],
  [/^g/iu, 'imperial gallon'],
  [/^f/iu, 'imperial fluid ounce'],
] as const;

/** The measure as it is in Britain: itself, where it is the same everywhere. */
export function imperial(measure: Measure): Measure {
  const british = ({ times, unit }: Amount) => {
    const name = TWOFOLD.test(unit) ? BRITISH.find(([form]) => form.test(unit))?.[1] : undefined;
    return name === undefined ? undefined : { times, unit: name };
  };
  const [of, per] = [british(measure.of), measure.per && british(measure.per)];
  if (!of && !per) return measure;
  return { ...measure, of: of ?? measure.of, ...(measure.per && { per: per ?? measure.per }) };
}

const one = (unit: string): Amount => ({ times: 1, unit });

function unitNamed(name: string, library: UnitLibrary): Measure | undefined {
  const lower = name.toLowerCase();
  const known = UNIT_OF.get(name) ?? UNIT_OF.get(lower);
  for (const unit of known ? [known] : [name, lower, lower.replace(/s$/u, '')]) {
    const of = OWN_UNITS.get(unit) ?? one(unit);
    const kind = library.kindOf(of.unit);
    if (kind) return { kind, of };
  }
  return undefined;
}

/** `kilometers per hour`, `m/s`: a length over a time. */
function speedOf([above = '', below = '', ...rest]: readonly string[], library: UnitLibrary): Measure | undefined {
  if (below === '' || rest.length > 0) return undefined;
  const [length, time] = [unitNamed(above, library), unitNamed(below, library)];
  if (length?.kind !== 'length' || time?.kind !== 'time') return undefined;
  return { kind: 'speed', of: length.of, per: time.of };
}
