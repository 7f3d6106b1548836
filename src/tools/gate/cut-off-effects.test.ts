import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import type { EffectRow } from '../../store/schema.ts';
import { openCommands } from '../../testing/commands.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { killAtWrite } from '../../testing/kill-at-write.ts';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { sqlRun } from '../../testing/sql.ts';
import { openTestStore } from '../../testing/stores.ts';
import { undoWorld } from '../../testing/undo-world.ts';
import { defineTool } from '../tool.ts';
import { effectsOf } from './effect-rows.ts';

describe.each([
  ['schedule', { when: 'tomorrow 8am', text: 'call Ada' }],
  ['artifact.store', { data: [1, 2, 3], description: 'numbers' }],
])('%s, stopped at any write', (name, input) => {
  test('is done and on record, or neither', async () => {
    const outcomes: string[] = [];
    for (let at = 1, finished = false; !finished; at++) {
      const dir = temporaryFolder();
      const path = join(dir, 'w.sqlite3');
      const first = await killAtWrite(path, at);
      await undoWorld(first.store, dir)
        .call(name, input)
        .catch(() => {});
      finished = first.writes() < at;
      await first.die();
      const store = await openTestStore(path);
      onTestFinished(() => store.close());
      const { jobs, kept } = (await undoWorld(store, dir).everything()) as { jobs: unknown[]; kept: unknown[] };
      const [effect] = await effectsOf(store, 'turn_1');
      outcomes.push(`${jobs.length + kept.length} ${effect?.state ?? 'none'}`);
    }
    expect(outcomes.length).toBeGreaterThan(5);
    expect(outcomes.at(-1)).toBe('1 done');
    expect(new Set(outcomes)).toEqual(new Set(['0 none', '1 done']));
  });
});

test('a call that fails leaves nothing of what it did, and is on record as failed', async () => {
  const scope = await testScope();
  const tool = defineTool({
    name: 'half',
    description: '',
    input: z.object({}),
    policy: { effect: 'local' },
    provenance: { readsFrom: [] },
    durability: { trace: 'transaction' },
    timeoutMs: 1000,
    execute: async () => {
      const rule = { id: 'r', tool: 't', destination: 'd', created_at: 'x' };
      await scope.store.db.insertInto('approval_rules').values(rule).execute();
      throw new Error('no luck');
    },
  });
  const result = await testToolbox([tool], scope).call('half', {}, scope);
  expect(result).toMatchObject({ ok: false, error: 'half failed: no luck' });
  expect(await scope.store.db.selectFrom('approval_rules').selectAll().execute()).toEqual([]);
  expect(await scope.ledger.list()).toMatchObject([{ state: 'failed' }]);
});

/** The program after calls of one turn that were killed before their outcome was recorded. */
async function killed(calls: readonly [string, unknown][]) {
  const { app, run, home } = await openCommands();
  const { store } = app;
  const scope = await testScope({ store, decide: { verdict: 'once', by: 'terminal' } });
  for (const [name, input] of calls) await app.tools.toolbox.call(name, input, scope);
  await sqlRun(store, "UPDATE effects SET state = 'intent', result = NULL, finished_at = NULL");
  return { store, run, home, states: async () => stateOf(await effectsOf(store, 'turn_1')) };
}

/** What each call is recorded as, by a word of its input. */
function stateOf(effects: readonly EffectRow[]): Record<string, string> {
  return Object.fromEntries(
    effects.map(({ input, state }) => [/milk|tulips|tea|roses/u.exec(input)?.[0] ?? input, state]),
  );
}

test('what a call changed, or the outbox, tells its outcome', async () => {
  const { run, states, store, home } = await killed([
    ['write_note', { text: 'milk' }],
    ['write_file', { path: 'a.md', content: 'tulips' }],
    ['notify', { text: 'tea is ready', to: 'terminal' }],
    ['write_file', { path: 'b.md', content: 'roses' }],
  ]);
  writeFileSync(join(home, 'projects/home/b.md'), 'by hand');
  await sqlRun(store, "DELETE FROM kept_states WHERE kind = 'note'");
  const { lines } = await run(['log', '--unknown']);
  expect(await states()).toEqual({ milk: 'failed', tulips: 'done', tea: 'done', roses: 'intent' });
  expect(lines.filter((line) => line.includes('unknown write_file'))).toEqual([expect.stringContaining('b.md')]);
});

test('the owner settles the rest', async () => {
  const { run, states, store, home } = await killed([['write_file', { path: 'b.md', content: 'roses' }]]);
  writeFileSync(join(home, 'projects/home/b.md'), 'by hand');
  const [effect] = await effectsOf(store, 'turn_1');
  const id = effect?.id ?? '';
  await expect(run(['log', '--unknown', id])).rejects.toMatchObject({ code: 'bad_usage' });
  expect(await run(['log', '--unknown', id, 'done'])).toMatchObject({ code: 0, rows: [{ effect: id, state: 'done' }] });
  expect(await states()).toEqual({ roses: 'done' });
  expect((await run(['log', '--unknown'])).lines).toEqual(['There is no call whose outcome is unknown.']);
  expect((await run(['log', '--verify'])).code).toBe(0);
});
