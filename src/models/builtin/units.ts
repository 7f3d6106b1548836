import { pattern } from '../../base/pattern.ts';
import { formatNumber, withoutAsking } from './calculation.ts';
import { type Recognizer, say } from './intent.ts';

/**
 * A unit of measurement. Factors are exact by definition where they are short (an inch is 0.0254 m, a pound
 * 0.45359237 kg); volumes and spoons are US customary. See NIST SP 811, appendix B.
 */
interface Unit {
  readonly kind: string;
  readonly names: readonly string[];
  /** How many of the kind's base unit one of these is. */
  readonly factor: number;
  /** Added in the base unit after the factor; temperatures only. */
  readonly offset?: number;
}

/** @param names separated by blanks, with `_` for a blank within a name; a plural with `s` is understood as well. */
const unit = (kind: string, factor: number, names: string, offset = 0): Unit => ({
  kind,
  factor,
  names: names.split(' ').map((name) => name.replaceAll('_', ' ')),
  offset,
});

/**
 * The base of each kind has factor 1: metre, kilogram, litre, kelvin, metre per second, second, byte, square metre,
 * joule, pascal. kB, MB and so on are powers of 1000, KiB and MiB of 1024 (IEC 80000-13).
 */
const UNITS: readonly Unit[] = [
  unit('length', 0.001, 'mm millimeter millimetre'),
  unit('length', 0.01, 'cm centimeter centimetre'),
  unit('length', 1, 'm meter metre'),
  unit('length', 1000, 'km kilometer kilometre'),
  unit('length', 0.0254, 'in inch inches "'),
  unit('length', 0.3048, 'ft foot feet'),
  unit('length', 0.9144, 'yd yard'),
  unit('length', 1609.344, 'mi mile'),
  unit('length', 1852, 'nmi nautical_mile'),
  unit('mass', 1e-6, 'mg milligram'),
  unit('mass', 0.001, 'g gram gramme'),
  unit('mass', 1, 'kg kilo kilogram kilogramme'),
  unit('mass', 1000, 't tonne metric_ton'),
  unit('mass', 0.028349523125, 'oz ounce'),
  unit('mass', 0.45359237, 'lb lbs pound'),
  unit('mass', 6.35029318, 'st stone'),
  unit('volume', 0.001, 'ml milliliter millilitre'),
  unit('volume', 0.01, 'cl centiliter centilitre'),
  unit('volume', 0.1, 'dl deciliter decilitre'),
  unit('volume', 1, 'l liter litre'),
  unit('volume', 0.00492892159375, 'tsp teaspoon'),
  unit('volume', 0.01478676478125, 'tbsp tablespoon'),
  unit('volume', 0.2365882365, 'cup'),
  unit('volume', 0.473176473, 'pt pint'),
  unit('volume', 0.946352946, 'qt quart'),
  unit('volume', 3.785411784, 'gal gallon'),
  unit('temperature', 1, 'k kelvin'),
  unit('temperature', 1, 'c °c celsius degrees_celsius degrees_c centigrade', 273.15),
  unit('temperature', 5 / 9, 'f °f fahrenheit degrees_fahrenheit degrees_f', 459.67 * (5 / 9)),
  unit('speed', 1 / 3.6, 'km/h kmh kph kilometers_per_hour kilometres_per_hour'),
  unit('speed', 0.44704, 'mph miles_per_hour'),
  unit('speed', 1, 'm/s meters_per_second metres_per_second'),
  unit('speed', 1852 / 3600, 'kn knot'),
  unit('time', 0.001, 'ms millisecond'),
  unit('time', 1, 's sec second'),
  unit('time', 60, 'min minute'),
  unit('time', 3600, 'h hr hour'),
  unit('time', 86_400, 'd day'),
  unit('time', 604_800, 'wk week'),
  unit('data', 1, 'b byte'),
  unit('data', 1e3, 'kb kilobyte'),
  unit('data', 1e6, 'mb megabyte'),
  unit('data', 1e9, 'gb gigabyte'),
  unit('data', 1e12, 'tb terabyte'),
  unit('data', 1024, 'kib kibibyte'),
  unit('data', 1024 ** 2, 'mib mebibyte'),
  unit('data', 1024 ** 3, 'gib gibibyte'),
  unit('area', 1, 'm2 m² square_meter square_metre'),
  unit('area', 1e4, 'ha hectare'),
  unit('area', 4046.8564224, 'acre'),
  unit('area', 0.09290304, 'sqft square_foot square_feet'),
  unit('energy', 1, 'j joule'),
  unit('energy', 4.184, 'cal calorie'),
  unit('energy', 4184, 'kcal kilocalorie'),
  unit('energy', 3.6e6, 'kwh kilowatt_hour'),
  unit('pressure', 1, 'pa pascal'),
  unit('pressure', 1e5, 'bar'),
  unit('pressure', 6894.757293168, 'psi'),
];

