import { readTrace, type TraceLine } from '../../agent/code/trace.ts';
import { AssistantError } from '../../base/errors.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import { isCut } from '../../base/text.ts';
import { withoutMaterial } from '../../base/turn.ts';
import type { ConversationArchive } from '../../conversation/archive.ts';
import { callsOf, resultOf } from '../../conversation/stored-calls.ts';
import { fromPositional, readInput } from '../../tools/gate/input.ts';
import type { Toolbox } from '../../tools/gate/toolbox.ts';
import { propertiesOf, toSchema } from '../../tools/signature.ts';
import type { Tool } from '../../tools/tool.ts';

/** A call that succeeded, in the order in which calls were made. */
export type RecordedCall =
  | {
      readonly kind: 'tool';
      readonly tool: Tool;
      readonly input: Readonly<Record<string, unknown>>;
      readonly value: unknown;
    }
  /** A script asked a model for words. */
  | { readonly kind: 'asked'; readonly prompt: string; readonly value: unknown };

/** What one turn did, as far as a program can do it again. */
export interface RecordedTurn {
  readonly request: string;
  readonly answer: string;
  readonly at: Date;
  readonly calls: readonly RecordedCall[];
  /** What was left out, in words for the owner. */
  readonly left: readonly string[];
  /** Functions that were called and are no tools of the assistant: those of scripts, and the owner's programs. */
  readonly others: readonly string[];
}

export interface TurnReader {
  readonly archive: Pick<ConversationArchive, 'messages'>;
  readonly toolbox: Toolbox;
  /** Where the traces of scripts are. */
  readonly traceDir: string;
}

/** A call of the tool that runs a script: its own calls are in the trace. */
const RUNS_SCRIPT = 'interpreter_run-code';
/** To save is not what is saved. */
export const SAVES = 'save_program';

/**
 * The last turn of a conversation that called anything which a program can call.
 *
 * @param before a turn that does not count, nor what came after it: the one that asks.
 * @throws AssistantError `bad_usage` where nothing was called.
 */
export async function lastActingTurn(
  { archive, toolbox, traceDir }: TurnReader,
  conversationId: string,
  before?: string,
): Promise<RecordedTurn> {
  const all = await archive.messages(conversationId);
  const end = before === undefined ? -1 : all.findIndex(({ turn_id }) => turn_id === before);
  const rows = end < 0 ? all : all.slice(0, end);
  const turns = [...new Set(rows.map(({ turn_id }) => turn_id))].toReversed();
  for (const turnId of turns) {
    const turn = turnIn(rows, turnId, { toolbox, traceDir });
    if (turn.calls.length > 0) return turn;
  }
  throw new AssistantError('bad_usage', 'Nothing has been done in this conversation that a program could do again.', {
    hint: 'Ask for something that calls a tool first.',
  });
}

/** One turn of a conversation. */
export async function recordedTurn(reader: TurnReader, conversationId: string, turnId: string): Promise<RecordedTurn> {
  return turnIn(await reader.archive.messages(conversationId), turnId, reader);
}

function turnIn(
  rows: readonly Row[],
  turnId: string | null,
  { toolbox, traceDir }: Omit<TurnReader, 'archive'>,
): RecordedTurn {
  const own = rows.filter(({ turn_id }) => turn_id === turnId);
  const reader = new CallReader(toolbox, tracedIn(traceDir, turnId));
  for (const { kind, content } of own) reader.row(kind, content);
  return { ...saidIn(own), calls: reader.calls, left: reader.left, others: reader.others };
}

type Row = Awaited<ReturnType<TurnReader['archive']['messages']>>[number];

function saidIn(rows: readonly Row[]): Pick<RecordedTurn, 'request' | 'answer' | 'at'> {
  const answer = rows.findLast(({ role, kind }) => kind === 'answer' || (kind === 'text' && role === 'assistant'));
  const request = rows.find(({ role, kind }) => role === 'user' && kind === 'text');
  return {
    // What came along may be anybody's: the program is made of what its owner asked.
    request: withoutMaterial(request?.content ?? ''),
    answer: answer?.content ?? '',
    at: new Date(rows[0]?.created_at ?? 0),
  };
}

