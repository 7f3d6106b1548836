import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { TurnWishes } from '../../agent/types.ts';
import { type Answer, type ApprovalRequest, NOBODY_TO_ASK, type Turn, type TurnContext } from '../../base/turn.ts';
import { scriptedHost } from '../../testing/ai-host.ts';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { WRITE_NOTE } from '../../testing/tools.ts';
import { defineTool } from '../../tools/tool.ts';
import { type AgentOptions, agent } from './agent.ts';
import type { AiHost } from './host.ts';
import { Tape } from './tape.ts';

interface Given {
  readonly turn: Turn;
  readonly context: TurnContext;
  readonly wishes: TurnWishes;
}

const USAGE = { inputTokens: 30, outputTokens: 7, cachedTokens: 0, calls: 2, costUsd: 0.5 };
const ANSWER: Answer = { text: 'Done.', stop: 'answered', usage: USAGE, steps: 2 };
const NUMBER = { type: 'integer' };

/** An assistant whose turns do what `act` says. */
function assistant(act: (given: Given) => Partial<Answer> | Promise<Partial<Answer>>, own: Partial<AiHost> = {}) {
  const turns: Given[] = [];
  const runTurn: AiHost['runTurn'] = async (turn, context, wishes = {}) => {
    turns.push({ turn, context, wishes });
    return { ...ANSWER, ...(await act({ turn, context, wishes })) };
  };
  const scripted = scriptedHost([], { runTurn, ...own });
  return { ...scripted, turns, run: <T>(options: AgentOptions<T>) => agent<T>(scripted.host, options) };
}

describe('a task', () => {
  test('is one turn of the assistant', async () => {
    const { run, turns, host } = assistant(() => ({}));
    expect(await run({ prompt: 'Do it' })).toEqual({
      data: 'Done.',
      turns: 2,
      totalUsage: { inputTokens: 30, outputTokens: 7, costUsd: 0.5 },
      toolCallHistory: [],
    });
    expect(turns.map(({ turn }) => turn)).toEqual([
      {
        ...{ id: expect.stringMatching(/^turn_/u), conversationId: expect.stringMatching(/^conv_/u), text: 'Do it' },
        ...{ origin: 'embed', mode: 'classic_tools', project: 'home' },
      },
    ]);
    expect(turns[0]?.wishes).toMatchObject({
      maxSteps: 10,
      model: undefined,
      lines: [],
      answer: undefined,
      standIn: false,
    });
    expect(turns[0]?.context).toMatchObject({ timeZone: 'UTC', now: host.now, signal: host.signal });
  });

  test('has a mode, a model, a limit and a context of its own', async () => {
    const { run, turns } = assistant(() => ({}));
    await run({ prompt: 'p', mode: 'code_agent', model: 'm2', maxTurns: 3, context: { a: 1 } });
    expect(turns[0]?.turn.mode).toBe('code_agent');
    expect(turns[0]?.wishes).toMatchObject({ maxSteps: 3, model: 'm2', lines: ['Context:\n{\n  "a": 1\n}'] });
  });

  test('that is refused begins again in the same conversation, with the reason', async () => {
    const texts = ['long', 'ok'];
    const { run, turns } = assistant(() => ({ text: texts.shift() ?? '' }));
    const guards = [{ name: 'length', constraint: 1, rangeEnd: 3 }];
    expect(await run({ prompt: 'p', guards, retryCount: 2 })).toMatchObject({ data: 'ok' });
    const why = 'An earlier answer was refused: The guard length failed: wanted 1..3, got 4. Give another one.';
    expect(turns.map(({ turn }) => turn.text)).toEqual(['p', `p\n\n${why}`]);
    expect(new Set(turns.map(({ turn }) => turn.conversationId)).size).toBe(1);
    expect(new Set(turns.map(({ turn }) => turn.id)).size).toBe(2);
  });

  test('knows what its caller refused, and gives way to the fallback', async () => {
    const { run, turns } = assistant(() => ({ text: 'long' }));
    const guards = [{ name: 'length', constraint: 9 }];
    const attempt = { feedback: 'Too long.', repair: false };
    expect(await run({ prompt: 'p', guards, attempt, fallback: async () => 'usual' })).toEqual({
      data: 'usual',
      turns: 0,
      totalUsage: { inputTokens: 0, outputTokens: 0, costUsd: 0 },
      toolCallHistory: [],
    });
    expect(turns[0]?.turn.text).toBe('p\n\nAn earlier answer was refused: Too long. Give another one.');
  });

  test('ends with whoever calls it, or the host', async () => {
    const control = new AbortController();
    const { run, turns } = assistant(() => ({}));
    await run({ prompt: 'p', abortSignal: control.signal });
    expect(turns[0]?.context.signal.aborted).toBe(false);
    control.abort('enough');
    expect(turns[0]?.context.signal.reason).toBe('enough');
    await expect(run({ prompt: 'p', abortSignal: control.signal })).rejects.toBe('enough');
    expect(turns).toHaveLength(1);
  });
});

