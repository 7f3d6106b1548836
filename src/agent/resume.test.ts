import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Store } from '../store/store.ts';
import { type TestAgent, testAgent, testContext, testTurn } from '../testing/agent.ts';
import { sqlAll, sqlRun } from '../testing/sql.ts';
import { openTestStore } from '../testing/stores.ts';
import { defineTool } from '../tools/tool.ts';

/** A tool that counts what it really did. */
function worker() {
  const acted: string[] = [];
  const tool = defineTool({
    name: 'send',
    description: 'Send.',
    input: z.object({ text: z.string() }),
    policy: {
      effect: 'outbound',
      recipient: () => ({ channel: 'discord', address: 'owner', own: true }),
    },
    provenance: { readsFrom: [] },
    timeoutMs: 1000,
    execute: ({ text }) => {
      acted.push(text);
      return `sent ${text}`;
    },
  });
  return { acted, tool };
}

const send = (...texts: string[]) => ({ toolCalls: texts.map((text) => ({ name: 'send', args: { text } })) });

/** What a kill leaves: the rows as they are, the turn still `running` under a process that is gone. */
async function kill(store: Store, upTo: number): Promise<void> {
  await sqlRun(store, 'DELETE FROM messages WHERE sequence > ?', upTo);
  await sqlRun(store, "UPDATE turns SET status = 'running', owner = '999999@gone#1'");
  await sqlRun(store, "UPDATE conversations SET status = 'active'");
}

async function killedAfter(rows: number, first: TestAgent): Promise<void> {
  await first.runTurn(testTurn('send three'), testContext());
  await kill(first.store, rows);
}

test.each([1, 2, 3, 4, 5, 6])('killed after row %i, the same turn goes on and nothing is sent twice', async (rows) => {
  const store = await openTestStore();
  const { acted, tool } = worker();
  const script = [send('a', 'b'), send('c'), 'All sent.'];
  await killedAfter(rows, await testAgent(script, { store, tools: [tool] }));
  const left = rows === 1 ? script : rows < 5 ? script.slice(1) : script.slice(2);
  const second = await testAgent(left, { store, tools: [tool] });
  expect((await second.conversations.find('conv_1'))?.status).toBe('interrupted');
  const answer = await second.runTurn(testTurn('send three'), testContext());
  expect(answer).toMatchObject({ stop: 'answered', text: 'All sent.' });
  expect(acted.toSorted()).toEqual(['a', 'b', 'c']);
  const kinds = await sqlAll(store, 'SELECT kind FROM messages ORDER BY sequence');
  expect(kinds.map((row) => row.kind)).toEqual([
    'text',
    'tool_calls',
    'tool_result',
    'tool_result',
    'tool_calls',
    'tool_result',
    'answer',
  ]);
});

test('a call whose outcome is unknown is not repeated but reported', async () => {
  const store = await openTestStore();
  const { acted, tool } = worker();
  await killedAfter(2, await testAgent([send('a'), 'Sent.'], { store, tools: [tool] }));
  await sqlRun(store, "UPDATE effects SET state = 'intent', result = NULL");
  const second = await testAgent(['I do not know whether it was sent.'], { store, tools: [tool] });
  await second.runTurn(testTurn('send three'), testContext());
  expect(acted).toEqual(['a']);
  expect(second.model.requests[0]?.messages.at(-1)?.text).toContain('outcome is unknown');
});
