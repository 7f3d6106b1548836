import { pattern } from '../../base/pattern.ts';
import { readExpression } from '../../quantities/expression.ts';
import { figuresFor, ORDINALS } from '../../words/numbers.ts';

/** What a percentage does, by a word near it. */
const ROLES: readonly (readonly [role: 'off' | 'plus' | 'tip', words: RegExp])[] = [
  ['off', /\b(?:off|discount\p{L}*|reduc\p{L}+|cheaper|less|rabatt|nachlass|skonto|reduziert|günstiger|billiger)\b/giu],
  ['tip', /\b(?:tip|gratuity|service|trinkgeld)\b/giu],
  ['plus', /\b(?:vat|tax|mwst|mehrwertsteuer|umsatzsteuer|steuer|surcharge|on top|aufschlag|dazu)\b/giu],
];
const PERCENT = /(?<![\d.,])(\d+(?:[.,]\d+)?) ?(?:%|per ?cent\b|prozent\b)/giu;
/** "Between 4 people", "split by 4", "4 ways", "zu viert". */
const SHARED = pattern(
  'iu',
  String.raw`\b(?:between|among|amongst|by|into|with|for|durch|auf|unter|zwischen|für) (?:the |all |us )*`,
  String.raw`(?<n>\d{1,3}) (?:people|persons?|friends|of us|ways|parts|adults|guests|personen|leuten?`,
  String.raw`|freunden?|gästen?)\b`,
  String.raw`|(?<=\b(?:split|divided?|shared?)\b(?: \S{1,20}){0,3}) (?:by|between|among`,
  String.raw`|into) (?<by>\d{1,3})\b(?![.,%]| %)`,
  String.raw`|\b(?:we (?:were|are)|there (?:were|are)|wir (?:sind|waren)|(?:sind|waren) wir) (?:zu )?(?<we>\d{1,3})\b`,
  String.raw`(?: (?:people|of us|leute|personen))?|\b(?<ways>\d{1,3}) (?:ways|of us|people|leute|personen)\b`,
  String.raw`|\bzu (?<zu>\p{L}+t)\b`,
);
const ASKS =
  /\b(?:how much|what|calculate|work out|split|divided?|shared?|add|wie ?viel|was|teile?|berechne|rechne)\b/iu;
/** Words by which something else is meant than adding up. */
const OTHERWISE = pattern(
  'iu',
  String.raw`\b(?:before|without|excluding|net|gross|over|under|not|ohne|netto|brutto|abzüglich|nicht`,
  String.raw`|remind\p{L}*|erinner\p{L}*)\b`,
);
const KNOWN = new Set(
  `what s is are was do does did would will how much i we you pay have to it that this they cost costs come comes came
  share which me the a an my our your bill check meal dinner lunch total price in all with and plus add on for at each
  per person if then after now split divide divided shared evenly friends people ways bill equally between among by
  work out please euro euros pounds dollars of
  was ist sind macht machen kostet kosten wie viel ich wir jeder zahlen zahlt ein eine einen der die das mit und auf zu
  bei pro rechnung essen insgesamt zusammen noch durch um wenn zahle teile teil es uns kommt give leave want`.split(
    /\s+/u,
  ),
);
/** What is bought needs no meaning: "a jacket is 129". */
const MOST_UNKNOWN = 3;

/** A price with its discount, tax, tip and sharing, in whatever order they are said. */
export interface Bill {
  readonly amount: string;
  readonly off?: string;
  readonly plus?: string;
  readonly tip?: string;
  readonly by?: string;
}

/** "Split 84.60 between 4 people with a 12.5% tip": one amount, each percentage with its word, little else. */
export function billIn(words: string): Bill | undefined {
  if (words.length > 200 || !ASKS.test(words) || OTHERWISE.test(words)) return undefined;
  const text = figuresFor(words);
  const shared = SHARED.exec(text);
  const rest = shared ? text.replace(shared[0], ' ') : text;
  const { n, by: parts, we, ways, zu } = shared?.groups ?? {};
  const by = zu === undefined ? (n ?? parts ?? we ?? ways) : String(ORDINALS.de.indexOf(zu.toLowerCase()) + 1);
  const rates = ratesIn(rest);
  const price = rest.replace(PERCENT, ' ');
  const [amount, ...others] = price.match(/(?:[$€£] ?)?\d+(?:[.,']\d+)*(?: ?[€$£]| \p{L}+)?/gu) ?? [];
  if (!rates || amount === undefined || others.length > 0 || (by === undefined && Object.keys(rates).length === 0))
    return undefined;
  const money = readExpression(amount, { language: 'en' }) ? amount : amount.replace(/ \p{L}+$/u, '');
  return unknownIn(price) > MOST_UNKNOWN ? undefined : { amount: money, ...rates, ...(by !== undefined && { by }) };
}

/** Each percentage with the nearest word that says what it does; undefined where one has none of its own. */
function ratesIn(text: string): Partial<Bill> | undefined {
  const words = ROLES.flatMap(([role, form]) => [...text.matchAll(form)].map(({ index }) => ({ role, index })));
  const rates: Partial<Record<'off' | 'plus' | 'tip', string>> = {};
  for (const { index, 1: percent } of text.matchAll(PERCENT)) {
    const far = (at: number) => Math.abs(at - index - (at > index ? 4 : 0));
    const [nearest] = words.toSorted((a, b) => far(a.index) - far(b.index));
    if (!nearest || rates[nearest.role] !== undefined) return undefined;
    rates[nearest.role] = `${percent}%`;
  }
  return rates;
}

function unknownIn(text: string): number {
  const plain = ROLES.reduce((rest, [, form]) => rest.replace(form, ' '), text);
  return (plain.match(/\p{L}+/gu) ?? []).filter((word) => !KNOWN.has(word.toLowerCase())).length;
}
