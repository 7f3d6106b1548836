import { canonicalJson, isRecord } from '../../base/json.ts';
import { oneLine, preview } from '../../base/text.ts';
import type { Sandbox } from '../../sandbox/contract.ts';
import type { Toolbox } from '../../tools/gate/toolbox.ts';
import { findTime } from '../../when/find.ts';
import type { LoadedProgram } from '../programs/load-program.ts';
import type { HostReply } from '../runtime/journal.ts';
import { runServed } from '../runtime/run-program.ts';
import { inputOf, type RecordedCall, type RecordedTurn } from '../save/recorded-turn.ts';
import type { Read, SeenRun } from './seen.ts';

export interface ReplayParts {
  readonly sandbox: Sandbox;
  readonly toolbox: Pick<Toolbox, 'find'>;
  readonly timeZone: string;
  readonly signal: AbortSignal;
}

/** How a program goes on the record of a run. */
export interface Replayed extends SeenRun {
  /** Where it would have done something else than the run, in words. */
  readonly differs?: string | undefined;
  /** Where its answer differs alone. */
  readonly answersOtherwise: boolean;
  /** How many of its calls acted. */
  readonly effects: number;
}

/**
 * Play a program against the record of a run: its calls have to be those of the run, one by one, and get their results.
 * Nothing outside is touched. What it asks a model stands for anything.
 */
export async function replay(program: LoadedProgram, turn: RecordedTurn, parts: ReplayParts): Promise<Replayed> {
  const record = new Played(turn, parts);
  const { sandbox, signal } = parts;
  const { failed } = await runServed(program.compiled, {
    sandbox,
    signal,
    serve: async (op, given) => record.serve(op, given),
  });
  const differs = record.differs ?? failed?.message ?? record.missing();
  return {
    ...{
      at: turn.at,
      reads: readsIn(turn.calls),
      handed: record.handed.join('\n'),
      effects: actsIn(turn.calls).length,
    },
    differs,
    answersOtherwise:
      differs === undefined && !fits(record.printed.join('\n').trim(), turn.answer.trim(), parts, turn.at),
  };
}

type ToolCall = Extract<RecordedCall, { kind: 'tool' }>;

/** The calls that only read. */
export function readsIn(calls: readonly RecordedCall[]): readonly Read[] {
  return calls.flatMap((call) =>
    call.kind === 'tool' && !acts(call) ? [{ tool: call.tool.name, input: call.input, value: call.value }] : [],
  );
}

function actsIn(calls: readonly RecordedCall[]): readonly ToolCall[] {
  return calls.filter((call) => call.kind === 'tool' && acts(call)) as ToolCall[];
}

function acts({ tool }: ToolCall): boolean {
  return tool.policy.effect !== 'none';
}

/** Answers a program with what a run was answered. */
class Played {
  readonly printed: string[] = [];
  readonly handed: string[] = [];
  differs: string | undefined;
  readonly #turn: RecordedTurn;
  readonly #parts: ReplayParts;
  #at = 0;
  #asked = 0;

  constructor(turn: RecordedTurn, parts: ReplayParts) {
    this.#turn = turn;
    this.#parts = parts;
  }

  serve(op: unknown, payload: unknown): HostReply {
    const given = isRecord(payload) ? payload : {};
    if (op === 'print') {
      this.printed.push(String(payload));
      this.handed.push(String(payload));
      return { ok: null };
    }
    if (op === 'ask') return this.#ask(given);
    if (op === 'tool') return this.#call(String(given.name), Array.isArray(given.args) ? given.args : []);
    return this.#refuse(`it asks for ${String(op)}`);
  }

  /** What the run did besides. */
  missing(): string | undefined {
    const next = this.#turn.calls.slice(this.#at).find((call) => call.kind === 'tool');
    return next && `a run called ${next.tool.functionName} besides`;
  }

