import { expect, test } from 'vitest';
import {
  type Answer,
  type ApprovalRequest,
  NO_USAGE,
  type Turn,
  type TurnContext,
  type TurnEvent,
} from '../base/turn.ts';
import { testAgent, testTurn } from '../testing/agent.ts';
import { PLAIN_TOOL } from '../testing/tools.ts';
import { defineTool } from '../tools/tool.ts';
import { Background, type BackgroundTurn } from './background.ts';
import type { TurnWishes } from './types.ts';

/** A tool that does not come back before it is told to. */
function gate() {
  const opened = Promise.withResolvers<string>();
  const reached = Promise.withResolvers<void>();
  const tool = defineTool({
    ...PLAIN_TOOL,
    name: 'wait',
    timeoutMs: 60_000,
    execute: () => {
      reached.resolve();
      return opened.promise;
    },
  });
  return { tool, open: () => opened.resolve('open'), reached: reached.promise };
}

const WAIT = { toolCalls: [{ name: 'wait', args: {} }] };

test('a job tells how far it is and what came of it', async () => {
  const { tool, open, reached } = gate();
  const agent = await testAgent([WAIT, 'Through.'], { tools: [tool] });
  const background = new Background({ timeZone: 'UTC', runTurn: agent.runTurn, now: () => new Date() });
  const ended = Promise.withResolvers<BackgroundTurn>();
  background.start(testTurn('go'), ended.resolve);
  await reached;
  expect(background.list()).toMatchObject([{ number: 1, state: 'running', steps: 0 }]);
  open();
  expect(await ended.promise).toMatchObject({ state: 'answered', steps: 1, last: 'Through.' });
});

test('a job asks for the model itself: nobody is there to read that another did it', async () => {
  const wishes: unknown[] = [];
  const runTurn = async (_turn: Turn, _context: TurnContext, wished: TurnWishes): Promise<Answer> => {
    wishes.push(wished);
    return { text: 'done', stop: 'answered', usage: NO_USAGE, steps: 1 };
  };
  const background = new Background({ timeZone: 'UTC', runTurn, now: () => new Date() });
  background.start(testTurn('go'), () => {});
  await background.close();
  expect(wishes).toEqual([{ standIn: false }]);
});

test('a stopped job is saved as interrupted', async () => {
  const { tool, reached } = gate();
  const agent = await testAgent([WAIT], { tools: [tool] });
  const background = new Background({ timeZone: 'UTC', runTurn: agent.runTurn, now: () => new Date() });
  background.start(testTurn('go'), () => {});
  await reached;
  expect(background.stop(2)).toEqual([]);
  expect(background.stop(1)).toMatchObject([{ number: 1 }]);
  await background.close();
  expect(background.list()).toMatchObject([{ state: 'aborted' }]);
  expect((await agent.conversations.find('conv_1'))?.status).toBe('interrupted');
});

test('two jobs run at once and both are kept', async () => {
  const first = gate();
  const agent = await testAgent([WAIT, 'Second.', 'First.'], { tools: [first.tool] });
  const background = new Background({ timeZone: 'UTC', runTurn: agent.runTurn, now: () => new Date() });
  background.start(testTurn('one', { conversationId: 'a' }), () => {});
  await first.reached;
  const second = Promise.withResolvers<BackgroundTurn>();
  background.start(testTurn('two', { conversationId: 'b' }), second.resolve);
  expect(await second.promise).toMatchObject({ number: 2, state: 'answered', last: 'Second.' });
  first.open();
  await background.close();
  expect(background.list().map((job) => job.state)).toEqual(['aborted', 'answered']);
});

test.each<[string, TurnEvent, object]>([
  ['a tool', tool('{"text":"milk"}'), { steps: 1, last: 'write_note: {"text":"milk"}' }],
  ['a tool with a long result', tool('x'.repeat(81)), { steps: 1, last: `write_note: ${'x'.repeat(79)}…` }],
  ['a script', { type: 'code', attempt: 2, source: 'go()' }, { steps: 1, last: 'script 2' }],
  [
    'an error',
    { type: 'error', code: 'x', message: 'y'.repeat(81), hint: '' },
    { steps: 0, last: `${'y'.repeat(79)}…` },
  ],
  ['an answer', { type: 'answer', text: 'z'.repeat(81), stop: 'answered' }, { steps: 0, last: `${'z'.repeat(79)}…` }],
  ['a word', { type: 'token', text: 'Hello' }, { steps: 0, last: 'started' }],
])('what a job did last is said in one line: %s', async (_what, event, seen) => {
  const context = Promise.withResolvers<TurnContext>();
  const ended = Promise.withResolvers<Answer>();
  const now = () => new Date('2026-01-15T09:00:00Z');
  const background = new Background({
    timeZone: 'UTC',
    now,
    runTurn: (_turn, given) => {
      context.resolve(given);
      return ended.promise;
    },
  });
  const turn = testTurn('go');
  const started = { number: 1, turn, startedAt: now(), state: 'running', steps: 0, last: 'started' };
  expect(background.start(turn, () => {})).toEqual(started);
  const given = await context.promise;
  expect([given.now(), given.timeZone, given.signal.aborted]).toEqual([now(), 'UTC', false]);
  expect(await given.approve({} as ApprovalRequest)).toEqual({ verdict: 'denied', by: 'no approver' });
  given.show(event);
  expect(background.list()).toEqual([{ ...started, ...seen }]);
  ended.resolve({ text: '', stop: 'failed', usage: NO_USAGE, steps: 1 });
  await background.close();
  expect(given.signal.reason).toEqual(new Error('stopped'));
  expect(background.list()).toEqual([{ ...started, ...seen, state: 'failed' }]);
  expect(background.stop()).toEqual([]);
});

function tool(preview: string): TurnEvent {
  return { type: 'tool', callId: 'call_1', name: 'write_note', input: {}, ok: true, ms: 1, preview };
}
