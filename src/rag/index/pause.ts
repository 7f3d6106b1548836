import { setImmediate } from 'node:timers/promises';

/**
 * Between two steps of long work: let messages arrive, and stop if one of them ended the work.
 *
 * @throws the signal's reason.
 */
export async function pause(signal: AbortSignal): Promise<void> {
  await setImmediate();
  signal.throwIfAborted();
}
