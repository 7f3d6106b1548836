import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cutPower, noted, type Recording } from './power-cut.ts';
import { sqlAll } from './sql.ts';
import { openTestStore } from './stores.ts';

export interface Cut {
  /** Where: 0 is the first step after the database was set up, 1 the last one. */
  readonly part: number;
  /** How likely a write survives that was not synced. */
  readonly keeps: number;
}

/** For each note of something done, the rows that must tell of it. */
const PROOFS: Readonly<Record<string, (line: string) => readonly [sql: string, ...values: string[]]>> = {
  effect: (key) => ['SELECT 1 FROM effects WHERE idempotency_key = ?', key],
  // An approved call that is waiting again would be made twice.
  approved: (text) => ["SELECT 1 FROM proposals WHERE input LIKE ? AND state <> 'waiting'", `%"${text}"%`],
  added: (id) => ['SELECT 1 FROM schedules WHERE id = ?', id],
  ran: (line) => ['SELECT 1 FROM runs WHERE id = ? AND attempt >= ?', ...line.split(' ')],
  // Shown again unmarked, if nothing says that a face had it.
  told: (line) => [
    "SELECT 1 FROM notices WHERE instr(?, replace(text, char(10), ' ')) > 0 AND (face IS NOT NULL OR state <> 'waiting')",
    line,
  ],
};

/** Cut the power in a recorded program, open what is left, and look for all that the program had done by then. */
export async function lostActs(recording: Recording, home: string, { part, keeps }: Cut): Promise<string[]> {
  const { steps } = recording;
  const first = steps.findIndex((step) => !step.file.startsWith('state.'));
  const before = Math.round(first + part * (steps.length - first));
  cutPower(recording, before, home, () => Math.random() < keeps);
  const acts = ['added', 'ran', 'told'].flatMap((file) => noted(recording, file, before).map((line) => [file, line]));
  const acted = noted(recording, 'acted', before).map((line) => [line.split(' ')[0], line.replace(/^\w+ /u, '')]);
  if (!existsSync(join(home, 'state.sqlite3'))) return ['the database'];
  const store = await openTestStore(join(home, 'state.sqlite3'), { kind: 'sqlite' });
  try {
    const lost: string[] = [];
    for (const [kind = '', line = ''] of [...acts, ...acted]) {
      if (line.startsWith('steps ')) continue;
      const [sql, ...values] = PROOFS[kind]?.(line) ?? ['SELECT 1 WHERE 0'];
      if ((await sqlAll(store, sql, ...values)).length === 0) lost.push(`step ${before}: ${kind} ${line}`);
    }
    return lost;
  } finally {
    await store.close();
  }
}
