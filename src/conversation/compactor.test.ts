import { AIMessage, type BaseMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { testContext, testTurn } from '../testing/agent.ts';
import { type Scripted, ScriptedModel } from '../testing/scripted-model.ts';
import { sqlAll } from '../testing/sql.ts';
import { openTestStore } from '../testing/stores.ts';
import { Compactor } from './compaction.ts';
import { CompactionRecords } from './compaction-records.ts';
import { Conversations } from './conversations.ts';
import { MessageCounter } from './tokens.ts';

const TASK = 'Count the sheep.';
const WINDOW = 4000;
const system = new SystemMessage('Rules.');
const task = new HumanMessage(TASK);
/** 102 tokens each; a window of 4,000 takes 2,400, and ten of these are kept. */
const words = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => new AIMessage(`${from + at}`.padStart(400, '-')));

async function compactor(replies: Scripted[], rest: { keep?: number; windowTokens?: number } = {}) {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  const turn = testTurn(TASK);
  await new Conversations(store).begin(turn, () => new Date());
  const model = new ScriptedModel(replies);
  const choice = { model, provider: 'x', name: 'x', local: true, contextWindow: WINDOW, why: [] };
  const context = testContext();
  const lines: unknown[] = [];
  const log = {
    ...silentLog,
    debug: (message: string, fields?: object) => void lines.push([message, fields]),
    info: (message: string) => void lines.push(message),
    warn: (message: string) => void lines.push(message),
  };
  const counter = new MessageCounter();
  const records = new CompactionRecords({
    ...{ store, conversationId: turn.conversationId, turnId: turn.id, rows: new WeakMap() },
  });
  const made = new Compactor({
    ...{ turn, context, records, log, prompt: () => 'Keep the memory.', counterFor: async () => counter },
    pickSummariser: async () => choice,
    ...rest,
  });
  const rounds = () => sqlAll(store, 'SELECT round, summary FROM compaction_events ORDER BY round');
  const asked = () => model.requests.map(({ messages }) => messages[1]?.text ?? '');
  const events = () => context.events.filter(({ type }) => type === 'compaction');
  return { made, choice, lines, rounds, asked, events, counter };
}

const said = (messages: readonly BaseMessage[]) => messages.map(({ text }) => text.replace(/^-+/u, ''));
const SUMMARY = 'Summary of what came before:\n\nso far';

test('what fits is sent as it is, and the count is in the log', async () => {
  const { made, choice, lines, asked } = await compactor([]);
  const messages = [system, task, ...words(23)];
  expect(await made.compact(messages, choice)).toEqual(messages);
  expect(await made.compact(messages, choice, { overheadTokens: 30 })).toEqual(messages);
  const tokens = 4 + 6 + 23 * 102;
  expect(lines).toEqual([
    [`[prepareStep] Token count: ${tokens}`, { threshold: 2400 }],
    [`[prepareStep] Token count: ${tokens + 30}`, { threshold: 2400 }],
  ]);
  expect(asked()).toEqual([]);
});

test('what does not is summarised but for the last ten; the rest of the turn goes on from there', async () => {
  const { made, choice, lines, rounds, asked, events } = await compactor(['so far', 'so far again']);
  const whole = [system, task, ...words(30)];
  const first = await made.compact(whole, choice);
  const last = Array.from({ length: 10 }, (_, at) => `${20 + at}`);
  expect(said(first)).toEqual(['Rules.', TASK, SUMMARY, ...last]);
  const [before, after] = [4 + 6 + 30 * 102, 4 + 6 + 11 + 10 * 102];
  expect(lines.at(-1)).toBe(`[Compaction] Round 1: ${before} → ${after} tokens (20 messages summarized)`);
  expect(events()).toEqual([{ type: 'compaction', round: 1, before, after, messages: 20 }]);
  expect(await rounds()).toEqual([{ round: 1, summary: 'so far' }]);
  // The engine passes its whole list again, or what it got back, with what came since.
  const more = words(2, 30);
  expect(said(await made.compact([...whole, ...more], choice))).toEqual([...said(first), '30', '31']);
  expect(said(await made.compact([...first, ...more], choice))).toEqual([...said(first), '30', '31']);
  const grown = await made.compact([...whole, ...words(20, 30)], choice);
  expect(said(grown)[2]).toBe('Summary of what came before:\n\nso far again');
  expect(said(grown).slice(3)).toEqual(Array.from({ length: 10 }, (_, at) => `${40 + at}`));
  expect(asked()[1]).toContain('Round 2.');
  expect(asked()[1]).toContain('The earlier summary:\nso far\n');
  expect(asked()[1]).not.toContain('-19\n');
});

