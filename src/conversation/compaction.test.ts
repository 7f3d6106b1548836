import { ContextOverflowError } from '@langchain/core/errors';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type TestAgent, type TestContext, testAgent, testContext, testTurn } from '../testing/agent.ts';
import type { Scripted, ScriptedRequest } from '../testing/scripted-model.ts';
import { sqlAll } from '../testing/sql.ts';
import { defineTool } from '../tools/tool.ts';
import { isSummary, SummaryMessage } from './compaction-records.ts';
import { MessageCounter } from './tokens.ts';

const WINDOW = 8192;
const TASK = 'Count the sheep in all the fields, one field after another, and tell me the sum.';

const look = defineTool({
  name: 'look',
  description: 'Look at a field.',
  input: z.object({ field: z.number(), chars: z.number().default(1200) }),
  policy: { effect: 'none' },
  provenance: { readsFrom: [] },
  timeoutMs: 1000,
  execute: ({ field, chars }) => `field ${field}: ${'sheep '.repeat(chars / 6)}`,
});

const isSummaryRequest = (request: ScriptedRequest) =>
  request.messages[0]?.text.startsWith('You keep the memory') === true;

/** Looks at one field per request and answers summary requests in between, however many come. */
function walker(
  steps: number,
  summary: (round: number) => Scripted = (round) => `## Task\nsummary ${round}`,
): Scripted[] {
  let field = 0;
  let rounds = 0;
  const next = (messages: readonly BaseMessage[]) => {
    if (messages[0]?.text.startsWith('You keep the memory')) {
      const reply = summary(++rounds);
      return typeof reply === 'function' ? reply(messages) : reply;
    }
    field++;
    if (field > steps) return 'All counted.';
    return { toolCalls: [{ name: 'look', args: { field } }] };
  };
  return Array.from({ length: steps * 3 + 10 }, () => next);
}

/** What is asked now, as models with a small window are sent it: what changes from turn to turn stands behind it. */
const asked = (text: string) =>
  `${text}\n\n<context>\nActive project: home.\nToday is Thursday, 15 January 2026 (2026-01-15), 10:00, time zone Europe/Oslo.\n</context>`;

const counter = new MessageCounter();
const notesOf = ({ events }: TestContext) =>
  events.flatMap((event) => (event.type === 'compaction' && event.note !== undefined ? [event.note] : []));
const compactions = (agent: TestAgent) => sqlAll(agent.store, 'SELECT * FROM compaction_events');

test('40 steps in a window of 8,192: requests fit, system prompt and task stay, one summary per round', async () => {
  const agent = await testAgent(walker(40), { tools: [look], window: WINDOW });
  const context = testContext();
  const answer = await agent.runTurn(testTurn(TASK), context);
  expect(answer).toMatchObject({ stop: 'answered', text: 'All counted.', steps: 41 });
  const summaries = agent.model.requests.filter(isSummaryRequest);
  const steps = agent.model.requests.filter((request) => !isSummaryRequest(request));
  expect(Math.max(...agent.model.requests.map((request) => counter.all(request.messages)))).toBeLessThan(WINDOW);
  const system = steps[0]?.messages[0]?.text;
  expect(steps.filter((request) => request.messages[0]?.text !== system)).toEqual([]);
  expect(steps.filter((request) => !request.messages.some((message) => message.text === asked(TASK)))).toEqual([]);
  const rounds = (await compactions(agent)).length;
  expect(rounds).toBeGreaterThan(1);
  expect(summaries).toHaveLength(rounds);
  expect(context.events.filter((event) => event.type === 'compaction')).toHaveLength(rounds);
});

test('summaries chain: each round is given the one before', async () => {
  const agent = await testAgent(
    walker(
      40,
      (round) => (messages) => `fact of round ${round}; ${/fact of round 1/u.exec(messages[1]?.text ?? '')?.[0] ?? ''}`,
    ),
    {
      tools: [look],
      window: WINDOW,
    },
  );
  await agent.runTurn(testTurn(TASK), testContext());
  expect(String((await compactions(agent)).at(-1)?.summary)).toContain('fact of round 1');
});

