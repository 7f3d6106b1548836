import { fold, type Language } from './spelling.ts';

/** What asks for the rest of something that has stopped, and nothing else. */
const GO_ON: Readonly<Record<Language, readonly string[]>> = {
  en: [
    'go on',
    'go ahead',
    'carry on',
    'keep going',
    'keep on',
    'continue',
    'proceed',
    'resume',
    'finish',
    'on you go',
  ],
  de: [
    ...['weiter', 'mach weiter', 'weitermachen', 'weiter so', 'weiter machen', 'weiter gehts', 'fahr fort'],
    ...['fahre fort', 'fortfahren', 'setz fort', 'setze fort', 'fortsetzen', 'mach fertig', 'mach zu ende'],
  ],
};
/** What may stand around it without asking for anything. */
const AROUND: Readonly<Record<Language, readonly string[]>> = {
  en: 'yes yeah yep ok okay sure alright please then now just and so do with it that this the rest work thanks'.split(
    ' ',
  ),
  de: 'ja jo gut okay bitte dann jetzt nun und also mal doch einfach nur damit es das den rest der arbeit danke'.split(
    ' ',
  ),
};

const PHRASES = new Set(Object.values(GO_ON).flat().map(fold));
const SMALL = new Set(Object.values(AROUND).flat().map(fold));
const LONGEST_CHARS = 80;

/** Whether a request says nothing but "go on". */
export function isGoOn(text: string): boolean {
  if (text.length > LONGEST_CHARS) return false;
  const words = fold(text.replaceAll(/['’]/gu, '')).match(/[\p{L}\p{N}]+/gu) ?? [];
  const isSmall = (word: string) => SMALL.has(word);
  const first = words.findIndex((word) => !isSmall(word));
  const last = words.findLastIndex((word) => !isSmall(word));
  if (first < 0) return false;
  const core = words.slice(first, last + 1);
  return PHRASES.has(core.join(' ')) || PHRASES.has(core.filter((word) => !isSmall(word)).join(' '));
}
