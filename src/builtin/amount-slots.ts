import { type Expression, readExpression } from '../quantities/expression.ts';
import { unitCalled } from '../quantities/units.ts';
import type { Language } from '../words/spelling.ts';
import type { SlotType } from './slots.ts';

const LANGUAGES: readonly Language[] = ['en', 'de'];
/** How an amount may begin: what does not is not parsed. */
const START = /^[\d(.√$€£¥₹−-]|^(?:a|an|one|the|half|twice|double|triple|two|three|pi|π|sqrt|square|root|ein|die|das|hälfte|halbe|doppelte|drittel|wurzel|quadratwurzel|eine|zwei|drei|anderthalb)/iu;
const NUMBER = /^(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[a-z]+teen|[a-z]+ty|hundred|thousand|million|null|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|\p{L}+zehn|\p{L}+zig|\p{L}*hundert\p{L}*|\p{L}*tausend\p{L}*)/iu;

/** A gap for an expression of that form; what fills it stays in its words, for numbers are read as the reply is said. */
function expression(most: number, isForm: (found: Expression) => boolean, that = false): SlotType {
  const manner = that ? { that: { value: 1 } } : {};
  return {
    most,
    read: (words) => {
      if (!that && !START.test(words) && !NUMBER.test(words)) return undefined;
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
  sum: expression(40, ({ isSum }) => isSum),
  more: expression(20, ({ usesThat, isSum }) => usesThat && isSum, true),
  rate: expression(9, ({ isSum, result }) => !isSum && result.per !== undefined),
  percent: expression(4, ({ isSum, result }) => !isSum && result.isShare === true),
  count: expression(3, ({ isSum, result: { value, of } }) => !isSum && !of && Number.isInteger(value) && value > 0),
  span: expression(8, (found) => !found.isSum && isTime(found)),
  unit: { most: 4, read: (words) => (unitCalled(words) ? words : undefined) },
  list: {
    most: 60,
    read: (words) => (LANGUAGES.some((language) => readList(words, language)) ? words : undefined),
  },
};

/** "3, 4 and 8": two amounts or more, in one unit. */
export function readList(words: string, language: Language): readonly Expression[] | undefined {
  if (!/^\p{L}*[\d$€£\p{L}]/u.test(words)) return undefined;
  const found = words
    .split(/,? (?:and|und|with|mit) |, ?(?!\d{3}\b)|(?<=\d),(?=\d)(?=[^.]*,)/iu)
    .map((each) => readExpression(each.replace(/^(?:and|und) /iu, ''), { language }));
  return found.length > 1 && found.every((each) => each !== undefined && !each.isSum) ? (found as Expression[]) : undefined;
}
