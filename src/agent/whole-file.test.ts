import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { afterAll, expect, test } from 'vitest';
import { MODES, type Mode } from '../base/turn.ts';
import { testContext, testTurn } from '../testing/agent.ts';
import { codeAgent, testSandbox } from '../testing/code-agent.ts';
import { PLAIN_TOOL } from '../testing/tools.ts';
import { defineTool } from '../tools/tool.ts';
import { Room } from './room.ts';

const sandbox = testSandbox();
afterAll(() => sandbox.close());

const HANDBOOK = 'A line of the handbook.\n'.repeat(2000);

/** What the model reads of a handbook of 48,000 characters. */
async function readIn(mode: Mode, { window, whole }: { readonly window: number; readonly whole: boolean }) {
  const read = defineTool({ ...PLAIN_TOOL, name: 'read', presentation: { whole }, execute: () => HANDBOOK });
  const call = mode === 'classic_tools' ? { toolCalls: [{ name: 'read', args: {} }] } : '```js\nawait read()\n```';
  const agent = await codeAgent(sandbox, [call, 'Read.'], { tools: [read], window });
  await agent.runTurn(testTurn('Read the handbook.', { mode }), testContext());
  return agent.model.requests[1]?.messages.at(-1)?.text ?? '';
}

test.each(MODES)('a whole file is shown where the window has room for it, in %s', async (mode) => {
  expect(await readIn(mode, { window: 128_000, whole: true })).toContain(HANDBOOK.trim());
  for (const given of [
    { window: 16_000, whole: true },
    { window: 128_000, whole: false },
  ]) {
    const shown = await readIn(mode, given);
    expect(shown).toMatch(/\d+ characters left out/u);
    expect(shown.length).toBeLessThan(13_000);
  }
});

test('each result leaves less of the window, which is never less than nothing', () => {
  const room = new Room(1000);
  expect(room.left()).toBe(750);
  room.sends([new HumanMessage('x'.repeat(900)), new AIMessage('x'.repeat(100))]);
  expect(room.left()).toBe(500);
  room.adds('x'.repeat(1000));
  expect(room.left()).toBe(250);
  room.adds('x'.repeat(5000));
  expect(room.left()).toBe(0);
});
