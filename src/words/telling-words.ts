import { fold } from './spelling.ts';

const telling = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/u));

/** Function words that tell German from English, folded. */
export const TELLING_GERMAN = telling(
  `der das den dem des ein eine einen einem einer mein meine meinen meiner meinem ist sind wie wer wo wann warum wieso
  welche welcher welches welchen und oder nicht es er sie ihn ihm ihr ihre seine sein mit von zu im am auf fuer gibt hat
  haben kann muss ich du wir dafuer damit davon daran darin dazu wofuer noch auch bei vom zum zur aber wem wen kostet
  seit bis nach ueber dort viel lange`,
);
export const TELLING_ENGLISH = telling(
  `the a an is are how what who where when why which and or not it he she they them their its his her with of to at on
  for my our your does do did has have can must we you there this that these those about by from i me much many one
  ones else more`,
);

const WORD = /[\p{L}\p{N}]+/gu;

/** Is it more German than English, judging by its function words? */
export function isGerman(text: string): boolean {
  const words = (text.match(WORD) ?? []).map(fold);
  const score = (known: ReadonlySet<string>) => words.filter((word) => known.has(word)).length;
  return score(TELLING_GERMAN) > score(TELLING_ENGLISH);
}
