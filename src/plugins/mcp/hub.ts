import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AssistantError, messageOf } from '../../base/errors.ts';
import type { Turn } from '../../base/turn.ts';
import { visibleLine } from '../../base/visible-characters.ts';
import type { Artifacts } from '../../tools/builtin/artifacts.ts';
import type { Tool } from '../../tools/tool.ts';
import type { Preparation } from '../definition.ts';
import type { ConnectDeps } from './connect.ts';
import { Discovery } from './discovery.ts';
import { LoginFile } from './login-file.ts';
import { idOf, mcpTool } from './mcp-tool.ts';
import { McpServer, type ServerDeps } from './server.ts';
import {
  type BadServer,
  type ReadServers,
  readServers,
  requireServerName,
  type ServerSettings,
} from './server-settings.ts';
import { SettingsFile } from './settings-file.ts';

export interface McpDeps extends ConnectDeps {
  readonly artifacts: Pick<Artifacts, 'keep'>;
  /** Why a file of the home must not be followed, if somebody else may have written it. */
  readonly whyNot?: ((path: string) => Promise<string | undefined>) | undefined;
  /** A host of many homes must not run one person's programs: only remote servers are used. */
  readonly remoteOnly?: boolean | undefined;
  readonly sample?: ServerDeps['sample'];
  /** Tells the person what a request has to do without. */
  readonly tell?: ((text: string) => void) | undefined;
}

/** One server as `wooster mcp list` and `doctor` show it. */
export interface McpStatus {
  readonly name: string;
  readonly state: 'off' | 'idle' | 'starting' | 'ready' | 'down' | 'bad';
  /** Why it is down, or what is wrong with its entry; empty if nothing is. */
  readonly detail: string;
  readonly tools: number;
  /** Names of the tools and prompts that are off, since the owner has not seen them as they are. */
  readonly changed: readonly string[];
}

/** How long a turn waits, once, for servers whose tools were never listed. */
const FIRST_LIST_MS = 4000;
/** Of what is held back, so many are named. */
const NAMED = 5;

/** All MCP servers of the home, and their tools. */
export class McpHub {
  /** `mcp.json`, for commands that change it. */
  readonly file: SettingsFile;
  readonly #deps: McpDeps;
  readonly #discovery = new Discovery();
  #servers: readonly McpServer[] = [];
  #settings: readonly ServerSettings[] = [];
  #bad: readonly BadServer[] = [];
  #tools: readonly Tool[] = [];
  /** Resolves when the tools match the catalogs. */
  #building: Promise<void> = Promise.resolve();
  /** Servers that a turn has already waited for. */
  readonly #awaited = new WeakSet<McpServer>();
  #closed = false;
  /** What the owner was told last of each server. */
  readonly #told = new Map<string, string>();
  /** Servers run in the background. */
  #started = false;

  constructor(deps: McpDeps) {
    this.#deps = deps;
    this.file = new SettingsFile(deps.homeDir);
  }

