import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { AssistantError } from '../../base/errors.ts';
import { counted } from '../../base/text.ts';
import { visibleLine } from '../../base/visible-characters.ts';
import type { McpHub, McpStatus } from '../../plugins/mcp/hub.ts';
import type { Command, CommandCall } from '../command.ts';
import { badUsage, isYes, textFlag } from '../flags.ts';
import { allLines, changeLines, promptChange } from '../mcp-texts.ts';
import { formOf } from '../own-words.ts';

type Form = (call: CommandCall, rest: readonly string[]) => Promise<number>;

const serve: Form = async (call) => (await import('./mcp-serve.ts')).serveMcp(call);

/** Loaded when they are used. */
const more = (name: 'importServers' | 'resources' | 'prompt' | 'login' | 'logout'): Form => {
  return async (call, rest) => (await import('./mcp-more.ts'))[name](call, rest);
};

const FORMS: Readonly<Record<string, Form>> = {
  ...{ list, add, enable, disable, test, remove, serve },
  ...{ import: more('importServers'), resources: more('resources'), prompt: more('prompt') },
  ...{ login: more('login'), logout: more('logout') },
};

/**
 * The MCP servers of the home, kept in its `mcp.json`. Rows: `{name, state, detail, tools, changed}` of `McpStatus`;
 * `test` gives `{name, ms, tools, prompts}`.
 */
export const mcp: Command = {
  name: 'mcp',
  summary: 'Connect MCP servers, whose tools become tools here',
  group: 'Tools and approvals',
  usage: [
    'mcp [list]',
    'mcp add NAME [--env K=V]... -- COMMAND ARGS     a server on this machine',
    'mcp add NAME --url URL [--header K=V]...        a server elsewhere',
    'mcp enable NAME [--yes]         also takes over what has changed in its tools, after showing it',
    'mcp disable|test|remove NAME',
    'mcp import [FILE]               what other programs have, off until enabled',
    'mcp login|logout NAME           to a server elsewhere, in your browser',
    'mcp resources NAME              "wooster ingest mcp:NAME/URI" adds one to the documents',
    'mcp prompt NAME PROMPT [K=V]... also /NAME:PROMPT',
    'mcp serve                       for another program, over standard input and output',
  ],
  examples: [
    'mcp add files -- npx -y @modelcontextprotocol/server-filesystem ~/Documents',
    'mcp add tickets --url https://example.org/mcp',
    'mcp test files',
  ],
  flags: {
    env: { type: 'string', multiple: true },
    url: { type: 'string' },
    header: { type: 'string', multiple: true },
  },
  async run(call) {
    const [verb = 'list', ...rest] = call.args;
    return formOf(mcp, FORMS, verb)(call, rest);
  },
};

async function list({ app, out }: CommandCall): Promise<number> {
  const hub = await app.tools.mcp.hub();
  for (const status of hub.status()) out.show(status, statusLine(status));
  if (hub.status().length === 0) out.line('There are no MCP servers. "wooster mcp add NAME -- COMMAND" adds one.');
  return 0;
}

function statusLine({ name, state, detail, tools, changed }: McpStatus): string {
  const about = detail === '' ? (state === 'off' ? '' : counted(tools, 'tool')) : visibleLine(detail);
  const off = changed.length === 0 ? '' : `; new or changed, and off: ${changed.map(visibleLine).join(', ')}`;
  const shown = state === 'idle' || state === 'ready' ? 'on' : state;
  return `${shown.padEnd(8)}  ${name.padEnd(16)}  ${about}${off}`;
}

async function add(call: CommandCall, [name = '', ...command]: readonly string[]): Promise<number> {
  const { app, out, flags } = call;
  const hub = await app.tools.mcp.hub();
  const entry = entryOf(call, hub, name, command);
  if (Object.hasOwn(hub.file.entries(), name)) {
    throw badUsage(`There is an MCP server ${name} already.`, `"wooster mcp remove ${name}" makes room for another.`);
  }
  await hub.file.put(name, entry);
  await hub.load();
  const where = textFlag(flags, 'url') ?? command.join(' ');
  out.line(`${name} is added and on: ${visibleLine(where)}. It is in ${hub.file.path}.`);
  const code = await test(call, [name]);
  const server = hub.server(name);
  for (const line of server ? allLines(server.catalog) : []) out.line(line);
  return code === 0 ? agreed(call, name) : code;
}

/** Whoever sees what a model will be told may think better of it. Where nobody can be asked, the command is the yes. */
async function agreed({ app, out, session }: CommandCall, name: string): Promise<number> {
  const answer = session.yes ? undefined : await out.ask(`Use ${name}, whose texts a model will read? [Y/n] `);
  if (answer === undefined || !/^\s*n/iu.test(answer)) return 0;
  const hub = await app.tools.mcp.hub();
  await hub.file.enable(name, false);
  await hub.load();
  out.note(`${name} is off; "wooster mcp enable ${name}" switches it on.`);
  return 1;
}

