import type { Command } from '../command.ts';
import { parseMode } from '../flags.ts';

const MEANING = {
  classic_tools: 'the model names tools, they are called one by one',
  code_agent: 'the model writes one script that uses the tools',
} as const;

export const mode: Command = {
  name: 'mode',
  summary: 'Show or change how the model asks for actions',
  usage: ['mode', 'mode code', 'mode tools'],
  only: 'slash',
  async run({ args, session, out }) {
    if (args[0] !== undefined) session.mode = parseMode(args[0]);
    out.line(`Mode ${session.mode}: ${MEANING[session.mode]}.`);
    out.row({ mode: session.mode });
    return 0;
  },
};
