import { isRecord } from '../../base/json.ts';
import { looseJson } from '../../base/loose-json.ts';
import { nearest } from '../../base/text.ts';
import { propertiesOf, requiredOf, type Schema, toSchema } from '../signature.ts';
import type { Tool } from '../tool.ts';

/** An input after mending. `ignored`: fields that the tool does not have and that could not be meant otherwise. */
export interface Mended {
  readonly input: unknown;
  readonly ignored: readonly string[];
  /** Required fields that are not there. */
  readonly missing: readonly string[];
}

/** Around the arguments, from other programs' formats. */
const WRAPPERS = ['input', 'arguments', 'args', 'parameters', 'params', 'kwargs', 'tool_input', 'action_input'];

/** More words are a sentence, whose commas separate no items. */
const MAX_ITEM_WORDS = 3;

const YES = /^(?:true|yes|1)$/iu;
const NO = /^(?:false|no|0)$/iu;

/** Bring an input as close to what the tool takes as it can be brought with one reading. The tool then validates it. */
export function mendInput(tool: Tool, raw: unknown): Mended {
  const schema = toSchema(tool.input, 'input');
  const fields = propertiesOf(schema);
  const given = unwrapped(asRecord(tool, raw), fields);
  if (!isRecord(given)) return { input: given, ignored: [], missing: requiredOf(schema) };
  const named = rename(tool, withoutNulls(given, fields), schema);
  const known = Object.entries(named).filter(([name]) => name in fields);
  const input = Object.fromEntries(known.map(([name, value]) => [name, coerced(ownPart(name, value), fields[name])]));
  return {
    input: schema.additionalProperties === undefined || schema.additionalProperties === false ? input : named,
    ignored: Object.keys(named).filter((name) => !(name in fields)),
    missing: requiredOf(schema).filter((name) => !(name in named)),
  };
}

/** JSON that came as a string, a list with one object, positional arguments as a list. */
function asRecord(tool: Tool, raw: unknown): unknown {
  const value = typeof raw === 'string' ? (looseJson(raw) ?? raw) : raw;
  if (!Array.isArray(value)) return value;
  const [only] = value as unknown[];
  if (value.length === 1 && isRecord(only)) return only;
  return value.length <= tool.positional.length
    ? Object.fromEntries(value.map((each, index) => [tool.positional[index], each as unknown]))
    : value;
}

/** The one field may hold the whole input: a wrapper does, and so does `{ query: '{"query": "boat"}' }`. */
function unwrapped(value: unknown, fields: Schema): unknown {
  const [only, ...more] = isRecord(value) ? Object.entries(value) : [];
  if (!only || more.length > 0) return value;
  const [name, content] = only;
  const inner = typeof content === 'string' ? looseJson(content) : content;
  if (!isRecord(inner)) return value;
  const isWhole = typeof content === 'string' && name in inner && Object.keys(inner).every((each) => each in fields);
  return isWhole || (WRAPPERS.includes(name) && !(name in fields)) ? inner : value;
}

function withoutNulls(input: Record<string, unknown>, fields: Schema): Record<string, unknown> {
  const kept = Object.entries(input).filter(([name, value]) => {
    return value !== undefined && (value !== null || typesOf(fields[name]).includes('null'));
  });
  return Object.fromEntries(kept);
}

/** `cancelSchedule(found)` for `cancelSchedule(found.id)`: an object that has the wanted field itself. */
function ownPart(name: string, value: unknown): unknown {
  const part = isRecord(value) ? value[name] : undefined;
  return typeof part === 'string' ? part : value;
}

/** Fields under a name that is near or an alias; the one unknown field is the one that is missing. */
function rename(tool: Tool, input: Record<string, unknown>, schema: Schema): Record<string, unknown> {
  const fields = propertiesOf(schema);
  const open = new Set(Object.keys(fields).filter((name) => !(name in input)));
  const renamed: Record<string, unknown> = {};
  const strange: [string, unknown][] = [];
  for (const [name, value] of Object.entries(input)) {
    const meant = name in fields ? name : meantField(tool, name, open);
    if (meant === undefined) {
      strange.push([name, value]);
      continue;
    }
    renamed[meant] = value;
    open.delete(meant);
  }
  const missing = requiredOf(schema).filter((name) => !(name in renamed));
  const [only, ...more] = strange;
  const [field, ...others] = missing;
  if (only && more.length === 0 && field !== undefined && others.length === 0 && fits(only[1], fields[field])) {
    return { ...renamed, [field]: only[1] };
  }
  return { ...Object.fromEntries(strange), ...renamed };
}

