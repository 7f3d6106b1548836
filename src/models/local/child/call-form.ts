import { isRecord, parseJson } from '../../../base/json.ts';
import type { ToolSpec } from '../../bound-tools.ts';
import { asJson, Grammar, literal, oneOf } from '../../constrained/grammar.ts';
import type { CutCall, ToolUse } from '../protocol.ts';

/** How a chat template writes one argument, where it does not write all of them as JSON. */
interface FieldForm {
  readonly before: string;
  readonly afterKey: string;
  readonly after: string;
}

/** How a chat template writes a call: `before` NAME `afterName` ARGUMENTS `after`. */
export interface CallForm {
  readonly before: string;
  readonly afterName: string;
  /** Absent: the arguments are a JSON object. */
  readonly field?: FieldForm | undefined;
  readonly after: string;
  /** Between calls; absent: one call ends the reply. */
  readonly separator?: string | undefined;
}

/** What most open models have seen, for templates that cannot write calls. */
export const USUAL_FORM: CallForm = {
  before: '<tool_call>\n{"name": "',
  afterName: '", "arguments": ',
  after: '}\n</tool_call>',
  separator: '\n',
};

/** Of words that no template contains. */
const PROBE: ToolUse = { name: 'zqname', arguments: { zqkeya: 'zqvala', zqkeyb: 'zqvalb' } };

/**
 * Find out from a template how it writes calls.
 *
 * @param write  what it writes for an assistant's calls.
 * @returns undefined if it writes none, or in a form that is neither JSON nor one field after the other.
 */
export function readCallForm(write: (calls: readonly ToolUse[]) => string): CallForm | undefined {
  const one = write([PROBE]).trim();
  const [before = '', rest, ...others] = one.split(PROBE.name);
  if (rest === undefined || others.length > 0) return undefined;
  const form = jsonForm(before, rest) ?? fieldForm(before, rest);
  if (form === undefined || writeCall(form, PROBE) !== one) return undefined;
  const none = { name: PROBE.name, arguments: {} };
  if (writeCall(form, none) !== write([none]).trim()) return undefined;
  const [, second = ''] = write([PROBE, PROBE]).trim().split(one);
  const separator = `${one}${second}${one}` === write([PROBE, PROBE]).trim() ? second : undefined;
  return { ...form, separator };
}

function jsonForm(before: string, rest: string): CallForm | undefined {
  const [afterName = '', after] = rest.split(asJson(PROBE.arguments));
  return after === undefined ? undefined : { before, afterName, after };
}

function fieldForm(before: string, rest: string): CallForm | undefined {
  const [toKey, toValue, toNext, , end] = rest.split(/zq(?:key|val)[ab]/u);
  if (toKey === undefined || toValue === undefined || toNext === undefined || end === undefined) return undefined;
  const fieldBefore = commonEnd(toKey, toNext);
  const fieldAfter = toNext.slice(0, toNext.length - fieldBefore.length);
  if (fieldAfter === '' || !end.startsWith(fieldAfter)) return undefined;
  const field = { before: fieldBefore, afterKey: toValue, after: fieldAfter };
  return {
    before,
    afterName: toKey.slice(0, -fieldBefore.length || undefined),
    field,
    after: end.slice(fieldAfter.length),
  };
}

function commonEnd(a: string, b: string): string {
  let length = 0;
  while (length < Math.min(a.length, b.length) && a.at(-length - 1) === b.at(-length - 1)) length++;
  return a.slice(a.length - length);
}

/** A call as the template writes it. */
export function writeCall({ before, afterName, field, after }: CallForm, call: ToolUse): string {
  const text = (value: unknown) => (typeof value === 'string' ? value : asJson(value));
  const given = field
    ? Object.entries(call.arguments).map(
        ([key, value]) => `${field.before}${key}${field.afterKey}${text(value)}${field.after}`,
      )
    : [asJson(call.arguments)];
  return `${before}${call.name}${afterName}${given.join('')}${after}`;
}

/** What announces a call within a reply: the first tag; without one, all that stands before the name. */
export function markerOf({ before }: CallForm): string {
  return /^(?:<[^<>\s]+>|\[[A-Z_]+\])/u.exec(before)?.[0] ?? before;
}

/** The grammar of what follows the marker: one or more calls of these tools. */
export function callGrammar(form: CallForm, tools: readonly ToolSpec[], longestText?: number): string {
  const grammar = new Grammar(longestText);
  const any = grammar.rule(oneOf(tools.map((tool) => callOf(form, tool, grammar))));
  const first = `${literal(form.before.slice(markerOf(form).length))} ${any}`;
  if (form.separator === undefined) return grammar.text(first);
  return grammar.text(`${first} (${literal(`${form.separator}${form.before}`)} ${any}){0,7}`);
}

