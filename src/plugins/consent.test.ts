import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { Redactor } from '../base/redact.ts';
import { createGateway } from '../net/gateway.ts';
import { testTurn } from '../testing/agent.ts';
import { temporaryFolder } from '../testing/home.ts';
import { NO_GRANTS } from '../testing/plugin.ts';
import { Plugins, type PluginsDeps } from './plugins.ts';

const says = (text: string) => `import { word } from './word.mjs';
export default { name: 'echo', version: '1', description: '', prepare: () => ({ context: ['${text} ' + word] }) };`;

/** A home with the plugin `echo`. */
function homeWithEcho(): { home: string; entry: string } {
  const home = temporaryFolder();
  mkdirSync(join(home, 'user-plugins', 'echo'), { recursive: true });
  const entry = join(home, 'user-plugins', 'echo', 'index.mjs');
  writeFileSync(entry, says('first'));
  writeFileSync(join(home, 'user-plugins', 'echo', 'word.mjs'), `export const word = 'one';`);
  return { home, entry };
}

async function start(home: string, env: NodeJS.ProcessEnv = {}, changes: Partial<PluginsDeps> = {}) {
  const plugins = await Plugins.load({
    oursDir: '/nowhere',
    theirsDir: join(home, 'user-plugins'),
    switchesFile: join(home, 'state', 'plugins.json'),
    ...{ homeDir: home, timeZone: 'UTC', env, config: {}, log: silentLog, redactor: new Redactor(), reserved: [] },
    gateway: createGateway({ allowPrivate: [], log: silentLog }),
    grants: NO_GRANTS,
    ...changes,
  });
  onTestFinished(() => plugins.shutdown());
  return plugins;
}

const said = async (plugins: Plugins) => (await plugins.prepare(testTurn('x'))).context;

test('a switch is the consent to the files of that moment; a later change switches the plugin off', async () => {
  const { home } = homeWithEcho();
  const env = { PLUGIN_ECHO_ENABLED: 'true' };
  expect(await said(await start(home, env))).toEqual(['first one']);
  // One changed byte in any of its files.
  appendFileSync(join(home, 'user-plugins', 'echo', 'word.mjs'), ' ');
  const changed = await start(home, env);
  expect(await said(changed)).toEqual([]);
  expect(changed.list()[0]).toMatchObject({ state: 'failed', detail: expect.stringContaining('(word.mjs)') });
  expect(changed.folders.review('echo').lines.join('\n')).toBe(
    "word.mjs:\n- export const word = 'one';\n+ export const word = 'one'; ",
  );
  await changed.folders.decide('echo', true);
  expect(await said(await start(home, env))).toEqual(['first one']);
});

test('files that appear or go are changes too, and only the owner can read what was decided', async () => {
  const { home } = homeWithEcho();
  await start(home, { PLUGIN_ECHO_ENABLED: 'true' });
  expect(statSync(join(home, 'state', 'plugins.json')).mode & 0o777).toBe(0o600);
  writeFileSync(join(home, 'user-plugins', 'echo', 'more.mjs'), '');
  expect((await start(home, { PLUGIN_ECHO_ENABLED: 'true' })).list()[0]?.detail).toContain('(more.mjs)');
});

test('switched on and off in the running program, with its new code', async () => {
  const { home, entry } = homeWithEcho();
  const plugins = await start(home);
  expect(await said(plugins)).toEqual([]);
  await plugins.folders.decide('echo', true);
  await plugins.refresh();
  expect(await said(plugins)).toEqual(['first one']);
  // The test runner's loader does not make new copies of what an entry imports.
  writeFileSync(entry, says('second'));
  // A running plugin keeps running until the owner decides.
  expect(await said(plugins)).toEqual(['first one']);
  await plugins.folders.decide('echo', false);
  await plugins.refresh();
  expect(await said(plugins)).toEqual([]);
  await plugins.folders.decide('echo', true);
  await plugins.refresh();
  expect(await said(plugins)).toEqual(['second one']);
});

test('a decision in another program counts from the next turn on', async () => {
  const { home } = homeWithEcho();
  const running = await start(home);
  await (await start(home)).folders.decide('echo', true);
  expect(await said(running)).toEqual(['first one']);
  await (await start(home)).folders.decide('echo', false);
  expect(await said(running)).toEqual([]);
});