function tracedIn(dir: string, turnId: string | null): readonly TraceLine[] {
  try {
    return readTrace(dir, turnId ?? '');
  } catch {
    return [];
  }
}

/** Puts the calls of a turn in order, those of its scripts where the scripts ran. */
class CallReader {
  readonly calls: RecordedCall[] = [];
  readonly left: string[] = [];
  readonly others: string[] = [];
  readonly #toolbox: Toolbox;
  readonly #trace: readonly TraceLine[];
  readonly #made = new Map<string, { readonly name: string; readonly args: unknown }>();
  #scripts = 0;

  constructor(toolbox: Toolbox, trace: readonly TraceLine[]) {
    this.#toolbox = toolbox;
    this.#trace = trace;
  }

  row(kind: string, content: string): void {
    if (kind === 'code') this.#script();
    if (kind === 'tool_calls') for (const call of callsOf(content).calls) this.#made.set(call.id, call);
    if (kind !== 'tool_result') return;
    const { id, name, ok, text, beside } = resultOf(content);
    const { args } = this.#made.get(id) ?? { args: {} };
    if (name === RUNS_SCRIPT) this.#script();
    else if (!ok) this.left.push(`${name} failed: ${text}`);
    else this.#call(name, args, isCut(text) ? text : dataIn(text, beside));
  }

  #script(): void {
    this.#scripts += 1;
    const lines = this.#trace.filter(({ type, script }) => type === 'call' && script === this.#scripts);
    if (lines.length === 0 && this.#trace.length === 0) this.left.push('a script whose calls were not recorded');
    for (const line of lines) {
      if (line.type !== 'call') continue;
      if (!line.ok) this.left.push(`${line.name} failed: ${line.error ?? ''}`);
      else if (line.name === 'parallel') this.#parallel(line.args[0], line.value);
      else if (line.name === 'llm') this.calls.push({ kind: 'asked', prompt: String(line.args[0]), value: line.value });
      else this.#call(line.name, line.args, line.value);
    }
  }

  #parallel(calls: unknown, values: unknown): void {
    if (!Array.isArray(calls)) return;
    for (const [index, call] of calls.entries())
      if (isRecord(call)) this.#call(String(call.tool), call.input, Array.isArray(values) ? values[index] : null);
  }

  /** Functions of scripts that are no tools leave nothing behind. */
  #call(name: string, raw: unknown, value: unknown): void {
    const tool = this.#toolbox.find(name);
    if (!tool) this.others.push(name);
    if (!tool || tool.name === SAVES) return;
    this.calls.push({ kind: 'tool', tool, input: inputOf(tool, raw), value });
  }
}

/** The input of a call as it is written down. @param raw one object, or a list of arguments. */
export function inputOf(tool: Tool, raw: unknown): Record<string, unknown> {
  const read = readInput(tool, Array.isArray(raw) ? fromPositional(tool, raw) : raw, 'tool');
  return read.ok && isRecord(read.data) ? withoutDefaults(tool, read.data) : {};
}

/** The value of a result, without the line that was said beside it. */
function dataIn(text: string, beside: string | undefined): unknown {
  const own = beside !== undefined && text.startsWith(`${beside}\n`) ? text.slice(beside.length + 1) : text;
  return parseJson(own) ?? own;
}

/** What a reader of the program need not see. */
function withoutDefaults(tool: Tool, input: Record<string, unknown>): Record<string, unknown> {
  const properties = propertiesOf(toSchema(tool.input, 'input'));
  const isDefault = (name: string, value: unknown) => {
    const schema = properties[name];
    return value === undefined || (isRecord(schema) && 'default' in schema && schema.default === value);
  };
  return Object.fromEntries(Object.entries(input).filter(([name, value]) => !isDefault(name, value)));
}
