import { z } from 'zod';
import { isRecord } from '../../base/json.ts';
import { beginning } from '../../base/text.ts';
import { visibleLine } from '../../base/visible-characters.ts';

/** A server's form: flat fields of simple types. */
const Form = z.looseObject({
  mode: z.string().optional(),
  message: z.string().default('').catch(''),
  requestedSchema: z.looseObject({
    properties: z.record(z.string(), z.looseObject({})).default({}),
    required: z.array(z.string()).default([]),
  }),
});

type Field = Readonly<Record<string, unknown>>;

/** The person's answer, in the protocol's form. */
export type FormAnswer =
  | { readonly action: 'accept'; readonly content: Record<string, string | number | boolean | string[]> }
  | { readonly action: 'decline' | 'cancel' };

const MAX_FIELDS = 12;
const MAX_TRIES = 3;
const SHOWN_CHARS = 300;

/**
 * Show a server's form to the person, field by field. URLs are not opened, and what is typed goes to the server
 * alone.
 *
 * @param ask undefined: there is nobody, or no answer.
 */
export async function answerForm(
  server: string,
  params: unknown,
  ask: (question: string) => Promise<string | undefined>,
): Promise<FormAnswer> {
  const { data: form } = Form.safeParse(params);
  if (!form || form.mode === 'url') return { action: 'decline' };
  const fields = Object.entries(form.requestedSchema.properties).slice(0, MAX_FIELDS);
  const message = beginning(visibleLine(form.message), SHOWN_CHARS);
  const first = await ask(`The MCP server ${server} asks: ${message} Answer it? What you type goes to it. [y/N] `);
  if (first === undefined) return { action: 'cancel' };
  if (!/^y(?:es)?$/iu.test(first.trim())) return { action: 'decline' };
  const content: Record<string, string | number | boolean | string[]> = {};
  for (const [name, field] of fields) {
    const value = await answerField(name, field, { ask, isNeeded: form.requestedSchema.required.includes(name) });
    if (value === CANCELLED) return { action: 'cancel' };
    if (value !== undefined) content[name] = value;
  }
  return { action: 'accept', content };
}

const CANCELLED = Symbol('cancelled');

async function answerField(
  name: string,
  field: Field,
  { ask, isNeeded }: { ask: (question: string) => Promise<string | undefined>; isNeeded: boolean },
): Promise<string | number | boolean | string[] | undefined | typeof CANCELLED> {
  const standard = field.default as string | number | boolean | string[] | undefined;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const typed = (await ask(questionFor(name, field, isNeeded)))?.trim();
    if (typed === undefined) return CANCELLED;
    if (typed === '' && standard !== undefined) return standard;
    if (typed === '' && !isNeeded) return undefined;
    const value = readValue(typed, field);
    if (value !== undefined) return value;
  }
  return CANCELLED;
}

function questionFor(name: string, field: Field, isNeeded: boolean): string {
  const { title, description, default: standard } = field;
  const label = visibleLine([title ?? name, description].filter((part) => typeof part === 'string').join(', '));
  const choices = choicesOf(field);
  const kinds = choices.length > 0 ? ` (${choices.join(' | ')})` : field.type === 'boolean' ? ' (yes | no)' : '';
  const usual = standard === undefined ? (isNeeded ? '' : ' [may be empty]') : ` [${visibleLine(String(standard))}]`;
  return `  ${beginning(label, SHOWN_CHARS)}${beginning(visibleLine(kinds), SHOWN_CHARS)}${usual}: `;
}

/** Undefined if the answer does not fit the field. */
function readValue(typed: string, field: Field): string | number | boolean | string[] | undefined {
  const choices = choicesOf(field);
  if (field.type === 'array') {
    const picked = typed
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '');
    return picked.every((each) => choices.length === 0 || choices.includes(each)) ? picked : undefined;
  }
  if (choices.length > 0) return choices.includes(typed) ? typed : undefined;
  if (field.type === 'boolean')
    return /^(?:y(?:es)?|true)$/iu.test(typed) || (/^(?:no?|false)$/iu.test(typed) ? false : undefined);
  if (field.type !== 'number' && field.type !== 'integer') return typed;
  const number = typed === '' ? Number.NaN : Number(typed);
  return Number.isFinite(number) && (field.type === 'number' || Number.isInteger(number)) ? number : undefined;
}

/** `enum`, or the `const`s of `oneOf` and `anyOf`; for a list, those of its items. */
function choicesOf(field: Field): string[] {
  const holder = field.type === 'array' && isRecord(field.items) ? field.items : field;
  if (Array.isArray(holder.enum)) return holder.enum.map(String);
  const titled = holder.oneOf ?? holder.anyOf;
  if (!Array.isArray(titled)) return [];
  return titled.flatMap((each: unknown) => (isRecord(each) && 'const' in each ? [String(each.const)] : []));
}
