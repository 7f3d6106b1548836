import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { silentLog } from '../../base/log.ts';
import { Redactor } from '../../base/redact.ts';
import { createGateway } from '../../net/gateway.ts';
import { lastingFolder } from '../../testing/home.ts';
import { McpHub } from './hub.ts';

const EVERYTHING = join(
  import.meta.dirname,
  '../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);
const PORT = 20_000 + (process.pid % 20_000);
const folder = lastingFolder();
const gateway = createGateway({ allowPrivate: [], log: silentLog });
const child = spawn(process.execPath, [EVERYTHING, 'streamableHttp'], {
  env: { ...process.env, PORT: String(PORT) },
  stdio: ['ignore', 'ignore', 'pipe'],
});
let hub: McpHub;

beforeAll(async () => {
  await once(child.stderr, 'data');
  const mcpServers = {
    far: { type: 'http', url: `http://127.0.0.1:${PORT}/mcp`, headers: { Authorization: `Bearer \${FAR_TOKEN}` } },
    gone: { url: 'http://127.0.0.1:9/mcp' },
    unset: { url: `http://127.0.0.1:${PORT}/mcp`, headers: { 'X-Key': `\${NOT_SET_AT_ALL}` } },
  };
  writeFileSync(join(folder.dir, 'mcp.json'), JSON.stringify({ mcpServers }));
  hub = new McpHub({
    ...{ homeDir: folder.dir, env: { FAR_TOKEN: 'a-far-away-token' }, log: silentLog, redactor: new Redactor() },
    artifacts: { keep: async () => 'art_1' },
    fetchFor: (caller, origins) => gateway.fetchFor(caller, origins),
  });
  await hub.load();
});

afterAll(async () => {
  await hub.close();
  await gateway.close();
  child.kill();
  folder.remove();
});

test('a server elsewhere is reached by its own address alone, and the others are named with the reason', async () => {
  await vi.waitFor(
    async () => expect((await hub.ask(20_000)).map(({ name }) => name)).toEqual(['gone', 'unset']),
    20_000,
  );
  const problems = await hub.ask(20_000);
  expect(problems.find(({ name }) => name === 'unset')?.problem).toContain('NOT_SET_AT_ALL is not set');
  expect(problems.find(({ name }) => name === 'gone')?.problem).toContain('the MCP server gone is down');
  const far = hub.server('far');
  const sum = await far?.call('get-sum', { a: 1, b: 2 }, { timeoutMs: 20_000, signal: AbortSignal.timeout(20_000) });
  expect(JSON.stringify(sum?.content)).toContain('The sum of 1 and 2 is 3.');
  expect(hub.tools().some(({ name }) => name === 'far.get-sum')).toBe(true);
});
