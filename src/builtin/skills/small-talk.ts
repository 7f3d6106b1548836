import { REMINDER } from '../work/jobs-said.ts';
import { phrases } from '../phrases.ts';
import { type Skill, say, type UserRequest } from '../request.ts';

/** Such a reminder is repeated as it stands, even when it speaks of a time. */
export const delivered: Skill = {
  name: 'delivered reminder',
  anyLength: true,
  examples: { en: [], de: [] },
  recognize: ({ text }: UserRequest) => (text.startsWith(REMINDER) ? say(text) : undefined),
};

const ECHO = phrases(
  {
    en: ['(say|repeat after me|echo|answer with|reply with) {words}'],
    de: ['(sag|sage|antworte mit|sprich mir nach) {words}'],
  },
  { long: true },
);

/** "Say hello": what a scheduled prompt often is. */
export const echo: Skill = {
  name: 'echo',
  anyLength: true,
  examples: { en: [], de: [] },
  recognize: ({ text }) => {
    const words = ECHO(text)?.words;
    return words === undefined ? undefined : say(words.replace(/^(["'“„])(.*)["'”“]([.!?]?)$/su, '$2$3'));
  },
};