test('the variable decides, and whoever decides otherwise is told so', async () => {
  const { home } = homeWithEcho();
  const plugins = await start(home, { PLUGIN_ECHO_ENABLED: 'true' });
  await expect(plugins.folders.decide('echo', false)).rejects.toThrow('PLUGIN_ECHO_ENABLED=true decides');
  await expect(plugins.folders.decide('eko', true)).rejects.toThrow('There is no plugin "eko"');
});

test('a damaged file of decisions switches on nothing that was not switched on by a setting', async () => {
  const { home } = homeWithEcho();
  await (await start(home)).folders.decide('echo', true);
  writeFileSync(join(home, 'state', 'plugins.json'), readFileSync(join(home, 'state', 'plugins.json')).subarray(9));
  expect((await start(home)).list()).toMatchObject([{ state: 'off' }]);
});

test('a folder that is removed ends its plugin', async () => {
  const { home } = homeWithEcho();
  const plugins = await start(home);
  await plugins.folders.decide('echo', true);
  await plugins.refresh();
  rmSync(join(home, 'user-plugins', 'echo'), { recursive: true });
  await plugins.refresh();
  expect(plugins.list()).toEqual([]);
  expect(existsSync(join(home, 'state', 'plugins.json'))).toBe(true);
});

test('services start before those that use them, and one that nobody provides is named', async () => {
  const order: string[] = [];
  const plugin = (name: string, more: object) => ({
    ...{ name, version: '1', description: '' },
    initialize: () => void order.push(name),
    ...more,
  });
  const briefing = {
    uses: ['weather', 'music?'],
    initialize: (host: { service(name: string): { now(): string } | undefined }) =>
      void order.push(`briefing: ${host.service('weather')?.now()}, ${host.service('music')}`),
  };
  const given = [
    plugin('briefing', briefing),
    plugin('lonely', { uses: ['stars'] }),
    plugin('rain', { provides: ['weather'], getServices: () => ({ weather: { now: () => 'rain' } }) }),
    plugin('liar', { getServices: () => ({ weather: {} }) }),
  ];
  const plugins = await start(temporaryFolder(), {}, { given });
  expect(order).toEqual(['rain', 'briefing: rain, undefined', 'liar']);
  expect(plugins.list().map(({ name, state, detail }) => [name, state, detail])).toEqual([
    ['briefing', 'on', ''],
    ['lonely', 'failed', 'no running plugin provides the service "stars"'],
    ['rain', 'on', ''],
    ['liar', 'failed', 'its "provides" does not name the service "weather"'],
  ]);
});

test('observers see calls and turns, and change nothing', async () => {
  const seen: unknown[] = [];
  const spoil = (value: unknown) => {
    seen.push(structuredClone(value));
    Object.assign((value as { input: object }).input, { text: 'spoiled' });
    throw new Error('in an observer');
  };
  const given = [
    { name: 'spy', version: '1', description: '', onToolCall: spoil, onTurn: (turn: unknown) => void seen.push(turn) },
  ];
  const plugins = await start(temporaryFolder(), {}, { given });
  const call = { tool: 'write_note', input: { text: 'milk' } };
  plugins.observeCall(call);
  plugins.observeResult({ ...call, ok: true, preview: 'Noted', ms: 1 });
  const turn = testTurn('note milk');
  plugins.observeTurn(turn, { text: 'Noted' } as never);
  await plugins.shutdown();
  expect(seen).toEqual([call, turn]);
  expect(call.input).toEqual({ text: 'milk' });
});

test('a tool that a plugin adds to a turn cannot take a name that is in use, or one twice', async () => {
  const tool = (name: string) => ({ name, description: '', input: { type: 'object' }, execute: () => '' });
  const given = [
    { name: 'one', version: '1', description: '', getAgentTools: () => [tool('one.say')] },
    { name: 'two', version: '1', description: '', prepare: () => ({ tools: [tool('one_say'), tool('two.x')] }) },
    { name: 'three', version: '1', description: '', prepare: () => ({ tools: [tool('two_x'), tool('three.x')] }) },
  ];
  const plugins = await start(temporaryFolder(), {}, { given: given as never });
  const { tools } = await plugins.prepare(testTurn('x'));
  expect(tools.map(({ name }) => name)).toEqual(['two.x', 'three.x']);
});
