import { setTimeout as sleep } from 'node:timers/promises';
import type { BaseMessage } from '@langchain/core/messages';
import { expect, test } from 'vitest';
import { Redactor } from '../base/redact.ts';
import type { Turn } from '../base/turn.ts';
import { testTurn } from '../testing/agent.ts';
import { sqlRun } from '../testing/sql.ts';
import { openTestStore } from '../testing/stores.ts';
import { Conversations } from './conversations.ts';
import { InOrder, redactedConversation } from './open-conversation.ts';
import { callsStep, resultStep } from './stored-calls.ts';
import type { Step } from './types.ts';

const now = () => new Date('2026-01-15T09:00:00Z');
const callOf = (n: number): Step[] => [
  callsStep('', [{ id: `c${n}`, name: 'query_rag', args: { query: `q${n}` } }]),
  resultStep({ id: `c${n}`, name: 'query_rag', ok: true, text: `found ${n}` }),
];
const scriptOf = (n: number): Step[] => [
  { role: 'assistant', kind: 'code', content: `script ${n}` },
  { role: 'user', kind: 'feedback', content: `gave ${n}` },
];

/** A conversation with some turns that ended, each with its steps and an answer unless that is undefined. */
async function after(turns: readonly { steps?: Step[]; answer?: string | undefined }[]) {
  const store = await openTestStore();
  const conversations = new Conversations(store);
  const next = (n: number, rest: Partial<Turn> = {}) => testTurn(`request ${n}`, { id: `turn_${n}`, ...rest });
  for (const [n, { steps = [], answer }] of turns.entries()) {
    const open = await conversations.begin(next(n), now);
    for (const step of steps) await open.append(step);
    const stop = answer === undefined ? 'failed' : 'answered';
    await conversations.finish(next(n), { text: answer ?? '', stop }, now());
  }
  const turn = next(turns.length);
  return { store, conversations, turn, open: await conversations.begin(turn, now) };
}

const said = (messages: readonly BaseMessage[]) => messages.map((each) => `${each.type}: ${each.text}`);

test('a model sees requests and answers, oldest first, and not the request of the running turn', async () => {
  const { open } = await after([{ answer: 'one' }, { answer: 'two' }]);
  expect(said(await open.history('classic'))).toEqual(['human: request 0', 'ai: one', 'human: request 1', 'ai: two']);
});

test('a request that failed has an answer that says so', async () => {
  const { open } = await after([{}, { answer: 'two' }]);
  const [, first] = said(await open.history('classic'));
  expect(first).toBe('ai: (This request was not answered.)');
});

test('of the last two turns the calls are shown in form, of the two before in words, then no more', async () => {
  const turns = Array.from({ length: 6 }, (_, n) => ({ steps: callOf(n), answer: `answer ${n}` }));
  const { open } = await after(turns);
  const history = said(await open.history('classic'));
  expect(history.slice(0, 4)).toEqual(['human: request 0', 'ai: answer 0', 'human: request 1', 'ai: answer 1']);
  expect(history.slice(4, 8)).toEqual([
    'human: request 2\n\n(What was called for this request, and what it gave:\nquery_rag {"query":"q2"}: found 2)',
    'ai: answer 2',
    'human: request 3\n\n(What was called for this request, and what it gave:\nquery_rag {"query":"q3"}: found 3)',
    'ai: answer 3',
  ]);
  expect(history.slice(8)).toEqual([
    ...['human: request 4', 'ai: ', 'tool: found 4', 'ai: answer 4'],
    ...['human: request 5', 'ai: ', 'tool: found 5', 'ai: answer 5'],
  ]);
});

test('each mode sees its own steps in form and those of the other in words', async () => {
  const { open } = await after([
    { steps: callOf(0), answer: 'answer 0' },
    { steps: scriptOf(1), answer: 'answer 1' },
  ]);
  expect(said(await open.history('code'))).toEqual([
    'human: request 0\n\n(What was called for this request, and what it gave:\nquery_rag {"query":"q0"}: found 0)',
    ...['ai: answer 0', 'human: request 1', 'ai: ```js\nscript 1\n```', 'human: gave 1', 'ai: answer 1'],
  ]);
  expect(said(await open.history('classic')).slice(4)).toEqual([
    'human: request 1\n\n(What was called for this request, and what it gave:\nscript script 1: gave 1)',
    'ai: answer 1',
  ]);
});

