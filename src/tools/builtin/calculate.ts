import { z } from 'zod';
import { defineTool, type Tool } from '../tool.ts';

/** How people and models write what the grammar has a sign for. */
const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/\s/gu, ''],
  [/%of/giu, '§'],
  [/[×·]|(?<=\d)x(?=\d)/giu, '*'],
  [/÷/gu, '/'],
  [/\*\*/gu, '^'],
  [/mod/giu, '#'],
  [/sqrt/giu, '√'],
  [/pi|π/giu, String(Math.PI)],
  [/(?<=\d),(?=\d{3}(?!\d))/gu, ''],
  [/[−–]/gu, '-'],
];

/**
 * The value of an expression, by the arithmetic of the built-in model: `+ - * / ^ mod sqrt()`, brackets, `15% of 80`.
 *
 * @throws Error for anything else, a division by zero included.
 */
export async function calculate(expression: string): Promise<number> {
  const { evaluate } = await import('../../builtin/expression.ts');
  const value = evaluate(SIGNS.reduce((text, [sign, by]) => text.replace(sign, by), expression));
  if (value === undefined) throw new Error(`"${expression}" is no expression over + - * / ^ % mod sqrt and brackets.`);
  if (!Number.isFinite(value)) throw new Error(`"${expression}" has no finite value.`);
  return value;
}

/**
 * A number of one unit in another, by the table of the built-in model.
 *
 * @throws Error that names the unknown unit, or says that the two measure different things.
 */
export async function convertUnits(n: number, from: string, to: string): Promise<number> {
  const { convertMeasure, loadUnits, measureOf } = await import('../../builtin/measure.ts');
  const library = await loadUnits();
  const [a, b] = [measureOf(from, 'en', library), measureOf(to, 'en', library)];
  if (!a || !b) throw new Error(`"${a ? to : from}" is no unit that is known.`);
  if (a.kind !== b.kind)
    throw new Error(`${from} measures ${a.kind}, ${to} measures ${b.kind}: there is no conversion.`);
  return convertMeasure(n, a, b, library);
}

const PURE = {
  policy: { effect: 'none', reads: 'public' },
  provenance: { returns: 'trusted' },
  timeoutMs: 2000,
} as const;
const unit = z.string().min(1).max(60);

/** `calculate` and `convert_units`: models are bad at arithmetic, and that of the built-in model is exact. */
export function createCalculateTools(): Tool[] {
  return [
    defineTool({
      name: 'calculate',
      positional: ['expression'],
      aliases: { expression: ['input', 'text', 'formula'] },
      description: 'Work out an expression exactly as written.',
      input: z.object({
        expression: z.string().trim().min(1).max(500).describe('+ - * / ^ mod sqrt() and brackets, "15% of 80"'),
      }),
      output: z.number(),
      ...PURE,
      execute: ({ expression }) => calculate(expression),
    }),
    defineTool({
      name: 'convert_units',
      positional: ['value', 'from', 'to'],
      aliases: { value: ['amount', 'n', 'number'] },
      description: 'Convert a number of one unit into another: 10, "miles", "km". Not for money.',
      input: z.object({ value: z.number(), from: unit, to: unit }),
      output: z.number(),
      ...PURE,
      execute: async ({ value, from, to }) => Number((await convertUnits(value, from, to)).toPrecision(12)),
    }),
  ];
}
