import { isRecord } from '../../base/json.ts';
import { preview } from '../../base/text.ts';
import { compactValue } from '../../conversation/compact-result.ts';
import type { Outcome } from '../../models/message-data.ts';
import type { WorldCall } from './world.ts';

/** Functions that speak or remember; the model already knows what it passed to them. */
const SPEAKING = new Set(['finalAnswer', 'output', 'done', 'complete', 'discoverTools', 'toolSchema', 'sleep']);
const RESULT_CHARS = 240;
/** Of a call that is not to be made again. */
const ACTED_CHARS = 1200;
const ALL_CHARS = 2400;
const FOUND_CHARS = 900;
const ALL_FOUND_CHARS = 6000;
const INPUT_CHARS = 120;

/** How the report of a successful script starts. */
export const RAN = 'The script ran';

/** The calls of the scripts of one turn with their results, as a model reads them. */
export class ScriptCalls {
  readonly #turn: WorldCall[] = [];
  #script: WorldCall[] = [];
  #source = '';

  /** A new script begins. */
  next(source = ''): void {
    this.#script = [];
    this.#source = source;
  }

  add(call: WorldCall): void {
    if (SPEAKING.has(call.name)) return;
    this.#script.push(call);
    this.#turn.push(call);
  }

  /** The functions of the script's calls that gave just this value. */
  giving(value: unknown): readonly string[] {
    return this.#script.flatMap(({ name, reply }) => (reply.ok && reply.value === value ? [name] : []));
  }

  /** The calls of the script as data. */
  outcomes(): Outcome[] {
    return this.#script.map(({ args: [first], reply }) => {
      const input = isRecord(first) ? first : {};
      if (!reply.ok) return { input, ok: false, text: reply.error, told: reply.told };
      return { input, ok: true, text: textOf(reply.value), value: reply.value, told: reply.told };
    });
  }

  /** What is known beside the results of the script: their citations, what is missing, how to take them back. */
  besides(): string {
    const lines = this.#script.flatMap(({ name, args, reply }) =>
      reply.ok && reply.beside ? [`- ${name}(${inputText(args)}): ${reply.beside}`] : [],
    );
    return within([...new Set(lines)], ALL_CHARS);
  }

  /** The calls of the script that succeeded, with the first words of what each gave; in full where it acted. */
  results(): string {
    const done = this.#script.filter(({ reply }) => reply.ok);
    const lines = done.map((call) => lineOf(call, call.acts ? ACTED_CHARS : RESULT_CHARS));
    return lines.length === 0 ? '' : `These calls succeeded:\n${within(lines, ALL_CHARS)}`;
  }

  /**
   * What the calls of the last script gave, as later turns see it; undefined where there were none.
   *
   * @param answer what was made of it.
   */
  kept(answer = ''): string | undefined {
    const lines = this.#script.map(({ name, args, reply }) => {
      const outcome = reply.ok ? `${besideOf(reply)}${compactValue(reply.value, answer)}` : `failed: ${reply.error}`;
      return `- ${name}(${inputText(args)}): ${outcome}`;
    });
    return lines.length === 0 ? undefined : `${RAN}. Its calls gave:\n${within(lines, ALL_FOUND_CHARS)}`;
  }

  /** What the script has done, for an answer that has to be given again: none of it is to be done twice. */
  acted(): string {
    const names = new Set(this.#script.flatMap(({ name, acts, reply }) => (acts && reply.ok ? [name] : [])));
    return names.size === 0 ? '' : `Do not call ${[...names].join(' or ')} again: that is done.`;
  }

  /** What each function gave, by its fields: for a script that expected others. */
  async shapes(): Promise<string> {
    const seen = new Map<string, unknown>();
    for (const { name, reply } of this.#script) if (reply.ok) seen.set(name, reply.value);
    if (seen.size === 0) return '';
    // The parser of scripts is loaded when one went wrong.
    const { missingFields } = await import('./missing-fields.ts');
    const missing = missingFields(this.#source, (name) => seen.get(name));
    const lines = missing.map(({ called, field, fields }) => {
      const has = fields.length === 0 ? 'no fields' : fields.map((each) => `\`${each}\``).join(', ');
      return `\`${field}\` does not exist: ${called} gave ${has}.`;
    });
    const told = new Set(missing.map(({ called }) => called));
    const others = [...seen].filter(([name]) => !told.has(name));
    return [...lines, ...others.map(([name, value]) => `${name} gave ${shapeOf(value)}.`)].join('\n');
  }

  /** What was read in this turn. */
  found(): string | undefined {
    const read = this.#turn.filter(({ reply, acts }) => reply.ok && !acts);
    return listed(
      'Found so far',
      read.map((call) => lineOf(call, FOUND_CHARS)),
    );
  }

  /** What was refused or failed, with the reasons. */
  refused(): string | undefined {
    const failed = this.#turn.filter(({ reply }) => !reply.ok);
    return listed(
      'Refused or failed',
      failed.map((call) => lineOf(call, RESULT_CHARS)),
    );
  }
}

function listed(title: string, lines: readonly string[]): string | undefined {
  const once = [...new Set(lines)];
  return once.length === 0 ? undefined : `(${title}:\n${within(once, ALL_FOUND_CHARS)})`;
}

function lineOf({ name, args, reply }: WorldCall, chars: number): string {
  const outcome = reply.ok ? `${besideOf(reply)}${textOf(reply.value)}` : `failed: ${reply.error}`;
  return `- ${name}(${inputText(args)}): ${preview(outcome, chars)}`;
}

function besideOf({ beside }: { readonly beside?: string }): string {
  return beside === undefined ? '' : `${beside} `;
}

function inputText(args: readonly unknown[]): string {
  return preview(args.map((arg) => JSON.stringify(arg) ?? '').join(', '), INPUT_CHARS);
}

/** As many lines as fit, and how many do not. */
function within(lines: readonly string[], chars: number): string {
  const shown: string[] = [];
  let left = chars;
  for (const line of lines) {
    left -= line.length + 1;
    if (left >= 0) shown.push(line);
  }
  return [...shown, ...(shown.length < lines.length ? [`- and ${lines.length - shown.length} more`] : [])].join('\n');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** `an object with answer, passages, from`, `a list of 3 objects with at, text`, `a text of 20 characters`. */
function shapeOf(value: unknown): string {
  if (typeof value === 'string') return `a text of ${value.length} characters`;
  if (isRecord(value)) return `an object with ${Object.keys(value).join(', ') || 'no fields'}`;
  if (!Array.isArray(value)) return `${JSON.stringify(value) ?? 'nothing'}`;
  const [first] = value as unknown[];
  const of = isRecord(first) ? ` objects with ${Object.keys(first).join(', ')}` : ` ${typeof first}s`;
  return value.length === 0 ? 'an empty list' : `a list of ${value.length}${of}`;
}