test('what a request has besides its messages counts as well, and a smaller window is kept to', async () => {
  const one = await compactor(['so far']);
  await one.made.compact([system, task, ...words(23)], one.choice, { overheadTokens: 100 });
  expect(await one.rounds()).toHaveLength(1);
  const two = await compactor(['so far'], { windowTokens: 2000, keep: 3 });
  const short = await two.made.compact([system, task, ...words(15)], two.choice);
  expect(said(short)).toEqual(['Rules.', TASK, SUMMARY, '12', '13', '14']);
});

test('a request that the server found too long is shortened whatever the count says, from then on', async () => {
  const { made, choice, rounds } = await compactor(['so far', 'so far again']);
  const messages = [system, task, ...words(12)];
  const forced = await made.compact(messages, choice, { force: true });
  expect(said(forced).length).toBeLessThan(14);
  expect(await rounds()).toHaveLength(1);
  // 1,100 tokens are the window now.
  await made.compact([...forced, ...words(6, 12)], choice);
  expect(await rounds()).toHaveLength(2);
});

test('compacting now is for short conversations as well, and does nothing where there is nothing', async () => {
  const { made, choice, rounds, lines } = await compactor(['so far'], { keep: 2 });
  expect(said(await made.compactNow([system, task], choice))).toEqual(['Rules.', TASK]);
  expect(await rounds()).toEqual([]);
  const short = await (await compactor(['so far'], { keep: 2 })).made.compactNow([system, task, ...words(5)], choice);
  expect(said(short).slice(0, 2)).toEqual(['Rules.', TASK]);
  expect(said(short).slice(-2)).toEqual(['3', '4']);
  expect(lines).toEqual([]);
});

test('without a summary the old messages are left out, which is said, and the next round has them', async () => {
  const { made, choice, rounds, events, asked, lines } = await compactor([{ error: new Error('busy') }, 'so far']);
  const first = await made.compact([system, task, ...words(30)], choice);
  expect(said(first)[2]).toBe(
    'Summary of what came before:\n\n(20 messages before this point were left out because they no longer fit.)',
  );
  const note = 'Older messages were left out because they could not be summarised: busy';
  expect(events()).toMatchObject([{ type: 'compaction', round: 0, messages: 20, note }]);
  expect([await rounds(), lines.at(-1)]).toEqual([[], `compaction: ${note}`]);
  await made.compact([...first, ...words(20, 30)], choice);
  expect(asked()[1]).toContain(`${'-'.repeat(399)}0\n`);
  expect(await rounds()).toEqual([{ round: 1, summary: 'so far' }]);
});

test('one message that is too long by itself is cut, which is said', async () => {
  const { made, choice, events, counter } = await compactor([]);
  const long = new AIMessage('x'.repeat(20_000));
  const cut = await made.compact([system, task, long], choice);
  expect(counter.all(cut)).toBeLessThanOrEqual(2400);
  expect(said(cut).slice(0, 2)).toEqual(['Rules.', TASK]);
  expect(events()).toMatchObject([
    { messages: 0, note: 'The last messages are too long for the model and were cut in the middle.' },
  ]);
});
