import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { testAgent, testContext, testTurn } from '../testing/agent.ts';
import type { Scripted } from '../testing/scripted-model.ts';
import { defineTool } from '../tools/tool.ts';
import { createClassicEngine } from './classic/engine.ts';

/** One reply of the model: how many calls, how long each result gets, and what is wrong with some of them. */
const reply = fc.record({
  calls: fc.array(
    fc.record({
      chars: fc.integer({ min: 0, max: 3000 }),
      fault: fc.constantFrom('none', 'none', 'none', 'throws', 'unknown', 'bad', 'cut'),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  words: fc.string({ maxLength: 400 }),
});

const work = defineTool({
  name: 'work',
  description: 'Work.',
  input: z.object({ chars: z.number(), throws: z.boolean() }),
  policy: { effect: 'none' },
  provenance: { readsFrom: [] },
  timeoutMs: 1000,
  execute: ({ chars, throws }) => {
    if (throws) throw new Error('broke');
    return 'r'.repeat(chars);
  },
});

type Reply = typeof reply extends fc.Arbitrary<infer T> ? T : never;

function scripted({ calls, words }: Reply): Scripted {
  const toolCalls = calls.map(({ chars, fault }) => ({
    name: fault === 'unknown' ? 'wrok' : 'work',
    args: fault === 'bad' ? { chars: 'many' } : { chars, throws: fault === 'throws' },
    ...(fault === 'cut' ? { rawArgs: `{"chars": ${chars}, "thr` } : {}),
  }));
  return { text: words, toolCalls };
}

/** Calls without a result right behind them, and results without their call. */
function orphans(messages: readonly BaseMessage[]): string[] {
  const open = new Set<string>();
  const lost: string[] = [];
  for (const message of messages) {
    if (ToolMessage.isInstance(message)) {
      if (!open.delete(message.tool_call_id)) lost.push(`result ${message.tool_call_id}`);
      continue;
    }
    lost.push(...[...open].map((id) => `call ${id}`));
    open.clear();
    if (AIMessage.isInstance(message)) for (const call of message.tool_calls ?? []) open.add(call.id ?? '');
  }
  return [...lost, ...[...open].map((id) => `call ${id}`)];
}

/** Turns over one conversation; the model answers each with the replies, summaries in between. */
async function requestsOf(turns: readonly Reply[][], window: number): Promise<readonly BaseMessage[][]> {
  const engine = createClassicEngine({ maxIterations: 50 });
  const queue: Scripted[] = turns.flatMap((replies) => [...replies.map(scripted), 'Done.']);
  const next: Scripted = (messages) => {
    if (messages[0]?.text.startsWith('You keep the memory')) return '## Task\nsummary';
    const reply = queue.shift() ?? 'Over.';
    return typeof reply === 'function' ? reply(messages) : reply;
  };
  const agent = await testAgent(
    Array.from({ length: queue.length * 3 + 20 }, () => next),
    {
      tools: [work],
      window,
      deps: { engines: { classic_tools: engine, code_agent: engine } },
    },
  );
  for (const [index] of turns.entries()) await agent.runTurn(testTurn(`turn ${index}`), testContext());
  return agent.model.requests.map((request) => [...request.messages]);
}

test('no request ever has a call without its result or a result without its call', async () => {
  const history = fc.array(fc.array(reply, { maxLength: 8 }), { minLength: 1, maxLength: 4 });
  const window = fc.constantFrom(2048, 4096, 128_000);
  await fc.assert(
    fc.asyncProperty(history, window, async (turns, size) => {
      const requests = await requestsOf(turns, size);
      expect(requests.flatMap(orphans)).toEqual([]);
    }),
    { numRuns: 120 },
  );
}, 120_000);
