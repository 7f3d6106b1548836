import { AIMessage, type AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import { newId } from '../../base/ids.ts';
import { isDeeperThan, isRecord, MAX_JSON_DEPTH, parseJson } from '../../base/json.ts';
import { endMarker } from '../../models/reply.ts';

/** A tool that is never offered to a model. Calls that must not run are renamed to it; it answers with the reason. */
export const REFUSED_CALL = 'refused_call';

/** Whether the reply ran into a length limit. */
export function endedByLength(message: BaseMessage): boolean {
  return /length|max_tokens|incomplete/iu.test(endMarker(message) ?? '');
}

export interface GuardOptions {
  isKnown(name: string): boolean;
  /** What to say about a tool that does not exist. */
  unknown(name: string): string;
  /** Call ids used so far in this turn; some servers number the calls of each reply from zero. */
  readonly usedIds: Set<string>;
}

/**
 * Let only complete calls of known tools through. LangChain parses streamed arguments leniently, so that a call that
 * was cut off looks complete; the raw text of each call is therefore parsed again, strictly.
 *
 * @see https://github.com/langchain-ai/langchainjs/issues/11469
 */
export function guardToolCalls(message: AIMessage | AIMessageChunk, options: GuardOptions): AIMessage {
  const calls = [
    ...(message.tool_calls ?? []).map((call) => checkCall(message, call, options)),
    ...brokenCalls(message).map((call) => refuse(call, brokenReason(message, call.name))),
  ].map((call) => ({ ...call, id: freshId(call.id, options.usedIds) }));
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

function checkCall(message: AIMessage | AIMessageChunk, call: RawCall, options: GuardOptions): Call {
  if (!isWhole(message, call.id)) return refuse(call, brokenReason(message, call.name));
  if (isDeeperThan(call.args)) {
    return refuse(call, `The arguments are nested deeper than ${MAX_JSON_DEPTH} levels; ${call.name} was not run.`);
  }
  if (!options.isKnown(call.name)) return refuse(call, options.unknown(call.name));
  return { type: 'tool_call', id: call.id, name: call.name, args: call.args };
}

function isWhole(message: AIMessage | AIMessageChunk, id: string | undefined): boolean {
  const chunks = chunksOf(message);
  const end = endMarker(message);
  if (chunks.length > 0 && end === undefined) return false;
  const raw = chunks.find((chunk) => chunk.id === id)?.args;
  if (raw === undefined || raw === '') return !endedByLength(message);
  return isRecord(parseJson(raw));
}

/** Calls that LangChain itself could not parse and did not list elsewhere. */
function brokenCalls(message: AIMessage | AIMessageChunk): RawCall[] {
  const parsed = new Set((message.tool_calls ?? []).map((call) => call.id));
  return (message.invalid_tool_calls ?? [])
    .filter((call) => call.id === undefined || !parsed.has(call.id))
    .map((call) => ({ id: call.id, name: call.name ?? 'the tool', args: {} }));
}

function brokenReason(message: AIMessage | AIMessageChunk, name: string): string {
  const cut = endedByLength(message) || (chunksOf(message).length > 0 && endMarker(message) === undefined);
  const why = cut ? 'The reply was cut off' : 'The arguments are not one valid JSON object';
  return `${why}; ${name} was not run. Send the whole call again, with less text if it was long.`;
}

function refuse(call: RawCall, reason: string): Call {
  return { type: 'tool_call', id: call.id, name: REFUSED_CALL, args: { tool: call.name, reason } };
}

function chunksOf(message: AIMessage | AIMessageChunk) {
  return 'tool_call_chunks' in message ? (message.tool_call_chunks ?? []) : [];
}

function freshId(id: string | undefined, used: Set<string>): string {
  const unique = id === undefined || id === '' || used.has(id) ? newId('call') : id;
  used.add(unique);
  return unique;
}