/** The entry as `mcp.json` will have it. @throws AssistantError `bad_usage`. */
function entryOf({ flags }: CommandCall, hub: McpHub, name: string, command: readonly string[]) {
  hub.requireName(name);
  const url = textFlag(flags, 'url');
  if ((url === undefined) === (command.length === 0)) {
    throw badUsage('Give either a command or --url.', `Usage: ${mcp.usage.join('\n')}`);
  }
  if (url !== undefined) {
    const headers = hub.file.namedSecrets(name, pairs(flags.header, '--header'));
    return { type: 'http', url, ...(Object.keys(headers).length > 0 ? { headers } : {}) };
  }
  const env = hub.file.namedSecrets(name, pairs(flags.env, '--env'));
  const [program = '', ...args] = command;
  // A relative path only works in this folder.
  const isFromHere = command.some((word) => !isAbsolute(word) && /[/.]/u.test(word) && existsSync(resolve(word)));
  return {
    command: program,
    args,
    ...(Object.keys(env).length > 0 ? { env } : {}),
    ...(isFromHere ? { cwd: process.cwd() } : {}),
  };
}

/** `K=V`; a name alone takes the variable of that name. */
function pairs(given: unknown, flag: string): Record<string, string> {
  const words = Array.isArray(given) ? given.map(String) : [];
  return Object.fromEntries(
    words.map((word) => {
      const [, key, value] = /^([\w-]+)\s*(?:[=:]\s*(.*))?$/su.exec(word) ?? [];
      if (key === undefined) throw badUsage(`"${flag} ${word}" is not valid.`, `Write ${flag} NAME=VALUE.`);
      return [key, value ?? `\${${key}}`];
    }),
  );
}

async function enable(call: CommandCall, [name = '']: readonly string[]): Promise<number> {
  const { app, out, session } = call;
  const hub = await app.tools.mcp.hub();
  await hub.file.enable(name, true);
  await hub.load();
  const code = await test(call, [name]);
  const { changed = [], changedPrompts = [] } = hub.server(name)?.catalog ?? {};
  const count = changed.length + changedPrompts.length;
  if (code !== 0 || count === 0) return code;
  for (const line of [...changed.flatMap((each) => changeLines(name, each)), ...changedPrompts.flatMap(promptChange)])
    out.line(line);
  const what = counted(count, 'new or changed tool or prompt', 'new or changed tools and prompts');
  if (!session.yes && !isYes(await out.ask(`Use ${what}? [y/N] `))) {
    out.note('They stay off.');
    return 1;
  }
  await hub.pin(name);
  out.line('They are on.');
  return 0;
}

async function disable({ app, out }: CommandCall, [name = '']: readonly string[]): Promise<number> {
  const hub = await app.tools.mcp.hub();
  await hub.file.enable(name, false);
  await hub.load();
  out.show({ name, state: 'off' }, `${name} is off.`);
  return 0;
}

async function test({ app, out }: CommandCall, [name = '']: readonly string[]): Promise<number> {
  const hub = await app.tools.mcp.hub();
  hub.file.entry(name);
  const server = hub.server(name);
  if (!server) {
    const [status] = hub.status().filter((each) => each.name === name);
    throw new AssistantError('bad_usage', `The MCP server ${name} is not on. ${status?.detail ?? ''}`.trim(), {
      hint: `"wooster mcp enable ${name}" switches it on.`,
    });
  }
  const started = performance.now();
  const [problem] = await hub.ask(TEST_MS, [server]);
  const ms = Math.round(performance.now() - started);
  if (problem)
    throw new AssistantError('plugin_broken', `${visibleLine(problem.problem)}.`, { hint: 'logs/ has what it wrote.' });
  const { tools, prompts } = server.catalog;
  const changed = hub.status().find((each) => each.name === name)?.changed ?? [];
  const names = { tools: tools.map((tool) => tool.name), prompts: prompts.map((prompt) => prompt.name) };
  out.row({ name, ms, ...names, changed });
  out.line(`${name} answers after ${ms} ms: ${counted(tools.length, 'tool')}, ${counted(prompts.length, 'prompt')}.`);
  if (tools.length > 0) out.line(`  ${names.tools.map(visibleLine).join(', ')}`);
  if (changed.length > 0) out.line(`  new or changed, and off: ${changed.map(visibleLine).join(', ')}`);
  return 0;
}

const TEST_MS = 15_000;

async function remove({ app, out }: CommandCall, [name = '']: readonly string[]): Promise<number> {
  const hub = await app.tools.mcp.hub();
  await hub.file.remove(name);
  hub.forget(name);
  await hub.load();
  out.show({ removed: name }, `${name} is removed.`);
  return 0;
}
