import { isRecord } from '../../base/json.ts';
import { neverConnected, wasRefused } from '../../net/never-connected.ts';

/** The client's own errors that are raised before anything is sent. */
const BEFORE: ReadonlySet<unknown> = new Set(['NOT_CONNECTED', 'NOT_INITIALIZED', 'CAPABILITY_NOT_SUPPORTED']);
const REQUEST_TIMEOUT = 408;

/**
 * Whether a failed call may have taken effect all the same. It has not when the server says so, in its protocol or by a
 * status that blames the request, or when nothing was sent. A connection that broke, an error of the server and an
 * unreadable answer say nothing either way.
 */
export function mayHaveActed(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  const { code, data } = error as { code?: unknown; data?: unknown };
  if (typeof code === 'number' || BEFORE.has(code) || neverConnected(error) || wasRefused(error)) return false;
  const status = isRecord(data) && typeof data.status === 'number' ? data.status : 0;
  return !(status >= 300 && status < 500 && status !== REQUEST_TIMEOUT);
}
