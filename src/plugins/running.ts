import { join } from 'node:path';
import type { Cage } from '../base/cage.ts';
import { AssistantError } from '../base/errors.ts';
import type { Example } from '../base/examples.ts';
import { isRecord } from '../base/json.ts';
import type { Log } from '../base/log.ts';
import type { Redactor } from '../base/redact.ts';
import { namedBy, type Reach } from '../net/reach.ts';
import type { Gateway } from '../net/types.ts';
import { NameRefused } from '../sandbox/script-extensions.ts';
import type { Tool, ToolContext } from '../tools/tool.ts';
import type { Plugin, PluginHost, ScheduledTask } from './definition.ts';
import { type Guarded, runGuarded } from './guard.ts';
import { type FileKeeper, keepingFiles } from './kept-files.ts';
import { isLegacy } from './legacy.ts';
import { checkEffects, checkFolders, type Manifest, reachOf, readManifest } from './manifest.ts';
import { adaptSchema } from './schema/schema.ts';
import { adaptTools } from './tool-forms.ts';
import { within } from './within.ts';

/** Time limit of each method that is called once. */
const START_LIMIT_MS = 10_000;

/** Variables with such a name are secrets: the redactor learns their values before the plugin does. */
const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD|WEBHOOK/u;

/** What starting a plugin needs. */
export interface StartDeps {
  readonly homeDir: string;
  readonly timeZone: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
  readonly redactor: Redactor;
  readonly gateway: Pick<Gateway, 'fetchWithin' | 'dial'>;
  readonly grants: Grants;
  /** Where the folders of the projects are; absent: in the home. */
  readonly projectsDir?: string | undefined;
  /** Saves versions of what tools replace; absent: none are saved. */
  readonly fileKeeper?: FileKeeper | undefined;
}

/** The methods of `PluginHost` that other modules provide; what they added can be taken away again. */
export interface Grants extends Pick<PluginHost, 'registerProvider' | 'registerPricing'> {
  addModule(name: string, source: string): () => void;
  /** @throws NameRefused when no function can have the name. */
  addFunction(name: string, run: (...args: unknown[]) => unknown): () => void;
}

/** One start: what the others offer, what its package says, and who is told when it misbehaves. */
export interface Start {
  readonly services: FindServices;
  /** What people say for its tools. */
  readonly examples?: readonly Example[] | undefined;
  /** From its package.json, where it overrides what the code says. */
  readonly declared?: Manifest | undefined;
  /** Absent: its code is trusted in this process, like ours. */
  readonly guarded?: Guarded | undefined;
}

/** Which services the other plugins offer now. */
export type FindServices = (name: string) => readonly unknown[];

/** A plugin that has started. Its own code runs inside `call` alone. */
export interface Running {
  readonly plugin: Plugin;
  readonly manifest: Manifest;
  readonly tools: readonly Tool[];
  readonly tasks: readonly ScheduledTask[];
  readonly services: Readonly<Record<string, unknown>>;
  /** Why functions that it adds are not there. */
  readonly refused: readonly string[];
  /** Run code of the plugin with a time limit. @throws Error its own, or that it timed out. */
  call<T>(limitMs: number, work: () => T | Promise<T>): Promise<T>;
  /** Its tools for one turn, checked like its permanent ones. */
  adapt(tools: unknown): Promise<Tool[]>;
  /** Shut it down and take away what it added. @throws Error of its `shutdown`. */
  stop(): Promise<void>;
}

/**
 * Start one plugin: check its settings and manifest, initialize it, read what it offers.
 *
 * @param section its own section of the config files.
 * @throws Error why it cannot start, without its name.
 */
export async function startPlugin(
  plugin: Plugin,
  section: Readonly<Record<string, unknown>>,
  { services, declared, guarded, examples = [], ...deps }: StartDeps & Start,
): Promise<Running> {
  const manifest = declared ?? readManifest(plugin);
  const added: (() => void)[] = [];
  const refused: string[] = [];
  const env = grantEnv(plugin, deps);
  const settings = await readSettings(plugin, section);
  const reach = reachOf(manifest, { ...(isRecord(settings) ? settings : {}), ...env });
  const host: PluginHost = {
    ...{ env, settings, config: { ...section, ...foldersOf(deps) }, log: deps.log, timeZone: deps.timeZone },
    versioned: (path) => deps.fileKeeper?.versioned(path) ?? false,
    fetch: deps.gateway.fetchWithin(plugin.name, reach),
    dial: (host, port, options) => deps.gateway.dial(plugin.name, reach, { ...options, host, port }),
    service: (name) => services(name)[0] as never,
    services: (name) => services(name) as never,
    ...deps.grants,
    addModule: (name, source) => void added.push(deps.grants.addModule(name, source)),
    addFunction: (name, run) => {
      if (typeof run !== 'function') throw new TypeError(`what "${name}" is to run is not a function`);
      const add = () => deps.grants.addFunction(name, (...args) => inside(() => run(...args)));
      added.push(unlessRefused(add, refused));
    },
  };
  const inside = await insideOf(plugin, { manifest, guarded, fetch: host.fetch });
  const call = <T>(limitMs: number, work: () => T | Promise<T>) => within(limitMs, async () => inside(work));
  const adapt = async (raw: unknown) => {
    const tools = await adaptTools(raw, { name: plugin.name, legacy: isLegacy(plugin) });
    checkEffects(tools, manifest);
    return tools.map((tool) =>
      guardedTool(tool, { manifest, reach, home: deps.homeDir, inside, fileKeeper: deps.fileKeeper }),
    );
  };
  const takeAway = () => {
    for (const remove of added.splice(0)) remove();
  };
  const stop = async () => {
    takeAway();
    await call(START_LIMIT_MS, () => plugin.shutdown?.());
  };
  try {
    await call(START_LIMIT_MS, () => plugin.initialize?.(host));
    const own = await adapt(await call(START_LIMIT_MS, () => plugin.getAgentTools?.()));
    const tools = own.map((tool) => withExamples(tool, examples));
    const tasks = (await call(START_LIMIT_MS, () => plugin.getScheduledTaskSetups?.())) ?? [];
    const offered = (await call(START_LIMIT_MS, () => plugin.getServices?.())) ?? {};
    return {
      ...{ plugin, manifest, tools, services: servicesOf(plugin, offered), refused, call, adapt, stop },
      tasks: tasks.map((task) => ({
        ...task,
        run: (payload, signal) => inside(async () => task.run(payload, signal)),
      })),
    };
  } catch (error) {
    takeAway();
    throw error;
  }
}

