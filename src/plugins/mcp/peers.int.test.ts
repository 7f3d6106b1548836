import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { declareTool } from '../../agent/code/declare.ts';
import { nameTools } from '../../agent/code/names.ts';
import { silentLog } from '../../base/log.ts';
import { Redactor } from '../../base/redact.ts';
import { lastingFolder } from '../../testing/home.ts';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { McpHub } from './hub.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** The official example servers. */
export function official(name: string): string {
  return join(ROOT, 'node_modules/@modelcontextprotocol', `server-${name}`, 'dist/index.js');
}

const folder = lastingFolder();
const kept: unknown[] = [];
const files = join(folder.dir, 'files');
let hub: McpHub;

beforeAll(async () => {
  mkdirSync(files);
  writeFileSync(join(files, 'boat.txt'), 'The boat is called Fulmar.');
  const node = { command: process.execPath };
  const mcpServers = {
    everything: { ...node, args: [official('everything'), 'stdio'], env: { ACCESS_TOKEN: `\${THEIR_TOKEN}` } },
    files: { ...node, args: [official('filesystem'), files], effects: { read_text_file: 'none' } },
    memory: { ...node, args: [official('memory')], env: { MEMORY_FILE_PATH: join(folder.dir, 'memory.json') } },
    writer: { ...node, args: [official('everything'), 'stdio'], sampling: true, allow: ['trigger-sampling-request'] },
    off: { ...node, args: ['nowhere'], disabled: true },
  };
  writeFileSync(join(folder.dir, 'mcp.json'), JSON.stringify({ mcpServers }));
  hub = new McpHub({
    ...{ homeDir: folder.dir, env: { THEIR_TOKEN: 'quite-secret-12345' }, log: silentLog, redactor },
    artifacts: {
      keep: async (_owner, data) => {
        kept.push(data);
        return 'art_7';
      },
    },
    fetchFor: () => fetch,
    sample: async ({ messages }) => ({ text: `About: ${messages[0]?.text}`, model: 'ours' }),
  });
  await hub.load();
  expect(await hub.ask(30_000)).toEqual([]);
});

const redactor = new Redactor();

afterAll(async () => {
  await hub.close();
  folder.remove();
});

const yes = { approve: async () => ({ verdict: 'once', by: 'test' }) as const };

async function call(name: string, input: unknown, { read, ...more }: Readonly<Record<string, unknown>> = yes) {
  const scope = await testScope();
  if (read) await scope.labels.read({ untrusted: true, private: true }, 'a letter');
  Object.assign(scope.context, more);
  return testToolbox(hub.tools(), scope).call(name, input, scope);
}

