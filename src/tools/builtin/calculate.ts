import { z } from 'zod';
import { readExpression, unitIn } from '../../quantities/expression.ts';
import { inUnit } from '../../quantities/quantity.ts';
import type { Named } from '../../quantities/units.ts';
import { defineTool, type Tool } from '../tool.ts';

/**
 * The value of an expression: `+ - * / ^ mod sqrt()` and brackets, `15% of 80`, in signs or in words.
 *
 * @throws Error for anything else, a division by zero included.
 */
export function calculate(expression: string): number {
  const result = readExpression(expression, { language: 'en' })?.result;
  if (!result) throw new Error(`"${expression}" is no expression over + - * / ^ % mod sqrt and brackets.`);
  if (!Number.isFinite(result.value)) throw new Error(`"${expression}" has no finite value.`);
  return result.value;
}

/**
 * A number of one unit in another.
 *
 * @throws Error that names the unknown unit, or says that the two measure different things.
 */
export function convertUnits(n: number, from: string, to: string): number {
  const [a, b] = [unitIn(from), unitIn(to)];
  if (!a || !b) throw new Error(`"${a ? to : from}" is no unit that is known.`);
  const { per, times = 1 } = a;
  const found = inUnit({ value: n, of: a, ...(per && { per: { times, unit: per } }) }, b);
  if (!found) throw new Error(`${from} measures ${kindOf(a)}, ${to} measures ${kindOf(b)}: there is no conversion.`);
  return found.value;
}

const CONVERTS = new Set(['in', 'to', 'into', 'as', '=']);

/** "10 miles in km", "100 F to °C"; undefined for any other text. */
function converted(text: string): number | undefined {
  const words = text.trim().split(/\s+/u);
  // "5 in in cm": a unit stands before it.
  const between = words.findIndex(
    (word, at) => CONVERTS.has(word.toLowerCase()) && /[^\d.+-]/u.test(words.slice(0, at).join('')),
  );
  if (between === -1) return undefined;
  const [, value, from = ''] = /^([-+]?\d+(?:\.\d+)?) ?(\D.*)$/u.exec(words.slice(0, between).join(' ')) ?? [];
  const to = words.slice(between + 1).join(' ');
  if (value === undefined || !unitIn(from) || !unitIn(to)) return undefined;
  return Number(convertUnits(Number(value), from, to).toPrecision(12));
}

function kindOf({ meanings, per }: Named): string {
  return [meanings[0]?.kind, per?.meanings[0]?.kind].filter(Boolean).join(' per ');
}

const PURE = {
  policy: { effect: 'none' },
  provenance: { readsFrom: [] },
  timeoutMs: 2000,
} as const;
const unit = z.string().min(1).max(60);

/** `calculate` and `convert_units`: models are bad at arithmetic, and this is exact. */
export function createCalculateTools(): Tool[] {
  return [
    defineTool({
      name: 'calculate',
      positional: ['expression'],
      aliases: { expression: ['input', 'text', 'formula'] },
      description: 'Work out an expression, or convert units.',
      input: z.object({
        expression: z
          .string()
          .trim()
          .min(1)
          .max(500)
          .describe('+ - * / ^ mod sqrt() (), "15% of 80", "10 miles in km"'),
      }),
      output: z.number(),
      ...PURE,
      execute: async ({ expression }) => converted(expression) ?? calculate(expression),
    }),
    defineTool({
      name: 'convert_units',
      positional: ['value', 'from', 'to'],
      aliases: { value: ['amount', 'n', 'number'] },
      description: 'Convert units, not money: 10, "miles", "km".',
      input: z.object({ value: z.number(), from: unit, to: unit }),
      output: z.number(),
      ...PURE,
      presentation: { untold: true },
      execute: async ({ value, from, to }) => Number(convertUnits(value, from, to).toPrecision(12)),
    }),
  ];
}
