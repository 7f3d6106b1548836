import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testAgent, testContext, testTurn } from '../testing/agent.ts';
import { temporaryFolder } from '../testing/home.ts';
import { openTestStore } from '../testing/stores.ts';
import { WRITE_NOTE } from '../testing/tools.ts';

/** A store in a file, and how many of its commits waited for the disk. */
async function countingStore() {
  let safety = 'FULL';
  let writes = false;
  let waits = 0;
  const beforeStatement = (text: string) => {
    const set = /^PRAGMA synchronous = (\w+)/u.exec(text)?.[1];
    if (set !== undefined) safety = set;
    if (/^(?:insert|update|delete)/iu.test(text)) writes = true;
    if (/^commit/iu.test(text)) {
      if (writes && safety === 'FULL') waits++;
      writes = false;
    }
  };
  const store = await openTestStore(join(temporaryFolder(), 'w.sqlite3'), { kind: 'sqlite', beforeStatement });
  return { store, waits: () => waits };
}

test('a turn waits for the disk before it acts, and only then', async () => {
  const { store, waits } = await countingStore();
  const call = { toolCalls: [{ name: 'write_note', args: { text: 'milk' } }] };
  const agent = await testAgent(['Hello!', call, 'Noted.'], { store, tools: [WRITE_NOTE] });
  await agent.runTurn(testTurn('hello'), testContext());
  expect(waits()).toBe(0);
  await agent.runTurn(testTurn('note milk'), testContext());
  expect(waits()).toBe(1);
});
