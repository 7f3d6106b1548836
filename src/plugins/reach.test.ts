import { connect, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { startPlugin } from '../testing/plugin.ts';
import { webServer } from '../testing/web-server.ts';
import { defineTool } from '../tools/tool.ts';
import { definePlugin, type Plugin, type PluginHost } from './definition.ts';

/** A plugin whose tool does with its host what the test wants. */
function reaching(manifest: Partial<Plugin>, act: (host: PluginHost) => Promise<unknown>): Plugin {
  return definePlugin({
    ...{ name: 'reaching', version: '1', description: '', state: { host: undefined as unknown as PluginHost } },
    ...manifest,
    initialize(host) {
      this.state.host = host;
    },
    getAgentTools() {
      const { state } = this;
      return [
        defineTool({
          ...{ name: 'reaching.act', description: 'Act.', input: z.object({}), timeoutMs: 5000 },
          policy: { effect: 'none' },
          provenance: { readsFrom: [] },
          execute: async () => act(state.host),
        }),
      ];
    },
  });
}

/** A server that says hello in a protocol of its own. */
async function greeter(): Promise<number> {
  const server = createServer((socket: Socket) => socket.end('* OK ready\r\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as { port: number }).port;
}

const pageOf = (url: string) => async (host: PluginHost) => (await host.fetch(url)).text();

test('host.fetch reaches what the owner named in a variable or a setting, although private', async () => {
  const server = await webServer((_, response) => response.end('inside'));
  const byVariable = reaching({ hosts: ['$DAV_URL'], env: ['DAV_URL'] }, pageOf(`${server.origin}/x`));
  const variable = await startPlugin(byVariable, { env: { DAV_URL: `${server.origin}/calendars/` } });
  expect(await variable.call('reaching.act')).toBe('inside');
  const settings = z.object({ server: z.string() });
  const bySetting = reaching({ hosts: ['$server'], settings }, pageOf(server.origin));
  const setting = await startPlugin(bySetting, { config: { server: `127.0.0.1:${server.port}` } });
  expect(await setting.call('reaching.act')).toBe('inside');
});

test('host.fetch reaches no host that the manifest does not name, by redirect neither', async () => {
  const other = await webServer((_, response) => response.end('other'));
  const server = await webServer((_, response) => response.writeHead(302, { location: other.origin }).end());
  const open = { env: { DAV_URL: server.origin }, allowPrivate: [`127.0.0.1:${other.port}`] };
  const manifest = { hosts: ['$DAV_URL', 'api.example.org'], env: ['DAV_URL'] };
  for (const url of [other.origin, server.origin]) {
    const { call } = await startPlugin(reaching(manifest, pageOf(url)), open);
    await expect(call('reaching.act')).rejects.toThrow('is not among the hosts of this plugin (api.example.org, 127');
  }
  expect(other.received).toEqual([]);
});

test('a plugin that names no host reaches none by host.fetch', async () => {
  const { call } = await startPlugin(reaching({}, pageOf('https://example.org/')));
  await expect(call('reaching.act')).rejects.toThrow('(none)');
});

test('a name that its author gave must be a public address, whatever it resolves to', async () => {
  const { call } = await startPlugin(reaching({ hosts: ['127.0.0.1:8080'] }, pageOf('http://127.0.0.1:8080/')));
  await expect(call('reaching.act')).rejects.toThrow('private or special');
});

test('host.dial opens a connection to the host and port that the owner set up, and to no other', async () => {
  const port = await greeter();
  const other = await greeter();
  const dial = (to: number) => async (host: PluginHost) => text(await host.dial('127.0.0.1', to));
  const manifest = { hosts: ['$IMAP_HOST'], env: ['IMAP_HOST'] };
  const env = { IMAP_HOST: `imap://127.0.0.1:${port}` };
  const right = await startPlugin(reaching(manifest, dial(port)), { env });
  expect(await right.call('reaching.act')).toBe('* OK ready\r\n');
  const wrong = await startPlugin(reaching(manifest, dial(other)), { env });
  await expect(wrong.call('reaching.act')).rejects.toThrow(`127.0.0.1:${other} is not among the hosts`);
});

test('host.dial says who did not answer', async () => {
  const dial = async (host: PluginHost) => host.dial('127.0.0.1', 1);
  const { call } = await startPlugin(reaching({ hosts: ['$AT'], env: ['AT'] }, dial), { env: { AT: '127.0.0.1:1' } });
  await expect(call('reaching.act')).rejects.toThrow('127.0.0.1 could not be reached');
});

test('whoever names hosts reaches no others by its own fetch or sockets', async () => {
  const server = await webServer((_, response) => response.end('inside'));
  const port = await greeter();
  const byFetch = reaching({ hosts: ['example.org'] }, async () => (await fetch(server.origin)).text());
  await expect((await startPlugin(byFetch)).call('reaching.act')).rejects.toThrow('not among the hosts');
  const bySocket = reaching({ hosts: ['example.org'] }, async () => text(connect(port, '127.0.0.1')));
  await expect((await startPlugin(bySocket)).call('reaching.act')).rejects.toThrow('a connection of its own');
  expect(server.received).toEqual([]);
});

test('a tool that does more than the manifest says, or names files elsewhere, is refused', async () => {
  const tool = (effect: 'local' | 'outbound', file = '') =>
    defineTool({
      name: 'reaching.write',
      description: 'Write.',
      input: z.object({}),
      policy: { effect, change: 'append' },
      provenance: { readsFrom: [], writesTo: () => `file:${file}` },
      timeoutMs: 5000,
      execute: () => 'written',
    });
  const plugin = (given: Partial<Plugin>, ...args: Parameters<typeof tool>) =>
    definePlugin({ name: 'reaching', version: '1', description: '', ...given, getAgentTools: () => [tool(...args)] });
  await expect(startPlugin(plugin({ effects: ['local'] }, 'outbound'))).rejects.toThrow('the effect "outbound"');
  const folders = { effects: ['local'], folders: ['diary'] } as const;
  const elsewhere = await startPlugin(plugin(folders, 'local', '/etc/hosts'));
  await expect(elsewhere.call('reaching.write')).rejects.toThrow('outside the folders of this plugin (diary)');
});

test.each([
  [{ hosts: ['https://example.org/'] }, 'hosts.0: must be a host'],
  [{ effects: ['everything'] as never }, 'effects.0'],
])('a wrong manifest keeps the plugin from starting: %o', async (manifest, why) => {
  await expect(startPlugin(reaching(manifest, async () => undefined))).rejects.toThrow(why);
});

test('settings are read with their types, and what does not fit is named by field', async () => {
  const tides = definePlugin({
    ...{ name: 'tides', version: '1', description: '', state: { days: 0 } },
    settings: z.object({ city: z.string(), days: z.int().max(7).default(3) }),
    initialize({ settings }) {
      this.state.days = settings.days;
      // @ts-expect-error: the city is a text
      settings.city.getTime;
    },
    prepare() {
      return { context: [`${this.state.days} days`] };
    },
  });
  const { prepare } = await startPlugin(tides, { config: { city: 'Bergen', enabled: true } });
  expect((await prepare('x')).context).toEqual(['3 days']);
  await expect(startPlugin(tides, { config: { city: 5, days: 9 } })).rejects.toThrow(
    /plugins\.tides\.city: .*string.*; plugins\.tides\.days: /u,
  );
});
