import { pattern } from '../../base/pattern.ts';
import { GERMAN_HALVES, wordsToDigits } from '../../words/numbers.ts';
import { oneOf } from '../../words/spelling.ts';
import { convertMeasure, imperial, measureOf, type UnitLibrary } from '../measure.ts';
import { readNumber, showNumber } from '../numbers.ts';
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
    `${N}[ ]{from} (ist|sind|hat|haben|macht|machen|entspricht|entsprechen) wie[ ]viel[e] {to}`,
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
    const asked = directly(request.plain);
    const plain = withHalves(asked);
    const question = wordsToDigits(withoutAsking(plain))
      .replace(/\bdegrees? (?=[cf]\b|celsius|fahrenheit)/giu, '')
      .replace(/ ?° ?/gu, ' °');
    const twofold = inTwo(asked, request);
    if (twofold) return twofold;
    const slots = FORMS(wordsToDigits(plain)) ?? FORMS(question);
    if (!slots) return undefined;
    return converted({ n: amountOf(slots.n ?? '', request), from: slots.from ?? '', to: slots.to ?? '' }, request);
  },
};

const HALVES = pattern('giu', String.raw`\b${oneOf(GERMAN_HALVES.keys())}(?= )`);
/** "2 and a half cups" are 2.5, "anderthalb Liter" 1.5, and a "10k run" is one of 10 km. */
function withHalves(text: string): string {
  return wordsToDigits(text)
    .replace(/\b(\d+) and (?:a )?half(?: an?)?(?= )/giu, '$1 1/2')
    .replace(
      /\b(\d+) (?:cups?|kg|kilos?|pounds?|miles?|hours?|metres?|meters?|lit(?:er|re)s?) and a half\b/giu,
      (whole, n: string) => whole.replace(/ and a half$/iu, '').replace(n, `${n} 1/2`),
    )
    .replace(HALVES, (word) => `${Math.floor(GERMAN_HALVES.get(word.toLowerCase()) ?? 0)} 1/2`)
    .replace(
      /\b(\d+)k(?= (?:run|race|walk|ride|hike|(?:in|to|into) (?:miles?|metres|meters|km|feet|yards)\b))/giu,
      '$1 km',
    );
}

/** Units that are said in two, and how many of the smaller make one: `5'10`, `11 stone 4`, `6 lb 3 oz`. */
const IN_TWO: readonly (readonly [larger: RegExp, smaller: string, count: number])[] = [
  [/^(?:'|ft|feet|foot|fuß|fuss)$/iu, 'inches', 12],
  [/^(?:stones?|st)$/iu, 'pounds', 14],
  [/^(?:lbs?|pounds?)$/iu, 'ounces', 16],
];
const COMPOUND = pattern(
  'iu',
  `^(?:(?:how tall|how much|how heavy|what|wie ?viel|wie groß|was)(?:'s| (?:is|are|ist|sind)) `,
  '|(?:convert|change|turn) )?',
  String.raw`(?<n>\d{1,3})\s?(?<larger>'|ft|feet|foot|fuß|fuss|stones?|st|lbs?|pounds?)\s?(?:and )?(?<more>\d{1,2})`,
  String.raw`\s?(?:"|in(?:ch(?:es)?)?|zoll|lbs?|pounds?|oz|ounces?)? (?:in|to|into) (?<to>\p{L}+)$`,
);

function inTwo(words: string, request: UserRequest): Understood {
  const { n, larger = '', more, to = '' } = COMPOUND.exec(words)?.groups ?? {};
  const [, smaller, count = 0] = IN_TWO.find(([name]) => name.test(larger)) ?? [];
  if (smaller === undefined) return undefined;
  const said = words.slice(words.search(/\d/u), words.search(/ (?:in|to|into) \p{L}+$/iu));
  return converted({ n: Number(n) * count + Number(more), from: smaller, to, said }, request);
}

/** "I'm 5 foot 8, what's that in cm?" asks for "5 foot 8 in cm". */
const THAT_IN = pattern(
  'iu',
  String.raw`^\D{0,60}?(?<amount>\d[^,?]*?)(?: (?:tall|long|high|wide|deep|heavy|away|old))?[,.?]? (?:so )?`,
  "(?:what|how (?:much|many|far|tall|heavy|long|hot|big))(?:'s| is| would| does| do)?",
  ' (?:that|it|this|i)(?: be| make| weigh)? (?:in|as) (?<to>.+)$',
);

function directly(plain: string): string {
  const { amount, to } = THAT_IN.exec(plain)?.groups ?? {};
  return amount === undefined ? plain : `${amount} in ${to}`;
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
  /** The amount as it was said, where it was said in two units. */
  readonly said?: string;
}

/** Undefined when a name is no unit, so that another skill may try. */
function converted(conversion: Conversion, request: UserRequest): Understood {
  return request.units ? convertedBy(request.units, conversion, request) : NEEDS_UNITS;
}

function convertedBy(
  library: UnitLibrary,
  { n, from, to, said }: Conversion,
  request: UserRequest,
): Intent | undefined {
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
  const asked = said ?? `${shown(n)} ${name}`;
  const usual = shown(convertMeasure(n, a, b, library));
  const [c, d] = [imperial(a), imperial(b)];
  if (language === 'de' || (c === a && d === b)) return say(`${asked} = ${usual} ${other}`);
  const british = shown(convertMeasure(n, c, d, library));
  if (british === usual) return say(`${asked} = ${usual} ${other}`);
  return say(`${asked} = ${usual} ${other} (US) or ${british} ${other} (UK)`);
}
