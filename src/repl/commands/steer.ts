import type { Command } from '../command.ts';
import { badUsage } from '../flags.ts';

/** While an answer is streaming, the terminal takes this line itself; here nothing runs, so it is a request. */
export const steer: Command = {
  name: 'steer',
  summary: 'Say something to the answer that is being worked on (key: Ctrl-S)',
  group: 'Ask',
  usage: ['steer TEXT'],
  examples: ['steer only the year 2026, please'],
  only: 'slash',
  async run({ args, ask }) {
    const text = args.join(' ').trim();
    if (text === '') throw badUsage('There is nothing to say.', 'Usage: /steer TEXT');
    return ask(text);
  },
};
