import { z } from 'zod';
import { isRecord } from '../../base/json.ts';
import { adaptSchema } from '../../plugins/schema/schema.ts';
import { SchemaViolation } from './errors.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The options of an AI call that give its answer the type of a Zod schema: `think({ prompt, ...zodSchema(S) })`. */
export function zodSchema<T>(schema: z.ZodType<T>): { jsonSchema: JsonSchema; zod: z.ZodType<T> } {
  return { jsonSchema: z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as JsonSchema, zod: schema };
}

/** Plain text needs no form: the reply is the answer. */
export function isPlainText(schema: JsonSchema | undefined): boolean {
  if (schema === undefined) return true;
  return (
    schema.type === 'string' && Object.keys(schema).every((key) => ['type', 'description', '$schema'].includes(key))
  );
}

/** The form that providers take: an object at the top. */
export function wrapped(schema: JsonSchema): { readonly schema: JsonSchema; readonly isWrapped: boolean } {
  const { $schema: _dialect, ...bare } = schema;
  if (bare.type === 'object') return { schema: bare, isWrapped: false };
  const { $defs, ...value } = bare;
  const outer = { type: 'object', properties: { value }, required: ['value'], additionalProperties: false };
  return { schema: $defs === undefined ? outer : { ...outer, $defs }, isWrapped: true };
}

const COMPILED = new WeakMap<JsonSchema, Promise<z.ZodType>>();

/**
 * Check that a value has the type.
 *
 * @returns it as the type reads it.
 * @throws SchemaViolation at the first place; TypeError for a schema that cannot be used.
 */
export async function checkAnswer(value: unknown, schema: JsonSchema, zod?: z.ZodType): Promise<unknown> {
  if (value === undefined) throw new SchemaViolation({ path: '', expected: 'an answer', got: undefined });
  const checked = (zod ?? (await compiled(schema))).safeParse(value);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const path = issue?.path ?? [];
  throw new SchemaViolation({ path: pathText(path), expected: issue?.message ?? 'another type', got: at(value, path) });
}

function compiled(schema: JsonSchema): Promise<z.ZodType> {
  const known = COMPILED.get(schema);
  if (known) return known;
  const made = adaptSchema(schema, { anyValue: true });
  COMPILED.set(schema, made);
  return made;
}

function pathText(path: readonly PropertyKey[]): string {
  return (
    path
      // JSON pointers write list indexes as text.
      .map((key, index) => (/^\d+$/u.test(String(key)) ? `[${String(key)}]` : `${index ? '.' : ''}${String(key)}`))
      .join('')
  );
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((found, key) => {
    if (Array.isArray(found)) return found[Number(key)] as unknown;
    return isRecord(found) ? found[String(key)] : undefined;
  }, value);
}
