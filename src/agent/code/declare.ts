import { z } from 'zod';
import { isRecord } from '../../base/json.ts';
import type { Tool } from '../../tools/tool.ts';
import { type NamedTool, spelling } from './names.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Longer types are written as `object`; `toolSchema(id)` has the details. */
const MAX_TYPE_CHARS = 400;
const MAX_NOTE_CHARS = 160;

/** Declare a tool in one line of TypeScript with its result type, the form that models read best. */
export function declareTool(named: NamedTool): string {
  const { tool } = named;
  const input = toSchema(tool.input, 'input');
  const output = tool.output ? typeOf(toSchema(tool.output, 'output')) : 'unknown';
  const note = compactDescription(tool.description, MAX_NOTE_CHARS);
  return `${spelling(named)}(${parameters(tool, input)}): ${short(output)}; // ${note}`;
}

/** The first sentences of a description on one line, as many as fit. */
export function compactDescription(text: string, maxChars: number): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  if (line.length <= maxChars) return line;
  const sentence = line.slice(0, maxChars).lastIndexOf('. ');
  return sentence > maxChars / 3 ? line.slice(0, sentence + 1) : `${line.slice(0, maxChars - 1)}…`;
}

/** The TypeScript type for a JSON Schema; `unknown` for what has no simple type. */
function typeOf(schema: unknown): string {
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

function toSchema(type: z.ZodType, io: 'input' | 'output'): Schema {
  return z.toJSONSchema(type, { io, unrepresentable: 'any' }) as Schema;
}

/** Positional parameters where all required fields are positional, otherwise one object. */
function parameters(tool: Tool, schema: Schema): string {
  const fields = fieldsOf(schema);
  const required = requiredOf(schema);
  if (fields.length === 0) return '';
  const positional = required.every((name) => tool.positional.includes(name)) && tool.positional.length > 0;
  if (!positional) return short(objectType(schema));
  return tool.positional
    .filter((name) => fields.some(([field]) => field === name))
    .map((name) => `${name}${required.includes(name) ? '' : '?'}: ${short(typeOf(propertiesOf(schema)[name]))}`)
    .join(', ');
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

function propertiesOf(schema: Schema): Record<string, unknown> {
  return isRecord(schema.properties) ? schema.properties : {};
}

function requiredOf(schema: Schema): readonly string[] {
  return Array.isArray(schema.required) ? schema.required.map(String) : [];
}

function short(type: string): string {
  return type.length <= MAX_TYPE_CHARS ? type : 'object';
}
