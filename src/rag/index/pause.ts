import { setImmediate } from 'node:timers/promises';

/**
 * Between two steps of long work: let messages in, and go no further when one of them ends it.
 *
 * @throws the signal's reason.
 */
export async function pause(signal: AbortSignal): Promise<void> {
  await setImmediate();
  signal.throwIfAborted();
}
