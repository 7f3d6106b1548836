import type { z } from 'zod';
import { isRecord } from '../../base/json.ts';
import type { Tool } from '../tool.ts';

/**
 * Bring an input into the form that a tool takes, since models invent argument names and wrappers: a bare value becomes
 * the first positional field, `{ input: … }` is unwrapped, and an alias is renamed when the real field is absent.
 */
export function withAliases(tool: Tool, raw: unknown): unknown {
  const [first] = tool.positional;
  if (raw === undefined || raw === null) return {};
  if (!isRecord(raw)) return first === undefined || Array.isArray(raw) ? raw : { [first]: raw };
  return renameAliases(tool, unwrap(tool, raw));
}

/** Turn a list of arguments into the one object that a tool takes: `(when, text)` becomes `{ when, text }`. */
export function fromPositional(tool: Tool, args: readonly unknown[]): unknown {
  if (args.length === 0) return {};
  if (args.length === 1 && isRecord(args[0])) return args[0];
  if (tool.positional.length === 0) return args[0];
  return Object.fromEntries(args.slice(0, tool.positional.length).map((arg, index) => [tool.positional[index], arg]));
}

/** Every problem with its field: `text: expected string, received number; k: too big`. */
export function readableIssues(error: z.ZodError): string {
  return error.issues.map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`).join('; ');
}

function unwrap(tool: Tool, raw: Record<string, unknown>): Record<string, unknown> {
  const inner = raw.input;
  const wrapped = Object.keys(raw).length === 1 && !tool.positional.includes('input');
  return wrapped && isRecord(inner) ? inner : raw;
}

function renameAliases(tool: Tool, raw: Record<string, unknown>): Record<string, unknown> {
  const input = { ...raw };
  for (const [field, aliases] of Object.entries(tool.aliases)) {
    const alias = aliases.find((name) => name in input);
    if (field in input || alias === undefined) continue;
    input[field] = input[alias];
    delete input[alias];
  }
  return input;
}
