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

const MAX_NOTE_CHARS = 100;
/** A name, what goes in, and some words. */
const MAX_BRIEF_CHARS = 60;
const MAX_BRIEF_TYPE_CHARS = 90;

/** The last sentence of a description where it tells what may go into a field. */
const OF_A_FIELD = /(?<=\.) `\w+`: .*$/u;

/** Ids of tools in a description. */
const ID = /\b[a-z0-9]+(?:[_.-][a-z0-9]+)+\b/gu;

/**
 * Declare a tool in one line of TypeScript with its result type, the form that models read best.
 *
 * @param all the tools that its description may mention; scripts know them by other names.
 */
export function declareTool(named: NamedTool, all: readonly NamedTool[] = []): string {
  const { tool } = named;
  const note = compactDescription(inNamesOf(all, tool.description), MAX_NOTE_CHARS);
  return `${head(named)}: ${shortType(resultOf(named))}; // ${note}`;
}

/** The same in brief: of a long result only the names of its fields. What is said of a field stays. */
export function declareBriefly(named: NamedTool, all: readonly NamedTool[]): string {
  const description = inNamesOf(all, named.tool.description);
  const [ofField = ''] = OF_A_FIELD.exec(description) ?? [];
  const whole = description.slice(0, description.length - ofField.length);
  return `${declareBarely(named)} // ${compactDescription(whole, MAX_BRIEF_CHARS)}${ofField}`;
}

/** A declaration in fewer words: most fields are strings, so only the others have a type. */
export function untyped(declaration: string): string {
  return declaration.replace(/(?<=[\w)]\??): string(?=[,;)]| [/}]|$)/gu, '');
}

/** The same without words: the names of a tool and its fields tell most of it, `toolSchema` the rest. */
export function declareBarely(named: NamedTool): string {
  const result = resultOf(named);
  return `${head(named)}: ${result.length > MAX_BRIEF_TYPE_CHARS ? fieldsIn(named) : result}`;
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

/** The names of a result's fields, without their types; of a result without fields its type. */
function fieldsIn(named: NamedTool): string {
  const schema = outputOf(named);
  const items = schema.type === 'array' && isRecord(schema.items) ? schema.items : undefined;
  const names = Object.keys(propertiesOf(items ?? schema)).join(', ');
  return names === '' ? shortType(resultOf(named)) : `{ ${names} }${items ? '[]' : ''}`;
}

function head(named: NamedTool): string {
  return `${spelling(named)}(${parametersOf(named.tool, schemaOf(named.tool.input, 'input'))})`;
}

function resultOf(named: NamedTool): string {
  return named.tool.output ? typeOf(outputOf(named)) : 'unknown';
}

function outputOf({ tool }: NamedTool): Schema {
  return tool.output ? schemaOf(tool.output, 'output') : {};
}

function schemaOf(type: z.ZodType, io: 'input' | 'output'): Schema {
  return usualPart(toSchema(type, io)) as Schema;
}
