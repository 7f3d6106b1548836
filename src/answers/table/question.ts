import { pattern } from '../../base/pattern.ts';
import { stem, tokens } from '../../rag/analysis/words.ts';
import { localDate } from '../../when/calendar.ts';
import { findDate } from '../../when/find.ts';
import { MONTHS as OF_YEAR } from '../../words/months.ts';

/** What to compute from the rows of a table. */
export type Operation = 'sum' | 'count' | 'average' | 'highest' | 'lowest';

/** What a question asks of a table. */
export interface TableQuestion {
  readonly operation: Operation;
  /** What the rows have to contain, in lower case. */
  readonly words: readonly string[];
  readonly month: number | undefined;
  readonly year: string | undefined;
  /** The first and the last day, `2026-10-01`; undefined: any. */
  readonly days?: { readonly from: string; readonly to: string } | undefined;
  /** One figure for each value of this column, or for each `month`. */
  readonly by?: string | undefined;
  /** It asks for money that was spent: a table of amounts is meant, whether or not it is named. */
  readonly ofMoney: boolean;
  /** It mentions rows as such: "my most expensive purchase". */
  readonly ofRows: boolean;
  /** It asks for the price of one thing: "how much is the rent?" does not ask for the sum of all payments. */
  readonly ofOne: boolean;
}

/** The names of each month in both languages, in lower case. */
export const MONTHS = OF_YEAR.en.map(({ names }, month) => {
  const { name = '', names: german = [] } = OF_YEAR.de[month] ?? {};
  return [...new Set([...names, name.toLowerCase(), ...german])];
});
/** Words that stand for a whole row rather than for something in it. */
const ROW_WORDS =
  'times time purchases purchase payments payment entries entry rows row transactions transaction visits items item ' +
  'expenses expense spending spendings outgoings bookings mal einkäufe einkauf zahlungen zahlung buchungen ' +
  'buchung einträge ' +
  'zeilen ausgaben ausgabe kosten posten';
const ROWS = new Set(ROW_WORDS.split(' '));
const HAS_THE = '(?:has|have|had|got|hat|haben|hatte) (?:the |die )?';
const OPERATIONS: readonly (readonly [Operation, RegExp])[] = [
  [
    'count',
    pattern(
      'iu',
      `\\b(?:how often|wie oft|(?:how many|wie ?viele) (?:\\p{L}+ )?(?:${ROW_WORDS.replaceAll(' ', '|')}))\\b`,
    ),
  ],
  [
    'highest',
    pattern(
      'iu',
      String.raw`\b(?:${HAS_THE}(?:most|meisten)|most expensive|priciest|dearest|highest|largest|biggest`,
      String.raw`|teuerste\w*|höchste\w*|größte\w*)(?!\p{L})`,
    ),
  ],
  [
    'lowest',
    pattern(
      'iu',
      String.raw`\b(?:${HAS_THE}(?:fewest|least|wenigsten)|cheapest|least expensive|lowest|smallest`,
      String.raw`|günstigste\w*|billigste\w*|niedrigste\w*|kleinste\w*)(?!\p{L})`,
    ),
  ],
  ['average', /\b(?:average|mean|durchschnitt\w*|im schnitt)\b/iu],
  [
    'sum',
    pattern(
      'iu',
      String.raw`\b(?:what (?:did|have|do) (?:i|we) (?:spend|spent|pay|paid)|how much|total|sum|wie ?viel|wie hoch`,
      String.raw`|insgesamt|altogether|spending|summe|gesamt\p{L}*|ausgaben|ausgegeben)(?!\p{L})`,
    ),
  ],
];
const OF_ONE = pattern(
  'iu',
  String.raw`\b(?:how much (?:is|are|was|were|does|do)`,
  String.raw`|wie ?(?:viel|hoch) (?:ist|sind|war|waren|kostet|kosten|beträgt))(?!\p{L})`,
);
const OF_ALL = /\b(?:total|sum|spend|spending|expenses|pay|altogether|in all|insgesamt|zusammen|summe|ausgaben)\b/iu;
const OF_MONEY = pattern(
  'iu',
  String.raw`\b(?:spen[dt]|spendings?|paid|pay|expenses?|expensive|cheapest|priciest|dearest|outgoings`,
  String.raw`|purchases?|ausgegeben|ausgaben?|bezahlt|gezahlt|teuerste\p{L}*|billigste\p{L}*`,
  String.raw`|günstigste\p{L}*|einkäufe)(?!\p{L})`,
);
/** "What did I spend most on?": one figure for each of the kinds that rows are sorted by. */
const MOST_ON = /\bspen[dt] (?:the )?most (?:money )?(?:on|for)\b|\bam meisten (?:geld )?(?:aus|ausgegeben)(?!\p{L})/iu;
/** "By category", "pro Monat". */
const BY = /\b(?:by|per|for each|nach|pro|je)(?: the| der| dem)? (?<by>\p{L}{3,})(?: of\b| and\b|[?.! ]*$)/iu;
/** Stands for the column that sorts rows into kinds, whatever it is called. */
export const KIND = 'kind';
const MONTHLY = /^(?:months?|monate?n?)$/iu;
/** "Between 1 October and 10 November", "from ... to ...", "since ...". */
const SPAN = pattern(
  'iu',
  String.raw`\b(?:between|from|zwischen|vom?)(?: dem)? (?<from>\S.{1,24}?) (?:and|to|until|till|und|bis)(?: zum| dem)?`,
  String.raw` (?<to>\S.{1,24}?)[?.! ]*$|\b(?:since|seit)(?: dem)? (?<since>\S.{1,24}?)[?.! ]*$`,
);

