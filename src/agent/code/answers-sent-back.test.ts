import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { testContext, testTurn } from '../../testing/agent.ts';
import { codeAgent, testSandbox } from '../../testing/code-agent.ts';
import type { Scripted } from '../../testing/scripted-model.ts';
import { keepTool, PLAIN_TOOL } from '../../testing/tools.ts';
import { defineTool } from '../../tools/tool.ts';

const sandbox = testSandbox();
afterAll(() => sandbox.close());

const js = (source: string) => `\`\`\`js\n${source}\n\`\`\``;
const look = defineTool({
  ...PLAIN_TOOL,
  name: 'look',
  positional: ['at'],
  input: z.object({ at: z.string() }),
  execute: ({ at }) => ({ price: at.length }),
});

async function play(replies: readonly Scripted[]) {
  const acted: string[] = [];
  const agent = await codeAgent(sandbox, replies, { tools: [look, keepTool((text) => acted.push(text))] });
  const context = testContext();
  const answer = await agent.runTurn(testTurn('How much is it?', { mode: 'code_agent' }), context);
  const told = (request: number) => agent.model.requests[request]?.messages.at(-1)?.text;
  const retries = context.events.flatMap((event) => (event.type === 'retry' ? [event.reason] : []));
  return { answer, acted, told, retries, events: context.events };
}

const NO_VALUE = 'Your answer was not shown: it held NaN. Look at the values that the calls gave, and answer again.';

test('an answer without a value goes back with what the calls gave', async () => {
  const { answer, told, retries } = await play([
    js("const { cost } = await look('boat'); finalAnswer('It costs ' + 2 * cost)"),
    js("finalAnswer('It costs ' + 2 * (await look('boat')).price)"),
  ]);
  expect(told(1)).toBe(
    `${NO_VALUE}\n\`cost\` does not exist: look gave \`price\`.\nThese calls succeeded:\n- look("boat"): {"price":4}`,
  );
  expect([answer, retries]).toMatchObject([
    { text: 'It costs 8', stop: 'answered', steps: 2 },
    ['the answer held no usable value'],
  ]);
});

test('what was done is told, and is not to be done again', async () => {
  const { told, acted, answer } = await play([
    js("const made = await keep('milk'); finalAnswer('Kept: ' + made.when)"),
    'I kept the milk.',
  ]);
  expect([acted, answer.text]).toEqual([['milk'], 'I kept the milk.']);
  expect(told(1)).toMatch(/\nDo not call keep again: that is done\.$/u);
});

test('where no call was made, it goes back alone', async () => {
  const { answer, told } = await play([js("finalAnswer('It costs ' + NaN)"), 'I cannot tell.']);
  expect([told(1), answer.text]).toEqual([NO_VALUE, 'I cannot tell.']);
});

test('a call that a script gives as its answer is made', async () => {
  const call = JSON.stringify({ name: 'keep', arguments: { text: 'milk' } });
  const { answer, acted, events } = await play([js(`finalAnswer(${JSON.stringify(call)})`), 'I kept milk.']);
  expect([answer.text, acted]).toEqual(['I kept milk.', ['milk']]);
  expect(events.flatMap((event) => (event.type === 'code' ? [event.source] : []))).toEqual([
    `finalAnswer(${JSON.stringify(call)})`,
    'await keep({"text":"milk"});',
  ]);
});

test('empty answers count as failed scripts after the first, and the other mode takes over', async () => {
  const { answer, retries, events } = await play([
    ...[js("finalAnswer('')"), js("finalAnswer(' ')"), js('finalAnswer()')],
    'It costs 8.',
  ]);
  expect(retries).toEqual(Array.from({ length: 3 }, () => 'the answer held no usable value'));
  expect(events.filter(({ type }) => type === 'fallback')).toMatchObject([{ reason: '2 failed scripts in a row' }]);
  expect(answer).toMatchObject({ text: 'It costs 8.', stop: 'answered', steps: 4 });
});

test('what was refused is told by the reason in words of its kind', async () => {
  const { retries } = await play(['<think>Hm.</think>', { text: 'js', finish: 'length' }, 'It costs 8.']);
  expect(retries).toEqual([
    'Your last reply was empty. Reply with one ```js block, or with the answer in plain text.',
    'Your reply was cut off, by the length limit or the connection, and was not run. Write a shorter script.',
  ]);
});
