import { AIMessage, type AIMessageChunk } from '@langchain/core/messages';
import { newId } from '../../base/ids.ts';
import { isDeeperThan, isRecord, MAX_JSON_DEPTH, parseJson } from '../../base/json.ts';
import { looseJson } from '../../base/loose-json.ts';
import { REFUSED_CALL } from '../../conversation/stored-calls.ts';
import { endedByLength, endMarker } from '../../models/reply.ts';

export interface GuardOptions {
  /** The name of the tool that is meant, as the executor knows it. */
  known(name: string): string | undefined;
  /** The arguments of a call whose input is not an object; undefined where they make no sense. */
  asArguments(name: string, input: unknown): Record<string, unknown> | undefined;
  /** What to say about a tool that does not exist. */
  unknown(name: string): string;
  /** Call ids used so far in this turn; some servers number the calls of each reply from zero. */
  readonly usedIds: Set<string>;
}

/**
 * Let only complete calls of known tools through, under the names of the tools that are meant. LangChain parses
 * streamed arguments so that a call that was cut off looks complete; the raw text of each call is therefore read again.
 *
 * @see https://github.com/langchain-ai/langchainjs/issues/11469
 */
export function guardToolCalls(message: AIMessage | AIMessageChunk, options: GuardOptions): AIMessage {
  const calls = [
    ...(message.tool_calls ?? []).map((call) => ({ call, args: wholeArguments(message, call, options) })),
    ...brokenCalls(message).map((call) => ({ call, args: readArguments(message, call, options) })),
  ]
    .map(({ call, args }) => checkCall(message, { call, args }, options))
    .map((call) => ({ ...call, id: freshId(call.id, options.usedIds) }));
  const { tool_calls: _raw, ...additional_kwargs } = message.additional_kwargs;
  const { content, response_metadata } = message;
  return new AIMessage({
    content,
    additional_kwargs,
    response_metadata,
    tool_calls: calls,
    ...(message.id === undefined ? {} : { id: message.id }),
    ...(message.usage_metadata === undefined ? {} : { usage_metadata: message.usage_metadata }),
  });
}

interface Call {
  readonly type: 'tool_call';
  readonly id?: string | undefined;
  readonly name: string;
  readonly args: Record<string, unknown>;
}

type RawCall = { readonly id?: string | undefined; readonly name: string; readonly args: Record<string, unknown> };

function checkCall(
  message: AIMessage | AIMessageChunk,
  { call, args }: { readonly call: RawCall; readonly args: Record<string, unknown> | undefined },
  options: GuardOptions,
): Call {
  if (args === undefined) return refuse(call, brokenReason(message, call.name));
  if (isDeeperThan(args)) {
    return refuse(
      { ...call, args: {} },
      `The arguments are nested deeper than ${MAX_JSON_DEPTH} levels; ${call.name} was not run.`,
    );
  }
  const name = options.known(call.name);
  if (name === undefined) return refuse({ ...call, args }, options.unknown(call.name));
  return { type: 'tool_call', id: call.id, name, args };
}

/** The arguments as they were sent, with syntax slips repaired; undefined where they were cut off. */
function wholeArguments(
  message: AIMessage | AIMessageChunk,
  call: RawCall,
  options: GuardOptions,
): Record<string, unknown> | undefined {
  const chunks = chunksOf(message);
  if (chunks.length > 0 && endMarker(message) === undefined) return undefined;
  const raw = chunks.find((chunk) => chunk.id === call.id)?.args;
  if (raw === undefined || raw === '') return endedByLength(message) ? undefined : call.args;
  return readArguments(message, { ...call, raw }, options);
}

function readArguments(
  message: AIMessage | AIMessageChunk,
  { name, raw }: { readonly name: string; readonly raw: string },
  options: GuardOptions,
): Record<string, unknown> | undefined {
  const read = endedByLength(message) ? parseJson(raw) : looseJson(raw);
  if (read === undefined || read === null) return undefined;
  return isRecord(read) ? read : options.asArguments(name, read);
}

type BrokenCall = RawCall & { readonly raw: string };

/** Calls that LangChain itself could not parse and did not list elsewhere. */
function brokenCalls(message: AIMessage | AIMessageChunk): BrokenCall[] {
  const parsed = new Set((message.tool_calls ?? []).map((call) => call.id));
  return (message.invalid_tool_calls ?? [])
    .filter((call) => call.id === undefined || !parsed.has(call.id))
    .map((call) => ({ id: call.id, name: call.name ?? 'the tool', args: {}, raw: call.args ?? '' }));
}

function brokenReason(message: AIMessage | AIMessageChunk, name: string): string {
  const cut = endedByLength(message) || (chunksOf(message).length > 0 && endMarker(message) === undefined);
  const why = cut ? 'The reply was cut off' : 'The arguments are not one valid JSON object';
  return `${why}; ${name} was not run. Send the whole call again, with less text if it was long.`;
}

function refuse(call: RawCall, reason: string): Call {
  return { type: 'tool_call', id: call.id, name: REFUSED_CALL, args: { tool: call.name, args: call.args, reason } };
}

function chunksOf(message: AIMessage | AIMessageChunk) {
  return 'tool_call_chunks' in message ? (message.tool_call_chunks ?? []) : [];
}

function freshId(id: string | undefined, used: Set<string>): string {
  const unique = id === undefined || id === '' || used.has(id) ? newId('call') : id;
  used.add(unique);
  return unique;
}