  /** Reload `mcp.json`; servers whose entry has not changed keep running. */
  async load(): Promise<void> {
    const { servers, bad } = await this.#read(this.file.path);
    this.#settings = servers;
    this.#bad = bad;
    const before = this.#servers;
    const wanted = servers.filter(
      ({ enabled, target }) => enabled && !(this.#deps.remoteOnly && target.kind === 'stdio'),
    );
    this.#servers = wanted.map(
      (settings) => before.find((each) => isSame(each.settings, settings)) ?? this.#make(settings),
    );
    const gone = before.filter((server) => !this.#servers.includes(server));
    await Promise.all(gone.map((server) => server.close()));
    if (this.#started) this.start();
    await this.#build();
  }

  /** The known tools of all servers; the same list until one changes. */
  tools(): readonly Tool[] {
    return this.#tools;
  }

  /** An enabled server. */
  server(name: string): McpServer | undefined {
    return this.#servers.find((server) => server.name === name);
  }

  /** @throws AssistantError `bad_usage` for a name that is not valid as a prefix of tool names. */
  requireName(name: string): void {
    requireServerName(name);
  }

  /** Accept what is new or has changed at a server, which the owner has reviewed. */
  async pin(name: string): Promise<void> {
    await this.server(name)?.catalog.pin();
    await this.#build();
  }

  /** Drop what is cached about a server, and the owner's login at it. */
  forget(name: string): void {
    rmSync(this.#catalogPath(name), { force: true });
    new LoginFile(this.#deps.homeDir, name, '').remove();
  }

  /**
   * Have the owner log in to a remote server.
   *
   * @param show  gets the URL that they open in their browser.
   * @throws AssistantError `bad_usage` for a server on this machine; Error that says why the login failed.
   */
  async logIn(name: string, show: (address: URL) => void, signal: AbortSignal): Promise<void> {
    const { logIn } = await import('./log-in.ts');
    await logIn(this.#remote(name), this.#deps, { show, signal });
    await this.#restart(name);
  }

  /** Log the owner out of a server. @returns whether there was a login. */
  async logOut(name: string): Promise<boolean> {
    this.#remote(name);
    const wasThere = new LoginFile(this.#deps.homeDir, name, '').remove();
    await this.#restart(name);
    return wasThere;
  }

  /** What a turn is told about undeclared tools. Waits a while for servers that were never asked. */
  async prepare(turn: Turn): Promise<Preparation> {
    const strange = this.#servers.filter((server) => !server.catalog.known && !this.#awaited.has(server));
    if (strange.length > 0) await this.#await(strange);
    await this.#building;
    return { context: this.#discovery.lines(this.#tools, turn) };
  }

  /** Late servers are still asked in the background; a later turn has their tools and does not wait again. */
  async #await(servers: readonly McpServer[]): Promise<void> {
    for (const server of servers) this.#awaited.add(server);
    for (const { name, problem } of await this.ask(FIRST_LIST_MS, servers))
      this.#deps.tell?.(
        `This request goes without the tools of an MCP server (${name}: ${problem}); see wooster mcp test ${name}.`,
      );
  }

  /** Start every server in the background. */
  start(): void {
    this.#started = true;
    for (const server of this.#servers) server.keepUp();
  }

  /** List the tools of servers. @returns why each of the others did not answer in time. */
  async ask(limitMs: number, servers = this.#servers): Promise<readonly BadServer[]> {
    const problems = await Promise.all(
      servers.map(async (server) => {
        const why = await within(limitMs, server.refresh());
        return why === undefined ? [] : [{ name: server.name, problem: why }];
      }),
    );
    await this.#building;
    return problems.flat();
  }

  status(): McpStatus[] {
    const bad = this.#bad.map(({ name, problem }) => ({ ...NOTHING, name, state: 'bad' as const, detail: problem }));
    const known = this.#settings.map(({ name }): McpStatus => {
      const server = this.#servers.find((each) => each.name === name);
      if (!server) return { ...NOTHING, name, state: 'off' };
      const { state, problem, catalog } = server;
      const changed = heldBack(server);
      const detail = state === 'down' ? (problem ?? '') : '';
      return { name, state, detail, tools: catalog.tools.length, changed };
    });
    return [...known, ...bad];
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#servers.map((server) => server.close()));
  }

  /** @throws AssistantError `bad_usage`. */
  #remote(name: string): ServerSettings {
    this.file.entry(name);
    const settings = this.#settings.find((each) => each.name === name);
    if (settings?.target.kind === 'http') return settings;
    const hint = 'Only servers with a url are logged in to; see "wooster mcp list".';
    throw new AssistantError('bad_usage', `The MCP server ${name} has no login.`, { hint });
  }

  async #restart(name: string): Promise<void> {
    const old = this.server(name);
    this.#servers = this.#servers.filter((server) => server !== old);
    await old?.close();
    await this.load();
  }

  async #read(path: string): Promise<ReadServers> {
    if (!existsSync(path)) return { servers: [], bad: [] };
    try {
      const why = await this.#deps.whyNot?.(path);
      if (why !== undefined) throw new Error(`it is not followed, because ${why}; wooster trust ${path}`);
      return readServers(readFileSync(path, 'utf8'));
    } catch (error) {
      this.#deps.log.warn('mcp.json is not used', { error: messageOf(error) });
      return { servers: [], bad: [{ name: 'mcp.json', problem: messageOf(error) }] };
    }
  }

  #make(settings: ServerSettings): McpServer {
    return new McpServer(settings, {
      ...this.#deps,
      catalogPath: this.#catalogPath(settings.name),
      changed: () => void this.#build().then(() => this.#tellHeldBack(settings.name)),
    });
  }

  /** Once for each list: turns go on without what it holds back. */
  #tellHeldBack(name: string): void {
    const server = this.server(name);
    const held = server ? heldBack(server) : [];
    const told = held.join();
    if (this.#told.get(name) === told) return;
    this.#told.set(name, told);
    if (held.length === 0) return;
    const names = held.slice(0, NAMED).map((each) => visibleLine(each));
    const more = held.length > NAMED ? ` and ${held.length - NAMED} more` : '';
    const what = `${names.join(', ')}${more} ${held.length === 1 ? 'is' : 'are'} new or changed`;
    this.#deps.tell?.(`The MCP server ${name}: ${what}, and off until you have looked: wooster mcp enable ${name}`);
  }

  #catalogPath(name: string): string {
    return join(this.#deps.homeDir, 'state', 'mcp', `${name}.json`);
  }

  /** One at a time, so that the newest list wins. */
  #build(): Promise<void> {
    this.#building = this.#building
      .then(() => this.#buildNow())
      .catch((error: unknown) => {
        this.#deps.log.error('mcp tools', { error: messageOf(error) });
      });
    return this.#building;
  }

  async #buildNow(): Promise<void> {
    if (this.#closed) return;
    const { artifacts } = this.#deps;
    const tools: Tool[] = [];
    for (const server of this.#servers)
      for (const listed of server.catalog.tools) {
        if (!isWanted(server.settings, listed.name)) continue;
        // One at a time: hundreds of schemas take a while, so the event loop gets a break in between.
        tools.push(
          await mcpTool(server, listed, { artifacts, offered: (id, turn) => this.#discovery.isOffered(id, turn) }),
        );
        if (tools.length % 20 === 0) await new Promise(setImmediate);
      }
    this.#tools = this.#discovery.of(tools);
  }
}

const NOTHING = { detail: '', tools: 0, changed: [] };

function heldBack({ catalog }: McpServer): string[] {
  return [...catalog.changed, ...catalog.changedPrompts].map(({ now }) => now.name);
}

/** By its own name or by ours. */
function isWanted({ name, allow, deny }: ServerSettings, tool: string): boolean {
  const names = [tool, idOf(name, tool)];
  const isIn = (list: readonly string[]) => names.some((each) => list.includes(each));
  return !isIn(deny) && (allow === undefined || isIn(allow));
}

function isSame(a: ServerSettings, b: ServerSettings): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** @returns why it failed; work that takes longer continues in the background. */
async function within(limitMs: number, work: Promise<void>): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no answer within ${limitMs / 1000} seconds`), limitMs);
  });
  try {
    return await Promise.race([work.then(() => undefined, messageOf), late]);
  } finally {
    clearTimeout(timer);
  }
}