  #ask({ schema, context, prompt }: Readonly<Record<string, unknown>>): HostReply {
    if (this.#turn.calls[this.#at]?.kind === 'asked') this.#at += 1;
    this.handed.push(textOf([context ?? null, prompt ?? null]));
    this.#asked += 1;
    return { ok: markOf(schema, this.#asked) };
  }

  #call(name: string, args: readonly unknown[]): HostReply {
    const tool = this.#parts.toolbox.find(name);
    const next = this.#turn.calls[this.#at];
    if (!tool) return this.#refuse(`there is no ${name}`);
    if (next?.kind !== 'tool') return this.#refuse(`a run did not call ${name} there`);
    const input = inputOf(tool, args);
    if (next.tool.name !== tool.name || !fits(input, next.input, this.#parts, this.#turn.at)) {
      const [would, did] = [wordsOf(tool.functionName, input), wordsOf(next.tool.functionName, next.input)];
      return this.#refuse(`it would call ${would} where a run called ${did}`);
    }
    this.#at += 1;
    this.handed.push(textOf(input));
    return { ok: next.value };
  }

  #refuse(why: string): HostReply {
    this.differs ??= why;
    return { error: { name: 'Error', message: why } };
  }
}

function wordsOf(name: string, input: unknown): string {
  return `${name}(${preview(oneLine(JSON.stringify(input)), 80)})`;
}

/** All texts and numbers of a value, as they are. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join('\n');
  return isRecord(value) ? Object.values(value).map(textOf).join('\n') : String(value);
}

/** Stands for what a model would say. */
const MARK = /⟦\d+⟧/u;
const MARK_NUMBER = 987_654_321_000;

function markOf(schema: unknown, nth: number): unknown {
  const type = isRecord(schema) ? schema.type : undefined;
  if (type === 'integer' || type === 'number') return MARK_NUMBER + nth;
  return type === 'array' && isRecord(schema) ? [markOf(schema.items, nth)] : `⟦${nth}⟧`;
}

const MINUTE_MS = 60_000;

/** Whether a value that a program put together is that of a run, marks and words of time apart. */
function fits(own: unknown, theirs: unknown, { timeZone }: Pick<ReplayParts, 'timeZone'>, now: Date): boolean {
  const same = (a: unknown, b: unknown): boolean => {
    if (typeof a === 'number' && a > MARK_NUMBER && a < MARK_NUMBER + 1000) return typeof b === 'number';
    if (typeof a === 'string' && typeof b === 'string') return isText(a, b, { timeZone, now });
    if (Array.isArray(a) && Array.isArray(b))
      return isMark(a) || (a.length === b.length && a.every((each, index) => same(each, b[index])));
    if (isRecord(a) && isRecord(b)) return Object.keys({ ...a, ...b }).every((key) => same(a[key], b[key]));
    return canonicalJson(a ?? null) === canonicalJson(b ?? null);
  };
  return same(own, theirs);
}

/** A list that a model put together may have any length. */
function isMark(list: readonly unknown[]): boolean {
  const [only] = list;
  if (list.length !== 1) return false;
  return typeof only === 'string' ? MARK.exec(only)?.[0] === only : typeof only === 'number' && only > MARK_NUMBER;
}

/** Whether a text is made of these stretches in this order, with anything between them. */
function isBetween([first = '', ...others]: readonly string[], text: string): boolean {
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const [index, part] of others.entries()) {
    const found = index === others.length - 1 ? text.length - part.length : text.indexOf(part, at);
    if (found < at || !text.startsWith(part, found)) return false;
    at = found + part.length;
  }
  return true;
}

function isText(own: string, theirs: string, spoken: { readonly timeZone: string; readonly now: Date }): boolean {
  if (own === theirs) return true;
  if (MARK.test(own)) return isBetween(own.split(MARK), theirs);
  const instant = /^\d{4}-\d\d-\d\dT/u.test(theirs) ? Date.parse(theirs) : Number.NaN;
  if (Number.isNaN(instant)) return false;
  const found = findTime(own, spoken);
  return found?.kind === 'once' && Math.abs(found.at.getTime() - instant) < MINUTE_MS;
}
