import { convertMeasure, measureOf, type UnitLibrary } from '../measure.ts';
import { readNumber, showNumber, wordsToDigits } from '../numbers.ts';
import { phrases } from '../phrases.ts';
import { type Intent, NEEDS_UNITS, type NeedsUnits, type Skill, say, type UserRequest } from '../request.ts';
import { withoutAsking } from './arithmetic.ts';

const ONE = '(?:an?|one|half an?|(?:ein )?halbe[rs]?|eine?|einem|einer)(?= )';
const N = `{n:\\d+\\/\\d+(?: of an?)?|-?\\d[\\d.,]*(?: \\d+\\/\\d+)?|${ONE}}`;
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
      .replace(/ ?° ?/gu, ' °');
    const height = HEIGHT.exec(request.plain);
    if (height) return tall(height, request);
    const slots = FORMS(wordsToDigits(request.plain)) ?? FORMS(question);
    if (!slots) return undefined;
    return converted({ n: amountOf(slots.n ?? '', request), from: slots.from ?? '', to: slots.to ?? '' }, request);
  },
};

/** `5'10 in cm`, `5 ft 10 in m`: feet and inches. */
const HEIGHT = /^(?:how tall is )?(\d)\s?(?:'|ft|feet|foot)\s?(\d{1,2})\s?(?:"|in(?:ch(?:es)?)?)? (?:in|to) (cm|m)$/iu;

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
