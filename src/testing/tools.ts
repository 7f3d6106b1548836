import { z } from 'zod';
import { defineTool, type Tool } from '../tools/tool.ts';

/** A tool without input that has no effect and may be called by anybody; name and `execute` are missing. */
export const PLAIN_TOOL = {
  description: 'A tool.',
  input: z.object({}),
  effect: 'none',
  reads: 'public',
  returns: 'trusted',
  timeoutMs: 1000,
} as const;

/** `write_note`: has an effect, which is only told. */
export const WRITE_NOTE = defineTool({
  ...PLAIN_TOOL,
  name: 'write_note',
  positional: ['text'],
  description: 'Append a note.',
  input: z.object({ text: z.string() }),
  effect: 'local',
  change: 'append',
  execute: ({ text }) => `noted: ${text}`,
});

/** `keep`: an effect whose every happening is told to `act`, with the id of its turn. */
export function keepTool(act: (text: string, turnId: string) => void): Tool {
  return defineTool({
    ...PLAIN_TOOL,
    name: 'keep',
    positional: ['text'],
    description: 'Keep a text.',
    input: z.object({ text: z.string() }),
    effect: 'local',
    change: 'append',
    execute: ({ text }, { turn }) => {
      act(text, turn.id);
      return 'kept';
    },
  });
}
