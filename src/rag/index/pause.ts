import { setImmediate } from 'node:timers/promises';

/**
 * Yield between two steps of long work, so that messages are received, and stop if one of them ended the work.
 *
 * @throws the signal's reason.
 */
export async function pause(signal: AbortSignal): Promise<void> {
  await setImmediate();
  signal.throwIfAborted();
}
