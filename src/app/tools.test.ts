import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { JobTurns } from '../agent/job-turns.ts';
import { REMOTE_CHANNELS } from '../notify/channels.ts';
import type { Delivery } from '../notify/types.ts';
import type { PluginHost } from '../plugins/definition.ts';
import { definePlugin } from '../plugins/plugin.ts';
import { loadSettings } from '../settings/settings.ts';
import { scriptedHost } from '../testing/ai-host.ts';
import { openApp } from '../testing/app.ts';
import { temporaryFolder } from '../testing/home.ts';
import { modelRequest } from '../testing/models-options.ts';
import { testScope, testToolbox } from '../testing/scope.ts';
import { ScriptedModel } from '../testing/scripted-model.ts';
import { sqlAll, sqlRun } from '../testing/sql.ts';
import { openTestStore } from '../testing/stores.ts';
import { mailTool, PLAIN_TOOL, WRITE_NOTE } from '../testing/tools.ts';
import { CutOffEffects } from '../tools/gate/cut-off-effects.ts';
import { effectsOf } from '../tools/gate/effect-rows.ts';
import { defineTool, type Tool, type Trace } from '../tools/tool.ts';
import type { UndoParts } from '../tools/undo/create.ts';
import type { Additions } from './additions.ts';
import { openFoundation } from './foundation.ts';
import { HomeContext } from './homes/home-context.ts';
import { openMemory, openPrograms } from './memory.ts';
import { openScheduler, openServices } from './services.ts';
import {
  builtInTools,
  callersOf,
  checkToolHosts,
  loadPlugins,
  openCutOff,
  openUndo,
  seedTasks,
  together,
  withGiven,
  writeForServer,
} from './tools.ts';

interface PartsOptions {
  readonly home?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly served?: Additions['served'];
  readonly jobs?: Partial<JobTurns>;
}

/** The parts of a program on a home of its own, up to the tools, one by one. All are closed with the test. */
async function openParts({ home = temporaryFolder(), env = {}, served, jobs = {} }: PartsOptions = {}) {
  const settings = loadSettings(home, { ROUTING_LOCAL_ENABLED: 'false', ...env }, { alone: true });
  const announced: string[] = [];
  const frontend = { announce: (text: string) => void announced.push(text), verbose: false };
  const foundation = await openFoundation(settings, frontend);
  const services = openServices(settings, foundation, () => undefined as never);
  const below = { ...foundation, ...services };
  const { store, now } = foundation;
  const toolbox = testToolbox([], await testScope({ store }));
  const jobTurns = { onDue: async () => ({ state: 'succeeded', output: '' }), ...jobs } as JobTurns;
  const cutOff = () => new CutOffEffects({ store, now, lookUp: async () => ({ state: 'unknown' }) });
  const proposals = () => ({ isDecided: async () => false });
  const later = { toolbox: () => toolbox, cutOff, proposals, freezer: async () => jobTurns, served };
  const scheduler = openScheduler(settings, { ...below, jobs: jobTurns }, later);
  onTestFinished(async () => {
    const { notifier, documents, models, sandbox } = services;
    for (const part of [notifier, documents, models, sandbox, foundation.gateway, store]) await part.close();
    await scheduler.stop();
    foundation.log.close();
  });
  const kept = openUndo(settings, { ...below, scheduler });
  const memory = openMemory({ ...below, kept });
  const programs = openPrograms(settings, below, {
    agent: () => ({ runTurn: () => Promise.reject(new Error('no turns here')) }),
    proposals: () => ({ get: () => Promise.reject(new Error('no proposals here')) }),
  });
  const parts = { ...below, scheduler, kept, memory, programs, services: () => [] };
  const tools = builtInTools(settings, parts, () => toolbox);
  const withPlugins = async (additions: Pick<Additions, 'plugins' | 'served'>, more: readonly Tool[] = []) => {
    const loaded = await loadPlugins(settings, { ...below, kept }, { additions, tools: [...tools, ...more] });
    onTestFinished(() => loaded.shutdown());
    return loaded;
  };
  return { home, settings, announced, frontend, foundation, services, scheduler, kept, memory, tools, withPlugins };
}

const NOW = new Date('2026-11-20T11:00:00Z');
const tool = (name: string, trace?: Trace) =>
  defineTool({
    ...PLAIN_TOOL,
    name,
    ...(trace && { durability: { trace } }),
    policy: { ...PLAIN_TOOL.policy, effect: 'local', change: 'append' },
    execute: () => 'ok',
  });