function meantField(tool: Tool, name: string, open: ReadonlySet<string>): string | undefined {
  const wanted = letters(name);
  const byName = [...open].filter((field) => letters(field) === wanted);
  const byAlias = [...open].filter((field) => tool.aliases[field]?.some((alias) => letters(alias) === wanted));
  // `file_path` for `path`, `note_text` for `text`, `schedule_id` for `id`.
  const byPart = [...open].filter((field) =>
    name
      .toLowerCase()
      .split(/[^a-z0-9]/u)
      .includes(field.toLowerCase()),
  );
  const ways = [byName, byAlias, byPart].find((found) => found.length > 0) ?? [];
  if (ways.length > 0) return ways.length === 1 ? ways[0] : undefined;
  return wanted.length >= 4 ? nearest(name, open) : undefined;
}

function letters(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/gu, '');
}

/** Whether a value can be meant for a field of this schema. */
function fits(value: unknown, schema: unknown): boolean {
  const mended = coerced(value, schema);
  const types = typesOf(schema);
  if (types.length === 0) return true;
  return types.some((type) => {
    if (type === 'integer') return typeof mended === 'number';
    if (type === 'array') return Array.isArray(mended);
    return type === 'object' ? isRecord(mended) : typeof mended === type;
  });
}

function typesOf(schema: unknown): string[] {
  if (!isRecord(schema)) return [];
  const union = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(union)) return union.flatMap((each: unknown) => typesOf(each));
  if (Array.isArray(schema.type)) return schema.type.map(String);
  return typeof schema.type === 'string' ? [schema.type] : [];
}

/** The value in the type that its field takes, where the value leaves no doubt. */
function coerced(value: unknown, schema: unknown): unknown {
  if (!isRecord(schema)) return value;
  if (Array.isArray(schema.enum)) return inEnum(value, schema.enum);
  const types = typesOf(schema);
  if (types.length !== 1) return value;
  switch (types[0]) {
    case 'integer':
    case 'number':
      return inBounds(asNumber(value), schema);
    case 'boolean':
      return asBoolean(value);
    case 'string':
      return asText(value);
    case 'array':
      return asList(value, schema);
    case 'object':
      return typeof value === 'string' ? (looseJson(value) ?? value) : value;
    default:
      return value;
  }
}

function asNumber(value: unknown): unknown {
  if (typeof value !== 'string' || value.trim() === '') return value;
  const number = Number(value);
  return Number.isNaN(number) ? value : number;
}

/** `0` for a count from one is the first; more than the most is the most. */
function inBounds(value: unknown, schema: Schema): unknown {
  if (typeof value !== 'number') return value;
  const whole = schema.type === 'integer' ? Math.round(value) : value;
  const least = typeof schema.minimum === 'number' ? schema.minimum : Number.NEGATIVE_INFINITY;
  const most = typeof schema.maximum === 'number' ? schema.maximum : Number.POSITIVE_INFINITY;
  return Math.min(Math.max(whole, least), most);
}

function asBoolean(value: unknown): unknown {
  const text = String(value);
  return YES.test(text) ? true : NO.test(text) ? false : value;
}

/** A number, a list with one text, an object with one text: all the same text. */
function asText(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const inner = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : [];
  return inner.length === 1 && typeof inner[0] === 'string' ? inner[0] : value;
}

function asList(value: unknown, schema: Schema): unknown {
  const read = typeof value === 'string' ? looseJson(value) : value;
  const items = Array.isArray(read) ? (read as unknown[]) : typeof value === 'string' ? separate(value) : undefined;
  if (items) return items.map((each) => coerced(each, schema.items));
  return isRecord(value) ? [value] : value;
}

/** `bread, butter and jam` are three items; text with longer parts is one. */
function separate(text: string): string[] {
  const parts = text.split(/,\s/u).map((part) => part.trim().replace(/^(?:and|und) /iu, ''));
  if (parts.length === 1) return [text];
  const items = parts.flatMap((part, at) => (at < parts.length - 1 ? [part] : part.split(/ (?:and|und) /iu)));
  const areItems = items.every((item) => item !== '' && item.split(' ').length <= MAX_ITEM_WORDS);
  return areItems ? items : [text];
}

function inEnum(value: unknown, allowed: readonly unknown[]): unknown {
  if (allowed.includes(value) || typeof value !== 'string') return value;
  return allowed.find((each) => String(each).toLowerCase() === value.trim().toLowerCase()) ?? value;
}
