import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';

const BETWEEN_MS = 1000;
const ANSWER_MS = 5000;
/** After a sleep of the machine one answer may be late without anybody's fault. */
const MISSES = 2;

/** What is said of a process that has stopped answering. */
export const HELD = `it held its process for ${(MISSES * ANSWER_MS) / 1000} s and was stopped`;

/**
 * Ask a process again and again whether it lives, which it answers whenever its code gives the processor back.
 *
 * @param held  is called once when it no longer does.
 * @returns ends the asking.
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
