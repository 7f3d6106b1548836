import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testTurn } from '../../testing/agent.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { sqlAll } from '../../testing/sql.ts';
import { openTestStore } from '../../testing/stores.ts';
import { EffectLedger } from './effect-ledger.ts';
import { hasEffects } from './effect-rows.ts';

test('what is asked after each answer and each run does not look at all effects there ever were', async () => {
  const asked: string[] = [];
  const beforeStatement = (text: string) => asked.push(text);
  const store = await openTestStore(join(temporaryFolder(), 'w.sqlite3'), { kind: 'sqlite', beforeStatement });
  onTestFinished(() => store.close());
  const ledger = new EffectLedger({ store, turn: testTurn('hello'), now: () => new Date() });
  await Promise.all([ledger.list(), ledger.earlier(), hasEffects(store, 'run_1')]);
  const questions = asked.filter((text) => text.includes('from "effects"'));
  expect(questions).toHaveLength(3);
  for (const text of questions) {
    const plan = await sqlAll(store, `EXPLAIN QUERY PLAN ${text}`);
    expect(plan.map(({ detail }) => detail)[0], text).toMatch(/^SEARCH effects USING INDEX/u);
  }
});