describe('an answer of a type', () => {
  test('is what the tool for it took', async () => {
    const { run } = assistant(async ({ wishes }) => {
      expect(await wishes.answer?.read('{"value": 4}')).toEqual({ json: '4' });
      return { stop: 'failed', text: '' };
    });
    expect(await run({ prompt: 'p', jsonSchema: NUMBER })).toMatchObject({ data: 4 });
  });

  test('may stand in the words', async () => {
    const { run } = assistant(() => ({ text: '4' }));
    expect(await run({ prompt: 'p', jsonSchema: NUMBER })).toMatchObject({ data: 4 });
    const wrong = assistant(() => ({ text: 'four' }));
    await expect(wrong.run({ prompt: 'p', jsonSchema: NUMBER })).rejects.toMatchObject({ got: 'four' });
  });
});

describe('the tools', () => {
  const PRICE = defineTool({
    ...{ name: 'price', description: 'The price.', input: z.object({ of: z.string() }) },
    policy: { effect: 'none', reads: 'public' },
    provenance: { returns: 'trusted' },
    timeoutMs: 1000,
    execute: ({ of }) => ({ usd: of.length }),
  });
  const NOTE = { name: 'note', gated: 'write_note' };

  async function toolbox() {
    const scope = await testScope();
    return { scope, all: testToolbox([WRITE_NOTE], scope) };
  }

  test('are those that are passed, and their calls are told', async () => {
    const { scope, all } = await toolbox();
    const told: unknown[] = [];
    const { run } = assistant(async ({ wishes, context }) => {
      const own = wishes.tools?.(all);
      expect(own?.find('write_note')).toBeUndefined();
      expect(own?.find('note')).toMatchObject({ name: 'note', functionName: 'note' });
      const events = { ...scope, context: { ...scope.context, show: context.show } };
      await own?.call('price', { of: 'tea' }, events);
      await own?.call('price', { of: {} }, events);
      return {};
    });
    const found = await run({
      ...{ prompt: 'p', tools: [PRICE, NOTE] },
      onToolCall: ({ name, input }) => told.push(['call', name, input]),
      onToolResult: ({ isError }) => told.push(['result', isError]),
    });
    expect(found.toolCallHistory).toMatchObject([
      { call: { name: 'price', input: { of: 'tea' } }, result: { output: { usd: 3 }, isError: false } },
      { call: { name: 'price', input: { of: {} } }, result: { isError: true } },
    ]);
    expect(told).toEqual([
      ...[
        ['call', 'price', { of: 'tea' }],
        ['result', false],
      ],
      ...[
        ['call', 'price', { of: {} }],
        ['result', true],
      ],
    ]);
  });

  test('of the assistant must be there', async () => {
    const { all } = await toolbox();
    const { run } = assistant(({ wishes }) => {
      wishes.tools?.(all);
      return {};
    });
    await expect(run({ prompt: 'p', tools: [{ name: 'fetchUrl', gated: 'fetch_text' }] })).rejects.toThrow(
      'The tool fetchUrl is not available: the assistant has no fetch_text now.',
    );
  });

  const asked = (tool: string): ApprovalRequest => ({
    ...{ id: 'ask_1', tool, input: {}, reason: 'It goes out.', hash: 'h' },
    provenance: { untrusted: false, private: false, sources: [] },
  });

  test('of the program itself may be called where nobody can be asked', async () => {
    const { run, turns } = assistant(() => ({}));
    await run({ prompt: 'p', tools: [PRICE, NOTE] });
    const approve = (tool: string) => turns[0]?.context.approve(asked(tool));
    expect(await approve('price')).toEqual({ verdict: 'once', by: 'the program that passed the tool' });
    expect([await approve('note'), await approve('write_note')]).toEqual([NOBODY_TO_ASK, NOBODY_TO_ASK]);
    await run({ prompt: 'p' });
    expect(await turns[1]?.context.approve(asked('price'))).toBe(NOBODY_TO_ASK);
  });

  test('are asked about: the caller first, then the host', async () => {
    const says = (by: string) => vi.fn(async () => ({ verdict: 'denied', by }) as const);
    const { run, turns } = assistant(() => ({}), { approve: says('host') });
    await run({ prompt: 'p', tools: [PRICE], approve: says('caller') });
    await run({ prompt: 'p', tools: [PRICE] });
    const by = turns.map(async ({ context }) => (await context.approve(asked('price'))).by);
    expect(await Promise.all(by)).toEqual(['caller', 'host']);
  });
});

