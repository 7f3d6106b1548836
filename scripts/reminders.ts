/**
 * Six reminders typed at a prompt beside a running service, one of the two killed with SIGKILL at a random moment, again
 * and again on one home. Prints a line per round; exits with 1 when a reminder was not shown, was shown twice without a
 * mark, or is in the service's log.
 *
 *   node scripts/reminders.ts [ROUNDS]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reminderRound } from '../src/testing/reminder-rounds.ts';

const ROUNDS = Number(process.argv[2] ?? 50);
const REMINDERS = 6;
/** From the first line until the last reminder is due. */
const SPAN_MS = 10_000;

const home = mkdtempSync(join(tmpdir(), 'wooster-reminders-'));
let wrong = 0;
for (let round = 1; round <= ROUNDS; round++) {
  const victim = Math.random() < 0.5 ? 'prompt' : 'server';
  const kill = { victim, afterMs: Math.round(Math.random() * SPAN_MS) } as const;
  const found = await reminderRound({ home, reminders: REMINDERS, kill });
  wrong += found.length;
  console.log(`${round}: ${victim} killed after ${kill.afterMs} ms: ${found.length === 0 ? 'ok' : found.join('; ')}`);
}
rmSync(home, { recursive: true, force: true });
console.log(`${ROUNDS} rounds of ${REMINDERS} reminders, ${wrong} wrong`);
process.exitCode = wrong === 0 ? 0 : 1;
