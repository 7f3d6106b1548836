/**
 * What plugins, servers of tools and memory cost: a start with each bundled plugin, a plugin in a process of its own,
 * what models are told of many tools, a calendar of 25 years, and finding a fact again. `npm run bench -- plugins [RUNS]`
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { declareTool } from '../src/agent/code/declare.ts';
import { nameTools } from '../src/agent/code/names.ts';
import { silentLog } from '../src/base/log.ts';
import { Redactor } from '../src/base/redact.ts';
import { estimateTokens } from '../src/base/text.ts';
import { STRANGER } from '../src/base/turn.ts';
import { createGateway } from '../src/net/gateway.ts';
import { Discovery } from '../src/plugins/mcp/discovery.ts';
import { McpHub } from '../src/plugins/mcp/hub.ts';
import { FactIndex } from '../src/plugins/memory/rank.ts';
import { resolvePluginImports } from '../src/plugins/open-plugin.ts';
import { Plugins } from '../src/plugins/plugins.ts';
import { FACTS } from '../src/testing/memory-facts.ts';
import { toSchema } from '../src/tools/signature.ts';
import type { ToolContext } from '../src/tools/tool.ts';
import { defineTool } from '../src/tools/tool.ts';
import type { Figure } from './harness/figure.ts';
import { report } from './harness/report.ts';
import { ROOT } from './harness/results.ts';
import { interleave, timed } from './harness/statistics.ts';

const WOOSTER = join(ROOT, 'bin/wooster');
const RUNS = Number(process.argv[2] ?? 7);
const CALLS = 100;
const PEERS = { everything: ['stdio'], filesystem: [tmpdir()], memory: [] };
const TURN = { id: 't', conversationId: 'c', text: '', origin: 'cli', project: 'home', mode: 'classic_tools' } as const;
const CONTEXT: ToolContext = {
  ...{ turn: TURN, signal: new AbortController().signal, log: silentLog, said: [], untrusted: false },
  ...{ now: () => new Date(), timeZone: 'UTC', voiceOf: () => STRANGER },
};
const nothing = () => undefined;
const GRANTS = {
  ...{ addModule: () => nothing, addFunction: () => nothing },
  ...{ registerProvider: nothing, registerPricing: nothing },
};
const dir = mkdtempSync(join(tmpdir(), 'wooster-bench-'));

/** The processor time of a command that starts all plugins, with one of them and with none. */
async function starts(): Promise<Figure[]> {
  const folder = join(dir, 'home', 'user-plugins', OWN);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.mjs'), "export default { name: 'own', version: '1', description: '' };");
  const names = [...readdirSync(join(ROOT, 'plugins')), OWN];
  const switchOf = (name: string) => `PLUGIN_${name.toUpperCase().replaceAll('-', '_')}_ENABLED`;
  const off = Object.fromEntries(names.map((name) => [switchOf(name), 'false']));
  const base = { PATH: process.env.PATH, HOME: dir, WOOSTER_HOME: join(dir, 'home'), ...MAIL, ...off };
  const cpu = (env: object) => {
    const measured = ['/dev/null', WOOSTER, 'ask', 'what is 2+2?'];
    const said = execFileSync('python3', [join(ROOT, 'scripts/measure.py'), ...measured], {
      encoding: 'utf8',
      env: { ...base, ...env },
    });
    return Number(said.trim().split(/\s+/u)[1]);
  };
  const ways = Object.fromEntries(names.map((name) => [name, () => cpu({ [switchOf(name)]: 'true' })]));
  const samples: Record<string, number[]> = await interleave({ none: () => cpu({}), ...ways }, { rounds: RUNS });
  const none = samples.none ?? [];
  const kind = { unit: 'ms', kind: 'cpu' } as const;
  return [
    { ...kind, what: 'a question, no plugin, CPU', samples: none },
    ...names.map((name) => {
      const added = (samples[name] ?? []).map((ms, round) => ms - (none[round] ?? 0));
      const what = `added by ${name === OWN ? 'one in user-plugins, with its watchdog' : name}, CPU`;
      return { ...kind, what, samples: added, must: 10 };
    }),
  ];
}

/** A plugin of the owner's, which runs in the program and is watched there. */
const OWN = 'own';

/** Without them the mail plugin does not start. */
const MAIL = { MAIL_USERNAME: 'a', MAIL_PASSWORD: 'not-a-password', MAIL_IMAP_HOST: '127.0.0.1' };

const CHILD = `import { definePlugin, defineTool, z } from '#plugin';
export default definePlugin({
  name: 'moon', version: '1.0.0', description: 'Says how full the moon is.',
  getAgentTools: () => [defineTool({
    name: 'moon.phase', description: 'Phase.', input: z.object({ day: z.int() }),
    policy: { effect: 'none', reads: 'public' }, provenance: { returns: 'trusted' }, execute: ({ day }) => ({ percent: day * 7 }),
  })],
});`;

