import { AssistantError, type ErrorCode } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { type Log, silentLog } from '../../base/log.ts';
import { webAddress } from '../../base/web-address.ts';
import type { Tool, ToolContext } from '../tool.ts';
import { voiceOf } from './destinations.ts';
import { isSaid, ownWords } from './own-words.ts';
import type { Call, CallScope } from './types.ts';

/** Errors of calls that were refused before they changed anything. */
const REFUSED: ReadonlySet<ErrorCode> = new Set(['file_not_found', 'path_refused', 'bad_time', 'bad_usage']);

/** Whether a call that failed in this way has certainly changed nothing. */
export function changedNothing(error: unknown): boolean {
  return error instanceof AssistantError && REFUSED.has(error.code);
}

/** What only the owner can put right: the same call, and any other in its place, fails again. */
const OWNERS_TO_FIX: ReadonlySet<ErrorCode> = new Set([
  'bad_setting',
  'not_sent',
  'local_only',
  'budget_reached',
  'workspace_unavailable',
  'plugin_broken',
  'home_not_writable',
  'home_moved',
  'store_unavailable',
  'store_damaged',
]);

/** Whether no other attempt of the model's can succeed. */
export function isFinal(error: unknown): boolean {
  return error instanceof AssistantError && OWNERS_TO_FIX.has(error.code);
}

/** Whether only the person can tell which time was meant. */
export function isUnclear(error: unknown): boolean {
  return error instanceof AssistantError && error.unclear;
}

/** A result as its tool promised it. @throws ZodError */
export function checked(tool: Tool, value: unknown): unknown {
  return tool.output ? tool.output.parse(value) : value;
}

/** The part of a scope that a tool may see before it runs: while the gate asks what the call would do. */
export function askingContext(scope: CallScope, log: Log = silentLog): ToolContext {
  return toolContext(scope, { signal: scope.context.signal, log, key: undefined, holds: () => {} });
}

/** What the gate adds for one running call. */
interface RunParts extends Pick<ToolContext, 'signal' | 'log' | 'holds' | 'beside' | 'viewChars'> {
  /** The call's idempotency key. */
  readonly key: string | undefined;
}

/** The part of a scope that a running tool may see. */
export function toolContext(scope: CallScope, { signal, log, key, holds, beside, viewChars }: RunParts): ToolContext {
  return {
    turn: scope.turn,
    signal,
    log,
    said: scope.said,
    holds,
    untrusted: scope.labels.untrusted,
    isSaid: (text) => isSaid(text, ownWords(scope)),
    now: () => scope.context.now(),
    timeZone: scope.context.timeZone,
    voiceOf: (text) => voiceOf(text, scope),
    ...personOf(scope),
    ...(scope.script === undefined ? { ...(viewChars !== undefined && { viewChars }) } : { inScript: true }),
    ...(beside && { beside }),
    ...(scope.proposed === undefined ? {} : { proposed: scope.proposed }),
    ...(key === undefined ? {} : { idempotencyKey: key }),
  };
}

/** How a tool reaches the person who waits for it, if there is one. */
function personOf({ context: { doing, ask } }: CallScope): Pick<ToolContext, 'progress' | 'ask'> {
  return { ...(doing && { progress: doing }), ...(ask && { ask }) };
}

/** Who is reached, as `channel:address`, or the address as it will be dialled, or the query that leaves the machine. */
export async function describeTarget(tool: Tool, input: unknown, scope: CallScope): Promise<string | undefined> {
  const recipient = await tool.policy.recipient?.(input, askingContext(scope));
  return recipient ? `${recipient.channel}:${recipient.address}` : describePlace(tool, input);
}

function describePlace(tool: Tool, input: unknown): string | undefined {
  const address = tool.policy.destination?.(input);
  return address === undefined ? tool.policy.query?.(input) : (webAddress(address)?.href ?? address);
}

/** Where a result comes from, for the list of sources that a person reads. */
export function describeSource(tool: Tool, input: unknown): string {
  const where = describePlace(tool, input) ?? (isRecord(input) && typeof input.path === 'string' ? input.path : '');
  return where ? `${tool.name} ${where}` : tool.name;
}

/** Settle as soon as the signal fires, even when the tool does not listen to it. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject, resolve } = Promise.withResolvers<T>();
  const stop = () => reject(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  return promise;
}

/** Whether the home is not where it was, so that nothing can be saved. */
export function isHomeless(error: unknown): boolean {
  return error instanceof AssistantError && error.code === 'home_moved';
}

/** What a call is about to write, where its tool can tell before it has run. */
export function keptBy({ tool, input }: Call, context: ToolContext): readonly string[] {
  try {
    return namesOf(tool.provenance.writesTo?.(input, context, undefined));
  } catch {
    return [];
  }
}

export function namesOf(things: string | readonly string[] | undefined): readonly string[] {
  return things === undefined ? [] : [things].flat();
}
