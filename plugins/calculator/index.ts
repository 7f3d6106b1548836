import { calculate, convertUnits, definePlugin, defineTool, z } from '#plugin';

const PURE = {
  policy: { effect: 'none', reads: 'public' },
  provenance: { returns: 'trusted' },
  timeoutMs: 2000,
} as const;

export default definePlugin({
  name: 'calculator',
  version: '1.0.0',
  description: 'Calculates, and converts units.',

  hosts: [],
  effects: [],

  getAgentTools() {
    return [
      defineTool({
        name: 'calculate',
        positional: ['expression'],
        aliases: { expression: ['input', 'text', 'formula'] },
        description: 'Work out an expression exactly as written: + - * / ^ mod sqrt() and brackets, "15% of 80".',
        input: z.object({ expression: z.string().trim().min(1).max(500) }),
        output: z.number(),
        ...PURE,
        presentation: { seldom: '' },
        execute: ({ expression }) => calculate(expression),
      }),
      defineTool({
        name: 'convert_units',
        positional: ['value', 'from', 'to'],
        aliases: { value: ['amount', 'n', 'number'] },
        description: 'Convert a number of one unit into another: 10, "miles", "km". Not for money.',
        input: z.object({ value: z.number(), from: z.string().min(1).max(60), to: z.string().min(1).max(60) }),
        output: z.number(),
        ...PURE,
        presentation: { seldom: '' },
        execute: async ({ value, from, to }) => Number((await convertUnits(value, from, to)).toPrecision(12)),
      }),
    ];
  },
});