test('what is shown goes on to the host, and what it costs is noted', async () => {
  const shown: unknown[] = [];
  const usage = { type: 'usage', model: 'm', inputTokens: 3, outputTokens: 2, costUsd: 0.1 } as const;
  const { run, host } = assistant(
    ({ context }) => {
      context.show({ type: 'token', text: 'Hi' });
      context.show(usage);
      return {};
    },
    { show: (event) => shown.push(event) },
  );
  await run({ prompt: 'p' });
  expect(shown).toEqual([{ type: 'token', text: 'Hi' }, usage]);
  const { type: _, ...tokens } = usage;
  expect(host.costs.records).toEqual([{ operation: 'agent', ...tokens }]);
});

describe('a turn without an answer', () => {
  const error = (code: string) => ({ type: 'error', code, message: 'It is down.', hint: 'Start it.' }) as const;
  const tool = {
    type: 'tool',
    callId: 'call_1',
    name: 'price',
    input: {},
    ok: false,
    ms: 1,
    preview: 'closed',
  } as const;

  test.each([
    ['used up', 'step_limit', [], { name: 'AgentMaxTurnsError', maxTurns: 4, actualTurns: 2 }],
    [
      'without a model',
      'failed',
      [error('model_unreachable')],
      { name: 'ModelUnavailable', message: 'It is down.', model: 'm', code: 'model_unreachable', hint: 'Start it.' },
    ],
    ['for another reason', 'failed', [error('internal')], { name: 'ThinkError', message: 'It is down.' }],
    [
      'after a failed tool',
      'failed',
      [tool],
      { name: 'ToolExecutionError', message: 'The tool price failed: closed', toolName: 'price' },
    ],
    ['after both', 'failed', [tool, error('model_rejected')], { name: 'ModelUnavailable', code: 'model_rejected' }],
    [
      'after a tool that worked',
      'failed',
      [{ ...tool, ok: true }],
      { name: 'ThinkError', message: 'It ended as failed.' },
    ],
  ] as const)('is a failure: %s', async (_, stop, events, expected) => {
    const { run } = assistant(({ context }) => {
      for (const event of events) context.show(event);
      return { stop };
    });
    await expect(run({ prompt: 'p', maxTurns: 4, model: 'm' })).rejects.toMatchObject(expected);
  });

  test('after ten, where nobody says how many', async () => {
    const { run } = assistant(() => ({ stop: 'step_limit' }));
    await expect(run({ prompt: 'p' })).rejects.toMatchObject({ maxTurns: 10 });
  });

  test('ended by whoever calls it has its reason', async () => {
    for (const whose of ['caller', 'host'] as const) {
      const control = new AbortController();
      const { run } = assistant(
        () => {
          control.abort('enough');
          return { stop: 'aborted' };
        },
        whose === 'host' ? { signal: control.signal } : {},
      );
      await expect(run({ prompt: 'p', ...(whose === 'caller' && { abortSignal: control.signal }) })).rejects.toBe(
        'enough',
      );
    }
  });

  test('is none where the answer was only cut off', async () => {
    const { run } = assistant(() => ({ stop: 'cut_off' }));
    expect(await run({ prompt: 'p' })).toMatchObject({ data: 'Done.' });
  });
});

test('a recording keeps what it came to, and plays it without a turn', async () => {
  const tape = Tape.record();
  const { run } = assistant(() => ({ text: '4' }), { tape });
  const options = { prompt: 'p', jsonSchema: NUMBER };
  expect(await run(options)).toMatchObject({ data: 4, turns: 2 });
  const played = assistant(() => ({}), { tape: Tape.play(tape.toString()) });
  expect(await played.run(options)).toEqual({
    data: 4,
    turns: 0,
    totalUsage: { inputTokens: 0, outputTokens: 0, costUsd: 0 },
    toolCallHistory: [],
  });
  expect(played.turns).toEqual([]);
  const guarded = assistant(() => ({}), { tape: Tape.play(tape.toString()) });
  const guards = [{ name: 'length', constraint: 2 }];
  await expect(guarded.run({ ...options, guards })).rejects.toMatchObject({ name: 'GuardFailed' });
});
