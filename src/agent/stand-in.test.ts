import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { silentLog } from '../base/log.ts';
import { Redactor } from '../base/redact.ts';
import { MODES, type Mode, type Turn } from '../base/turn.ts';
import { openBuiltin } from '../builtin/open.ts';
import { createModels } from '../models/models.ts';
import type { ProviderSettings } from '../models/options.ts';
import { testContext, testTurn } from '../testing/agent.ts';
import { codeAgent, testSandbox } from '../testing/code-agent.ts';
import * as fault from '../testing/fault-server.ts';
import { modelsOptions } from '../testing/models-options.ts';
import { openTestStore } from '../testing/stores.ts';
import { changedTool, PLAIN_TOOL, WRITE_NOTE } from '../testing/tools.ts';
import { defineTool, type Tool } from '../tools/tool.ts';
import type { AgentDeps, TurnWishes } from './types.ts';

const server = new fault.FaultServer();
const sandbox = testSandbox();
beforeAll(async () => Promise.all([server.start(), import('@langchain/openai')]));
afterAll(async () => {
  await server.stop();
  await sandbox.close();
});

const EN = 'The model is unreachable; the built-in assistant handled this request.';
const DE = 'Das Modell ist nicht erreichbar; diese Anfrage hat der eingebaute Assistent übernommen.';

/** Tools by the names that the built-in assistant knows; what really ran is told to `done`. */
function tools(done: string[]): Tool[] {
  const told = (tool: Tool) =>
    changedTool(tool, {
      execute: async (input) => {
        done.push(`${tool.name} ${JSON.stringify(input)}`);
        return 'done';
      },
    });
  const any = { ...PLAIN_TOOL, input: z.looseObject({}), execute: () => '' };
  return [
    told(WRITE_NOTE),
    told(defineTool({ ...any, name: 'notify', policy: { effect: 'outbound' } })),
    told(defineTool({ ...any, name: 'query_rag' })),
    told(defineTool({ ...any, name: 'fetch_text', policy: { effect: 'none', network: true } })),
  ];
}

/** A whole agent on the real model layer. @param given  the settings of the one provider that is set up. */
async function open(given: ProviderSettings, deps: Partial<AgentDeps> = {}, change = (all: Tool[]) => all) {
  const store = await openTestStore();
  const done: string[] = [];
  const models = createModels({
    handed: { builtin: openBuiltin },
    timeZone: 'UTC',
    options: modelsOptions({ providers: { openai: { model: 'fault', ...given } } }),
    store,
    log: silentLog,
    redactor: new Redactor(),
    now: () => new Date('2026-01-15T09:00:00.000Z'),
    pace: { sleep: async () => {}, random: () => 0 },
  });
  const agent = await codeAgent(sandbox, [], { store, tools: change(tools(done)), deps: { models, ...deps } });
  const run = async (text: string, turn: Partial<Turn> = {}, wishes: TurnWishes = {}) => {
    const context = testContext();
    const answer = await agent.runTurn(testTurn(text, turn), context, wishes);
    return { answer, events: context.events };
  };
  return { agent, models, done, run };
}

/** Where nothing listens: the port was free a moment ago. */
async function unusedAddress(): Promise<string> {
  const free = createServer();
  await new Promise<void>((listening) => free.listen(0, '127.0.0.1', listening));
  const { port } = free.address() as AddressInfo;
  await new Promise((closed) => free.close(closed));
  return `http://127.0.0.1:${port}/v1`;
}

const FAILED = { text: '', stop: 'failed' };
const UNREACHABLE = expect.objectContaining({ type: 'error', code: 'model_unreachable' });
const NOTE = 'note that the boiler was serviced';
const NOTED = 'write_note {"text":"the boiler was serviced"}';