function callOf({ afterName, field, after }: CallForm, { name, parameters }: ToolSpec, grammar: Grammar): string {
  const given = field ? fieldsOf(field, parameters, grammar) : grammar.json(parameters);
  return `${literal(`${name}${afterName}`)} ${given} ${literal(after)}`;
}

function fieldsOf(field: FieldForm, parameters: unknown, grammar: Grammar): string {
  const { properties, required } = isRecord(parameters) ? parameters : {};
  const fields = Object.entries(isRecord(properties) ? properties : {}).map(([key, schema]) => {
    const value = isText(schema) ? textOf(field, schema, grammar) : grammar.json(schema);
    const rule = grammar.rule(`${literal(`${field.before}${key}${field.afterKey}`)} ${value} ${literal(field.after)}`);
    return Array.isArray(required) && required.includes(key) ? rule : `${rule}?`;
  });
  return fields.join(' ');
}

/** Text as it is, up to what ends the field. */
function textOf({ after }: FieldForm, schema: unknown, grammar: Grammar): string {
  if (isRecord(schema) && Array.isArray(schema.enum)) return oneOf(schema.enum.map((each) => literal(String(each))));
  const [a = '<', b = '/', c = ''] = after.trim();
  return grammar.rule(`([^${a}] | "${a}" [^${b}${a}] | "${a}${b}" [^${c}${a}])*`);
}

function isText(schema: unknown): boolean {
  if (!isRecord(schema)) return true;
  const options = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(options)) return options.some(isText);
  if (Array.isArray(schema.enum)) return schema.enum.every((each) => typeof each === 'string');
  return schema.type === 'string' || (Array.isArray(schema.type) && schema.type.includes('string'));
}

interface ReadCalls {
  readonly calls: readonly ToolUse[];
  readonly cut: CutCall | undefined;
}

function cutCall({ before, afterName }: CallForm, text: string, tools: readonly ToolSpec[]): CutCall | undefined {
  if (text === '') return undefined;
  return { name: named(tools, text.slice(before.length), afterName)?.name ?? '', text };
}

/** The tool whose name a text begins with. One name may begin with another. */
function named(tools: readonly ToolSpec[], text: string, afterName: string): ToolSpec | undefined {
  const found = tools.filter(({ name }) => text.startsWith(`${name}${afterName}`));
  return found.toSorted((a, b) => b.name.length - a.name.length)[0];
}

/**
 * The calls that a text consists of.
 *
 * @param text  from the first marker on.
 * @returns the whole ones, and the one that a limit cut off.
 */
export function readCalls(form: CallForm, text: string, tools: readonly ToolSpec[]): ReadCalls {
  const calls: ToolUse[] = [];
  let rest = text.trimStart();
  for (;;) {
    const found = rest.startsWith(form.before) ? readCall(form, rest.slice(form.before.length), tools) : undefined;
    if (found === undefined) return { calls, cut: cutCall(form, rest, tools) };
    calls.push(found.call);
    rest = found.rest.trimStart();
  }
}

function readCall(
  { afterName, field, after }: CallForm,
  text: string,
  tools: readonly ToolSpec[],
): { readonly call: ToolUse; readonly rest: string } | undefined {
  const tool = named(tools, text, afterName);
  if (tool === undefined) return undefined;
  const given = text.slice(tool.name.length + afterName.length);
  const found = field ? readFields(field, given, tool.parameters) : readObject(given);
  if (found === undefined || !found.rest.startsWith(after)) return undefined;
  return { call: { name: tool.name, arguments: found.value }, rest: found.rest.slice(after.length) };
}

interface Given {
  readonly value: Record<string, unknown>;
  readonly rest: string;
}

function readFields({ before, afterKey, after }: FieldForm, text: string, parameters: unknown): Given | undefined {
  const { properties } = isRecord(parameters) ? parameters : {};
  const value: Record<string, unknown> = {};
  let rest = text;
  while (rest.startsWith(before)) {
    const keyEnd = rest.indexOf(afterKey, before.length);
    const end = rest.indexOf(after, keyEnd + afterKey.length);
    if (keyEnd < 0 || end < 0) return undefined;
    const key = rest.slice(before.length, keyEnd);
    const raw = rest.slice(keyEnd + afterKey.length, end);
    value[key] = isText(isRecord(properties) ? properties[key] : undefined) ? raw : parseJson(raw);
    rest = rest.slice(end + after.length);
  }
  return { value, rest };
}

/** The JSON object at the beginning of a text. */
function readObject(text: string): Given | undefined {
  let depth = 0;
  for (const { 0: mark, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/gsu)) {
    if (mark === '{' || mark === '[') depth++;
    else if (mark === '}' || mark === ']') depth--;
    if (depth > 0) continue;
    const value = parseJson(text.slice(0, index + 1));
    return isRecord(value) ? { value, rest: text.slice(index + 1) } : undefined;
  }
  return undefined;
}
