import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createAssistant, definePlugin, type TurnEvent } from '../index.ts';
import { temporaryFolder } from '../testing/home.ts';
import { type Scripted, ScriptedModel } from '../testing/scripted-model.ts';
import { storeSettings } from '../testing/stores.ts';
import { mailTool } from '../testing/tools.ts';
import { EventQueue } from './assistant.ts';
import type { AssistantOptions } from './types.ts';

/** Nothing of this machine: no keys, no servers. */
const NO_SERVERS = { ROUTING_LOCAL_ENABLED: 'false' };

async function open(options: AssistantOptions = {}) {
  const { home = temporaryFolder(), env = NO_SERVERS } = options;
  const assistant = await createAssistant({ ...options, home, env: { ...env, ...storeSettings(home) } });
  onTestFinished(() => assistant.close());
  return assistant;
}

const scripted = (...replies: Scripted[]) => new ScriptedModel(replies);

test('it answers without a key, and the conversation goes on by its id', async () => {
  const assistant = await open();
  const first = await assistant.ask('what is 2+2?');
  expect(first).toMatchObject({ text: expect.stringContaining('4'), stop: 'answered', steps: expect.any(Number) });
  const second = await assistant.ask('what is 3 * 3?', { conversationId: first.conversationId });
  expect(second.conversationId).toBe(first.conversationId);
  expect(second.turnId).not.toBe(first.turnId);
});

test('the process of the host stays as it was', async () => {
  const before = { fetch: globalThis.fetch, env: { ...process.env }, listeners: listeners() };
  const output = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')];
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  process.env.LANGSMITH_TRACING = 'false';
  onTestFinished(() => {
    delete process.env.LANGSMITH_TRACING;
  });
  const home = temporaryFolder();
  const assistant = await open({ home, env: { ...NO_SERVERS, LOG_LEVEL: 'debug' } });
  await assistant.ask('what is 2+2?');
  await assistant.close();
  expect(globalThis.fetch).toBe(before.fetch);
  expect(process.env).toEqual({ ...before.env, LANGSMITH_TRACING: 'false' });
  expect(listeners()).toEqual(before.listeners);
  for (const write of output) expect(write).not.toHaveBeenCalled();
  expect(readdirSync(home)).toContain('logs');
});

function listeners() {
  const names = ['uncaughtException', 'unhandledRejection', 'warning', 'SIGINT', 'SIGTERM', 'SIGHUP'];
  return names.map((name) => process.listenerCount(name));
}

test('two assistants on two homes do not disturb each other', async () => {
  const [one, two] = await Promise.all([
    open({ model: scripted('I am one.', { toolCalls: [{ name: 'write_note', args: { text: 'blue' } }] }, 'Noted.') }),
    open({ model: scripted('I am two.'), timeZone: 'Asia/Tokyo' }),
  ]);
  const answers = await Promise.all([one.ask('who are you?'), two.ask('who are you?')]);
  expect(answers.map(({ text }) => text)).toEqual(['I am one.', 'I am two.']);
  await two.close();
  expect(await one.ask('take a note: blue')).toMatchObject({ text: 'Noted.', stop: 'answered' });
  await expect(two.ask('still there?')).rejects.toMatchObject({ code: 'bad_usage' });
});

test('a stream gives every event, the answer last', async () => {
  const assistant = await open({ model: scripted('one two three') });
  const events: TurnEvent[] = [];
  for await (const event of assistant.stream('count')) events.push(event);
  expect(events.at(0)).toMatchObject({ type: 'turn', model: 'ScriptedModel' });
  expect(
    events
      .filter(({ type }) => type === 'token')
      .map((event) => 'text' in event && event.text)
      .join(''),
  ).toBe('one two three');
  expect(events.at(-1)).toMatchObject({ type: 'answer', text: 'one two three' });
});

test('leaving the loop cancels the turn; the conversation goes on', async () => {
  const assistant = await open({ model: scripted('one two three four', 'and on') });
  const conversationId = 'mine';
  for await (const event of assistant.stream('count', { conversationId })) if (event.type === 'token') break;
  expect(await assistant.ask('go on', { conversationId })).toMatchObject({ text: 'and on' });
});

test('a stream that nobody reads runs nothing', async () => {
  const model = scripted('never said');
  const assistant = await open({ model });
  assistant.stream('hello');
  await assistant.close();
  expect(model.requests).toEqual([]);
});

test('turns of one conversation wait for each other', async () => {
  const model = scripted('first', 'second');
  const assistant = await open({ model });
  const both = ['a', 'b'].map((text) => assistant.ask(text, { conversationId: 'c' }));
  expect((await Promise.all(both)).map(({ text }) => text)).toEqual(['first', 'second']);
  expect(model.requests[1]?.messages.map(({ text }) => text).join('\n')).toContain('first');
});

test('an abort is an answer, a failure is an error with code and hint', async () => {
  const assistant = await open({ model: scripted('late') });
  const signal = AbortSignal.abort(new Error('changed my mind'));
  expect(await assistant.ask('hello', { signal })).toMatchObject({ stop: 'aborted', text: '' });
  await expect(assistant.ask('x', { project: 'nowhere' })).rejects.toMatchObject({
    code: 'unknown_project',
    hint: expect.any(String),
  });
  const unreachable = await open({ model: { provider: 'openai', model: 'm', baseUrl: 'http://127.0.0.1:9/v1' } });
  const failed = unreachable.ask('hello', { signal: AbortSignal.timeout(20_000) });
  await expect(failed).rejects.toMatchObject({ name: 'AssistantError', hint: expect.any(String) });
});

const MAIL: Scripted = { toolCalls: [{ name: 'send_mail', args: { to: 'ann@example.com' } }] };

