import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Decision } from '../base/turn.ts';
import { createAssistant, definePlugin, type TurnEvent } from '../index.ts';
import { temporaryFolder } from '../testing/home.ts';
import { type Scripted, ScriptedModel } from '../testing/scripted-model.ts';
import { storeSettings } from '../testing/stores.ts';
import { mailTool } from '../testing/tools.ts';
import { type EmbeddedAssistant, EventQueue, innerOf } from './assistant.ts';
import { ToolCalls } from './tool-calls.ts';
import type { AssistantOptions } from './types.ts';

/** Nothing of this machine: no keys, no servers. */
const NO_SERVERS = { ROUTING_LOCAL_ENABLED: 'false' };
const REQUEST = { tool: 'send_mail', input: {}, reason: 'it sends' };

async function open(options: AssistantOptions = {}): Promise<EmbeddedAssistant> {
  const { home = temporaryFolder(), env = NO_SERVERS } = options;
  const whole = { ...NO_SERVERS, ...env, ...storeSettings(home) };
  const assistant = await createAssistant({ ...options, home, env: whole });
  onTestFinished(() => assistant.close());
  return innerOf(assistant);
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

test('two tools of one name are refused', async () => {
  await expect(open({ tools: [mailTool([]), mailTool([])] })).rejects.toMatchObject({ code: 'bad_usage' });
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

test('background work tells whoever takes its messages', async () => {
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

test('only what createAssistant gave is an assistant', async () => {
  const assistant = await open();
  expect(innerOf(assistant)).toBe(assistant);
  expect(() => innerOf({} as never)).toThrow(
    expect.objectContaining({
      code: 'bad_usage',
      message: 'This is not an open assistant.',
      hint: 'Pass what createAssistant gave.',
    }),
  );
});

test("a model may be a program's own provider, for all or beside others", async () => {
  const seen: unknown[] = [];
  const complete = async ({ model, userMessage }: { model?: string; userMessage: string }) => {
    seen.push([model, userMessage]);
    return { data: `I am ${model}.`, usage: { inputTokens: 1, outputTokens: 1 }, model: 'm' };
  };
  const own = await open({ model: { complete } });
  expect(await own.ask('who are you?')).toMatchObject({ text: 'I am default.' });
  expect(seen).toEqual([['default', expect.stringContaining('who are you?')]]);
  const beside = await open({ model: 'mine:m', providers: { mine: async () => scripted('I am mine.') } });
  expect(await beside.ask('who are you?')).toMatchObject({ text: 'I am mine.' });
});

test('a project that is not there is made, one that is there is used', async () => {
  const home = temporaryFolder();
  const first = await open({ home, project: 'garden', model: scripted('hello') });
  expect([first.app.knowledge.projects.exists('garden'), first.projectFor(undefined)]).toEqual([true, 'garden']);
  expect(first.projectFor(first.app.knowledge.projects.active())).toBe(first.app.knowledge.projects.active());
  const run = vi.spyOn(first.app.turns, 'run');
  await first.ask('hello');
  expect(run.mock.calls[0]?.[0]).toMatchObject({ project: 'garden', origin: 'embed', mode: 'classic_tools' });
  await first.close();
  expect((await open({ home, project: 'garden' })).projectFor(undefined)).toBe('garden');
  const other = await open();
  expect(other.projectFor(undefined)).toBe(other.app.knowledge.projects.active());
  expect(() => other.projectFor('nowhere')).toThrow(expect.objectContaining({ code: 'unknown_project' }));
});

test('the mode is that of the question, the options or the settings, in this order', async () => {
  const env = { CHAT_MODE: 'code_agent' };
  const set = await open({ env });
  const given = await open({ env, mode: 'classic_tools', model: scripted('a', 'b') });
  expect([set.mode, given.mode]).toEqual(['code_agent', 'classic_tools']);
  const run = vi.spyOn(given.app.turns, 'run').mockResolvedValue({ text: '', stop: 'answered', steps: 0 } as never);
  await given.ask('x');
  await given.ask('x', { mode: 'code_agent' });
  expect(run.mock.calls.map(([turn]) => turn.mode)).toEqual(['classic_tools', 'code_agent']);
});

test('tools are chosen by name, all of them unless named', async () => {
  const assistant = await open({ tools: [mailTool([])] });
  const names = assistant.chosenTools(undefined).map(({ name }) => name);
  expect(names).toEqual(assistant.app.tools.toolbox.list().map(({ name }) => name));
  expect(names).toContain('send_mail');
  expect(assistant.chosenTools(['send_mail']).map(({ name }) => name)).toEqual(['send_mail']);
  expect(() => assistant.chosenTools(['send_mial'])).toThrow(
    expect.objectContaining({
      code: 'unknown_tool',
      message: 'Tool "send_mial" not found. Did you mean "send_mail"?',
      hint: 'Run `wooster tools` for a list.',
    }),
  );
});

test.each(['failed', 'budget'] as const)('a turn that %s is an error with what was said of it', async (stop) => {
  const assistant = await open();
  const error = { type: 'error', code: 'model_unreachable', message: 'Nobody answers.', hint: 'Try later.' } as const;
  vi.spyOn(assistant.app.turns, 'run').mockImplementation(async (_turn, { show }) => {
    show(error);
    return { text: '', stop, steps: 1 } as never;
  });
  const { code, message, hint } = error;
  await expect(assistant.ask('x')).rejects.toMatchObject({ name: 'AssistantError', code, message, hint });
});

test.each([
  ['an error that did not end the turn', 'answered', 'error'],
  ['a turn that failed without a word', 'failed', 'log'],
] as const)('%s is no exception', async (_what, stop, type) => {
  const assistant = await open();
  vi.spyOn(assistant.app.turns, 'run').mockImplementation(async (_turn, { show }) => {
    show({ type, text: 'x', code: 'internal', message: 'm', hint: 'h' } as never);
    return { text: 'still', stop, steps: 1 } as never;
  });
  expect(await assistant.ask('x')).toMatchObject({ text: 'still', stop });
});

test('what nobody foresaw is logged and told as our fault; the conversation goes on', async () => {
  const assistant = await open({ model: scripted('fine') });
  const logged = vi.spyOn(assistant.app.home.log, 'error');
  const cause = new Error('boom');
  vi.spyOn(assistant.app.turns, 'run').mockRejectedValueOnce(cause);
  const both = ['a', 'b'].map((text) => assistant.ask(text, { conversationId: 'c' }));
  await expect(both[0]).rejects.toMatchObject({
    ...{ code: 'internal', message: 'boom', cause },
    hint: 'This is a fault of Wooster; logs/ has the details.',
  });
  expect(await both[1]).toMatchObject({ text: 'fine', conversationId: 'c', turnId: expect.stringMatching(/^turn_/u) });
  expect(logged.mock.calls).toEqual([['a turn rejected', { error: 'boom' }]]);
});

test('a disk that is full is told as that', async () => {
  const assistant = await open();
  const logged = vi.spyOn(assistant.app.home.log, 'error');
  vi.spyOn(assistant.app.turns, 'run').mockRejectedValueOnce(Object.assign(new Error('write'), { code: 'ENOSPC' }));
  await expect(assistant.ask('x')).rejects.toMatchObject({ code: expect.not.stringMatching(/^internal$/u) });
  expect(logged).not.toHaveBeenCalled();
});

test('a listener gets every event; one that throws is noted', async () => {
  const assistant = await open({ model: scripted('fine') });
  const warned = vi.spyOn(assistant.app.home.log, 'warn');
  const heard: string[] = [];
  const onEvent = ({ type }: TurnEvent) => {
    heard.push(type);
    if (type === 'answer') throw new Error('bad listener');
  };
  expect(await assistant.ask('hello', { onEvent })).toMatchObject({ text: 'fine', stop: 'answered' });
  expect([heard.at(0), heard.includes('token'), heard.includes('answer')]).toEqual(['turn', true, true]);
  expect(warned.mock.calls).toEqual([['a listener failed', { event: 'answer', error: 'bad listener' }]]);
});

test('a turn that nobody listens to is no failure of a listener', async () => {
  const assistant = await open({ model: scripted('fine') });
  const warned = vi.spyOn(assistant.app.home.log, 'warn');
  expect(await assistant.ask('hello')).toMatchObject({ text: 'fine' });
  expect(warned).not.toHaveBeenCalled();
});

test.each<[string, AssistantOptions['approve'], Partial<Decision>]>([
  ['is absent', undefined, { verdict: 'denied' }],
  ['says a word', () => 'once', { verdict: 'once', by: 'the embedding program' }],
  ['says who it was', async () => ({ verdict: 'denied', by: 'Ann' }), { verdict: 'denied', by: 'Ann' }],
  [
    'throws',
    () => {
      throw new Error('window closed');
    },
    { verdict: 'denied', by: 'an approve function that failed (window closed)' },
  ],
])('an approve function that %s decides so', async (_what, approve, decision) => {
  const assistant = await open(approve ? { approve } : {});
  const { approve: ask } = assistant.context(() => {}, {});
  expect(await ask(REQUEST as never)).toMatchObject(decision);
});

test('the approve function of a call goes before that of the assistant, and hears when it is over', async () => {
  const assistant = await open({ approve: () => 'denied' });
  const stop = new AbortController();
  const signals: AbortSignal[] = [];
  const context = assistant.context(() => {}, {
    signal: stop.signal,
    approve: (_request, { signal }) => {
      signals.push(signal);
      return 'once';
    },
  });
  expect(await context.approve(REQUEST as never)).toMatchObject({ verdict: 'once' });
  expect([context.signal.aborted, context.timeZone, context.now()]).toEqual([
    ...[false, assistant.app.home.timeZone],
    expect.any(Date),
  ]);
  stop.abort();
  expect([context.signal.aborted, signals[0]?.aborted, assistant.lifetime.aborted]).toEqual([true, true, false]);
});

test('a stream ends with its signal, its reader or its error', async () => {
  const assistant = await open({ model: scripted('one', 'two') });
  const stopped: TurnEvent[] = [];
  for await (const event of assistant.stream('x', { signal: AbortSignal.abort() })) stopped.push(event);
  expect(stopped.some(({ type }) => type === 'token')).toBe(false);
  const signals: AbortSignal[] = [];
  const run = vi.spyOn(assistant.app.turns, 'run').mockImplementation(async (_turn, { show, signal }) => {
    signals.push(signal);
    show({ type: 'log', text: 'first' });
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    throw new Error('cut off');
  });
  for await (const _event of assistant.stream('x')) break;
  expect(signals[0]?.reason).toMatchObject({ message: 'nobody reads the events any more' });
  run.mockRejectedValueOnce(new Error('boom'));
  await expect(assistant.stream('x').next()).rejects.toMatchObject({ code: 'internal', message: 'boom' });
  await expect(assistant.stream('x', { project: 'nowhere' }).next()).rejects.toMatchObject({
    code: 'unknown_project',
  });
});

test('closing tells what runs why, waits for it and leaves no listener', async () => {
  const stop = new AbortController();
  const removed = vi.spyOn(stop.signal, 'removeEventListener');
  const assistant = await open({ signal: stop.signal });
  const freed = vi.spyOn(assistant.app, 'close');
  const work = Promise.withResolvers<string>();
  const tracked = assistant.track(() => work.promise);
  const failing = assistant.track(async () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  await using same = assistant;
  const closing = same.close();
  expect(assistant.lifetime.reason).toMatchObject({ message: 'the assistant is closed' });
  await Promise.resolve();
  expect(freed).not.toHaveBeenCalled();
  work.resolve('done');
  expect(await tracked).toBe('done');
  await closing;
  expect(freed).toHaveBeenCalledTimes(1);
  expect(removed.mock.calls).toEqual([['abort', expect.any(Function)]]);
  const late = vi.fn();
  await expect(assistant.track(late)).rejects.toMatchObject({
    ...{ code: 'bad_usage', message: 'The assistant is closed.' },
    hint: 'Make a new one with createAssistant.',
  });
  expect(late).not.toHaveBeenCalled();
});

test('leaving the block closes it', async () => {
  let lifetime: AbortSignal;
  {
    await using assistant = await open();
    lifetime = assistant.lifetime;
    expect(lifetime.aborted).toBe(false);
  }
  expect(lifetime.aborted).toBe(true);
});

test('what cannot be opened says what to do', async () => {
  const home = temporaryFolder();
  await expect(createAssistant({ home, background: true })).rejects.toMatchObject({
    code: 'bad_usage',
    message: 'The option background needs onMessage.',
    hint: 'Pass onMessage, which gets reminders and the results of jobs, or leave background out.',
  });
  await expect(createAssistant({ home, signal: AbortSignal.abort(new Error('too late')) })).rejects.toThrow('too late');
  const broken = { name: 'broken', version: '1', description: '', env: ['NO_SUCH_VARIABLE'] };
  await expect(createAssistant({ home, env: NO_SERVERS, plugins: [broken] })).rejects.toMatchObject({
    code: 'plugin_broken',
    message: expect.stringMatching(/^The plugin broken did not start: .*NO_SUCH_VARIABLE.*\.$/u),
    hint: 'Fix the plugin, or leave it out of the options.',
  });
  await expect(open({ home })).resolves.toBeDefined();
});

test('a program calls tools through the same gate, with its own approval and ears', async () => {
  const sent: string[] = [];
  const approve = vi.fn(() => 'once' as const);
  const heard: TurnEvent[] = [];
  const assistant = await open({ tools: [mailTool(sent)], approve: () => 'denied' });
  const input = { to: 'ann@example.com' };
  const refused = await new ToolCalls(assistant, {}).call('send_mail', input, undefined);
  expect([refused.ok, sent]).toEqual([false, []]);
  const calls = new ToolCalls(assistant, {
    ...{ approve, conversationId: 'c', request: 'write to Ann', project: assistant.app.knowledge.projects.active() },
    onEvent: (event) => heard.push(event),
  });
  const { signal } = new AbortController();
  expect(await calls.call('send_mail', input, signal)).toMatchObject({ ok: true, text: 'sent to ann@example.com' });
  expect([sent, approve.mock.calls.length]).toEqual([['ann@example.com'], 1]);
  expect(heard).toContainEqual(expect.objectContaining({ type: 'tool', name: 'send_mail', ok: true }));
  expect(await calls.call('send_mail', input, AbortSignal.abort())).toMatchObject({ ok: false, reason: 'aborted' });
  expect(() => new ToolCalls(assistant, { project: 'nowhere' })).toThrow(
    expect.objectContaining({ code: 'unknown_project' }),
  );
  await assistant.close();
  await expect(calls.call('send_mail', input, undefined)).rejects.toMatchObject({ code: 'bad_usage' });
});

test('a reader who is faster than the turn waits for it', async () => {
  const queue = new EventQueue();
  const read: TurnEvent[] = [];
  const reading = (async () => {
    for await (const event of queue.read()) read.push(event);
  })();
  const told: TurnEvent[] = [
    { type: 'token', text: 'a' },
    { type: 'log', text: 'b' },
    { type: 'token', text: 'c' },
  ];
  for (const event of told) {
    queue.push(event);
    await vi.waitFor(() => expect(read.at(-1)).toEqual(event), { interval: 1 });
  }
  queue.end();
  await reading;
  expect(read).toEqual(told);
});