/** Another plugin may have come first: what else this one does is not lost by it. */
function unlessRefused(add: () => () => void, refused: string[]): () => void {
  try {
    return add();
  } catch (error) {
    if (!(error instanceof NameRefused)) throw error;
    refused.push(error.message);
    return () => {};
  }
}

/** Those that its author gave it in code come first. */
function withExamples(tool: Tool, examples: readonly Example[]): Tool {
  const given = examples.filter((example) => example.tool === tool.name);
  if (given.length === 0) return tool;
  return {
    ...tool,
    presentation: { ...tool.presentation, examples: [...(tool.presentation.examples ?? []), ...given] },
  };
}

/** Runs a plugin's code with its manifest enforced. */
type Inside = <T>(work: () => T) => T | Promise<Awaited<T>>;

/** A plugin that declares its hosts reaches no others, whichever HTTP client it uses. */
async function insideOf(
  { name }: Plugin,
  { manifest, guarded, fetch }: { manifest: Manifest; guarded: Guarded | undefined; fetch: PluginHost['fetch'] },
): Promise<Inside> {
  const watched: Inside = (work) => {
    if (!guarded) return work();
    return guarded.watch ? guarded.watch(() => runGuarded(guarded, work)) : runGuarded(guarded, work);
  };
  if (manifest.hosts === undefined) return watched;
  const { runCaged } = await import('../net/cage.ts');
  const refusal = () => refused(`The plugin ${name} opened a connection of its own.`, 'Use host.fetch or host.dial.');
  const cage: Cage = { fetch, refusal };
  return (work) => runCaged(cage, () => watched(work));
}

interface Bounds {
  readonly manifest: Manifest;
  readonly reach: Reach;
  readonly home: string;
  readonly inside: Inside;
  readonly fileKeeper: FileKeeper | undefined;
}

/** The same tool, restricted to its plugin's manifest. */
function guardedTool(tool: Tool, { manifest, reach, home, inside, fileKeeper }: Bounds): Tool {
  const execute = async (input: unknown, context: ToolContext) => {
    await checkFolders(tool, { input, context }, manifest, home);
    const url = manifest.hosts === undefined ? null : URL.parse(tool.policy.destination?.(input) ?? '');
    if (url && !namedBy(reach, url)) {
      throw refused(`${url.host} is not among the hosts of this plugin.`, 'Name it in the "hosts" of the plugin.');
    }
    const run = () => inside(() => tool.execute(input, context));
    return fileKeeper && tool.policy.effect === 'local' ? keepingFiles(fileKeeper, context, run) : run();
  };
  return { ...tool, execute };
}

/** For files that a plugin manages itself. */
function foldersOf({ homeDir, projectsDir }: StartDeps): { readonly home: string; readonly projects: string } {
  return { home: homeDir, projects: projectsDir ?? join(homeDir, 'projects') };
}

function refused(message: string, hint: string): AssistantError {
  return new AssistantError('egress_refused', message, { hint });
}

/** @throws TypeError for a service that `provides` does not list. */
function servicesOf(plugin: Plugin, offered: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const strange = Object.keys(offered).find((name) => !isLegacy(plugin) && !plugin.provides?.includes(name));
  if (strange !== undefined) throw new TypeError(`its "provides" does not name the service "${strange}"`);
  return offered;
}

/** @throws TypeError that names each invalid field of the section. */
async function readSettings({ name, settings }: Plugin, section: Readonly<Record<string, unknown>>): Promise<unknown> {
  if (settings === undefined) return section;
  const { enabled: _switch, ...given } = section;
  const read = (await adaptSchema(settings)).safeParse(given);
  if (read.success) return read.data;
  const problems = read.error.issues.map(({ path, message }) => `plugins.${[name, ...path].join('.')}: ${message}`);
  throw new TypeError(problems.join('; '));
}

/** @throws TypeError when a variable is not set. Grants what the plugin declared, never the whole environment. */
function grantEnv(
  { env: needed = [], optionalEnv = [] }: Plugin,
  { env, redactor }: StartDeps,
): Record<string, string> {
  const missing = needed.filter((name) => !env[name]);
  if (missing.length > 0) throw new TypeError(`not set: ${missing.join(', ')}`);
  const granted = [...needed, ...optionalEnv].flatMap((name) => (env[name] ? [[name, env[name]] as const] : []));
  for (const [name, value] of granted) if (SECRET_NAME.test(name)) redactor.add(value);
  return Object.fromEntries(granted);
}
