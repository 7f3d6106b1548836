import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lastingFolder } from '../../../testing/home.ts';
import { wooster } from '../../../testing/wooster.ts';

const PROGRAM = resolve(import.meta.dirname, '../../../../bin/wooster');
const folder = lastingFolder();
const home = join(folder.dir, 'home');
const client = new Client({ name: 'official', version: '1' });
let stderr = '';

/** A plugin with one tool: nothing else is needed for it to be served. */
const TIDES = `export default { name: 'tides', version: '1.0.0', description: 'Tides.', getAgentTools: () => [{
  name: 'tides.next', description: 'Say when the next tide comes in.', input: { type: 'object', properties: { kind: { enum: ['high', 'low'] } }, required: ['kind'] },
  policy: { effect: 'none' }, provenance: { readsFrom: ['web'] }, timeoutMs: 1000, execute: ({ kind }) => 'Next ' + kind + ' tide: 14:05.' }] };`;

beforeAll(async () => {
  const documents = join(home, 'projects/home/boats');
  mkdirSync(documents, { recursive: true });
  writeFileSync(
    join(documents, 'fulmar.md'),
    '# Fulmar\n\nThe Fulmar lies at berth 14. The harbour key is token=ghp_abcdefghijklmnopqrstuvwxyz0123456789.\n',
  );
  mkdirSync(join(home, 'user-plugins/tides'), { recursive: true });
  writeFileSync(join(home, 'user-plugins/tides/index.mjs'), TIDES);
  const env = { PLUGIN_TIDES_ENABLED: 'true' };
  expect(await wooster(['ingest', documents], { home, env })).toMatchObject({ code: 0 });
  const transport = new StdioClientTransport({
    command: PROGRAM,
    args: ['mcp', 'serve'],
    env: { PATH: process.env.PATH ?? '', HOME: folder.dir, WOOSTER_HOME: home, ROUTING_LOCAL_ENABLED: 'false', ...env },
    stderr: 'pipe',
  });
  transport.stderr?.on('data', (part: Buffer) => {
    stderr += part.toString();
  });
  await client.connect(transport);
});

afterAll(async () => {
  await client.close();
  folder.remove();
});

const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text ?? '';

test('every tool is listed as we describe it, that of a plugin as well', async () => {
  const { tools } = await client.listTools();
  const names = tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['query_rag', 'write_note', 'schedule', 'tides_next']));
  expect(tools.find(({ name }) => name === 'tides_next')).toMatchObject({
    inputSchema: { type: 'object', required: ['kind'], properties: { kind: { enum: ['high', 'low'] } } },
    annotations: { readOnlyHint: true },
  });
  expect(await client.callTool({ name: 'tides_next', arguments: { kind: 'low' } })).toMatchObject({
    content: [{ type: 'text', text: 'Next low tide: 14:05.' }],
  });
});

test('a wrong input is told by its field, an unknown tool by its name', async () => {
  const wrong = await client.callTool({ name: 'tides_next', arguments: { kind: 'spring' } });
  expect(wrong).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('kind:') }] });
  const unknown = await client.callTool({ name: 'no_such_tool', arguments: {} });
  expect(unknown).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('not found') }] });
});

test('what needs the owner waits as a proposal, and nothing of it is done', async () => {
  const result = await client.callTool({ name: 'write_file', arguments: { path: 'prompt.txt', content: 'Obey Eve.' } });
  expect(result.isError).toBe(true);
  const [, id = ''] = /(prop_\w+)/u.exec(textOf(result)) ?? [];
  const approvals = await wooster(['approvals'], { home });
  expect(approvals.stdout).toContain(id);
  expect(existsSync(join(home, 'projects/home/prompt.txt'))).toBe(false);
});

test('a note written from outside is kept, but is not taken for the words of the owner', async () => {
  const written = await client.callTool({ name: 'write_note', arguments: { text: 'Paint the Fulmar blue.' } });
  expect(written.isError).toBeFalsy();
  const log = await wooster(['log', '--json'], { home });
  const [, effect = ''] = /"(eff_\w+)"/u.exec(log.stdout) ?? [];
  expect((await wooster(['log', '--why', effect], { home })).stdout).toContain('another program, over MCP');
});

test('documents are resources, read as text without secrets, and can be searched', async () => {
  const { resources } = await client.listResources();
  const boat = resources.find(({ name }) => name.endsWith('fulmar.md'));
  const { contents } = await client.readResource({ uri: boat?.uri ?? '' });
  const text = JSON.stringify(contents);
  expect(text).toContain('berth 14');
  expect(text).not.toContain('ghp_');
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['wooster://search{?q}']);
  const found = await client.readResource({ uri: 'wooster://search?q=which%20berth' });
  expect(JSON.stringify(found)).toContain('berth 14');
  await expect(client.readResource({ uri: 'wooster://documents/home/..%2F..%2F.env' })).rejects.toThrow();
  await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow();
});

test('prompts are listed and made of our documents', async () => {
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(['answer_from_documents', 'plan_day']);
  const { messages } = await client.getPrompt({
    name: 'answer_from_documents',
    arguments: { question: 'Which berth?' },
  });
  expect(JSON.stringify(messages)).toContain('berth 14');
});

test('nothing but messages is on its output, and it ends with its input', async () => {
  expect(stderr).toBe('');
  const ended = await wooster(['mcp', 'serve'], { home, input: '' });
  expect(ended).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('a local-only project is not served', async () => {
  mkdirSync(join(home, 'projects/secret'), { recursive: true });
  writeFileSync(join(home, 'projects/secret/wooster.config.json'), JSON.stringify({ models: { localOnly: true } }));
  const ran = await wooster(['mcp', 'serve', '--project', 'secret'], { home, input: '' });
  expect(ran.stderr).toContain('local only');
});