/** Words of a question that need not occur in a row. */
const ASKING = new Set(
  `how much many often did do does have has had i we was were are is be what when who where which total sum spend spent
  pay paid cost costs all the and or for from with of in on at to go went been got that euro euros dollars pounds money
  our my his her they them you your me it a an altogether together according table file list sheet spreadsheet csv xlsx
  most least fewest meisten wenigsten
  expensive priciest dearest highest largest biggest cheapest lowest smallest average mean there thing things
  hoch am wofür wie viel viele oft wieviel habe hat haben ich wir war waren ist sind was wann wer welche welcher welches
  welchem welchen wo
  insgesamt   zusammen bezahlt gezahlt ausgegeben gekostet kostet kosten der die das dem den des ein eine
  einen einer für fuer von
  vom mit bei beim und oder im in an auf zu laut tabelle datei liste wurde wird alle mein meine meiner meinen
  ${ROW_WORDS}`.split(/\s+/u),
);
/** The same for German adjectives, whatever their ending. */
const ASKING_FORM = /^(?:teuerste|höchste|größte|günstigste|billigste|niedrigste|kleinste|durchschnitt|schnitt)/u;
const OF_TODAY: readonly (readonly [RegExp, (today: Date) => { readonly month?: number; readonly year: string }])[] = [
  [/\b(?:this year|dieses jahr|in diesem jahr)\b/iu, (today) => ({ year: String(today.getUTCFullYear()) })],
  [/\b(?:last year|letztes jahr|im letzten jahr)\b/iu, (today) => ({ year: String(today.getUTCFullYear() - 1) })],
  [/\b(?:this month|diesen monat|in diesem monat)\b/iu, (today) => monthOf(today, 0)],
  [/\b(?:last month|letzten monat|im letzten monat)\b/iu, (today) => monthOf(today, -1)],
];
/** Time spans that are not understood. Ignoring one would compute the figure from too many rows. */
const OTHER_SPANS = pattern(
  'iu',
  String.raw`\b(?:week|weeks|weekend|today|yesterday|since|between|before|after|until|till|during|quarter`,
  `|per|each|every|woche|wochen|heute|gestern|seit|zwischen|vor|nach|bis|während|quartal|pro|je|jede[nrs]?|months?`,
  String.raw`|years?|monate?n?|jahre?n?)\b`,
);

/** These ask for a row rather than limiting the rows to a span. */
const WHICH_SPAN = /\b(?:(?:which|what|in welche[mr]?|welche[rs]?) (?:month|year|week|monat|jahr|woche))\b/iu;

function monthOf(today: Date, offset: number): { month: number; year: string } {
  const first = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + offset, 1));
  return { month: first.getUTCMonth() + 1, year: String(first.getUTCFullYear()) };
}

/**
 * What a question asks of the rows of a table; undefined if it asks for no figure, or about a span of time that is not
 * understood.
 *
 * @param today the local date, `YYYY-MM-DD`, which "this month" counts from.
 * @param before the question before it, which "and in November?" goes on from.
 */
export function tableQuestion(question: string, today: string | undefined, before?: string): TableQuestion | undefined {
  const asked = ownQuestion(question, today);
  if (asked !== undefined || before === undefined || !GOES_ON.test(question)) return asked;
  const last = ownQuestion(before, today);
  const next = last && ownQuestion(`${question.replace(GOES_ON, '')} ${SAME[last.operation]}`, today);
  if (!last || !next) return undefined;
  const isOtherTime = next.month !== undefined || next.year !== undefined || next.days !== undefined;
  const time = isOtherTime ? next : last;
  return {
    ...last,
    words: next.words.length > 0 ? next.words : last.words,
    ...{ month: time.month, year: time.year, days: time.days },
    by: next.by ?? last.by,
  };
}

