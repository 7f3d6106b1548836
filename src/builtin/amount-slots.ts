import { beginsAmount } from '../quantities/cursor.ts';
import { type Expression, readExpression, unitIn } from '../quantities/expression.ts';
import { isMoney } from '../quantities/quantity.ts';
import { figuresFor, ORDINALS } from '../words/numbers.ts';
import { ANY_QUESTION_WORD } from '../words/question-words.ts';
import type { Language } from '../words/spelling.ts';
import { STOP_WORDS } from '../words/stop-words.ts';
import { readOnce, type SlotType } from './slot-type.ts';

/** Which mark is the decimal one tells no amount from other words. */
const expressionIn = readOnce((words) => (beginsAmount(words) ? readExpression(words, { language: 'en' }) : undefined));

/**
 * A gap for an expression of that form; what fills it stays in its words, for numbers are read as the reply is said.
 */
function expression(most: number, isForm: (found: Expression) => boolean): SlotType {
  return {
    most,
    read: (words, spoken) => {
      const found = expressionIn(words, spoken);
      return found && isForm(found) ? words : undefined;
    },
  };
}

/** "Half of that". */
function more(words: string): string | undefined {
  const found = readExpression(words, { language: 'en', that: { value: 1 } });
  return found?.usesThat && found.isSum ? words : undefined;
}

const isTime = ({ result: { of, per } }: Expression) =>
  !per && of?.meanings.some(({ kind }) => kind === 'time') === true;

/**
 * `{amount}` is "£4.50" or "half a pound", `{sum}` "4 plates at 3.50", `{more}` "half of that", `{rate}` "690 a week".
 */
export const AMOUNT_SLOTS: Readonly<Record<string, SlotType>> = {
  amount: expression(9, ({ isSum, result }) => !isSum && !result.isShare && !result.per),
  measure: expression(9, ({ isSum, result: { of, isShare } }) => !isSum && !isShare && of !== undefined),
  money: expression(9, ({ isSum, result }) => !isSum && !result.per && isMoney(result)),
  sum: expression(40, ({ isSum }) => isSum),
  /** Signs and figures, without anything that is counted: "90 people came at 9" is no sum by itself. */
  figures: expression(40, ({ isSum, counts, result }) => isSum && (!counts || isMoney(result))),
  more: { most: 12, read: more },
  rate: expression(9, ({ isSum, result }) => !isSum && result.per !== undefined),
  percent: expression(4, ({ isSum, result }) => !isSum && result.isShare === true),
  count: expression(3, ({ isSum, result: { value, of } }) => !isSum && !of && Number.isInteger(value) && value > 0),
  duration: expression(8, (found) => !found.isSum && isTime(found)),
  party: { most: 1, read: partyOf },
  /** "10k" of a run. */
  thousand: { most: 2, read: (words) => /^(\d{1,3}) ?k$/iu.exec(words)?.[1] },
  unit: { most: 6, read: (words) => (unitIn(words) ? words : undefined) },
  ask: { most: 9, read: (words) => (isAsking(words) ? words : undefined) },
  subject: { most: 4, isOpen: true, read: (words) => (isSubject(words) ? words : undefined) },
  amounts: {
    most: 60,
    read: (words) => (readList(words, 'en') ? words : undefined),
  },
};

/** What a question about a figure is made of besides small words. */
const ASKING = new Set(
  `calculate compute evaluate solve give result value equal equals tell find pay cost costs come comes make makes
  get owe save total altogether amount many each one
  then worth left arrive end finish ready done finished old age time oclock o'clock home back
  rechne berechne sag zahle zahlt zahlen bezahle bezahlt bezahlen kostet kosten macht machen ergibt insgesamt zusammen
  jeder jeden person kopf kommt bleibt uhr alt spät viel wieviel prozent percent per cent percentage fertig da an
  zuhause
  ende vorbei tall long high heavy far warm hot groß hoch schwer weit warm fuel petrol gas sprit benzin diesel strom
  liter verdiene spare lang lange days hours euro`.split(/\s+/u),
);
const QUESTIONS = new Set([...ANY_QUESTION_WORD, ...'calculate compute evaluate solve rechne berechne'.split(' ')]);

/** "What do I pay", "how much is that each", "was macht das": a question whose subject stands beside it. */
function isAsking(words: string): boolean {
  const [first = '', ...rest] = words
    .toLowerCase()
    .replace(/['’]s\b|(?<=^(?:what|how))s\b/gu, '')
    .split(/\s+/u);
  if (!QUESTIONS.has(first)) return false;
  return rest.every((word) => ASKING.has(word) || STOP_WORDS.en.has(word) || STOP_WORDS.de.has(word));
}

/** A few words without a figure that are not small words alone. */
function isSubject(words: string): boolean {
  const all = figuresFor(words).toLowerCase().split(/\s+/u);
  return (
    all.every((word) => /^[\p{L}'’-]+$/u.test(word) && !QUESTIONS.has(word)) &&
    all.some((word) => !STOP_WORDS.en.has(word) && !STOP_WORDS.de.has(word))
  );
}

/** "Zu dritt". */
function partyOf(word: string): number | undefined {
  const at = ORDINALS.de.indexOf(word.toLowerCase());
  return at < 1 ? undefined : at + 1;
}

/** "3, 4 and 8": two amounts or more, in one unit. */
export function readList(words: string, language: Language): readonly Expression[] | undefined {
  if (!/^\p{L}*[\d$€£\p{L}]/u.test(words)) return undefined;
  const found = words
    .split(/,? (?:and|und|with|mit) |, ?(?!\d{3}\b)|(?<=\d),(?=\d)(?=[^.]*,)/iu)
    .map((each) => readExpression(each.replace(/^(?:and|und) /iu, ''), { language }));
  return found.length > 1 && found.every((each) => each !== undefined && !each.isSum)
    ? (found as Expression[])
    : undefined;
}
