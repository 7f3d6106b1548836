import { isRecord, parseJson } from '../base/json.ts';
import { neverConnected, wasRefused } from '../net/never-connected.ts';
import type { GatewayResponse } from '../net/types.ts';
import type { Outcome } from './channel.ts';

/** A service reached over HTTP, as named in its outcomes. */
export interface HttpService {
  readonly label: string;
  /** The variable that holds its address or key. */
  readonly env: string;
}

/**
 * The outcome for any answer but the service's confirmation.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-retry-after
 */
export function readRefusal(response: GatewayResponse, { label, env }: HttpService): Outcome {
  const { status } = response;
  const off = (detail: string): Outcome => ({ state: 'off', detail: `${detail}; set a new ${env}` });
  if (status === 429) return { state: 'retry', detail: `${label} asks to wait`, why: 'busy', waitMs: waitOf(response) };
  if (status === 401 || status === 403) return off(`${label} refuses access`);
  if (status === 404) return off(`this address no longer exists at ${label}`);
  if (status >= 500) return { state: 'retry', detail: `${label} answered ${status}`, why: 'unclear' };
  if (status >= 200 && status < 300) return { state: 'unknown', detail: `an unexpected answer ${status}` };
  return { state: 'failed', detail: `${label} refused the message (${status}${errorCode(response)})` };
}

/** The answer's JSON; undefined when it is something else. */
export function bodyOf(response: GatewayResponse): unknown {
  return parseJson(response.text());
}

/** Milliseconds from the header, else the body; undefined when neither is a usable number. */
export function waitOf(response: GatewayResponse): number | undefined {
  const body = bodyOf(response);
  const candidates = [response.headers['retry-after'], isRecord(body) ? body.retry_after : undefined];
  const seconds = candidates.map(toSeconds).find((value) => value !== undefined);
  return seconds === undefined ? undefined : Math.ceil(seconds * 1000);
}

function toSeconds(value: unknown): number | undefined {
  if (typeof value === 'string' && !/^\d+(?:\.\d+)?$/u.test(value.trim())) return undefined;
  const seconds = typeof value === 'string' ? Number(value) : value;
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}

function errorCode(response: GatewayResponse): string {
  const body = bodyOf(response);
  return isRecord(body) && typeof body.code === 'number' ? `, code ${body.code}` : '';
}

/** The outcome of a request without an answer. */
export function readFailure(error: unknown, label: string): Outcome {
  if (wasRefused(error)) return { state: 'failed', detail: 'the network rules forbid this address' };
  if (neverConnected(error)) return { state: 'retry', detail: `${label} cannot be reached`, why: 'down' };
  return { state: 'unknown', detail: `the connection broke before ${label} answered` };
}
