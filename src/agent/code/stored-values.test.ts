import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Redactor } from '../../base/redact.ts';
import { testContext, testTurn } from '../../testing/agent.ts';
import { codeAgent, testSandbox } from '../../testing/code-agent.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { sqlAll, sqlRun } from '../../testing/sql.ts';
import { openTestStore } from '../../testing/stores.ts';

const sandbox = testSandbox();
afterAll(() => sandbox.close());

const js = (source: string) => `\`\`\`js\n${source}\n\`\`\``;
const turn = testTurn('sum the list', { mode: 'code_agent' });

test('killed with kill -9 in the middle of a script, the turn recalls what it had stored', async () => {
  const database = join(temporaryFolder(), 'w.sqlite3');
  const program = join(import.meta.dirname, '../../testing/killed-script.ts');
  const child = spawnSync(process.execPath, [program, database], { encoding: 'utf8' });
  expect([child.signal, child.stderr]).toEqual(['SIGKILL', '']);

  const store = await openTestStore(database);
  // A server's programs are known to be gone after half a minute.
  await sqlRun(store, "UPDATE workers SET seen_at = '2026-01-01T00:00:00.000Z'");
  const sum = js("finalAnswer(recall('name') + ': ' + recall('list').reduce((a, b) => a + b))");
  const agent = await codeAgent(sandbox, [sum], { store });
  const answer = await agent.runTurn(turn, testContext());
  expect(answer).toMatchObject({ stop: 'answered', text: 'second: 6' });
  expect(agent.model.requests[0]?.messages.at(-1)?.text).toContain('stored values can be recalled');
  expect(await sqlAll(store, 'SELECT * FROM turn_memory')).toEqual([]);
  await store.close();
});

test('what is stored is written down without secrets, and lives as long as its turn', async () => {
  const redactor = new Redactor(['hunter2-is-the-word']);
  const rows: unknown[] = [];
  const store = await openTestStore();
  const agent = await codeAgent(
    sandbox,
    [
      js("store('word', 'it is hunter2-is-the-word'); store('word', 'still hunter2-is-the-word')"),
      async () => {
        rows.push(...(await sqlAll(store, 'SELECT key, value FROM turn_memory')));
        return js("finalAnswer('done')");
      },
    ],
    { store, redactor, deps: { redactor } },
  );
  expect((await agent.runTurn(turn, testContext())).text).toBe('done');
  expect(rows).toEqual([{ key: 'word', value: '"still [secret]"' }]);
  const next = await codeAgent(sandbox, [js("finalAnswer(recall('word') === undefined ? 'gone' : 'there')")], {
    store,
  });
  expect((await next.runTurn({ ...turn, id: 'turn_2' }, testContext())).text).toBe('gone');
});
