/**
 * What MCP costs: loading it, a call beside the SDK's own, and what hostile servers do to the event loop.
 * `npm run bench -- mcp`
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { silentLog } from '../src/base/log.ts';
import { Redactor } from '../src/base/redact.ts';
import { McpHub } from '../src/plugins/mcp/hub.ts';
import type { Figure } from './harness/figure.ts';
import { report } from './harness/report.ts';
import { interleave, timed } from './harness/statistics.ts';

const ROOT = resolve(import.meta.dirname, '..');
const EVERYTHING = join(ROOT, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const HOSTILE = join(ROOT, 'src/testing/hostile-mcp-child.ts');
const CALLS = 200;

const KINDS = [
  ...['noise on its output', 'bytes on its output', 'death in a call', 'no answer', 'wrong ids', 'two answers'],
  ...['a line of 10 MB', 'a line without end', 'a deep result', 'a result of many parts', 'a flood of progress'],
  ...['a flood of errors', 'a poisoned result', 'a slow pattern', 'an error as long as a book', '5000 tools'],
  ...['exponential references', 'a list that changes', 'endless pages', 'strange names', 'hidden characters'],
];

const [IMPORT_BAR_MS, CALL_BAR_MS, STALL_BAR_MS] = [150, 3, 100];

const figures: Figure[] = [];

async function hubWith(entry: object): Promise<{ hub: McpHub; dir: string }> {
  const dir = mkdtempSync(join(tmpdir(), 'wooster-mcp-'));
  writeFileSync(join(dir, 'mcp.json'), JSON.stringify({ mcpServers: { one: entry } }));
  const artifacts = { keep: async () => 'art_1' };
  const hub = new McpHub({
    homeDir: dir,
    env: {},
    log: silentLog,
    redactor: new Redactor(),
    artifacts,
    fetchFor: () => fetch,
  });
  await hub.load();
  return { hub, dir };
}

function importMs(): number[] {
  const code =
    "const t = performance.now(); await import('@modelcontextprotocol/client'); console.log(performance.now() - t)";
  return Array.from({ length: 5 }, () => {
    const before = "await import('zod');";
    const ran = spawnSync(process.execPath, ['--input-type=module', '-e', before + code], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    return Number(ran.stdout);
  });
}

async function compareCalls(): Promise<void> {
  const { hub, dir } = await hubWith({ command: process.execPath, args: [EVERYTHING, 'stdio'] });
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [EVERYTHING, 'stdio'], stderr: 'ignore' }),
  );
  await hub.ask(30_000);
  const server = hub.server('one');
  const input = { message: 'hello' };
  const options = { timeoutMs: 10_000, signal: new AbortController().signal };
  const { theirs, ours } = await interleave(
    {
      theirs: () => timed(() => client.callTool({ name: 'echo', arguments: input })),
      ours: () => timed(() => server?.call('echo', input, options)),
    },
    { rounds: CALLS, warm: 5 },
  );
  const added = ours.map((ms, call) => ms - (theirs[call] ?? 0));
  figures.push({ what: "a call, the SDK's own client and transport", unit: 'ms', samples: theirs });
  figures.push({
    what: 'a call here',
    unit: 'ms',
    samples: ours,
    against: "a call, the SDK's own client and transport",
  });
  figures.push({ what: 'added to a call', unit: 'ms', samples: added, must: CALL_BAR_MS });
  await client.close();
  await hub.close();
  rmSync(dir, { recursive: true });
}

/** The longest turn of the event loop, in processor time: what others do on this machine does not count. */
class Turns {
  longestMs = 0;
  #last = process.cpuUsage();
  #ended = false;

  watch(): void {
    const { user, system } = process.cpuUsage(this.#last);
    this.longestMs = Math.max(this.longestMs, (user + system) / 1000);
    this.#last = process.cpuUsage();
    if (!this.#ended) setImmediate(() => this.watch());
  }

  end(): void {
    this.#ended = true;
  }
}

async function stall(kind: string, turns: Turns): Promise<void> {
  const args = ['--disable-warning=ExperimentalWarning', HOSTILE, kind, '/dev/null'];
  const { hub, dir } = await hubWith({ command: process.execPath, args });
  turns.longestMs = 0;
  await hub.ask(5000);
  const options = { timeoutMs: 1500, signal: AbortSignal.timeout(3000) };
  await hub
    .server('one')
    ?.call('echo', { text: 'a' }, options)
    .catch(() => undefined);
  for (const tool of hub.tools().slice(0, 20)) tool.input.safeParse({ text: `${'a'.repeat(40)}!` });
  const started = performance.now();
  await hub.close();
  const stalled = { what: `stall: ${kind}`, unit: 'ms', kind: 'cpu' as const, samples: [turns.longestMs] };
  figures.push({ ...stalled, must: STALL_BAR_MS, note: `closed in ${(performance.now() - started).toFixed(0)} ms` });
  rmSync(dir, { recursive: true });
}

figures.push({ what: 'import of the client, zod loaded', unit: 'ms', samples: importMs(), must: IMPORT_BAR_MS });
await compareCalls();
const turns = new Turns();
turns.watch();
// The packages are loaded by now; what follows is the servers' doing.
for (const kind of KINDS) await stall(kind, turns);
turns.end();
report(figures);
