import { type Skill, say, type UserRequest } from '../request.ts';
import { REMINDER } from '../work/jobs-said.ts';

/** Such a reminder is repeated as it stands, even when it speaks of a time. */
export const delivered: Skill = {
  name: 'delivered reminder',
  anyLength: true,
  examples: { en: [], de: [] },
  recognize: ({ text }: UserRequest) => (text.startsWith(REMINDER) ? say(text) : undefined),
};
