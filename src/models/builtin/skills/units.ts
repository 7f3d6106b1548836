import { readNumber, showNumber, wordsToDigits } from '../numbers.ts';
import { phrases } from '../phrases.ts';
import { type Intent, type Skill, say, type UserRequest } from '../request.ts';
import { UNIT_TABLE, type UnitRow } from '../unit-table.ts';
import { withoutAsking } from './arithmetic.ts';

const N =
  '{n:\\d+\\/\\d+(?: of an?)?|-?\\d[\\d.,]*(?: \\d+\\/\\d+)?|an?|one|half an?|(?:ein )?halbe[rs]?|eine?|einem|einer}';
const FORMS = phrases({
  en: [
    `[convert|change|turn|translate] ${N}[ ]{from} (to|in|into|as|=) {to}`,
    `how (many|much) {to} (are|is|are there|is there|do|does|go|fit) (in|make|to|into|make up) ${N}[ ]{from}`,
    `how (many|much) {to} (in|make|to|are|is) ${N}[ ]{from} [make|have]`,
    `how (much|many|long|far|heavy|hot|warm|tall|cold|fast|big|high) (is|are) ${N}[ ]{from} in {to}`,
    `how (many|much) {to} (does|do) ${N}[ ]{from} (have|make|contain|weigh)`,
    `${N}[ ]{from} is how (many|much) {to}`,
  ],
  de: [
    `[(rechne|wandle|wandel|konvertiere)] ${N}[ ]{from} (in|zu|nach|=) {to} [um]`,
    `[wie[ ]viel[e] (ist|sind)|was (ist|sind)|wie (lang|weit|schwer|heiß|warm|groß|schnell|hoch) (ist|sind)] ${N}[
      ]{from} in {to}`,
    `wie[ ]viel[e] {to} (sind|ist|hat|haben|ergeben|entsprechen|entspricht|sind es in) [in] ${N}[ ]{from}`,
    `wie[ ]viel[e] {to} (passen|gehen) in ${N}[ ]{from}`,
  ],
});