describe('the official servers', () => {
  test('give their tools, called by server and name', () => {
    const names = hub.tools().map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['everything.get-sum', 'files.read_text_file', 'memory.read_graph']));
    expect(hub.status().map(({ name, state }) => [name, state])).toEqual([
      ['everything', 'ready'],
      ['files', 'ready'],
      ['memory', 'ready'],
      ['writer', 'ready'],
      ['off', 'off'],
    ]);
  });

  test('a call gives its structured result, else its text', async () => {
    expect(await call('everything.get-sum', { a: 2, b: 40 })).toMatchObject({ value: 'The sum of 2 and 40 is 42.' });
    const weather = await call('everything_get-structured-content', { location: 'Chicago' });
    expect(weather).toMatchObject({
      ok: true,
      value: { conditions: expect.any(String), temperature: expect.any(Number) },
    });
  });

  test('a picture becomes an artifact', async () => {
    const result = await call('everything.get-tiny-image', {});
    expect(result).toMatchObject({
      ok: true,
      value: expect.stringContaining('[image image/png, kept as artifact art_7]'),
    });
    expect(kept).toMatchObject([{ mimeType: 'image/png', base64: expect.any(String) }]);
  });

  test('bad arguments are refused here, with the server and the field; a failure there is told', async () => {
    const bad = await call('everything.get-sum', { a: 'two', b: 1 });
    expect(bad).toMatchObject({
      ok: false,
      reason: 'invalid_input',
      error: expect.stringMatching(/MCP server everything.*a:/u),
    });
    const failed = await call('files.read_text_file', { path: join(files, 'none.txt') });
    expect(failed).toMatchObject({ ok: false, reason: 'failed', error: expect.stringContaining('ENOENT') });
  });

  test('a tool may carry things anywhere, whatever its server says of it; its owner may say that it only reads', async () => {
    const toolOf = (name: string) => hub.tools().find((tool) => tool.name === name);
    const cautious = {
      policy: { effect: 'outbound', network: true },
    };
    expect(toolOf('everything.get-env')).toMatchObject(cautious);
    expect(toolOf('files.read_text_file')).toMatchObject({
      ...cautious,
      policy: { ...cautious.policy, effect: 'none' },
    });
    const nobody = { approve: async () => ({ verdict: 'denied', by: 'test' }) as const };
    expect(await call('everything.echo', { message: 'a' }, nobody)).toMatchObject({ ok: true });
    const both = { ...nobody, read: true };
    expect(await call('everything.echo', { message: 'a' }, both)).toMatchObject({ ok: false, reason: 'denied' });
    expect(await call('files.read_text_file', { path: join(files, 'boat.txt') }, nobody)).toMatchObject({
      value: { content: 'The boat is called Fulmar.' },
    });
  });

  test('a server knows little of our environment, and what it says of its secrets is not repeated', async () => {
    process.env.NOT_FOR_SERVERS = 'private';
    const result = await call('everything.get-env', {});
    const seen = JSON.parse((result as { text: string }).text) as Record<string, string>;
    const usual = ['ACCESS_TOKEN', 'HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'];
    expect(Object.keys(seen).filter((name) => !usual.includes(name))).toEqual([]);
    expect(redactor.redact('quite-secret-12345')).toBe('[secret]');
    expect(JSON.stringify(seen)).not.toContain('quite-secret');
  });

  test('progress is told, and a cancelled call ends at once', async () => {
    const told: string[] = [];
    await call(
      'everything.trigger-long-running-operation',
      { duration: 0.4, steps: 2 },
      { ...yes, doing: (text: string) => told.push(text) },
    );
    expect(told).toContain('everything.trigger-long-running-operation: 50 %');
    const stop = new AbortController();
    const result = call(
      'everything.trigger-long-running-operation',
      { duration: 60, steps: 2 },
      { ...yes, signal: stop.signal, doing: () => stop.abort() },
    );
    expect(await result).toMatchObject({ ok: false, reason: 'aborted' });
  });

  test('a server may have texts written only where its owner says so', async () => {
    const names = hub.tools().map(({ name }) => name);
    expect(names).not.toContain('everything.trigger-sampling-request');
    const result = await call('writer.trigger-sampling-request', { prompt: 'sails', maxTokens: 100 });
    expect(result).toMatchObject({ ok: true, text: expect.stringContaining('About: ') });
  });

  test('a form is shown to the person who waits, and to nobody else', async () => {
    const questions: string[] = [];
    const ask = async (question: string) => {
      questions.push(question);
      return question.includes('Answer it?') ? 'yes' : question.includes('name') ? 'Ada' : '';
    };
    const filled = await call('everything.trigger-elicitation-request', {}, { ...yes, ask });
    expect(filled).toMatchObject({ ok: true, text: expect.stringContaining('Ada') });
    expect(questions[0]).toContain('The MCP server everything asks:');
    const refused = await call('everything.trigger-elicitation-request', {}, { ...yes, ask: async () => 'no' });
    expect(refused).toMatchObject({ ok: true, text: expect.stringMatching(/declin/iu) });
    const nobody = await call('everything.trigger-elicitation-request', {});
    expect(nobody).toMatchObject({ ok: true, text: expect.stringMatching(/cancel/iu) });
  });

  test('a server that is killed is down, says why, and is started again by the next call', async () => {
    const memory = hub.server('memory');
    const { pid = 0 } = (await memory?.link()) ?? {};
    process.kill(pid, 'SIGKILL');
    await vi.waitUntil(() => memory?.state === 'down');
    expect(hub.status().find(({ name }) => name === 'memory')?.detail).toContain('it was ended by SIGKILL');
    expect(await call('memory.read_graph', {})).toMatchObject({ ok: true, value: { entities: [] } });
    expect((await memory?.link())?.pid).not.toBe(pid);
  });

  test('declared with their words in code mode, all take less than half the size of their schemas', () => {
    const tools = hub.tools().filter(({ server }) => server !== 'writer');
    const lines = nameTools(tools).map((named) => declareTool(named));
    const { catalog } = hub.server('everything') ?? {};
    const all = ['everything', 'files', 'memory'].flatMap((name) => hub.server(name)?.catalog.tools ?? []);
    expect(catalog?.tools.length).toBeGreaterThan(5);
    const json = JSON.stringify(
      all.map(({ name, description, inputSchema, outputSchema }) => ({ name, description, inputSchema, outputSchema })),
    );
    expect(lines.join('\n').length / json.length).toBeLessThan(0.45);
  });
});
