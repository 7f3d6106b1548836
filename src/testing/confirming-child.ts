import { join } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { openTestStore } from './stores.ts';
import { undoWorld } from './undo-world.ts';

/**
 * A program that changes a home and says what it was told: `node confirming-child.ts HOME NAME COUNT`. Each line on
 * stdout is `done TEXT` or `failed TEXT`; every text is made once, as a note, a reminder or a file.
 */
const [, , dir = '', name = '', count = '0'] = process.argv;
const store = await openTestStore(join(dir, 'w.sqlite3'), { kind: 'sqlite' });
const world = undoWorld(store, dir, name, systemClock);
for (let at = 0; at < Number(count); at++) {
  const text = `${name}-${at}.`;
  const [tool, input] = [
    ['write_note', { text }],
    ['schedule', { when: 'tomorrow 8am', text: `Reminder: ${text}` }],
    ['write_file', { path: `${text}md`, content: text }],
  ][at % 3] as [string, object];
  const { ok } = await world.call(tool, input);
  process.stdout.write(`${ok ? 'done' : 'failed'} ${text}\n`);
}
await store.close();
