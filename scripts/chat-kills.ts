/**
 * A program that answers a chat, killed at its 72 writes from the arrival of a message to the end of its answer: `npm run
 * test:chats [POINTS]`; takes some minutes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chatKills } from '../src/testing/chat-kills.ts';

const POINTS = Number(process.argv[2] ?? 72);
const home = mkdtempSync(join(tmpdir(), 'wooster-chats-'));
const started = performance.now();
try {
  const found = await chatKills(home, POINTS, new AbortController().signal);
  const { atWrite, lost, doubledEffects, doubledReplies, unmarked } = found;
  console.log(
    `${POINTS} kills, ${atWrite} of them at a write: ${lost.length} messages lost, ${doubledEffects.length} effects ` +
      `doubled, ${doubledReplies.length} answers said twice, ${unmarked.length} of them unmarked, ` +
      `${Math.round((performance.now() - started) / 1000)} s`,
  );
  process.exitCode = lost.length + doubledEffects.length + unmarked.length === 0 ? 0 : 1;
} finally {
  rmSync(home, { recursive: true, force: true });
}
