import type { z } from 'zod';
import { isRecord } from '../../base/json.ts';
import {
  parametersOf,
  propertiesOf,
  type Schema,
  shortType,
  toSchema,
  typeOf,
  usualPart,
} from '../../tools/signature.ts';
import { type NamedTool, spelling } from './names.ts';

const MAX_DESCRIPTION_CHARS = 160;
const MAX_FIELD_CHARS = 110;
/** A longer result type is declared by the names of its fields alone. */
const MAX_RESULT_CHARS = 90;

/** Ids of tools in a description. */
const ID = /\b[a-z0-9]+(?:[_.-][a-z0-9]+)+\b/gu;

/**
 * Declare a tool in one line of TypeScript, the form that models read best, with what it is for. Most fields are
 * strings, so only the others have a type.
 *
 * @param all the tools that its description may mention; scripts know them by other names.
 */
export function declareTool(named: NamedTool, all: readonly NamedTool[] = []): string {
  return `${signatureOf(named)} // ${wordsOf(named, all)}`;
}

/** `moveFile(from, to)`, and what comes back unless it is a string. */
export function signatureOf(named: NamedTool): string {
  const parameters = parametersOf(named.tool, schemaOf(named.tool.input, 'input'));
  return untyped(`${spelling(named)}(${parameters}): ${resultOf(named)}`);
}

/** The purpose of a tool in a sentence or two, and the descriptions of its fields. */
export function wordsOf(named: NamedTool, all: readonly NamedTool[]): string {
  const purpose = compactDescription(inNamesOf(all, named.tool.description), MAX_DESCRIPTION_CHARS);
  const fields = describedFields(named).map(
    ([name, text]) => `\`${name}\`: ${compactDescription(inNamesOf(all, text), MAX_FIELD_CHARS)}`,
  );
  return fields.length === 0 ? purpose : `${purpose.replace(/[^.!?…]$/u, '$&.')} ${fields.join('; ')}`;
}

/** The fields of a tool's input that its author has described, each with the description. */
export function describedFields({ tool }: NamedTool): [string, string][] {
  return Object.entries(propertiesOf(schemaOf(tool.input, 'input'))).flatMap(([name, schema]) =>
    isRecord(schema) && typeof schema.description === 'string' ? [[name, schema.description]] : [],
  );
}

function untyped(declaration: string): string {
  return declaration.replace(/(?<=[\w)]\??): string(?=[,)]| \}|$)/gu, '');
}

/** The first sentences of a description on one line, as many as fit; else its first part, never half a word. */
export function compactDescription(text: string, maxChars: number): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  if (line.length <= maxChars) return line;
  const part = line.slice(0, maxChars);
  const ends = [/^.*\.(?= )/u, /^.*?[^ ](?= \(|[:;] )/u, /^.*(?=, )/u].map((end) => end.exec(part)?.[0] ?? '');
  const whole = ends.find((each) => each.length > maxChars / 3);
  return whole ?? `${part.slice(0, part.lastIndexOf(' '))} …`;
}

/** A description with the names that scripts have for the tools in it. */
export function inNamesOf(all: readonly NamedTool[], description: string): string {
  const names = new Map(all.map((named) => [named.tool.name, spelling(named)]));
  return description.replace(ID, (id) => names.get(id) ?? id);
}

/** The type of a result; of a long one the names of its fields. */
function resultOf({ tool }: NamedTool): string {
  if (!tool.output) return 'unknown';
  const schema = schemaOf(tool.output, 'output');
  const type = typeOf(schema);
  if (type.length <= MAX_RESULT_CHARS) return type;
  const items = schema.type === 'array' && isRecord(schema.items) ? schema.items : undefined;
  const names = Object.keys(propertiesOf(items ?? schema)).join(', ');
  return names === '' ? shortType(type) : `{ ${names} }${items ? '[]' : ''}`;
}

function schemaOf(type: z.ZodType, io: 'input' | 'output'): Schema {
  return usualPart(toSchema(type, io)) as Schema;
}
