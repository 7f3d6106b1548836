import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { expect, test } from 'vitest';
import { ScriptedModel } from '../testing/scripted-model.ts';
import { type SummaryRequest, summarise } from './summarise.ts';
import { budgetsFor } from './window.ts';

function asked(reply: string, rest: Partial<SummaryRequest> = {}) {
  const model = new ScriptedModel([reply]);
  const choice = { model, provider: 'x', name: 'x', local: true, contextWindow: 8192, why: [] };
  const summary = summarise({
    ...{ choice, prompt: 'Keep the memory.', round: 2, previous: undefined, task: 'Count.', messages: [] },
    ...{ budgets: budgetsFor(8192), signal: new AbortController().signal, ...rest },
  });
  const texts = () => model.requests[0]?.messages.map((message) => message.text) ?? [];
  return { summary, texts };
}

const call = { id: 'c', name: 'look', args: { field: 1 }, type: 'tool_call' as const };

test('the summariser reads the request, the summary before, and each message with who said it', async () => {
  const messages = [
    new HumanMessage('How many?'),
    new AIMessage({ content: 'Looking.', tool_calls: [call] }),
    new AIMessage({ content: '', tool_calls: [call] }),
    new ToolMessage({ content: 'three sheep', tool_call_id: 'c' }),
  ];
  const { summary, texts } = asked('  ## Task\ncount  ', { messages, previous: 'One field is done.' });
  expect(await summary).toBe('## Task\ncount');
  expect(texts()).toEqual([
    'Keep the memory.',
    `Round 2. The request being worked on, word for word:
Count.

The earlier summary:
One field is done.

The messages to replace, oldest first:
[human] How many?
[ai] Looking.
[call] look {"field":1}
[call] look {"field":1}
[result] three sheep`,
  ]);
});

test('without a summary before there is none to read, and long parts are cut', async () => {
  const messages = [
    new HumanMessage('w'.repeat(3000)),
    new ToolMessage({ content: 'r'.repeat(3000), tool_call_id: 'c' }),
    new AIMessage({ content: '', tool_calls: [{ ...call, args: { text: 'a'.repeat(3000) } }] }),
  ];
  const { summary, texts } = asked('short', { messages, task: 't'.repeat(3000) });
  await summary;
  const [, text = ''] = texts();
  expect(text).not.toContain('earlier summary');
  const count = (letter: string) => [...text].filter((each) => each === letter).length;
  expect(text.match(/… \d+ characters left out …/gu)).toEqual([
    '… 1000 characters left out …',
    '… 1000 characters left out …',
    '… 2500 characters left out …',
    `… ${'{"text":""}'.length + 3000 - 500} characters left out …`,
  ]);
  expect(count('w')).toBeGreaterThanOrEqual(2000);
});

test('a request is cut to the window, and a summary to its budget', async () => {
  const messages = Array.from({ length: 40 }, () => new HumanMessage('w'.repeat(2000)));
  const { summary, texts } = asked('s'.repeat(10_000), { messages });
  // The window less two summaries and the instructions, in three characters per token; and what says that it was cut.
  const room = 3 * (8192 - 2 * 1000 - 4);
  expect(texts()[1]?.length ?? 0).toBe(0);
  expect((await summary).length).toBe(4000 + '\n… 6000 characters left out …\n'.length);
  const length = texts()[1]?.length ?? 0;
  expect(length).toBeGreaterThan(room);
  expect(length).toBeLessThan(room + 50);
});

test('an empty summary is none', async () => {
  await expect(asked(' \n ').summary).rejects.toThrow('the summary came back empty');
});
