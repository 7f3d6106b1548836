import type { AIMessage, AIMessageChunk } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { AssistantError } from '../base/errors.ts';
import { silentLog } from '../base/log.ts';
import { Redactor } from '../base/redact.ts';
import { createGateway } from '../net/gateway.ts';
import * as fault from '../testing/fault-server.ts';
import { type ModelsChanges, modelsOptions } from '../testing/models-options.ts';
import { openTestStore } from '../testing/stores.ts';
import { CASES, type Case, HELLO, isCut, OVERFLOW, type Seen, SILENCE_MS, TOOL_CASES } from './faults.contract.ts';
import { createModels } from './models.ts';
import type { FetchFor } from './servers.ts';
import type { ModelRequest } from './types.ts';

const server = new fault.FaultServer();
const second = new fault.FaultServer();
const gateway = createGateway({ allowPrivate: [], log: silentLog });
// Loaded before the clocks of the first attempt run.
beforeAll(async () => Promise.all([server.start(), second.start(), import('@langchain/openai')]));
afterAll(async () => Promise.all([gateway.close(), server.stop(), second.stop()]));

const note = tool(() => 'noted', { name: 'write_note', description: 'note', schema: z.object({ text: z.string() }) });

interface Way {
  readonly streamed: boolean;
  readonly tools: boolean;
}

async function open(options: ModelsChanges = {}, fetchFor: FetchFor = gateway.fetchFor.bind(gateway)) {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  const waits: number[] = [];
  const pace = {
    random: () => 0,
    sleep: async (ms: number, signal: AbortSignal) => {
      waits.push(ms);
      signal.throwIfAborted();
    },
  };
  const models = createModels({
    timeZone: 'UTC',
    options: modelsOptions(
      {
        providers: { openai: { baseUrl: server.url, model: 'fault' } },
        limits: { firstByteMs: SILENCE_MS, idleMs: SILENCE_MS },
      },
      options,
    ),
    store,
    log: silentLog,
    redactor: new Redactor(['hunter2-secret']),
    now: () => new Date(),
    pace,
    fetchFor,
  });
  return { models, waits };
}

function request(changes: Partial<ModelRequest> = {}): ModelRequest {
  const signal = new AbortController().signal;
  return { profile: 'TOOL_EXECUTION', mode: 'classic_tools', project: 'home', purpose: 'turn', signal, ...changes };
}

/** One call, and everything that a caller could notice of it. */
async function run({ streamed, tools }: Way, options: ModelsChanges = {}, fetchFor?: FetchFor): Promise<Seen> {
  const { models, waits } = await open(options, fetchFor);
  const { model } = await models.pick(request());
  const bound = tools && model.bindTools ? model.bindTools([note]) : model;
  const seen = { text: '', code: undefined, message: undefined, cut: false, calls: [] as string[], waits, requests: 0 };
  try {
    let whole: AIMessage | AIMessageChunk | undefined;
    if (streamed)
      for await (const chunk of await bound.stream('hello'))
        whole = (whole as AIMessageChunk | undefined)?.concat(chunk as AIMessageChunk) ?? (chunk as AIMessageChunk);
    else whole = (await bound.invoke('hello')) as AIMessage;
    const calls = (whole?.tool_calls ?? []).map((call) => call.name);
    return {
      ...seen,
      text: whole?.text ?? '',
      cut: whole ? isCut(whole) : true,
      calls,
      requests: server.requests.length,
    };
  } catch (error) {
    if (!(error instanceof AssistantError)) throw error;
    return { ...seen, code: error.code, message: `${error.message} ${error.hint}`, requests: server.requests.length };
  }
}

const WAYS: readonly (readonly [string, Way])[] = [
  ['streamed, with tools', { streamed: true, tools: true }],
  ['whole, with tools', { streamed: false, tools: true }],
  ['streamed, without tools', { streamed: true, tools: false }],
  ['whole, without tools', { streamed: false, tools: false }],
];

describe.each(WAYS)('%s', (_name, way) => {
  const fits = ({ only }: Case) => only === undefined || (only === 'streamed') === way.streamed;
  const cases = [...CASES, ...(way.tools ? TOOL_CASES : [])].filter(fits);
  test.each(cases.map((each) => [each.name, each] as const))('%s', async (_case, { play, expected }) => {
    server.play(...play);
    const { says, ...outcome } = expected;
    const seen = await run(way);
    expect(seen).toMatchObject(outcome);
    if (says) expect(seen.message).toMatch(says);
  });
});

