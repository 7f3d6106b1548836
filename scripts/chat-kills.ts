/**
 * A program that answers a chat, killed at its 72 writes from the arrival of a message to the end of its answer, on one
 * service after the other: `npm run test:chats [POINTS [SERVICE]]`; takes some minutes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chatKills } from '../src/testing/chat-kills.ts';
import { KILLED_SERVICES, type KilledService } from '../src/testing/killed-services.ts';

const points = Number(process.argv[2] ?? 72);
/** Whatever is not answered for so long after the last kill never is, however busy the machine. */
const PATIENCE_MS = 20 * 60_000;

async function kill(name: string, open: () => Promise<KilledService>): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'wooster-chats-'));
  const started = performance.now();
  try {
    const found = await chatKills(home, points, { patienceMs: PATIENCE_MS }, open);
    const { atWrite, lost, doubledEffects, doubledReplies, unmarked } = found;
    console.log(
      `${name}: ${points} kills, ${atWrite} of them at a write: ${lost.length} messages lost, ` +
        `${doubledEffects.length} effects doubled, ${doubledReplies.length} answers said twice, ` +
        `${unmarked.length} of them unmarked, ${Math.round((performance.now() - started) / 1000)} s`,
    );
    if (lost.length + doubledEffects.length + unmarked.length > 0) process.exitCode = 1;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

for (const [name, open] of Object.entries(KILLED_SERVICES))
  if ((process.argv[3] ?? name) === name) await kill(name, open);
