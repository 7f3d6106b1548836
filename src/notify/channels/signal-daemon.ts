import { z } from 'zod';
import { AssistantError } from '../../base/errors.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import { readCapped } from '../../net/body.ts';
import type { Gateway } from '../../net/types.ts';
import type { Outcome } from '../channel.ts';
import { readFailure } from '../http-outcome.ts';
import { linesOf } from '../lines.ts';
import { readExit, readReport, redactNumbers, reportOf } from './signal-report.ts';

/** A signal-cli that keeps running and answers over HTTP. */
export interface SignalDaemon {
  readonly url: string;
  readonly account: string;
  readonly gateway: Gateway;
}

/** JSON-RPC's own codes begin here; those of signal-cli are its exit codes, negated. */
const PROTOCOL_CODES = -32_000;
const INTERNAL_ERROR = -32_603;
const MAX_ANSWER_BYTES = 1_000_000;
const EVENT = /^(?<field>id|data):\s?(?<value>.*)$/u;

const ANSWER = z.object({
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string().catch(''), data: z.unknown().optional() }).optional(),
});
type Answer = z.output<typeof ANSWER>;

/** What one call may take. */
export interface CallLimits {
  readonly signal: AbortSignal;
  readonly totalMs: number;
  readonly maxBytes?: number;
}

/**
 * One call of JSON-RPC. The status is 200 even for errors.
 *
 * @returns undefined for an answer that is not JSON-RPC's.
 * @throws what the network throws.
 */
async function ask(
  { url, account, gateway }: SignalDaemon,
  { method, params }: { readonly method: string; readonly params: Readonly<Record<string, unknown>> },
  { signal, totalMs, maxBytes = MAX_ANSWER_BYTES }: CallLimits,
): Promise<Answer | undefined> {
  // The head of an answer comes with its end, which a large group makes late: the usual client would not wait for it.
  const { origin } = new URL(url);
  const response = await gateway.fetchFor('signal', [origin])(new URL('/api/v1/rpc', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    // A daemon of one account ignores whose it is.
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, account } }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(totalMs)]),
  });
  const body = await readCapped(response.body, maxBytes);
  return ANSWER.safeParse(parseJson(new TextDecoder().decode(body))).data;
}

/** @throws AssistantError `not_received` for every refusal. */
export async function callDaemon(
  daemon: SignalDaemon,
  request: { readonly method: string; readonly params: Readonly<Record<string, unknown>> },
  limits: CallLimits,
): Promise<unknown> {
  const answer = await ask(daemon, request, limits);
  if (!answer) throw refused('What answers at SIGNAL_DAEMON_URL is not signal-cli.');
  if (answer.error) throw refused(`signal-cli refused ${request.method}: ${redactNumbers(answer.error.message)}.`);
  return answer.result;
}

/** Send one message. Never rejects. */
export async function sendByDaemon(
  daemon: SignalDaemon,
  params: Readonly<Record<string, unknown>>,
  limits: CallLimits,
): Promise<Outcome> {
  try {
    const answer = await ask(daemon, { method: 'send', params }, limits);
    if (!answer) return { state: 'unknown', detail: 'the answer is not from signal-cli' };
    const { result, error } = answer;
    const data = isRecord(error?.data) ? error.data.response : undefined;
    const report = reportOf(error ? data : result);
    if (report) return readReport(report);
    if (error) return readError(error);
    // Older versions give the time alone.
    return isRecord(result) && typeof result.timestamp === 'number'
      ? { state: 'sent', remoteId: String(result.timestamp), detail: 'confirmed' }
      : { state: 'unknown', detail: 'signal-cli did not confirm it' };
  } catch (error) {
    return readFailure(error, 'signal-cli');
  }
}

function readError({ code, message }: NonNullable<Answer['error']>): Outcome {
  if (code === INTERNAL_ERROR) return { state: 'unknown', detail: 'an error inside signal-cli' };
  if (code < PROTOCOL_CODES) return { state: 'failed', detail: `signal-cli refused: ${redactNumbers(message)}` };
  return readExit({ code: -code, stdout: '', stderr: message, timedOut: false });
}

/** One event of the stream, or a sign that the connection lives. */
export interface DaemonEvent {
  /** Daemons that number their events give what came after it again. */
  readonly id: string | undefined;
  readonly data: unknown;
}

/**
 * What signal-cli receives, until the signal fires.
 *
 * @param since  the id of the last event that was kept.
 * @throws AssistantError `not_received`, also when the stream ends.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export async function* daemonEvents(
  { url, account, gateway }: SignalDaemon,
  since: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<DaemonEvent | undefined> {
  const address = new URL('/api/v1/events', url);
  address.searchParams.set('account', account);
  // Behind an id that it does not know it gives all that it has kept.
  const headers = { accept: 'text/event-stream', 'last-event-id': since || '0' };
  const response = await gateway.fetchFor('signal', [address.origin])(address, { headers, signal });
  const type = response.headers.get('content-type') ?? '';
  if (response.status !== 200 || !response.body || !type.startsWith('text/event-stream')) {
    await response.body?.cancel();
    throw refused(`What answers at SIGNAL_DAEMON_URL gives no events (${response.status}).`);
  }
  yield undefined;
  let [id, data]: [string | undefined, string[]] = [undefined, []];
  for await (const line of linesOf(response.body)) {
    const { field, value = '' } = EVENT.exec(line)?.groups ?? {};
    if (field === 'id') id = value;
    else if (field === 'data') data.push(value);
    else if (line === '' && data.length > 0) {
      yield { id, data: parseJson(data.join('\n')) };
      [id, data] = [undefined, []];
    } else if (line.startsWith(':')) yield undefined;
  }
  throw refused('signal-cli ended the connection.');
}

function refused(message: string): AssistantError {
  return new AssistantError('not_received', message, {
    hint: 'Start it: signal-cli -a +NUMBER daemon --http 127.0.0.1:8080 --receive-mode on-connection',
  });
}