test('every message of history knows its row', async () => {
  const { open } = await after([{ steps: callOf(0), answer: 'answer 0' }]);
  const history = await open.history('classic');
  expect(history.map((message) => open.rows.get(message))).toEqual([1, 2, 3, 4]);
});

test('a long conversation is read in pages, without a gap', async () => {
  const { open, store } = await after([{ answer: 'one' }]);
  const row = `INSERT INTO messages (conversation_id, turn_id, sequence, role, kind, content, token_count, compacted, created_at)
    VALUES ('conv_1', 'turn_0', ?, 'user', ?, ?, 1, 0, '')`;
  for (let n = 10; n < 1110; n++) await sqlRun(store, row, n, n % 2 === 0 ? 'text' : 'answer', `m${n}`);
  const history = await open.history('classic');
  expect([history.length, history[2]?.text, history.at(-1)?.text]).toEqual([1102, 'm10', 'm1109']);
});

test('what was handed over is part of the request, also for whoever continues the turn', async () => {
  const { conversations, store } = await after([]);
  const turn = testTurn('Compare.', { id: 't', material: [{ name: 'a.txt', text: 'one', untrusted: false }] });
  const whole = 'Compare.\n\n<material name="a.txt">\none\n</material>';
  expect(await (await conversations.begin(turn, now)).request()).toBe(whole);
  await sqlRun(store, "UPDATE turns SET status = 'interrupted', owner = NULL WHERE id = 't'");
  const again = await conversations.begin({ ...turn, material: undefined }, now);
  expect(await again.request()).toBe(whole);
});

test('a continued turn has its steps, its call ids and its memory, a new one has none', async () => {
  const { open, conversations, store, turn } = await after([{ answer: 'one' }]);
  for (const step of callOf(7)) await open.append(step);
  await open.store('total', 12);
  await open.store('total', { euros: 13 });
  await open.store('none', undefined);
  expect([await open.resumed(), await open.usedCallIds(), await open.stored()]).toEqual([[], [], new Map()]);
  await sqlRun(store, "UPDATE turns SET status = 'interrupted', owner = NULL WHERE id = ?", turn.id);
  const again = await conversations.begin(turn, now);
  expect(await again.resumed()).toEqual(callOf(7));
  expect(await again.usedCallIds()).toEqual(['c7']);
  expect(await again.stored()).toEqual(
    new Map<string, unknown>([
      ['total', { euros: 13 }],
      ['none', null],
    ]),
  );
});

test('data for the next turn are kept, replaced and taken away', async () => {
  const { open } = await after([]);
  expect(await open.lastData()).toBeUndefined();
  await open.setLastData({ ids: [1, 2] });
  expect(await open.lastData()).toEqual({ ids: [1, 2] });
  await open.setLastData(undefined);
  expect(await open.lastData()).toBeUndefined();
});

test('no secret is saved, in whatever form a step or a value has', async () => {
  const { open, conversations, store, turn } = await after([]);
  const secret = 'tr0ub4dor-and-3-more';
  const clean = redactedConversation(open, new Redactor([secret]));
  await clean.append(callsStep(`key ${secret}`, [{ id: 'c', name: 'x', args: { key: secret } }]));
  await clean.append({ role: 'assistant', kind: 'code', content: `use("${secret}")` });
  await clean.store('key', { inside: [secret] });
  await clean.setLastData(secret);
  expect(clean.id).toBe('conv_1');
  await sqlRun(store, "UPDATE turns SET status = 'interrupted', owner = NULL WHERE id = ?", turn.id);
  const again = redactedConversation(await conversations.begin(turn, now), new Redactor([]));
  const all = JSON.stringify([await again.resumed(), [...(await again.stored())], await again.lastData()]);
  expect(all).not.toContain(secret);
  expect([await again.usedCallIds(), await again.request(), await again.history('code')]).toEqual([
    ['c'],
    'request 0',
    [],
  ]);
});

test('what is asked for first ends first, and what fails, fails alone', async () => {
  const order = new InOrder();
  const done: number[] = [];
  const work = (number: number, ms: number) => async () => {
    await sleep(ms);
    if (number === 2) throw new Error('two');
    done.push(number);
    return number;
  };
  const all = await Promise.allSettled([order.run(work(1, 10)), order.run(work(2, 5)), order.run(work(3, 0))]);
  expect(all.map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason)))).toEqual([
    1,
    'Error: two',
    3,
  ]);
  expect(done).toEqual([1, 3]);
});