describe('the connection itself', () => {
  test.each([true, false])('refused (streamed %s)', async (streamed) => {
    const closed = new fault.FaultServer();
    await closed.start();
    const { url } = closed;
    await closed.stop();
    const seen = await run({ streamed, tools: false }, { providers: { openai: { baseUrl: url } } });
    expect(seen).toMatchObject({
      code: 'model_unreachable',
      message: expect.stringMatching(/refused the connection.*asked 2 times/u),
    });
  });

  test.each([true, false])('a host that does not exist (streamed %s)', async (streamed) => {
    const cause = Object.assign(new Error('getaddrinfo ENOTFOUND models.example'), { code: 'ENOTFOUND' });
    const fetchFor = () => async () => Promise.reject(new TypeError('fetch failed', { cause }));
    const seen = await run(
      { streamed, tools: false },
      { providers: { openai: { baseUrl: 'http://models.example/v1' } } },
      fetchFor,
    );
    expect(seen).toMatchObject({
      code: 'model_unreachable',
      message: expect.stringMatching(/host name that cannot be found/u),
    });
  });
});

describe('who is asked next', () => {
  const both = () => ({
    providers: { openai: { model: 'fault' } },
    localServerUrl: second.url,
    tiers: { fast: { model: 'second' } },
  });

  test.each([401, 404, 500, 429])('after %i the next candidate answers', async (code) => {
    server.play(fault.status(code));
    second.play(fault.ok('from the second'));
    expect(await run({ streamed: true, tools: false }, both())).toMatchObject({ text: 'from the second', cut: false });
    expect(second.requests).toHaveLength(1);
  });

  test('after shown words nobody else is asked', async () => {
    server.play(fault.stream(HELLO, 'reset'));
    second.play(fault.ok('from the second'));
    expect(await run({ streamed: true, tools: false }, both())).toMatchObject({ text: 'Hello there', cut: true });
    expect(second.requests).toHaveLength(0);
  });

  test('a conversation that is too long for one is too long for all', async () => {
    server.play(fault.status(400, OVERFLOW));
    second.play(fault.ok('from the second'));
    expect(await run({ streamed: false, tools: false }, both())).toMatchObject({ code: 'context_overflow' });
    expect(second.requests).toHaveLength(0);
  });

  test('when all fail the message names each', async () => {
    server.play(fault.status(500));
    second.play(fault.status(401));
    const seen = await run({ streamed: false, tools: false }, both());
    expect(seen.message).toMatch(/compatible:fault answered 500.*; compatible:second answered 401/u);
  });
});

describe('ending a call', () => {
  test('the total deadline covers every attempt', async () => {
    server.play(fault.stream([fault.delta({ role: 'assistant' })], 'stall'));
    const seen = await run({ streamed: true, tools: false }, { limits: { totalMs: 50 } });
    expect(seen).toMatchObject({
      code: 'model_unreachable',
      requests: 1,
      message: expect.stringMatching(/did not finish within 50 ms.*MODEL_TIMEOUT_MS/u),
    });
  });

  test.each([true, false])(
    'a cancelled call rejects with the reason and is not retried (streamed %s)',
    async (streamed) => {
      server.play(fault.hang);
      const { models } = await open({ limits: { firstByteMs: 10_000 } });
      const controller = new AbortController();
      const { model } = await models.pick(request({ signal: controller.signal }));
      const call = async () => {
        if (!streamed) return model.invoke('hello');
        for await (const _chunk of await model.stream('hello')) void _chunk;
        return undefined;
      };
      const running = call();
      await expect.poll(() => server.requests.length).toBe(1);
      controller.abort(new Error('cancelled by the person'));
      await expect(running).rejects.toThrow('cancelled by the person');
      expect(server.requests).toHaveLength(1);
    },
  );

  test('a retry is announced before it is made', async () => {
    server.play(fault.status(500), fault.ok('fine'));
    const { models } = await open();
    const retries: unknown[] = [];
    const { model } = await models.pick(request({ onRetry: (retry) => retries.push(retry) }));
    await model.invoke('hello');
    expect(retries).toEqual([{ reason: 'compatible:fault answered 500: status 500', waitMs: 250 }]);
  });

  test('a server that reports no usage is booked by estimate, one that does exactly', async () => {
    const { models } = await open();
    const used: { inputTokens: number; cachedTokens: number }[] = [];
    const { model } = await models.pick(request({ onUsage: (usage) => used.push(usage) }));
    server.play(fault.ok('fine', { usage: false }), fault.ok('fine'));
    await model.invoke('hello');
    await model.invoke('hello');
    expect(used).toMatchObject([
      { inputTokens: 2, cachedTokens: 0 },
      { inputTokens: 100, cachedTokens: 40 },
    ]);
  });
});