const SERVED = { slots: { take: () => 0, give() {}, enough() {}, onFree() {} }, context: new HomeContext() };

type Kept = Awaited<ReturnType<UndoParts['undo']['outcome']>>;

test('two lists of tools are one list, the same until one of them changes', () => {
  let [first, second]: [readonly Tool[], readonly Tool[]] = [[WRITE_NOTE], []];
  const both = together(
    () => first,
    () => second,
  );
  const all = both();
  expect(all).toEqual([WRITE_NOTE]);
  expect(both()).toBe(all);
  const mail = mailTool([]);
  second = [mail];
  const more = both();
  expect(more).toEqual([WRITE_NOTE, mail]);
  expect(both()).toBe(more);
  first = [];
  expect(both()).toEqual([mail]);
});

test('of two empty lists one empty list is made', () => {
  const none: readonly Tool[] = [];
  const both = together(
    () => none,
    () => none,
  );
  expect(both()).toEqual([]);
  expect(both()).toBe(both());
});

test('given tools come after ours', () => {
  const [own, one, two] = [tool('own'), tool('one'), tool('two')];
  expect(withGiven([own], [one, two])).toEqual([own, one, two]);
});

test.each([
  ['of ours', [tool('own')], 'own'],
  ['of ours, as models spell it', [tool('own')], 'ow.n'],
  ['of another that is given', [tool('one'), tool('one')], 'one'],
  ['of another that is given, as models spell it', [tool('a.b'), tool('a_b')], 'a_b'],
])('a given tool cannot have the name %s', (_, given, name) => {
  const ours = name === 'ow.n' ? [tool('ow_n')] : [tool('own')];
  const tools = name === 'ow.n' ? [tool('ow.n')] : given;
  expect(() => withGiven(ours, tools)).toThrow(
    expect.objectContaining({
      ...{ code: 'bad_usage', message: `The tool name "${name}" is taken.`, hint: 'Give the tool another name.' },
    }),
  );
});

test('besides our tools, channels and plugins reach the network, whether they run or not', () => {
  const list = () => [{ name: 'weather' }, { name: 'tides' }] as never;
  const channels = REMOTE_CHANNELS.map(({ id }) => id);
  expect(channels).toContain('discord');
  expect(callersOf({ list })).toEqual([...channels, 'weather', 'tides']);
});

test('what plugins do on a schedule is known at once, and again whenever they change', async () => {
  const [seeded, listeners]: [unknown[], (() => Promise<void>)[]] = [[], []];
  let tasks = [{ taskKey: 'tides.daily' }];
  await seedTasks(
    { tasks: () => tasks as never, onChange: (changed) => void listeners.push(changed) },
    { seed: async (each) => void seeded.push(each) },
  );
  expect(seeded).toEqual([[{ taskKey: 'tides.daily' }]]);
  tasks = [];
  await listeners[0]?.();
  expect([listeners.length, seeded]).toEqual([1, [[{ taskKey: 'tides.daily' }], []]]);
});

/** Calls that were cut off after their tools had kept or sent something. @returns their settled states and results. */
async function settled(tools: readonly Tool[], kept: Record<string, Kept> = {}, sent: Record<string, Delivery> = {}) {
  const store = await openTestStore();
  const scope = await testScope({ store });
  const toolbox = testToolbox(tools, scope);
  for (const { name } of tools) await toolbox.call(name, {}, scope);
  await sqlRun(store, "UPDATE effects SET state = 'intent', result = NULL");
  const byId = new Map((await effectsOf(store, 'turn_1')).map((each) => [each.id, each.tool]));
  const byKey = new Map((await effectsOf(store, 'turn_1')).map((each) => [each.idempotency_key, each.tool]));
  const gone = tools.filter(({ name }) => name !== 'gone');
  const cutOff = openCutOff({
    ...{ store, now: () => NOW, toolbox: testToolbox(gone, scope) },
    kept: { undo: { outcome: async ({ id }) => kept[byId.get(id) ?? ''] } as UndoParts['undo'] },
    notifier: { outcome: async (key) => sent[byKey.get(key) ?? ''] },
  });
  const unknown = await cutOff.settle(await cutOff.begun());
  const rows = await effectsOf(store, 'turn_1');
  expect(unknown.map((each) => each.tool)).toEqual(
    rows.filter(({ state }) => state === 'intent').map((each) => each.tool),
  );
  return rows.map(({ state, result }) => [state, state === 'done' ? JSON.parse(result ?? '') : result]);
}

const DONE = ['done', 'It was done before the program was cut off.'];
const UNDONE = ['failed', 'it was cut off before it acted'];
const OPEN = ['intent', null];