test.each([
  ['once', ['ann@example.com']],
  ['denied', []],
] as const)('a call that needs approval asks the host, who says %s', async (verdict, expected) => {
  const sent: string[] = [];
  const approve = vi.fn(() => verdict);
  const assistant = await open({ model: scripted(MAIL, 'Done.'), tools: [mailTool(sent)], approve });
  await assistant.ask('write to ann@example.com');
  expect(approve).toHaveBeenCalledWith(
    expect.objectContaining({ tool: 'send_mail', input: { to: 'ann@example.com' }, reason: expect.any(String) }),
    { signal: expect.any(AbortSignal) },
  );
  expect(sent).toEqual(expected);
});

test.each([
  ['is absent', undefined],
  ['throws', () => Promise.reject(new Error('window closed'))],
])('an approve function that %s is a no', async (_, approve) => {
  const sent: string[] = [];
  const assistant = await open({
    model: scripted(MAIL, 'Done.'),
    tools: [mailTool(sent)],
    ...(approve && { approve }),
  });
  expect(await assistant.ask('write to ann@example.com')).toMatchObject({ text: expect.stringMatching(/^Done\./u) });
  expect(sent).toEqual([]);
});

test('a plugin is initialised, adds its tools and is shut down', async () => {
  const calls: string[] = [];
  const plugin = definePlugin({
    name: 'mailer',
    version: '1.0.0',
    description: 'Mails.',
    initialize: () => void calls.push('initialize'),
    getAgentTools: () => [mailTool(calls)],
    shutdown: () => void calls.push('shutdown'),
  });
  const assistant = await open({ plugins: [plugin], model: scripted(MAIL, 'Done.'), approve: () => 'once' });
  await assistant.ask('write to ann@example.com');
  await assistant.close();
  expect(calls).toEqual(['initialize', 'ann@example.com', 'shutdown']);
});

test('a plugin that cannot start is an error, and the home is free again', async () => {
  const home = temporaryFolder();
  const broken = definePlugin({ name: 'broken', version: '1', description: '', env: ['NO_SUCH_VARIABLE'] });
  await expect(createAssistant({ home, env: NO_SERVERS, plugins: [broken] })).rejects.toMatchObject({
    code: 'plugin_broken',
    message: expect.stringContaining('NO_SUCH_VARIABLE'),
  });
  await expect(open({ home })).resolves.toBeDefined();
});

test('two tools of one name are refused', async () => {
  await expect(open({ tools: [mailTool([]), mailTool([])] })).rejects.toMatchObject({ code: 'bad_usage' });
});

test('a listener that throws changes nothing', async () => {
  const assistant = await open({ model: scripted('fine') });
  const onEvent = () => {
    throw new Error('bad listener');
  };
  expect(await assistant.ask('hello', { onEvent })).toMatchObject({ text: 'fine', stop: 'answered' });
});

test('close cancels what runs, waits for it, and may be called again', async () => {
  const assistant = await open({ model: scripted('never heard') });
  const asked = assistant.ask('hello');
  await Promise.all([assistant.close(), assistant.close()]);
  expect(await asked).toMatchObject({ stop: 'aborted' });
});

test.skipIf(!existsSync('/proc/self/fd'))('an assistant that was closed leaves no file open', async () => {
  const openFiles = () => readdirSync('/proc/self/fd').length;
  const once = async () => {
    const assistant = await open();
    await assistant.ask('what is 12 * 12?', { mode: 'code_agent' });
    await assistant.close();
  };
  await once();
  const before = openFiles();
  for (let round = 0; round < 3; round++) await once();
  await vi.waitFor(() => expect(openFiles()).toBeLessThanOrEqual(before));
});

test('aborting the signal of an assistant closes it', async () => {
  const stop = new AbortController();
  const assistant = await open({ signal: stop.signal });
  stop.abort();
  await expect(assistant.ask('hello')).rejects.toMatchObject({ code: 'bad_usage' });
});

test('background work needs somebody who takes its messages', async () => {
  await expect(open({ background: true })).rejects.toMatchObject({ code: 'bad_usage' });
  const messages: string[] = [];
  const assistant = await open({ background: true, onMessage: (text) => messages.push(text) });
  await assistant.ask('in 1 second remind me to stretch');
  await vi.waitFor(() => expect(messages.join('\n')).toContain('stretch'), { timeout: 15_000 });
});

test('variables of the home are read, those of the process only where the options let them', async () => {
  const home = temporaryFolder();
  process.env.CHAT_MODE = 'nonsense';
  onTestFinished(() => {
    delete process.env.CHAT_MODE;
  });
  await expect(open({ home, env: process.env })).rejects.toMatchObject({ code: 'bad_setting' });
  await expect(open({ home, env: NO_SERVERS })).resolves.toBeDefined();
});

test('a turn of an embedder is marked as such in the log', async () => {
  const home = temporaryFolder();
  await (await open({ home })).ask('what is 2+2?');
  const [file = ''] = readdirSync(join(home, 'logs')).filter((name) => name.endsWith('.jsonl'));
  expect(readFileSync(join(home, 'logs', file), 'utf8')).toContain('"origin":"embed"');
});

test('tokens that wait for a slow reader become one event', async () => {
  const queue = new EventQueue();
  for (const text of ['a', 'b', 'c']) queue.push({ type: 'token', text });
  queue.push({ type: 'log', text: 'd' });
  queue.end();
  const read: TurnEvent[] = [];
  for await (const event of queue.read()) read.push(event);
  expect(read).toEqual([
    { type: 'token', text: 'abc' },
    { type: 'log', text: 'd' },
  ]);
});
