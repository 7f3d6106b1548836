import { beginsAmount, type Expression, readExpression } from '../quantities/expression.ts';
import { unitCalled } from '../quantities/units.ts';
import { ORDINALS } from '../words/numbers.ts';
import type { Language } from '../words/spelling.ts';
import type { SlotType } from './slots.ts';

const LANGUAGES: readonly Language[] = ['en', 'de'];
/** A gap for an expression of that form; what fills it stays in its words, for numbers are read as the reply is said. */
function expression(most: number, isForm: (found: Expression) => boolean, that = false): SlotType {
  const manner = that ? { that: { value: 1 } } : {};
  return {
    most,
    read: (words) => {
      if (!that && !beginsAmount(words)) return undefined;
      const fits = LANGUAGES.some((language) => {
        const found = readExpression(words, { language, ...manner });
        return found !== undefined && isForm(found);
      });
      return fits ? words : undefined;
    },
  };
}

const isTime = ({ result: { of, per } }: Expression) => !per && of?.meanings.some(({ kind }) => kind === 'time') === true;

/** `{amount}` is "£4.50" or "half a pound", `{sum}` "4 plates at 3.50", `{more}` "half of that", `{rate}` "690 a week". */
export const AMOUNT_SLOTS: Readonly<Record<string, SlotType>> = {
  amount: expression(9, ({ isSum, result }) => !isSum && !result.isShare && !result.per),
  measure: expression(9, ({ isSum, result: { of, isShare } }) => !isSum && !isShare && of !== undefined),
  sum: expression(40, ({ isSum }) => isSum),
  more: expression(20, ({ usesThat, isSum }) => usesThat && isSum, true),
  rate: expression(9, ({ isSum, result }) => !isSum && result.per !== undefined),
  percent: expression(4, ({ isSum, result }) => !isSum && result.isShare === true),
  count: expression(3, ({ isSum, result: { value, of } }) => !isSum && !of && Number.isInteger(value) && value > 0),
  span: expression(8, (found) => !found.isSum && isTime(found)),
  party: { most: 1, read: partyOf },
  unit: { most: 4, read: (words) => (unitCalled(words) ? words : undefined) },
  list: {
    most: 60,
    read: (words) => (LANGUAGES.some((language) => readList(words, language)) ? words : undefined),
  },
};

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
  return found.length > 1 && found.every((each) => each !== undefined && !each.isSum) ? (found as Expression[]) : undefined;
}
