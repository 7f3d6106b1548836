import { pattern } from '../../base/pattern.ts';
import { wordsToDigits } from '../../words/numbers.ts';
import { readNumber, showMoney, showNumber } from '../numbers.ts';
import { type Intent, say, type UserRequest } from '../request.ts';

const NUMBER = /(?<currency>[$€£]) ?(?=\d)|(?<number>\d[\d.,'’]*)(?<rate> ?(?:%|per ?cent\b|prozent\b))?/giu;
/** "Between 4 people", "split by 4", "4 ways", "zu viert". */
const SHARED = pattern(
  'iu',
  String.raw`\b(?:between|among|amongst|by|into|with|for|durch|auf|unter|zwischen|für)(?: the)?(?: (?:all|us|the))?`,
  String.raw` (?<n>\d{1,3})(?: (?:people|persons?|friends|of us|ways|parts|adults|guests|personen|leuten?`,
  '|freunden?|gästen?|teile))',
  String.raw`|(?<=\b(?:split|divided?|shared?)(?: \S{1,20}){0,3}) (?:by|between|among|into)`,
  String.raw` (?<by>\d{1,3})\b(?![.,%]| %)`,
  String.raw`|(?<=[,;]) (?<all>\d{1,3}) (?:people|persons|personen|leute)\b`,
  String.raw`|\bwe (?:were|are|'re) (?<we>\d{1,3})\b`,
  String.raw`|\b(?:wir (?:sind|waren)|(?:sind|waren) wir)(?: insgesamt| nur)? (?<wir>\d{1,3})\b`,
  '(?: (?:leute|personen|freunde|mann))?',
  String.raw`|\b(?<ways>\d{1,3}) (?:ways|of us)\b|\bzu (?<zu>zweit|dritt|viert|fünft|sechst)\b`,
);
const ZU = ['zweit', 'dritt', 'viert', 'fünft', 'sechst'];

/** What a percentage does, by a word near it. */
const ROLES = [
  ['off', /\b(?:off|discount\w*|reduc\w+|cheaper|rabatt|nachlass|skonto|reduziert|günstiger|billiger|weniger)\b/giu],
  ['tip', /\b(?:tip|gratuity|service charge|service|trinkgeld)\b/giu],
  [
    'plus',
    pattern(
      'giu',
      String.raw`\b(?:vat|sales tax|tax|mwst|mehrwertsteuer|umsatzsteuer|steuer|surcharge|on top|aufschlag|zinsen`,
      String.raw`|interest|dazu|mehr|teurer|steigt|steigen|erhöht|erhöhung|angehoben|drauf)\b`,
    ),
  ],
] as const;
type Role = (typeof ROLES)[number][0];

/** Nothing else may be asked than what there is to pay. */
const ASKS = pattern(
  'iu',
  String.raw`\b(?:how much|what(?:'s| is| do| does| would| will)?|calculate|work out|split|divide|share|add`,
  String.raw`|wie ?viel|was|teile?|berechne|rechne|macht)\b`,
);
/** Words with another meaning than adding up: "before tax", "over 50". */
const OTHERWISE = pattern(
  'iu',
  String.raw`\b(?:before|without|excluding|excl|net|gross|over|under|above|below|since|until|not|ohne|netto|brutto`,
  String.raw`|abzüglich|über|seit|nicht|enthalten|included|(?<!\b(?:bill|total|price|amount|sum) )of)\b(?! us\b)`,
);
const FILLING = new Set(
  `what s is are was do does did would will how much i we you pay have to it that this they cost costs come comes
  there came share which me the a an my our your bill check meal dinner lunch breakfast restaurant total price in all
  altogether with and plus add
  on for at each per person everyone everybody if then after now left off split divide share evenly equally between
  among amongst
  by calculate work out please euro euros eur dollar dollars usd pound pounds gbp chf francs franken bucks final
  people persons friends ways parts us of make makes leave leaving including includes need
  was ist sind macht machen kostet kosten wie viel wieviel muss müssen ich wir jeder jede zahlen zahlt bezahlen bezahlt
  ein eine einen der die das dem den mit und auf für zu bei von beim pro person personen rechnung essen insgesamt
  zusammen gesamt dann
  noch durch um wenn würde zahle zahlen unter zwischen teile teil teilen geteilt berechne rechne bitte leute leuten
  freunde freunden preis es
  uns davon dazu kommt kommen`.split(/\s+/u),
);
/** Figures and nothing that is paid. */
const DIVISION = /^(?:what(?:'s| is)|how much is|calculate) \d[\d.,]* divided by \d+$/u;
/** What is bought needs no meaning: "a jacket is 129". */
const MOST_UNKNOWN = 2;

interface Rate {
  readonly role: Role;
  readonly percent: number;
}

/**
 * A price with its discount, tax, tip and sharing, in whatever order they are said: "split 84.60 between 4 people with
 * a 12.5% tip". There is one amount, each percentage has its word, and few words may be left over.
 */
export function bill(request: UserRequest): Intent | undefined {
  const text = wordsToDigits(request.plain.toLowerCase());
  if (text.length > 200 || !ASKS.test(text) || DIVISION.test(text)) return undefined;
  const shared = SHARED.exec(text);
  if (!shared && !text.includes('%') === !/per ?cent|prozent/u.test(text)) return undefined;
  const people = shared ? peopleIn(shared) : undefined;
  if (people !== undefined && !(people >= 1)) return undefined;
  const rest = shared ? text.replace(shared[0], ' ') : text;
  const numbers = [...rest.matchAll(NUMBER)].filter(({ groups }) => groups?.number !== undefined);
  const [amount, ...others] = numbers.filter(({ groups }) => groups?.rate === undefined);
  const rates = ratesIn(
    rest,
    numbers.filter(({ groups }) => groups?.rate !== undefined),
    request,
  );
  if (rates?.length === 0 && people === undefined) return undefined;
  if (!amount || others.length > 0 || !rates || OTHERWISE.test(rest) || unknownIn(rest) > MOST_UNKNOWN)
    return undefined;
  const price = readNumber((amount.groups?.number ?? '').replace(/[.,]$/u, ''), request.language);
  return Number.isNaN(price) ? undefined : said({ price, rates, people, text }, request);
}

function peopleIn({ groups = {} }: RegExpExecArray): number {
  return groups.zu === undefined
    ? Number(groups.n ?? groups.by ?? groups.all ?? groups.we ?? groups.wir ?? groups.ways)
    : ZU.indexOf(groups.zu) + 2;
}

/** Each percentage with the nearest word that says what it does; undefined where one has none of its own. */
function ratesIn(text: string, found: readonly RegExpExecArray[], { language }: UserRequest): Rate[] | undefined {
  const words = ROLES.flatMap(([role, form]) => [...text.matchAll(form)].map(({ index }) => ({ role, index })));
  const rates: Rate[] = [];
  for (const { index, groups } of found) {
    const far = (at: number) => Math.abs(at - index - (at > index ? 4 : 0));
    const [nearest] = words.toSorted((a, b) => far(a.index) - far(b.index));
    if (!nearest || rates.some(({ role }) => role === nearest.role)) return undefined;
    rates.push({ role: nearest.role, percent: readNumber(groups?.number ?? '', language) });
  }
  return rates;
}

function unknownIn(text: string): number {
  const known = ROLES.reduce((rest, [, form]) => rest.replace(form, ' '), text);
  return (known.match(/\p{L}+/gu) ?? []).filter(
    (word) => !FILLING.has(word) && !/^(?:per|cent|percent|prozent)$/u.test(word),
  ).length;
}

interface Bill {
  readonly price: number;
  readonly rates: readonly Rate[];
  readonly people: number | undefined;
  readonly text: string;
}

/** Discounts come off first, tax goes on what is left, the tip on all of it. */
function said({ price, rates, people, text }: Bill, request: UserRequest): Intent {
  const sign = /[$€£]/u.exec(text)?.[0] ?? '';
  const money = (value: number) =>
    request.language === 'de' ? `${showMoney(value, 'de')} ${sign}`.trim() : `${sign}${showMoney(value, 'en')}`;
  const parts: string[] = [];
  let total = price;
  for (const role of ['off', 'plus', 'tip'] as const) {
    const rate = rates.find((each) => each.role === role);
    if (!rate) continue;
    const change = (total * rate.percent) / 100;
    total += role === 'off' ? -change : change;
    parts.push(partOf(role, { percent: showNumber(rate.percent, request.language), change: money(change) }, request));
  }
  const all = parts.length === 0 ? money(price) : `${money(total)} (${money(price)} ${parts.join(', ')})`;
  if (people === undefined) return say(`${all}.`);
  const each = money(total / people);
  return say(request.in(`${each} each: ${all}, by ${people}.`, `${each} für jeden: ${all}, durch ${people}.`));
}

function partOf(
  role: Role,
  { percent, change }: { percent: string; change: string },
  { in: either }: UserRequest,
): string {
  if (role === 'off') return either(`less ${percent}%, ${change}`, `minus ${percent} %, ${change}`);
  if (role === 'tip') return either(`plus a tip of ${percent}%, ${change}`, `plus ${percent} % Trinkgeld, ${change}`);
  return either(`plus ${percent}%, ${change}`, `plus ${percent} %, ${change}`);
}
