import { expect, test } from 'vitest';
import { z } from 'zod';
import { openApp } from '../testing/app.ts';
import { temporaryFolder } from '../testing/home.ts';
import { defineTool } from '../tools/tool.ts';
import { checkToolHosts } from './tools.ts';

const tool = (name: string, network: boolean) =>
  defineTool({
    name,
    description: '',
    input: z.object({}),
    ...{ timeoutMs: 1000, execute: () => '' },
    policy: { network, effect: 'none', reads: 'public' },
    provenance: { returns: 'trusted' },
  });
const tools = [tool('fetch_text', true), tool('web_search', true), tool('write_note', false)];

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
  const check = () => checkToolHosts(['fetch_text=a.org', entry], tools, ['discord', 'weather']);
  const refused = { code: 'bad_setting', message: `EGRESS_TOOL_HOSTS: ${message}`, hint };
  expect(check).toThrow(expect.objectContaining(refused));
});

test('tools, channels and plugins are known', () => {
  checkToolHosts(['fetch_text=*.example.org', 'discord=d.org', 'weather=a.org', 'plugin=b.org'], tools, [
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
