import { pattern } from '../../../base/pattern.ts';
import { convertMeasure, measureOf, type UnitLibrary } from '../measure.ts';
import { readNumber, showNumber, wordsToDigits } from '../numbers.ts';
import { phrases } from '../phrases.ts';
import { type Intent, NEEDS_UNITS, type NeedsUnits, type Skill, say, type UserRequest } from '../request.ts';
import { withoutAsking } from './arithmetic.ts';

const ONE = '(?:an?|one|half an?|(?:ein )?halbe[rs]?|eine?|einem|einer)(?= )';
const N = `{n:\\d+\\/\\d+(?: of an?)?|-?\\d[\\d.,]*(?: \\d+\\/\\d+)?|${ONE}}`;
const FORMS = phrases({
  en: [
    `how (many|much) {to} (is|are|in) [a|an|the] {n:\\d[\\d.,]*}[ ]{from} (run|race|walk|ride|hike|drive|course|trip)`,
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

const FRACTIONS = /^(?:(\d+) )?(\d+)\/(\d+)(?: of an?)?$/u;

/** "Convert 10 km to miles", "how many feet in a mile", "100 F in C", "60 mph in km/h". */
export const units: Skill = {
  name: 'units',
  examples: {
    en: ['convert 10 miles to km', 'how many grams are in a pound?', '100 F in C'],
    de: ['wie viel sind 10 Meilen in km?', '200 Grad Fahrenheit in Celsius', 'wie viele Gramm hat ein Pfund?'],
  },
  recognize: (request) => {
    const plain = withHalves(request.plain);
    const question = wordsToDigits(withoutAsking(plain))
      .replace(/\bdegrees? (?=[cf]\b|celsius|fahrenheit)/giu, '')
      .replace(/ ?° ?/gu, ' °');
    const height = HEIGHT.exec(request.plain);
    if (height) return tall(height, request);
    const slots = FORMS(wordsToDigits(plain)) ?? FORMS(question);
    if (!slots) return undefined;
    return converted({ n: amountOf(slots.n ?? '', request), from: slots.from ?? '', to: slots.to ?? '' }, request);
  },
};

/** "2 and a half cups" are 2.5, "anderthalb Liter" 1.5, and a "10k run" is one of 10 km. */
function withHalves(text: string): string {
  return wordsToDigits(text)
    .replace(/\b(\d+) and (?:a )?half(?: an?)?(?= )/giu, '$1 1/2')
    .replace(
      /\b(\d+) (?:cups?|kg|kilos?|pounds?|miles?|hours?|metres?|meters?|lit(?:er|re)s?) and a half\b/giu,
      (whole, n: string) => whole.replace(/ and a half$/iu, '').replace(n, `${n} 1/2`),
    )
    .replace(/\banderthalb(?= )/giu, '1 1/2')
    .replace(
      /\b(ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn)einhalb(?= )/giu,
      (_, n: string) => `${wordsToDigits(n === 'ein' ? 'eins' : n)} 1/2`,
    )
    .replace(/\b(\d+)k(?= (?:run|race|walk|ride|hike))/giu, '$1 km');
}

/** `5'10 in cm`, `5 ft 10 in m`: feet and inches. */
const HEIGHT = pattern(
  'iu',
  `^(?:(?:how tall|how much|what|wie ?viel|wie groß|was) (?:is|are|ist|sind) |(?:convert|change|turn) )?`,
  String.raw`(\d)\s?(?:'|ft|feet|foot|fuß|fuss)\s?(\d{1,2})\s?(?:"|in(?:ch(?:es)?)?|zoll)? (?:in|to) `,
  '(cm|m|centimet(?:er|re)s?|met(?:er|re)s?|zentimetern?|metern?)$',
);

function tall([, feet, inches, to = 'cm']: readonly string[], request: UserRequest): Understood {
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

type Understood = Intent | NeedsUnits | undefined;

interface Conversion {
  readonly n: number;
  readonly from: string;
  readonly to: string;
}

/** Undefined when a name is no unit, so that another skill may try. */
function converted(conversion: Conversion, request: UserRequest): Understood {
  return request.units ? convertedBy(request.units, conversion, request) : NEEDS_UNITS;
}

function convertedBy(library: UnitLibrary, { n, from, to }: Conversion, request: UserRequest): Intent | undefined {
  const { in: either, language } = request;
  const [a, b] = [measureOf(from, language, library), measureOf(to, language, library)];
  if (!a || !b || Number.isNaN(n)) return undefined;
  const [name, other] = [from.trim(), to.trim()];
  if (a.kind !== b.kind)
    return say(
      either(
        `${name} measures ${a.kind}, ${other} measures ${b.kind}: there is no conversion.`,
        `${name} und ${other} messen Verschiedenes: das lässt sich nicht umrechnen.`,
      ),
    );
  const shown = (number: number) => showNumber(Number(number.toPrecision(7)), language);
  return say(`${shown(n)} ${name} = ${shown(convertMeasure(n, a, b, library))} ${other}`);
}