test('after reload the summary stands before the messages that are left', async () => {
  const agent = await testAgent(walker(40), { tools: [look], window: WINDOW });
  await agent.runTurn(testTurn(TASK), testContext());
  const later = await testAgent(['Many.'], { store: agent.store, window: WINDOW });
  await later.runTurn(testTurn('How many were it?'), testContext());
  const texts = later.model.requests[0]?.messages.slice(1).map((message) => message.text) ?? [];
  expect(texts[0]).toMatch(/^Summary of what came before:\n\n## Task\nsummary \d+$/u);
  expect(texts[1]).toBe(TASK);
  expect(texts.slice(-2)).toEqual(['All counted.', asked('How many were it?')]);
  expect(texts.length).toBeLessThan(30);
});

test('a long conversation of short turns is compacted and stays so', async () => {
  const chat: Scripted = (messages) =>
    messages[0]?.text.startsWith('You keep the memory') ? '## Task\nchat' : 'word '.repeat(100);
  const agent = await testAgent(
    Array.from({ length: 200 }, () => chat),
    { window: WINDOW },
  );
  for (let n = 0; n < 60; n++) await agent.runTurn(testTurn(`message ${n} ${'blah '.repeat(60)}`), testContext());
  const sizes = agent.model.requests.map((request) => counter.all(request.messages));
  expect(Math.max(...sizes)).toBeLessThan(WINDOW);
  const summaries = agent.model.requests.filter(isSummaryRequest).length;
  expect(summaries).toBe((await compactions(agent)).length);
  expect(summaries).toBeLessThan(12);
});

test('without a summary the turn goes on, shortened, and says so', async () => {
  const agent = await testAgent(
    walker(40, () => ({ error: new Error('no summary today') })),
    {
      tools: [look],
      window: WINDOW,
    },
  );
  const context = testContext();
  expect(await agent.runTurn(testTurn(TASK), context)).toMatchObject({ stop: 'answered' });
  expect(Math.max(...agent.model.requests.map((request) => counter.all(request.messages)))).toBeLessThan(WINDOW);
  expect(notesOf(context)).toContainEqual(expect.stringContaining('no summary today'));
  expect(await compactions(agent)).toEqual([]);
});

test('one result larger than the window is cut in the middle with a notice', async () => {
  const agent = await testAgent(
    [{ toolCalls: [1, 2, 3, 4, 5].map((field) => ({ name: 'look', args: { field, chars: 9600 } })) }, 'Seen.'],
    { tools: [look], window: WINDOW },
  );
  const context = testContext();
  expect(await agent.runTurn(testTurn(TASK), context)).toMatchObject({ text: 'Seen.' });
  expect(counter.all(agent.model.requests.at(-1)?.messages ?? [])).toBeLessThan(WINDOW);
  expect(notesOf(context)).toContainEqual(expect.stringContaining('too long for the model'));
});

test('a server that finds the request too long gets a shorter one', async () => {
  const overflow = { error: new ContextOverflowError('maximum context length is 4096 tokens') };
  const words = walker(12);
  const agent = await testAgent([...words.slice(0, 10), overflow, ...words], { tools: [look], window: 128_000 });
  expect(await agent.runTurn(testTurn(TASK), testContext())).toMatchObject({ stop: 'answered' });
  const at = agent.model.requests.findIndex(isSummaryRequest);
  const size = (index: number) => counter.all(agent.model.requests[index]?.messages ?? []);
  expect(at).toBe(11);
  expect(size(12)).toBeLessThan(size(10));
});

test('CONTEXT_WINDOW_TOKENS stands above what the model is known for', async () => {
  const agent = await testAgent(walker(40), {
    tools: [look],
    window: 128_000,
    deps: { options: { contextWindowTokens: WINDOW } },
  });
  await agent.runTurn(testTurn(TASK), testContext());
  expect((await compactions(agent)).length).toBeGreaterThan(1);
});

test('what was left out without a summary is in the next one, and its rows are flagged with it', async () => {
  let failures = 0;
  const shaky: Scripted = (messages) =>
    failures++ === 0
      ? { error: new Error('once') }
      : `## Task\n${/field 1: /u.exec(messages[1]?.text ?? '')?.[0] ?? 'lost'}`;
  const agent = await testAgent(
    walker(30, () => shaky),
    { tools: [look], window: WINDOW },
  );
  await agent.runTurn(testTurn(TASK), testContext());
  expect(String((await compactions(agent))[0]?.summary)).toContain('field 1:');
  const flagged = await sqlAll(agent.store, 'SELECT kind FROM messages WHERE compacted = 1 ORDER BY sequence');
  expect(flagged.length % 2).toBe(0);
  expect(flagged.at(-1)?.kind).toBe('tool_result');
});

test('a model that writes the words of a summary has not written one', () => {
  const summary = new SummaryMessage('## Task\nsheep');
  expect(isSummary(summary)).toBe(true);
  expect(isSummary(new AIMessage(summary.text))).toBe(false);
});
