import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';

const BETWEEN_MS = 1000;
const ANSWER_MS = 5000;
/** After the machine slept, one answer may be late through no fault of the process. */
const MISSES = 2;

/** The reason given for a process that has stopped answering. */
export const HELD = `it held its process for ${(MISSES * ANSWER_MS) / 1000} s and was stopped`;

/**
 * Ping a process regularly; it answers whenever its code yields to the event loop.
 *
 * @param held  called once when it stops answering.
 * @returns a function that stops the pings.
 */
export function watchPulse(client: Pick<Client, 'ping'>, held: () => void): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const ask = async () => {
    for (let missed = 0; missed < MISSES; ) {
      await delay(BETWEEN_MS, undefined, { signal, ref: false });
      const answer = client.ping({ timeout: ANSWER_MS, signal });
      missed = await answer.then(
        () => 0,
        () => missed + 1,
      );
      signal.throwIfAborted();
    }
    held();
  };
  ask().catch(() => undefined);
  return () => ended.abort();
}