/** "And in November?" goes on from the question before. */
export const GOES_ON = /^(?:and|und|what about|how about|was ist mit)\s+/iu;
/** A word by which each operation is recognised. */
const SAME: Readonly<Record<Operation, string>> = {
  sum: 'total',
  count: 'how often',
  average: 'average',
  highest: 'highest',
  lowest: 'lowest',
};

function ownQuestion(question: string, today: string | undefined): TableQuestion | undefined {
  const [operation] = OPERATIONS.find(([, form]) => form.test(question)) ?? [];
  if (operation === undefined || question.length > 300) return undefined;
  const relative = OF_TODAY.find(([form]) => form.test(question));
  if (relative && today === undefined) return undefined;
  const { by } = BY.exec(question)?.groups ?? {};
  const spanned = by === undefined ? spanIn(question, today) : undefined;
  const without = [relative?.[0], by === undefined ? undefined : BY, spanned && SPAN].filter(
    (each) => each !== undefined,
  );
  const rest = without.reduce((text: string, each) => text.replace(each, ' '), question);
  if (OTHER_SPANS.test(rest.replace(WHICH_SPAN, ' '))) return undefined;
  const words = rest.toLowerCase().match(/[\p{L}\d]{2,}/gu) ?? [];
  const isMay = /\b(?:in|for|of|since) may\b/iu.test(rest);
  const month = MONTHS.findIndex((names) => words.some((word) => names.includes(word) && (word !== 'may' || isMay)));
  const span = relative && today !== undefined ? relative[1](new Date(`${today}T12:00:00Z`)) : undefined;
  return {
    operation,
    ofRows: words.some((word) => ROWS.has(word)),
    ofMoney: OF_MONEY.test(question),
    ofOne: operation === 'sum' && OF_ONE.test(question) && !OF_ALL.test(question),
    words: words.filter((word) => !isAsking(word) && !MONTHS.flat().includes(word) && !/^\d+$/u.test(word)),
    month: span?.month ?? (month < 0 ? undefined : month + 1),
    year: span?.year ?? words.find((word) => /^(?:19|20)\d\d$/u.test(word)),
    days: spanned,
    by: by === undefined ? (MOST_ON.test(question) ? KIND : undefined) : MONTHLY.test(by) ? 'month' : by.toLowerCase(),
  };
}

/** Days without a year are the last such days, since what is added up has happened. */
function spanIn(question: string, today: string | undefined): { from: string; to: string } | undefined {
  const { from, to, since } = SPAN.exec(question)?.groups ?? {};
  if (today === undefined || (since ?? from) === undefined) return undefined;
  const first = dayIn(since ?? from ?? '', today);
  const last = to === undefined ? today : dayIn(to, today, true);
  return first === undefined || last === undefined || last < first ? undefined : { from: first, to: last };
}

function dayIn(words: string, today: string, isLast = false): string | undefined {
  const whole = monthIn(words, today);
  if (whole) return `${whole}-${isLast ? '31' : '01'}`;
  const found = findDate(words, { now: new Date(`${today}T12:00:00Z`), timeZone: 'UTC' });
  if (!found) return undefined;
  const date = localDate(found.at, 'UTC');
  return date <= today || /\d{4}/u.test(words) ? date : `${Number(date.slice(0, 4)) - 1}${date.slice(4)}`;
}

/** `2026-03` for "March", the last one that has begun. */
function monthIn(words: string, today: string): string | undefined {
  const [, name = '', year] = /^(\p{L}+)(?: (\d{4}))?$/u.exec(words.toLowerCase()) ?? [];
  const at = MONTHS.findIndex((names) => names.includes(name));
  if (at < 0) return undefined;
  const month = String(at + 1).padStart(2, '0');
  return `${year ?? Number(today.slice(0, 4)) - (month > today.slice(5, 7) ? 1 : 0)}-${month}`;
}

function isAsking(word: string): boolean {
  return ASKING.has(word) || ASKING_FORM.test(word);
}

/** A single word may well be a column or an entry of another table. */
const LEAST_NAMING = 2;
/** A long compound is as specific as two words: "Gasrechnung". */
const LEAST_COMPOUND = 8;

/** Whether a question is specific enough to name a file. */
export function isNameLike({ words }: TableQuestion): boolean {
  return words.length >= LEAST_NAMING || words.some(({ length }) => length >= LEAST_COMPOUND);
}

/** Whether a file name has all the words that say what a question asks for: "my phone bill". */
export function isNamedBy(path: string, { words }: TableQuestion): boolean {
  const name = new Set(tokens(path).map(stem));
  return words.every((word) => tokens(word).every((token) => name.has(stem(token))));
}