/** Everyday and German names, and the name in the table. Its own names need no line. */
const NAMES: readonly (readonly [name: string, names: string])[] = [
  ['m', 'meter|meters|metre|metres|metern'],
  ['km', 'kilometern|kms'],
  ['cm', 'zentimeter|zentimetern|centimeter|centimeters'],
  ['mm', 'millimeter|millimetern'],
  ['mile', 'meile|meilen|mi'],
  ['nautical mile', 'seemeile|seemeilen'],
  ['yd', 'yards|yard'],
  ['ft', 'fuß|fuss'],
  ['inch', 'zoll|″'],
  ['g', 'gramm|gram|grams|gr'],
  ['kg', 'kilo|kilos|kilogramm|kgs'],
  ['mg', 'milligramm'],
  ['lb', 'pound|pounds|lbs'],
  ['oz', 'unze|unzen|ounces|ounce'],
  ['stone', 'stones|st'],
  ['tonne', 'ton|tons|tonnen|tonnes|metric tons|t'],
  ['l', 'liter|litern|liters|litre|litres'],
  ['ml', 'milliliter|millilitern|millilitre|millilitres'],
  ['cl', 'zentiliter|centiliter'],
  ['dl', 'deziliter|deciliter'],
  ['cup', 'tasse|tassen|cups|us cup|us cups'],
  ['tbsp', 'esslöffel|el|tablespoons|tablespoon|tbsps|tbs'],
  ['tsp', 'teelöffel|tl|teaspoons|teaspoon|tsps'],
  ['fl oz', 'fluid ounce|fluid ounces|floz'],
  ['pint', 'pints|pt'],
  ['quart', 'quarts|qt'],
  ['gallon', 'gallone|gallonen|gallons|gal'],
  ['C', 'celsius|grad celsius|°c|c|degrees celsius|degrees c|centigrade|grad c|degree celsius'],
  ['F', 'fahrenheit|grad fahrenheit|°f|f|degrees fahrenheit|degrees f|grad f|degree fahrenheit'],
  ['K', 'k'],
  ['s', 'sekunde|sekunden|sec|secs|second|seconds'],
  ['min', 'minute|minuten|minutes|mins'],
  ['h', 'stunde|stunden|hr|hrs|hour|hours'],
  ['day', 'tag|tage|tagen|days'],
  ['week', 'woche|wochen|weeks'],
  ['month', 'monat|monate|monaten|months'],
  ['year', 'jahr|jahre|jahren|years'],
  ['m2', 'quadratmeter|quadratmetern|qm|m²|square metres|square meters|sqm'],
  ['km2', 'quadratkilometer|km²|square kilometres|square kilometers'],
  ['ft2', 'square feet|square foot|sqft|sq ft|quadratfuß'],
  ['hectare', 'hektar|ha|hectares'],
  ['square mile', 'quadratmeile|quadratmeilen|square miles'],
  ['m3', 'kubikmeter|m³|cubic metres|cubic meters'],
  ['kWh', 'kilowattstunde|kilowattstunden|kilowatt hours|kilowatt-hours|kwh'],
  ['PS', 'ps|pferdestärken|pferdestärke'],
  ['kW', 'kilowatt|kw|kilowatts'],
  ['B', 'byte|bytes|b'],
  ['kB', 'kb|kilobyte|kilobytes'],
  ['MB', 'mb|megabyte|megabytes'],
  ['GB', 'gb|gigabyte|gigabytes'],
  ['TB', 'tb|terabyte|terabytes'],
  ['J', 'joule|joules|j'],
  ['kcal', 'kalorie|kalorien|kilokalorien|calories|calorie'],
  ['Pa', 'pascal|pa'],
  ['carat', 'karat'],
  ['light-year', 'lichtjahr|lichtjahre|lightyears|lightyear'],
];
const ALIASES = new Map(NAMES.flatMap(([unit, names]) => names.split('|').map((name) => [name, unit] as const)));
const TABLE = new Map(UNIT_TABLE.flatMap((row) => row[2].split('|').map((name) => [name, row] as const)));
/** Speeds are a length over a time. */
const SPEEDS: Readonly<Record<string, readonly [length: string, time: string]>> = {
  ...{ 'km/h': ['km', 'h'], kmh: ['km', 'h'], kph: ['km', 'h'], stundenkilometer: ['km', 'h'], mph: ['mile', 'h'] },
  ...{
    knots: ['nautical mile', 'h'],
    knot: ['nautical mile', 'h'],
    knoten: ['nautical mile', 'h'],
    kn: ['nautical mile', 'h'],
  },
};
/** Imperial gallons would be others. */
const KM_PER_MILE_US_GALLON = 235.214583;

const FRACTIONS = /^(?:(\d+) )?(\d+)\/(\d+)(?: of an?)?$/u;

/** "Convert 10 km to miles", "how many feet in a mile", "100 F in C", "60 mph in km/h". */
export const units: Skill = {
  name: 'units',
  examples: {
    en: ['convert 10 miles to km', 'how many grams are in a pound?', '100 F in C'],
    de: ['wie viel sind 10 Meilen in km?', '200 Grad Fahrenheit in Celsius', 'wie viele Gramm hat ein Pfund?'],
  },
  recognize: (request) => {
    const question = wordsToDigits(withoutAsking(request.plain))
      .replace(/\bdegrees? (?=[cf]\b|celsius|fahrenheit)/giu, '')
      .replace(/\s*°\s*/gu, ' °');
    const height = HEIGHT.exec(request.plain);
    if (height) return tall(height, request);
    const slots = FORMS(wordsToDigits(request.plain)) ?? FORMS(question);
    if (!slots) return undefined;
    return converted({ n: amountOf(slots.n ?? '', request), from: slots.from ?? '', to: slots.to ?? '' }, request);
  },
};