describe.each(MODES)('%s: no model is reachable', (mode: Mode) => {
  test.each([
    ['nothing listens', unusedAddress],
    ['the server answers 503', async () => server.url],
  ])('%s: a note is taken, once, by the built-in assistant', async (_what, address) => {
    server.play(fault.status(503));
    const { run, done, models } = await open({ baseUrl: await address() });
    const { answer, events } = await run(NOTE, { mode });
    expect(done).toEqual([NOTED]);
    expect(answer).toMatchObject({ stop: 'answered', text: expect.stringMatching(/^\S.*\n\n/u) });
    expect(answer.text.endsWith(EN)).toBe(true);
    expect(events.filter(({ type }) => type === 'error')).toEqual([]);
    expect(events).toContainEqual(expect.objectContaining({ type: 'fallback', from: 'fault', to: 'builtin' }));
    const answered = (await models.usage('model')).filter(({ calls, failed }) => calls > failed);
    expect(answered.map(({ group }) => group)).toEqual([expect.stringContaining('builtin')]);
  });

  test('a server that is asked for its models first is away as well', async () => {
    const { run, done } = await open({ baseUrl: await unusedAddress(), model: undefined });
    const { answer, events } = await run(NOTE, { mode });
    expect([answer.stop, ...done]).toEqual(['answered', NOTED]);
    expect(events).toContainEqual(expect.objectContaining({ type: 'turn', model: 'builtin' }));
  });

  test('a person who writes German reads it in German', async () => {
    const { run, done } = await open({ baseUrl: await unusedAddress() });
    const { answer } = await run('Notiere, dass der Kessel gewartet wurde', { mode });
    expect(done).toHaveLength(1);
    expect(answer.text.endsWith(DE)).toBe(true);
  });

  test.each([
    ['a question', 'what do my documents say about the boiler?'],
    ['what nobody understands', 'compose a villanelle on the boiler'],
    ['a message that leaves the house', 'send me a message: the boiler was serviced'],
    ['a visit to the network', 'fetch https://example.com'],
    ['a note and a message', 'note that the boiler was serviced, and send me a message: it works'],
    ['small talk', 'hello'],
  ])('%s fails as before', async (_what, text) => {
    const { run, done } = await open({ baseUrl: await unusedAddress() });
    const { answer, events } = await run(text, { mode });
    expect(answer).toMatchObject(FAILED);
    expect(done).toEqual([]);
    expect(events.filter(({ type }) => type === 'error')).toEqual([UNREACHABLE]);
    expect(events.filter(({ type }) => type === 'turn')).toEqual([expect.objectContaining({ model: 'fault' })]);
    expect(events.filter(({ type }) => ['fallback', 'token', 'tool', 'code', 'usage'].includes(type))).toEqual([]);
  });

  test('a request with a text handed over fails as before', async () => {
    const { run, done } = await open({ baseUrl: await unusedAddress() });
    const material = [{ name: 'mail.txt', text: 'the boiler', untrusted: true }];
    expect((await run(NOTE, { mode, material })).answer).toMatchObject(FAILED);
    expect(done).toEqual([]);
  });

  test.each([
    [400, 'model_rejected'],
    [401, 'model_rejected'],
    [404, 'model_rejected'],
    [429, 'model_unreachable'],
  ])('a server that answers %i was reached: the failure stands', async (status, code) => {
    server.play(fault.status(status));
    const { run, done } = await open({ baseUrl: server.url });
    const { answer, events } = await run(NOTE, { mode });
    expect(answer).toMatchObject(FAILED);
    expect(events).toContainEqual(expect.objectContaining({ type: 'error', code }));
    expect(done).toEqual([]);
  });

  test('a turn in which the model has acted already is not taken over', async () => {
    const calls = [{ name: 'write_note', args: '{"text":"from the model"}' }];
    const acts = {
      classic_tools: fault.ok('', { calls }),
      code_agent: fault.ok("```js\nawait writeNote('from it');\n```"),
    };
    server.play(acts[mode], fault.status(503));
    const { run, done } = await open({ baseUrl: server.url });
    expect((await run(NOTE, { mode })).answer).toMatchObject(FAILED);
    expect(done).toHaveLength(1);
  });

  test('a turn that the person has spoken into is not taken over', async () => {
    const { agent, done } = await open({ baseUrl: await unusedAddress() });
    const said = ['no, wait'];
    const context = { ...testContext(), steering: () => said.splice(0) };
    expect(await agent.runTurn(testTurn(NOTE, { mode }), context)).toMatchObject(FAILED);
    expect(done).toEqual([]);
  });

  test('where no model was picked and none stands in, none is named', async () => {
    const { run } = await open({ baseUrl: await unusedAddress(), model: undefined });
    const { answer, events } = await run('hello', { mode });
    expect(answer).toMatchObject(FAILED);
    expect(events.filter(({ type }) => type === 'turn')).toEqual([expect.objectContaining({ model: 'none' })]);
  });

  test.each<[string, Partial<AgentDeps>, TurnWishes]>([
    ['a job', { jobContext: () => ({ runId: 'run_1' }) }, {}],
    ['a caller who wants the model itself', {}, { standIn: false }],
  ])('%s fails as before', async (_who, deps, wishes) => {
    const { run, done } = await open({ baseUrl: await unusedAddress() }, deps);
    expect((await run(NOTE, { mode }, wishes)).answer).toMatchObject(FAILED);
    expect(done).toEqual([]);
  });

  test.each<[string, Tool['policy']]>([
    ['goes out', { effect: 'outbound', network: false }],
    ['uses the network', { effect: 'local', network: true }],
    ['changes nothing', { effect: 'none', network: false }],
  ])('a tool of the same name that %s is not called: its policy decides', async (_what, policy) => {
    const renamed = (all: Tool[]) => all.map((tool) => (tool.name === 'write_note' ? { ...tool, policy } : tool));
    const { run, done } = await open({ baseUrl: await unusedAddress() }, {}, renamed);
    expect((await run(NOTE, { mode })).answer).toMatchObject(FAILED);
    expect(done).toEqual([]);
  });
});

test('a turn of which words were read is not taken over', async () => {
  const half = 'Half an answer that is long enough to be shown while it is still arriving';
  server.play(fault.stream(fault.textEvents(half), 'reset'), fault.status(503));
  const { run, done } = await open({ baseUrl: server.url });
  const { answer, events } = await run(NOTE, { mode: 'code_agent' });
  expect(events).toContainEqual({ type: 'token', text: expect.stringContaining('Half') });
  expect(answer).toMatchObject({ text: half, stop: 'cut_off' });
  expect(done).toEqual([]);
});

test('once the server is back, it reads who answered in the meantime', async () => {
  const { run } = await open({ baseUrl: server.url });
  server.play(fault.status(503));
  await run(NOTE);
  server.play(fault.ok('Back.'));
  const { answer } = await run('what did I say?');
  expect(answer.text).toBe('Back.');
  expect(JSON.stringify(server.requests[0]?.body.messages)).toContain(EN);
});