test.each<[string, Trace | undefined, Kept, readonly unknown[]]>([
  ['that kept what it changed, and changed it', 'version', 'done', DONE],
  ['that kept what it was to change, and did not', 'version', 'undone', UNDONE],
  ['that kept something that somebody changed since', 'version', 'other', OPEN],
  ['that keeps what it changes, and had kept nothing', 'version', undefined, UNDONE],
  ['that leaves a trace, and left none', 'transaction', undefined, UNDONE],
  ['that leaves no trace', undefined, undefined, OPEN],
  ['that leaves no trace and yet kept something', undefined, 'undone', UNDONE],
])('of a tool %s', async (_, trace, kept, expected) => {
  expect(await settled([tool('act', trace)], kept && { act: kept })).toEqual([expected]);
});

test('of a tool that is gone, only what it kept tells', async () => {
  expect(await settled([tool('gone', 'version')])).toEqual([OPEN]);
  expect(await settled([tool('gone', 'version')], { gone: 'done' })).toEqual([DONE]);
});

test.each<[Delivery['state'] | undefined, readonly unknown[]]>([
  ['sent', ['done', 'Sent to discord.']],
  ['queued', ['done', 'Not sent yet: queued for discord.']],
  ['unknown', OPEN],
  ['failed', UNDONE],
  [undefined, UNDONE],
])('a message that is %s tells what became of its call, whatever else was kept', async (state, expected) => {
  const sent = state && { act: { channel: 'discord', state, detail: '' } };
  expect(await settled([tool('act', 'outbox')], { act: 'other' }, sent)).toEqual([expected]);
});

test('the tools of the program and of the memory are there once each', async () => {
  const { tools } = await openParts();
  const names = tools.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(['write_note', 'query_rag', 'schedule', 'notify', 'remember', 'forget_memory']),
  );
  expect(new Set(names).size).toBe(names.length);
});

/** A plugin that does this when it starts. */
const starting = (initialize: (host: PluginHost) => void) =>
  definePlugin({ name: 'garden', version: '1.0.0', description: 'Gardens.', initialize });

test('a plugin adds modules, functions, models and prices', async () => {
  const { withPlugins, services, foundation } = await openParts();
  const model = new ScriptedModel(['Tulips.']);
  await withPlugins({
    plugins: [
      starting((host) => {
        host.addModule('tulips', 'export const tulips = 3;');
        host.addFunction('countTulips', () => 3);
        host.registerProvider('garden', async () => model);
        host.registerPricing('garden:red', { input: 1_000_000, output: 0 });
      }),
    ],
  });
  const { registry, models } = services;
  expect(registry.modules()).toEqual({ tulips: 'export const tulips = 3;' });
  expect([...registry.functions().keys()]).toEqual(['countTulips']);
  await models.select('garden:red');
  const picked = await models.pick(modelRequest());
  expect((await picked.model.invoke('What is in the garden?')).text).toBe('Tulips.');
  await models.usage('model');
  const [used] = await sqlAll(foundation.store, 'SELECT provider, model, cost_usd FROM usage');
  expect(used).toEqual({ provider: 'garden', model: 'red', cost_usd: 10 });
});

test.each(['writeNote', 'ownTool', 'finalAnswer', 'await', 'no name'])(
  'a function of a plugin cannot be called %s, which costs it that function alone',
  async (name) => {
    const { withPlugins, services } = await openParts();
    const plugin = starting((host) => {
      host.addFunction(name, () => 1);
      host.addFunction('countTulips', () => 3);
    });
    const plugins = await withPlugins({ plugins: [plugin] }, [tool('own_tool')]);
    expect(plugins.status('garden')).toMatchObject({
      state: 'on',
      detail: `the function name "${name}" is taken, or is no name that a script can use`,
    });
    expect([...services.registry.functions().keys()]).toEqual(['countTulips']);
  },
);

test('a plugin cannot take the name of a tool that is given', async () => {
  const { withPlugins } = await openParts();
  const plugin = definePlugin({ ...starting(() => {}), getAgentTools: () => [tool('own_tool')] });
  const plugins = await withPlugins({ plugins: [plugin] }, [tool('own_tool')]);
  expect(plugins.status('garden')).toMatchObject({ state: 'failed', detail: expect.stringContaining('own_tool') });
});

const SOURCE = `export default { name: 'mine', version: '1.0.0', description: 'Mine.', initialize() { globalThis.started = true; } };`;