/** A plugin of somebody else, from its first call to those that follow. */
async function ownProcess(): Promise<Figure[]> {
  const [homeDir, folder] = [join(dir, 'added'), join(dir, 'moon')];
  mkdirSync(folder);
  const about = { name: 'moon', version: '1.0.0', description: 'Moon.', type: 'module', main: 'index.js' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...about, wooster: { effects: ['none'] } }));
  writeFileSync(join(folder, 'index.js'), CHILD);
  const env = { ...process.env, WOOSTER_HOME: homeDir };
  execFileSync(WOOSTER, ['plugin', 'add', folder, '--yes'], { env, stdio: ['ignore', 2, 2] });
  const gateway = createGateway({ allowPrivate: [], log: silentLog });
  const [first, later]: [number[], number[]] = [[], []];
  for (let run = 0; run < RUNS; run++) {
    const plugins = await Plugins.load({
      ...{ oursDir: '/nowhere', theirsDir: undefined, addedDir: join(homeDir, 'state', 'plugins') },
      ...{ switchesFile: join(homeDir, 'state', 'plugins.json'), homeDir, timeZone: 'UTC', env: {}, config: {} },
      ...{ log: silentLog, redactor: new Redactor(), reserved: [], gateway, grants: GRANTS },
      foreign: { artifacts: { keep: async () => '' }, fetchFor: () => fetch },
    });
    const tool = plugins.tools().find(({ name }) => name === 'moon.phase');
    if (!tool) throw new Error('the plugin did not start');
    const call = () => tool.execute({ day: 3 }, CONTEXT);
    first.push(await timed(call));
    for (let n = 0; n < CALLS; n++) later.push(await timed(call));
    await plugins.shutdown();
  }
  await gateway.close();
  return [
    { what: 'first call of a plugin in its own process', unit: 'ms', samples: first },
    { what: 'a later call', unit: 'ms', samples: later, must: 1 },
  ];
}

/** The example servers of the MCP project, as scripts are told of them against their schemas. */
async function declarations(): Promise<Figure> {
  const homeDir = join(dir, 'servers');
  mkdirSync(homeDir);
  const entry = (name: string) => join(ROOT, `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`);
  const servers = Object.entries(PEERS).map(([name, words]) => [
    name,
    { command: process.execPath, args: [entry(name), ...words] },
  ]);
  writeFileSync(join(homeDir, 'mcp.json'), JSON.stringify({ mcpServers: Object.fromEntries(servers) }));
  const hub = new McpHub({
    ...{ homeDir, env: {}, log: silentLog, redactor: new Redactor(), artifacts: { keep: async () => '' } },
    fetchFor: () => fetch,
  });
  await hub.load();
  const problems = await hub.ask(60_000);
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  const tools = hub.tools().filter(({ server }) => server !== undefined);
  await hub.close();
  const size = (texts: readonly string[]) => texts.reduce((sum, text) => sum + text.length, 0);
  const declared = size(nameTools(tools).map((named) => declareTool(named)));
  const whole = tools.map(({ name, description, input, output }) => ({
    ...{ name, description, inputSchema: toSchema(input, 'input') },
    ...(output && { outputSchema: toSchema(output, 'output') }),
  }));
  const ratio = declared / size(whole.map((each) => JSON.stringify(each)));
  const note = `${tools.length} tools of ${servers.length} servers`;
  return { what: 'declarations, share of the JSON schemas', unit: 'ratio', samples: [ratio], must: 0.45, note };
}

function manyTools(): Figure {
  const discovery = new Discovery();
  const tools = discovery.of(
    Array.from({ length: 500 }, (_, n) =>
      defineTool({
        ...{ name: `hub${n % 2}.merge_shipment_${n}`, server: `hub${n % 2}`, description: `To merge shipment ${n}.` },
        policy: { effect: 'outbound', reads: 'private', network: true },
        provenance: { returns: 'untrusted' },
        timeoutMs: 1000,
        input: z.object({ id: z.string(), text: z.string().optional() }),
        execute: () => '',
      }),
    ),
  );
  const finder = tools.find(({ name }) => name === 'discover_tools')?.description ?? '';
  const tokens = estimateTokens([...discovery.lines(tools, TURN), finder].join('\n'));
  return { what: '500 tools of servers, in the prompt', unit: 'tokens', samples: [tokens], must: 600 };
}

/** A weekday's series of 25 years, all of it. */
async function calendar(): Promise<Figure> {
  const imports = resolvePluginImports();
  imports.allow(join(ROOT, 'plugins'));
  const { occurrencesOf } = await import('../src/rag/read/calendar-times.ts');
  const event = 'UID:x\r\nDTSTART;TZID=Europe/Berlin:20000103T090000\r\nRRULE:FREQ=WEEKLY\r\nSUMMARY:x';
  const text = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\n${event}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;
  const span = { from: new Date('2000-01-01T00:00:00Z'), to: new Date('2025-01-01T00:00:00Z') };
  const cpu = async () => {
    const before = process.cpuUsage();
    await occurrencesOf({ calendar: 'a', ref: 'a', text }, span, 'Europe/Berlin');
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  const { years } = await interleave({ years: cpu }, { rounds: RUNS });
  imports.deregister();
  return { what: 'a weekly event over 25 years, CPU', unit: 'ms', kind: 'cpu', samples: years, must: 100 };
}

async function facts(): Promise<Figure> {
  const index = new FactIndex(FACTS.map(([fact]) => fact));
  let found = 0;
  for (const [at, [, question]] of FACTS.entries()) {
    const first = (await index.search(question)).slice(0, 5);
    if (first.some((each) => each.index === at)) found += 1;
  }
  const note = `${found} of ${FACTS.length}`;
  return { what: 'facts, recall@5', unit: 'ratio', samples: [found / FACTS.length], must: 0.9, better: 'more', note };
}

try {
  report([
    ...(await starts()),
    ...(await ownProcess()),
    await declarations(),
    manyTools(),
    await calendar(),
    await facts(),
  ]);
} finally {
  rmSync(dir, { recursive: true, force: true });
}
