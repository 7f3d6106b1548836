import { z } from 'zod';
import { isRecord } from '../base/json.ts';
import type { Tool } from './tool.ts';

/** A JSON Schema, or a part of one. */
export type Schema = Readonly<Record<string, unknown>>;

/** Longer types are written as `object`; `toolSchema(id)` has the details. */
const MAX_TYPE_CHARS = 400;

/** How a call is written: by a script's function, or by a tool call with one object. */
export type CallForm = 'function' | 'tool';

/** How to call a tool, for a model: `writeNote(text: string)` or `write_note { text: string }`. */
export function signatureOf(tool: Tool, form: CallForm): string {
  const input = toSchema(tool.input, 'input');
  if (form === 'function') return `${tool.functionName}(${parametersOf(tool, input)})`;
  return `${tool.name.replaceAll('.', '_')} ${fieldsOf(input).length === 0 ? '{}' : objectType(input)}`;
}

/** Positional parameters where all required fields are positional, otherwise one object. */
export function parametersOf(tool: Tool, schema: Schema): string {
  const fields = fieldsOf(schema);
  const required = requiredOf(schema);
  if (fields.length === 0) return '';
  const positional = required.every((name) => tool.positional.includes(name)) && tool.positional.length > 0;
  if (!positional) return shortType(objectType(schema));
  return tool.positional
    .filter((name) => fields.some(([field]) => field === name))
    .map((name) => `${name}${required.includes(name) ? '' : '?'}: ${shortType(typeOf(propertiesOf(schema)[name]))}`)
    .join(', ');
}

/** The TypeScript type for a JSON Schema; `unknown` for what has no simple type. */
export function typeOf(schema: unknown): string {
  if (!isRecord(schema)) return 'unknown';
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const union = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(union)) return [...new Set(union.map((each: unknown) => typeOf(each)))].join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map((type: unknown) => typeOf({ ...schema, type })).join(' | ');
  if (schema.type === 'array') return arrayOf(schema.items);
  if (schema.type === 'object') return objectType(schema);
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  return typeof schema.type === 'string' ? schema.type : 'unknown';
}

/** A value of a schema: what its description quotes, or the plainest one of its type. */
export function exampleOf(schema: unknown): unknown {
  if (!isRecord(schema)) return 'text';
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const union = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(union)) return exampleOf(union[0]);
  if (schema.type === 'array') return [exampleOf(schema.items)];
  if (schema.type === 'object')
    return Object.fromEntries(requiredOf(schema).map((name) => [name, exampleOf(propertiesOf(schema)[name])]));
  if (schema.type === 'integer' || schema.type === 'number') return schema.default ?? schema.minimum ?? 1;
  if (schema.type === 'boolean') return true;
  return /"(?<quoted>[^"]+)"/u.exec(String(schema.description ?? ''))?.groups?.quoted ?? 'text';
}

const SCHEMAS = { input: new WeakMap<z.ZodType, Schema>(), output: new WeakMap<z.ZodType, Schema>() };

/** The JSON Schema of a type, made once: every turn asks for those of many tools. */
export function toSchema(type: z.ZodType, io: 'input' | 'output'): Schema {
  const schema = SCHEMAS[io].get(type) ?? (z.toJSONSchema(type, { io, unrepresentable: 'any' }) as Schema);
  SCHEMAS[io].set(type, schema);
  return schema;
}

/** The part of a schema that a model usually needs: no field and no form that its author marked as seldom needed. */
export function usualPart(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.filter((each) => !isSeldom(each)).map((each: unknown) => usualPart(each));
  if (!isRecord(schema)) return schema;
  const parts = Object.entries(schema);
  return Object.fromEntries(
    parts.map(([name, value]) => [name, name === 'properties' ? usual(value) : usualPart(value)]),
  );
}

/** A field may have the name of a keyword. */
function usual(fields: unknown): unknown {
  if (!isRecord(fields)) return fields;
  const kept = Object.entries(fields).filter(([, schema]) => !isSeldom(schema));
  return Object.fromEntries(kept.map(([name, schema]) => [name, usualPart(schema)]));
}

function isSeldom(schema: unknown): boolean {
  return isRecord(schema) && schema.seldom === true;
}

export function shortType(type: string): string {
  return type.length <= MAX_TYPE_CHARS ? type : 'object';
}

export function propertiesOf(schema: Schema): Record<string, unknown> {
  return isRecord(schema.properties) ? schema.properties : {};
}

export function requiredOf(schema: Schema): readonly string[] {
  return Array.isArray(schema.required) ? schema.required.map(String) : [];
}

function objectType(schema: Schema): string {
  const fields = fieldsOf(schema);
  const extra = schema.additionalProperties;
  if (fields.length === 0) return isRecord(extra) ? `Record<string, ${typeOf(extra)}>` : 'object';
  const required = requiredOf(schema);
  const typed = fields.map(([name, type]) => {
    return `${fieldName(name)}${required.includes(name) ? '' : '?'}: ${typeOf(type)}`;
  });
  return `{ ${typed.join(', ')} }`;
}

function fieldName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/u.test(name) ? name : JSON.stringify(name);
}

function arrayOf(items: unknown): string {
  const type = typeOf(items);
  const isUnion = isRecord(items) && (items.anyOf ?? items.oneOf ?? items.enum ?? Array.isArray(items.type)) !== false;
  return isUnion && type.includes(' | ') ? `(${type})[]` : `${type}[]`;
}

function fieldsOf(schema: Schema): [string, unknown][] {
  return Object.entries(propertiesOf(schema));
}
