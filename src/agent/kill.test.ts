import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callsOf, resultOf } from '../conversation/stored-calls.ts';
import type { Store } from '../store/store.ts';
import { testAgent, testContext, testTurn } from '../testing/agent.ts';
import { temporaryFolder } from '../testing/home.ts';
import { killAtWrite } from '../testing/kill-at-write.ts';
import { LONG_TASK, walkingModel, walkTools } from '../testing/long-turn.ts';
import { fileProblems, sqlAll, sqlGet, sqlRun } from '../testing/sql.ts';
import { openTestStore } from '../testing/stores.ts';

const FIELDS = 8;
const WINDOW = 2048;
const EVERY = Array.from({ length: FIELDS }, (_, index) => `field ${index + 1}`);

/** Valid file, whole sequence, each result behind its call, nothing twice. */
async function expectSound(store: Store): Promise<void> {
  expect(await fileProblems(store)).toEqual([]);
  const rows = await sqlAll(store, 'SELECT sequence, kind, content FROM messages ORDER BY sequence');
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
  await sqlRun(store, "UPDATE turns SET owner = '999999@gone#1' WHERE status = 'running'");
  const agent = await testAgent(walkingModel(FIELDS), { store, tools, window: WINDOW });
  const answer = await agent.runTurn(testTurn(LONG_TASK), testContext());
  expect(answer).toMatchObject({ stop: 'answered', text: `All ${FIELDS} fields are noted.` });
}

async function expectFinished(store: Store): Promise<void> {
  const rows = await sqlAll(store, 'SELECT kind FROM messages');
  expect(rows.filter((row) => row.kind === 'answer')).toHaveLength(1);
  expect(rows.filter((row) => row.kind === 'text')).toHaveLength(1);
  expect(await sqlAll(store, 'SELECT status FROM conversations')).toMatchObject([{ status: 'completed' }]);
}

test('stopped at any write of a turn, the store is sound and the turn goes on without doing anything twice', async () => {
  const dir = temporaryFolder();
  let at = 0;
  for (let finished = false; !finished; ) {
    at++;
    const path = join(dir, `${at}.sqlite3`);
    const acted: string[] = [];
    const tools = walkTools((text) => acted.push(text));
    const first = await killAtWrite(path, at);
    try {
      const agent = await testAgent(walkingModel(FIELDS), { store: first.store, tools, window: WINDOW });
      await agent.runTurn(testTurn(LONG_TASK), testContext());
    } catch {
      // Killed while the agent was put together.
    }
    finished = first.writes() < at;
    await first.die();
    const store = await openTestStore(path);
    await expectSound(store);
    if (!finished) await goOn(store, tools);
    expect(await sqlGet(store, 'SELECT 1 FROM compaction_events')).toBeDefined();
    await expectSound(store);
    await expectFinished(store);
    // A call that was begun and cut off is not repeated: its outcome is unknown, so one may be missing, never doubled.
    expect(new Set(acted).size).toBe(acted.length);
    expect(EVERY.filter((field) => !acted.includes(field)).length).toBeLessThanOrEqual(1);
    await store.close();
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
  const store = await openTestStore(database);
  await expectSound(store);
  await goOn(
    store,
    walkTools((text) => acted.push(text)),
  );
  await expectSound(store);
  await expectFinished(store);
  expect(new Set(acted).size).toBe(acted.length);
  expect(EVERY.filter((field) => !acted.includes(field)).length).toBeLessThanOrEqual(1);
  await store.close();
});