test.each([
  [undefined, 'off'],
  [SERVED, undefined],
])('plugins of a home can be switched on, unless their program serves several homes', async (served, expected) => {
  const home = temporaryFolder();
  mkdirSync(join(home, 'user-plugins', 'mine'), { recursive: true });
  writeFileSync(join(home, 'user-plugins', 'mine', 'index.ts'), SOURCE);
  const { withPlugins } = await openParts({ home, served });
  const plugins = await withPlugins(served ? { served } : {});
  expect(plugins.list().find(({ name }) => name === 'mine')?.state).toBe(expected);
  expect(plugins.list().map(({ name }) => name)).toContain('tasks');
});

/** Tools with and without use of the network. */
const REACHING = [...['fetch_text', 'web_search'].map(reaching), tool('write_note')];

function reaching(name: string): Tool {
  return defineTool({ ...PLAIN_TOOL, name, policy: { ...PLAIN_TOOL.policy, network: true }, execute: () => '' });
}

const ALL = 'It can limit: fetch_text, web_search, discord, weather, plugin.';
const FORM = 'Write tool=host or tool=*.host, separated by commas.';

test.each([
  ['fetchText=example.org', 'nothing called "fetchText" reaches the network.', 'Did you mean "fetch_text"?'],
  ['web_serch=example.org', 'nothing called "web_serch" reaches the network.', 'Did you mean "web_search"?'],
  ['write_note=example.org', 'nothing called "write_note" reaches the network.', ALL],
  ['=example.org', 'nothing called "" reaches the network.', ALL],
  ['fetch_text', '"fetch_text" names no host.', FORM],
  ['fetch_text= ', '"fetch_text= " names no host.', FORM],
])('%s would limit nothing, and is refused', (entry, message, hint) => {
  const check = () => checkToolHosts(['fetch_text=a.org', entry], REACHING, ['discord', 'weather']);
  const refused = { code: 'bad_setting', message: `EGRESS_TOOL_HOSTS: ${message}`, hint };
  expect(check).toThrow(expect.objectContaining(refused));
});

test('tools, channels and plugins are known', () => {
  checkToolHosts(['fetch_text=*.example.org', 'discord=d.org', 'weather=a.org', 'plugin=b.org'], REACHING, [
    'discord',
    'weather',
  ]);
});

test('a program with such a limit does not open, and leaves its home to the next', async () => {
  const home = temporaryFolder();
  const env = { EGRESS_TOOL_HOSTS: 'discord=d.org,weather=a.org,send_mail=example.org' };
  await expect(openApp({ home, env })).rejects.toMatchObject({
    code: 'bad_setting',
    message: 'EGRESS_TOOL_HOSTS: nothing called "send_mail" reaches the network.',
  });
  const { app } = await openApp({ home, env: { EGRESS_TOOL_HOSTS: 'discord=d.org,weather=a.org' } });
  expect(app.home.dir).toBe(home);
});

/** A server's requests are answered by a model of the project `garden`. */
async function written(system: string | undefined, ...texts: readonly (readonly ['user' | 'assistant', string])[]) {
  const waits = vi.spyOn(AbortSignal, 'timeout');
  onTestFinished(() => waits.mockRestore());
  const { host, model, picked } = scriptedHost(['Tulips need sun.']);
  const messages = texts.map(([role, text]) => ({ role, text }));
  const answer = await writeForServer({ ...host, projects: { active: () => 'garden' } }, { system, messages });
  const [{ messages: sent } = { messages: [] }] = model.requests;
  return { answer, picked, sent: sent.map(({ type, text }) => [type, text]), waits: waits.mock.calls.flat() };
}

test('a text is written by what the router picks for the active project, and says by whom', async () => {
  const { answer, picked, sent, waits } = await written(undefined, ['user', 'What do tulips need?']);
  expect(answer).toEqual({ text: 'Tulips need sun.', model: 'm' });
  const asked = { profile: 'BACKGROUND_TASK', mode: 'classic_tools', purpose: 'llm' };
  expect(picked).toEqual([{ project: 'garden', ...asked, signal: expect.any(AbortSignal) }]);
  expect(sent).toEqual([['human', 'What do tulips need?']]);
  expect(waits).toContain(60_000);
});

test('who said what stays as the server says it, below its instructions', async () => {
  const { sent } = await written('Be short.', ['user', 'Hello'], ['assistant', 'Hello?'], ['user', 'Tulips']);
  expect(sent).toEqual([
    ['system', 'Be short.'],
    ['human', 'Hello'],
    ['ai', 'Hello?'],
    ['human', 'Tulips'],
  ]);
});
