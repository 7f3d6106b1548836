import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Log } from '../base/log.ts';
import { silentLog } from '../base/log.ts';
import { Redactor } from '../base/redact.ts';
import { createGateway } from '../net/gateway.ts';
import { temporaryFolder } from '../testing/home.ts';
import { NO_GRANTS, startPlugin } from '../testing/plugin.ts';
import { definePlugin } from './definition.ts';
import { Plugins, type PluginsDeps } from './plugins.ts';

const BARREL = new URL('./plugin.ts', import.meta.url).href;

/** Write user plugins by name; `#plugin` is resolved by hand because the test runner has its own resolver. */
function folderWith(files: Record<string, string>): string {
  const dir = temporaryFolder();
  for (const [name, source] of Object.entries(files)) {
    mkdirSync(join(dir, name));
    writeFileSync(join(dir, name, 'index.mjs'), source.replace("'#plugin'", JSON.stringify(BARREL)));
  }
  return dir;
}

function load(theirsDir: string, changes: Partial<PluginsDeps> = {}): Promise<Plugins> {
  return Plugins.load({
    timeZone: 'UTC',
    oursDir: '/nowhere',
    theirsDir,
    homeDir: '/home',
    env: { PLUGIN_TIDES_ENABLED: 'true', PLUGIN_OTHER_ENABLED: 'yes' },
    config: {},
    log: silentLog,
    redactor: new Redactor(),
    reserved: [],
    gateway: createGateway({ allowPrivate: [], log: silentLog }),
    grants: NO_GRANTS,
    ...changes,
  });
}

const tides = `import { definePlugin, defineTool, z } from '#plugin';
export default definePlugin({
  name: 'tides', version: '1.0.0', description: 'Says when the tide turns.',
  env: ['TIDES_STATION'],
  initialize(host) { this.station = host.env.TIDES_STATION; },
  getAgentTools() {
    return [defineTool({ name: 'next_tide', description: 'x', input: z.object({}), policy: { effect: 'none' },
      provenance: { readsFrom: ['web'] }, timeoutMs: 100, execute: async () => 'at ' + this.station })];
  },
  prepare() { return { context: ['The tide is high.'] }; },
});`;

test('a plugin with its variables set gives its tools and context', async () => {
  const env = { PLUGIN_TIDES_ENABLED: 'TRUE', TIDES_STATION: 'Bergen' };
  const plugins = await load(folderWith({ tides }), { env });
  expect(plugins.list()).toMatchObject([{ name: 'tides', state: 'on', tools: ['next_tide'] }]);
  expect(await plugins.tools()[0]?.execute({}, {} as never)).toBe('at Bergen');
  expect(await plugins.prepare({} as never)).toEqual({ context: ['The tide is high.'], tools: [], offers: [] });
});

test('a missing variable skips the plugin, not the program', async () => {
  const plugins = await load(folderWith({ tides }));
  expect(plugins.list()).toMatchObject([{ name: 'tides', state: 'failed', detail: 'not set: TIDES_STATION' }]);
  expect(plugins.tools()).toEqual([]);
});

test.each([
  [undefined, undefined, 'off'],
  [undefined, true, 'on'],
  ['false', true, 'off'],
  ['true', false, 'on'],
  ['On', undefined, 'on'],
])('a user plugin with the variable %s and the config %s is %s', async (variable, enabled, state) => {
  const other = `export default { name: 'other', version: '1', description: '' };`;
  const config = enabled === undefined ? {} : { other: { enabled } };
  const env = variable === undefined ? {} : { PLUGIN_OTHER_ENABLED: variable };
  const plugins = await load(folderWith({ other }), { env, config });
  expect(plugins.list()).toMatchObject([{ name: 'other', state }]);
});

test('one that throws, hangs in prepare or exports nothing leaves the others alone', async () => {
  const warned: string[] = [];
  const log: Log = { ...silentLog, warn: (message) => warned.push(message) };
  const dir = folderWith({
    broken: `throw new Error('no');`,
    empty: `export const x = 1;`,
    other: `export default { name: 'other', version: '1', description: '', prepare: () => { throw new Error('later'); } };`,
  });
  const env = { PLUGIN_BROKEN_ENABLED: '1', PLUGIN_EMPTY_ENABLED: '1', PLUGIN_OTHER_ENABLED: '1' };
  const plugins = await load(dir, { env, log });
  expect(plugins.list().map(({ name, state }) => `${name} ${state}`)).toEqual([
    'broken failed',
    'empty failed',
    'other on',
  ]);
  expect(await plugins.prepare({} as never)).toEqual({ context: [], tools: [], offers: [] });
  expect(warned).toEqual(['plugin skipped', 'plugin skipped', 'plugin switched off']);
  const [, , other] = plugins.list();
  expect(other).toMatchObject({ state: 'failed', detail: 'switched off: it could not prepare a turn: later' });
});

test('what a plugin gives scripts as a function has to be one', async () => {
  const other = `export default { name: 'other', version: '1', description: '',
    initialize(host) { host.addFunction('shout', 'loud'); } };`;
  const plugins = await load(folderWith({ other }));
  expect(plugins.list()).toMatchObject([{ state: 'failed', detail: 'what "shout" is to run is not a function' }]);
});

