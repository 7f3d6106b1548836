import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callsOf, resultOf } from '../conversation/messages.ts';
import { openStore, type Store } from '../store/store.ts';
import { testAgent, testContext, testTurn } from '../testing/agent.ts';
import { temporaryFolder } from '../testing/home.ts';
import { killAtWrite } from '../testing/kill-at-write.ts';
import { LONG_TASK, walkingModel, walkTools } from '../testing/long-turn.ts';

const FIELDS = 8;
const WINDOW = 2048;
const EVERY = Array.from({ length: FIELDS }, (_, index) => `field ${index + 1}`);

/** Valid file, whole sequence, each result behind its call, nothing twice. */
function expectSound(store: Store): void {
  expect(store.sql.prepare('PRAGMA integrity_check').get()).toMatchObject({ integrity_check: 'ok' });
  expect(store.sql.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
  const rows = store.sql.prepare('SELECT sequence, kind, content FROM messages ORDER BY sequence').all();
  expect(rows.map((row) => row.sequence)).toEqual(rows.map((_row, index) => index + 1));
  const called = new Set<string>();
  const answered: string[] = [];
  for (const { kind, content } of rows) {
    if (kind === 'tool_calls') for (const call of callsOf(String(content)).calls) called.add(call.id);
    if (kind === 'tool_result') answered.push(resultOf(String(content)).id);
    if (kind === 'tool_result') expect(called).toContain(answered.at(-1));
  }
  expect(new Set(answered).size).toBe(answered.length);
}

/** Go on after a kill, in a new agent. */
async function goOn(store: Store, tools: ReturnType<typeof walkTools>): Promise<void> {
  store.sql.prepare("UPDATE turns SET owner = '999999@gone#1' WHERE status = 'running'").run();
  const agent = testAgent(walkingModel(FIELDS), { store, tools, window: WINDOW });
  const answer = await agent.runTurn(testTurn(LONG_TASK), testContext());
  expect(answer).toMatchObject({ stop: 'answered', text: `All ${FIELDS} fields are noted.` });
}

function expectFinished(store: Store): void {
  const rows = store.sql.prepare('SELECT kind FROM messages').all();
  expect(rows.filter((row) => row.kind === 'answer')).toHaveLength(1);
  expect(rows.filter((row) => row.kind === 'text')).toHaveLength(1);
  expect(store.sql.prepare('SELECT status FROM conversations').all()).toMatchObject([{ status: 'completed' }]);
}

test('stopped at any write of a turn, the store is sound and the turn goes on without doing anything twice', async () => {
  const dir = temporaryFolder();
  let at = 0;
  for (let finished = false; !finished; ) {
    at++;
    const path = join(dir, `${at}.sqlite3`);
    const acted: string[] = [];
    const tools = walkTools((text) => acted.push(text));
    const first = killAtWrite(path, at);
    try {
      const agent = testAgent(walkingModel(FIELDS), { store: first.store, tools, window: WINDOW });
      await agent.runTurn(testTurn(LONG_TASK), testContext());
    } catch {
      // Killed while the agent was put together.
    }
    finished = first.writes() < at;
    first.die();
    const store = openStore(path);
    expectSound(store);
    if (!finished) await goOn(store, tools);
    expect(store.sql.prepare('SELECT 1 FROM compaction_events').get()).toBeDefined();
    expectSound(store);
    expectFinished(store);
    // A call that was begun and cut off is not repeated: its outcome is unknown, so one may be missing, never doubled.
    expect(new Set(acted).size).toBe(acted.length);
    expect(EVERY.filter((field) => !acted.includes(field)).length).toBeLessThanOrEqual(1);
    store.close();
  }
  expect(at).toBeGreaterThan(60);
}, 120_000);

test.each([5, 47, 68])('killed for real at write %i', async (at) => {
  const dir = temporaryFolder();
  const database = join(dir, 'w.sqlite3');
  const journal = join(dir, 'journal');
  const script = join(import.meta.dirname, '../testing/killed-walk.ts');
  const child = spawnSync(process.execPath, [script, database, journal, String(at), String(FIELDS), String(WINDOW)], {
    encoding: 'utf8',
  });
  expect(child.stderr).toBe('');
  expect(child.signal).toBe('SIGKILL');
  const acted = existsSync(journal) ? readFileSync(journal, 'utf8').trimEnd().split('\n') : [];
  const store = openStore(database);
  expectSound(store);
  await goOn(
    store,
    walkTools((text) => acted.push(text)),
  );
  expectSound(store);
  expectFinished(store);
  expect(new Set(acted).size).toBe(acted.length);
  expect(EVERY.filter((field) => !acted.includes(field)).length).toBeLessThanOrEqual(1);
  store.close();
});
