import { expect, test } from 'vitest';
import { z } from 'zod';
import { temporaryFolder } from '../testing/home.ts';
import { wooster } from '../testing/wooster.ts';
import { defineTool } from '../tools/tool.ts';
import { checkToolHosts } from './tool-hosts.ts';

const tool = (name: string, network: boolean) =>
  defineTool({
    ...{ name, network, description: '', input: z.object({}), effect: 'none', reads: 'public', returns: 'trusted' },
    ...{ timeoutMs: 1000, execute: () => '' },
  });
const tools = [tool('fetch_text', true), tool('web_search', true), tool('write_note', false)];

test.each([
  ['fetchText=example.org', 'nothing called "fetchText" reaches the network.', 'Did you mean "fetch_text"?'],
  ['web_serch=example.org', 'nothing called "web_serch" reaches the network.', 'Did you mean "web_search"?'],
  ['write_note=example.org', 'nothing called "write_note" reaches the network', ''],
  ['fetch_text', '"fetch_text" names no host', ''],
])('%s would limit nothing, and is refused', (entry, message, hint) => {
  const check = () => checkToolHosts([entry], tools, ['discord', 'weather']);
  expect(check).toThrow(expect.objectContaining({ code: 'bad_setting', message: expect.stringContaining(message) }));
  expect(check).toThrow(expect.objectContaining({ hint: expect.stringContaining(hint) }));
});

test('tools, channels and plugins are known', () => {
  checkToolHosts(['fetch_text=*.example.org', 'discord=d.org', 'weather=a.org', 'plugin=b.org'], tools, [
    'discord',
    'weather',
  ]);
});

test('the program does not start with such a limit', async () => {
  const env = { EGRESS_TOOL_HOSTS: 'discord=d.org,weather=a.org,fetchText=example.org' };
  const ran = await wooster(['tools'], { home: temporaryFolder(), env });
  expect(ran.stderr).toContain('EGRESS_TOOL_HOSTS: nothing called "fetchText" reaches the network.');
  expect(ran.code).not.toBe(0);
});