const BY_NAME = new Map(
  UNITS.flatMap((each) => each.names.flatMap((name) => [name, `${name}s`].map((n) => [n, each] as const))),
);

/** An amount: `10`, `1,000.5`, `a`, `half an`. */
const NUMBER = String.raw`(-?\d[\d,]*(?:\.\d+)?|an?|one|half an?)`;
/** `convert 10 km to miles`, `how many feet in a mile`, `how much is 100 f in c`; `order` numbers the groups. */
const FORMS: readonly { readonly form: RegExp; readonly order: readonly [amount: number, from: number, to: number] }[] =
  [
    {
      form: new RegExp(
        `^(?:convert |change )?${NUMBER} ?([a-z°"²/][a-z°²/ 2]*?) (?:to|in|into|as|=) ([a-z°"²/][a-z°²/ 2]*)$`,
        'u',
      ),
      order: [1, 2, 3],
    },
    {
      form: new RegExp(
        `^how many ([a-z°²/][a-z°²/ 2]*?) (?:are |is )?(?:there )?(?:in|make|to) ${NUMBER} ?([a-z°"²/][a-z°²/ 2]*)$`,
        'u',
      ),
      order: [2, 3, 1],
    },
    {
      form: pattern(
        'u',
        `^how (?:much|many|long|far|heavy|hot|warm`,
        `|tall) is ${NUMBER} ?([a-z°"²/][a-z°²/ 2]*?) in ([a-z°²/][a-z°²/ 2]*)$`,
      ),
      order: [1, 2, 3],
    },
  ];

/** "Convert 10 km to miles", "how many feet in a mile", "100 F in C". */
export const conversion: Recognizer = ({ lower }) => {
  const question = withoutAsking(lower)
    .replace(/[?!.\s]+$/u, '')
    .replace(/\bdegrees? (?=[cf]\b|celsius|fahrenheit)/gu, '');
  for (const { form, order } of FORMS) {
    const match = form.exec(question);
    if (!match) continue;
    const [amount, from, to] = order.map((index) => match[index]?.trim() ?? '');
    const text = convert(toAmount(amount ?? ''), from ?? '', to ?? '');
    if (text) return say(text);
  }
  return undefined;
};

/** `half an` is 0.5, `a` is 1. */
function toAmount(text: string): number {
  if (/^half/u.test(text)) return 0.5;
  return /^(?:an?|one)$/u.test(text) ? 1 : Number(text.replaceAll(',', ''));
}

/** Through the base unit; undefined when a name is no unit, so that another recogniser may try. */
function convert(amount: number, fromName: string, toName: string): string | undefined {
  const from = BY_NAME.get(fromName);
  const to = BY_NAME.get(toName);
  if (!from || !to || Number.isNaN(amount)) return undefined;
  if (from.kind !== to.kind)
    return `${fromName} measures ${from.kind}, ${toName} measures ${to.kind}: there is no conversion.`;
  const base = amount * from.factor + (from.offset ?? 0);
  const value = (base - (to.offset ?? 0)) / to.factor;
  return `${formatNumber(amount)} ${fromName} = ${formatNumber(Number(value.toPrecision(7)))} ${toName}`;
}
