import type { z } from 'zod';
import { isRecord } from '../../base/json.ts';
import { type CallForm, exampleOf, propertiesOf, requiredOf, signatureOf, toSchema, typeOf } from '../signature.ts';
import type { Tool } from '../tool.ts';
import { type Mended, mendInput } from './mend.ts';

/** A valid input, or what to tell the model about it. */
export type ReadInput = { readonly ok: true; readonly data: unknown } | { readonly ok: false; readonly error: string };

/** Problems that a value of another type or form would not have. */
const TYPES: ReadonlySet<string | undefined> = new Set(['invalid_type', 'invalid_value', 'invalid_union']);

/**
 * Read the input of a call: as it is where it fits, else mended where there is one reading.
 *
 * @param form how the caller writes calls, for the signature in the refusal.
 */
export function readInput(tool: Tool, raw: unknown, form: CallForm): ReadInput {
  const named = withAliases(tool, raw);
  const parsed = tool.input.safeParse(named);
  const fits = parsed.success && !hasStrangeFields(named, parsed.data);
  if (fits && !isJsonAlone(named)) return { ok: true, data: parsed.data };
  const mended = mendInput(tool, named);
  // A schema may take fields that it does not describe.
  if (fits && mended.ignored.length > 0) return { ok: true, data: parsed.data };
  const again = tool.input.safeParse(mended.input);
  const computed =
    form === 'function' && !parsed.success && parsed.error.issues.some((issue) => isNoText(issue, named));
  if (again.success && !computed) return { ok: true, data: again.data };
  if (parsed.success) return { ok: true, data: parsed.data };
  const whose = tool.origin === undefined ? '' : ` (${tool.origin})`;
  const error = again.error ?? parsed.error;
  const use = `Use ${signatureOf(tool, form)}.${rightValues(tool, error, mended)}`;
  return { ok: false, error: `${tool.name}${whose}: ${explain(error, mended)} ${use}` };
}

/** An example for each field that has a value of another type. */
function rightValues(tool: Tool, { issues }: z.ZodError, { missing }: Mended): string {
  const properties = propertiesOf(toSchema(tool.input, 'input'));
  const wrong = new Set(issues.filter(({ code }) => TYPES.has(code)).map(({ path }) => String(path[0])));
  const right = [...wrong]
    .filter((field) => field in properties && !missing.includes(field))
    .map((field) => `${field}: ${JSON.stringify(exampleOf(properties[field]))}`);
  return right.length === 0 ? '' : ` For example ${right.join(', ')}.`;
}

/** A script computes its values: a number or truth value where a text belongs is another one than it meant. */
function isNoText(issue: z.core.$ZodIssue, given: unknown): boolean {
  if (issue.code !== 'invalid_type' || issue.expected !== 'string') return false;
  const value = issue.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], given);
  return typeof value === 'number' || typeof value === 'boolean';
}

/** One field that holds JSON: it may be the whole input once more. */
function isJsonAlone(given: unknown): boolean {
  const values = isRecord(given) ? Object.values(given) : [];
  return values.length === 1 && typeof values[0] === 'string' && /^\s*\{/u.test(values[0]);
}

/** Fields that the tool does not know are dropped when its input is read; one of them may be meant for another. */
function hasStrangeFields(given: unknown, read: unknown): boolean {
  return isRecord(given) && isRecord(read) && Object.keys(given).some((name) => !(name in read));
}

function explain(error: z.ZodError, { missing, ignored }: Mended): string {
  const problems = [
    ...missing.map((field) => `${field}: missing`),
    ...error.issues.filter(({ path }) => !missing.includes(String(path[0]))).map(readableIssue),
  ];
  const fields = ignored.length === 0 ? '' : ` Ignored: ${ignored.join(', ')}.`;
  return `${problems.join('; ')}.${fields}`;
}

/**
 * Bring an input into the form that a tool takes, since models invent argument names and wrappers: a bare value becomes
 * the first positional field or the only required one, `{ input: … }` is unwrapped, and an alias is renamed when the
 * real field is absent.
 */
function withAliases(tool: Tool, raw: unknown): unknown {
  const first = tool.positional[0] ?? (isWords(raw) ? onlyRequired(tool) : undefined);
  if (raw === undefined || raw === null) return {};
  if (!isRecord(raw)) return first === undefined || Array.isArray(raw) ? raw : { [first]: raw };
  return renameAliases(tool, unwrap(tool, raw));
}

/** A text that is not JSON, which would be the whole input. */
function isWords(raw: unknown): boolean {
  return typeof raw === 'string' && !/^\s*[[{]/u.test(raw);
}

/** The text that a tool cannot do without, where it is the only such field. */
function onlyRequired(tool: Tool): string | undefined {
  const schema = toSchema(tool.input, 'input');
  const [only, ...more] = requiredOf(schema);
  const isText = only !== undefined && typeOf(propertiesOf(schema)[only]) === 'string';
  return isText && more.length === 0 ? only : undefined;
}

/** Turn a list of arguments into the one object that a tool takes: `(when, text)` becomes `{ when, text }`. */
export function fromPositional(tool: Tool, args: readonly unknown[]): unknown {
  if (args.length === 0) return {};
  if (args.length === 1 && isRecord(args[0])) return args[0];
  if (tool.positional.length === 0) return args[0];
  return Object.fromEntries(args.slice(0, tool.positional.length).map((arg, index) => [tool.positional[index], arg]));
}

/** The one object that model servers take as arguments, from whatever a model wrote for it. */
export function asArguments(tool: Tool, input: unknown): Record<string, unknown> | undefined {
  const read = Array.isArray(input) ? fromPositional(tool, input) : withAliases(tool, input);
  return isRecord(read) ? read : undefined;
}

/** A problem with its field: `text: expected string, received number`. */
function readableIssue({ path, message }: z.core.$ZodIssue): string {
  return `${path.join('.') || 'input'}: ${message}`;
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
