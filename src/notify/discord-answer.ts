import { isRecord, parseJson } from '../base/json.ts';
import type { GatewayResponse } from '../net/types.ts';
import type { Outcome } from './channel.ts';

/**
 * What Discord's answer to a webhook message means.
 *
 * @see https://discord.com/developers/docs/topics/rate-limits
 */
export function readAnswer(response: GatewayResponse): Outcome {
  const { status } = response;
  if (status === 200 || status === 204) return readSuccess(response);
  if (status === 429) return { state: 'retry', detail: 'Discord asks to wait', why: 'busy', waitMs: waitOf(response) };
  if (status === 401 || status === 403) return off('Discord refuses this webhook');
  if (status === 404) return off('this webhook does not exist any more');
  if (status >= 500) return { state: 'retry', detail: `Discord answered ${status}`, why: 'error' };
  if (status >= 200 && status < 300) return { state: 'unknown', detail: `an unexpected answer ${status}` };
  return { state: 'failed', detail: `Discord refused the message (${status}${errorPath(response)})` };
}

/** With `wait=true` only a message with an id is a sent one: a captive portal answers 200 as well. */
function readSuccess(response: GatewayResponse): Outcome {
  if (response.status === 204) return { state: 'sent', detail: 'accepted, not confirmed' };
  const body = parseJson(response.text());
  if (isRecord(body) && typeof body.id === 'string') return { state: 'sent', remoteId: body.id, detail: 'confirmed' };
  return { state: 'unknown', detail: 'the answer is not from Discord (a proxy or portal in between?)' };
}

function off(detail: string): Outcome {
  return { state: 'off', detail: `${detail}; set a new DISCORD_WEBHOOK_URL` };
}

/** Milliseconds from the header, else the body; undefined when neither is a usable number. */
function waitOf(response: GatewayResponse): number | undefined {
  const body = parseJson(response.text());
  const candidates = [response.headers['retry-after'], isRecord(body) ? body.retry_after : undefined];
  const seconds = candidates.map(toSeconds).find((value) => value !== undefined);
  return seconds === undefined ? undefined : Math.ceil(seconds * 1000);
}

function toSeconds(value: unknown): number | undefined {
  if (typeof value === 'string' && !/^\d+(?:\.\d+)?$/u.test(value.trim())) return undefined;
  const seconds = typeof value === 'string' ? Number(value) : value;
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}

function errorPath(response: GatewayResponse): string {
  const body = parseJson(response.text());
  return isRecord(body) && typeof body.code === 'number' ? `, code ${body.code}` : '';
}

/** Errors of a connection that was never made: nothing of the message has left. */
const NOT_SENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** What a request without an answer means. */
export function readFailure(error: unknown): Outcome {
  const codes = codesOf(error);
  if (codes.includes('egress_refused')) return { state: 'failed', detail: 'the network rules forbid this address' };
  if (codes.some((code) => NOT_SENT.has(code)))
    return { state: 'retry', detail: 'Discord cannot be reached', why: 'down' };
  return { state: 'unknown', detail: 'the connection broke before Discord answered' };
}

/** The `code` of an error, its causes and, for a failed race of addresses, its parts. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const { code } = error as { code?: unknown };
  const parts = error instanceof AggregateError ? error.errors.flatMap(codesOf) : [];
  return [...(typeof code === 'string' ? [code] : []), ...parts, ...codesOf(error.cause)];
}