/** `5'10 in cm`, `5 ft 10 in m`: feet and inches. */
const HEIGHT = /^(?:how tall is )?(\d)\s?(?:'|ft|feet|foot)\s?(\d{1,2})\s?(?:"|in(?:ch(?:es)?)?)? (?:in|to) (cm|m)$/iu;

function tall([, feet, inches, to = 'cm']: readonly string[], request: UserRequest): Intent | undefined {
  const n = Number(feet) * 12 + Number(inches);
  return converted({ n, from: 'inches', to }, request);
}

/** `half an` is 0.5, `a` is 1, `1 1/2` is 1.5. */
function amountOf(text: string, { language }: UserRequest): number {
  const [, whole = 0, above, below] = FRACTIONS.exec(text) ?? [];
  if (above !== undefined) return Number(whole) + Number(above) / Number(below);
  if (/^(?:half|(?:ein )?halbe)/iu.test(text)) return 0.5;
  return /^(?:an?|one|eine?[mr]?)$/iu.test(text) ? 1 : readNumber(text.replace(/[.,]$/u, ''), language);
}

interface Conversion {
  readonly n: number;
  readonly from: string;
  readonly to: string;
}

/** Undefined when a name is no unit, so that another skill may try. */
function converted({ n, from, to }: Conversion, request: UserRequest): Intent | undefined {
  const [a, b] = [measureOf(from, request), measureOf(to, request)];
  if (!a || !b || Number.isNaN(n)) return undefined;
  const { in: either } = request;
  const [name, other] = [from.trim(), to.trim()];
  if (a.kind !== b.kind)
    return say(
      either(
        `${name} measures ${a.kind}, ${other} measures ${b.kind}: there is no conversion.`,
        `${name} und ${other} messen Verschiedenes: das lässt sich nicht umrechnen.`,
      ),
    );
  const value = b.fromBase(a.toBase(n));
  const shown = (number: number) => showNumber(Number(number.toPrecision(7)), request.language);
  return say(`${shown(n)} ${name} = ${shown(value)} ${other}`);
}

/** A unit as what it measures and how it becomes the base of that. */
interface Measure {
  readonly kind: string;
  toBase(n: number): number;
  fromBase(n: number): number;
}

function measureOf(words: string, request: UserRequest): Measure | undefined {
  const name = words.trim().replace(/\.$/u, '');
  const lower = name.toLowerCase();
  if (/^(?:l(?:iters?|itres?)? ?(?:\/|per|pro|auf) ?100 ?(?:km|kilomet\p{L}+))$/iu.test(lower))
    return consumption((n) => n);
  if (/^(?:mpg|miles per gallon|meilen pro gallone)$/u.test(lower))
    return consumption((n) => KM_PER_MILE_US_GALLON / n);
  const speed = SPEEDS[lower] ?? over(lower);
  if (speed) return speedOf(speed);
  if (request.language === 'de' && lower === 'pfund') return scaled(['mass', 0.5, 'Pfund']);
  const unit = unitNamed(name);
  return unit && scaled(unit);
}

/** By its own spelling first: `Mb` and `MB` differ. */
function unitNamed(name: string): UnitRow | undefined {
  const lower = name.toLowerCase();
  const known = ALIASES.get(lower);
  return TABLE.get(known ?? name) ?? TABLE.get(lower) ?? TABLE.get(lower.replace(/s$/u, ''));
}

function scaled([kind, factor, , offset = 0]: UnitRow): Measure {
  return { kind, toBase: (n) => n * factor + offset, fromBase: (n) => (n - offset) / factor };
}

function consumption(both: (n: number) => number): Measure {
  return { kind: 'fuel consumption', toBase: both, fromBase: both };
}

/** `kilometers per hour`, `m/s`. */
function over(words: string): readonly [string, string] | undefined {
  const [length = '', time = '', ...rest] = words.split(/\s*(?:\/| per | pro )\s*/u);
  const fits = unitNamed(length)?.[0] === 'length' && unitNamed(time)?.[0] === 'time' && rest.length === 0;
  return fits ? [length, time] : undefined;
}

function speedOf([length, time]: readonly [string, string]): Measure {
  const factor = (unitNamed(length)?.[1] ?? 1) / (unitNamed(time)?.[1] ?? 1);
  return scaled(['speed', factor, '']);
}