test("a plugin cannot take another tool's name", async () => {
  const first = await load(folderWith({ tides }), { env: { PLUGIN_TIDES_ENABLED: '1', TIDES_STATION: 'x' } });
  const second = await load(folderWith({ tides }), {
    env: { PLUGIN_TIDES_ENABLED: '1', TIDES_STATION: 'x' },
    reserved: first.tools(),
  });
  expect(second.list()).toMatchObject([{ state: 'failed', detail: 'the tool name "next_tide" is taken' }]);
});

test('a legacy class works, with the most careful labels', async () => {
  const legacy = `export default class Capture {
    static pluginName = 'other'; static version = '2.0.0'; static description = 'old';
    async initialize(config, services) { services.registerService('CaptureService', this); this.home = config.home; }
    getAgentTools() {
      return [{ name: 'captureItem', description: 'd', invoke: async ({ text }) => ({ kept: text, at: this.home }) }];
    }
    getScheduledTaskSetups() {
      return { taskKey: 'k', description: 'd', defaultScheduleExpression: '0 5 * * *', functionToExecute: async () => 'ran' };
    }
  }`;
  const plugins = await load(folderWith({ other: legacy }));
  const [tool] = plugins.tools();
  expect(tool).toMatchObject({
    name: 'capture_item',
    functionName: 'captureItem',
    policy: { effect: 'outbound' },
  });
  expect(await tool?.execute({ text: 'milk' }, {} as never)).toBe('{"kept":"milk","at":"/home"}');
  expect(await plugins.tasks()[0]?.run(undefined, AbortSignal.timeout(1000))).toBe('ran');
});

test('the secrets that a plugin is given are hidden from then on, and its other variables are not', async () => {
  const redactor = new Redactor();
  const other = `export default { name: 'other', version: '1', description: '', env: ['TIDES_KEY', 'TIDES_CITY'] };`;
  const env = {
    PLUGIN_OTHER_ENABLED: '1',
    TIDES_KEY: 'high-and-low',
    TIDES_CITY: 'Bergenhus',
    BOAT_KEY: 'of-the-boat',
  };
  await load(folderWith({ other }), { env, redactor });
  expect(redactor.hideKnown('high-and-low in Bergenhus')).toBe('[secret] in Bergenhus');
  expect(redactor.hideKnown('of-the-boat')).toBe('of-the-boat');
});

test('shutdown reaches every plugin once, in reverse order, even after one that throws', async () => {
  const warned: unknown[] = [];
  const down: string[] = [];
  Reflect.set(globalThis, 'pluginsDown', down);
  const plugin = (name: string, end = '') =>
    `export default { name: '${name}', version: '1', description: '',
      initialize() { this.state = 'open ${name}'; },
      shutdown() { globalThis.pluginsDown.push(this.state); ${end} } };`;
  const dir = folderWith({
    boats: plugin('boats'),
    other: plugin('other', "throw new Error('stuck');"),
    tides: plugin('tides'),
  });
  const env = { PLUGIN_BOATS_ENABLED: '1', PLUGIN_OTHER_ENABLED: '1', PLUGIN_TIDES_ENABLED: '1' };
  const log: Log = { ...silentLog, warn: (message, fields) => warned.push([message, fields]) };
  const plugins = await load(dir, { env, log });
  await plugins.shutdown();
  await plugins.shutdown();
  expect(down).toEqual(['open tides', 'open other', 'open boats']);
  expect(warned).toEqual([['plugin did not shut down', { plugin: 'other', error: 'stuck' }]]);
  expect(plugins.tools()).toEqual([]);
});

test('a legacy class is shut down too, with its own state', async () => {
  const legacy = `export default class Tide {
    static pluginName = 'other';
    async initialize(config, services) { services.registerService('tide', this); this.open = true; }
    async shutdown() { globalThis.legacyDown = this.open; }
  }`;
  const plugins = await load(folderWith({ other: legacy }));
  await plugins.shutdown();
  expect(Reflect.get(globalThis, 'legacyDown')).toBe(true);
});

test('a plugin has its own typed state, and may still set other fields on itself', async () => {
  const counter = definePlugin({
    name: 'counter',
    version: '1',
    description: '',
    state: { turns: 0 },
    initialize(host) {
      this.zone = host.timeZone;
    },
    prepare() {
      this.state.turns += 1;
      // @ts-expect-error: the state is a number, not a text
      this.state.turns.trim;
      return { context: [`turn ${this.state.turns} in ${this.zone}`] };
    },
  });
  const { prepare } = await startPlugin(counter);
  await prepare('one');
  expect(await prepare('two')).toEqual({ context: ['turn 2 in Europe/Oslo'], tools: [], offers: [] });
});

test('a plugin that cannot start fails its own test, with the reason', async () => {
  const needy = definePlugin({ name: 'needy', version: '1', description: '', env: ['TIDES_STATION'] });
  await expect(startPlugin(needy)).rejects.toThrow('not set: TIDES_STATION');
});
