import { z } from 'zod';
import { defineTool, type Tool } from '../tools/tool.ts';

/** The definition of a harmless tool without input; add a name and `execute`. */
export const PLAIN_TOOL = {
  description: 'A tool.',
  input: z.object({}),
  policy: { effect: 'none' },
  provenance: { readsFrom: [] },
  timeoutMs: 1000,
} as const;

type Group = 'policy' | 'provenance' | 'durability' | 'presentation';

/** Some members of a tool, and some of each of its groups. */
export type ToolChanges = Partial<Omit<Tool, Group>> & { readonly [G in Group]?: Partial<Tool[G]> };

/** The same tool with these changes; what they do not name stays. */
export function changedTool(tool: Tool, changes: ToolChanges): Tool {
  return {
    ...tool,
    ...changes,
    policy: { ...tool.policy, ...changes.policy },
    provenance: { ...tool.provenance, ...changes.provenance },
    durability: { ...tool.durability, ...changes.durability },
    presentation: { ...tool.presentation, ...changes.presentation },
  };
}

/** `write_note` with the real one's labels; it writes nothing and says so. */
export const WRITE_NOTE = defineTool({
  ...PLAIN_TOOL,
  name: 'write_note',
  positional: ['text'],
  description: 'Append a note.',
  input: z.object({ text: z.string() }),
  policy: { ...PLAIN_TOOL.policy, effect: 'local', change: 'append' },
  execute: ({ text }) => `noted: ${text}`,
});

/** `keep`: a tool that tells `act` each time it really runs, with the id of its turn. */
export function keepTool(act: (text: string, turnId: string) => void): Tool {
  return defineTool({
    ...PLAIN_TOOL,
    name: 'keep',
    positional: ['text'],
    description: 'Keep a text.',
    input: z.object({ text: z.string() }),
    policy: { ...PLAIN_TOOL.policy, effect: 'local', change: 'append' },
    execute: ({ text }, { turn }) => {
      act(text, turn.id);
      return 'kept';
    },
  });
}

/** `send_mail`: goes to somebody else, so it needs approval; who got one is told to `sent`. */
export function mailTool(sent: string[]): Tool {
  return defineTool({
    ...PLAIN_TOOL,
    name: 'send_mail',
    description: 'Send a mail.',
    input: z.object({ to: z.string() }),
    policy: {
      ...PLAIN_TOOL.policy,
      effect: 'outbound',
      recipient: ({ to }) => ({ channel: 'mail', address: to, own: false }),
    },
    execute: ({ to }) => {
      sent.push(to);
      return `sent to ${to}`;
    },
  });
}
