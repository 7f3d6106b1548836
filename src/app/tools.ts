import { join } from 'node:path';
import { isFree } from '../agent/code/names.ts';
import { AssistantError } from '../base/errors.ts';
import { nearest } from '../base/text.ts';
import { ConversationArchive } from '../conversation/archive.ts';
import type { Frontend } from '../face/app.ts';
import { deleteProgramTool } from '../lang/programs/delete-program.ts';
import { listProgramsTool } from '../lang/programs/list-programs.ts';
import { type Saving, saveTool } from '../lang/save/save-tool.ts';
import type { Models } from '../models/types.ts';
import { REMOTE_CHANNELS } from '../notify/channels.ts';
import { fileKeeper } from '../plugins/file-keeper.ts';
import { Mcp } from '../plugins/mcp/mcp.ts';
import type { Sample } from '../plugins/mcp/sampling.ts';
import { createMemoryTools } from '../plugins/memory/tools.ts';
import { ADDED_PLUGINS } from '../plugins/plugin-folders.ts';
import { Plugins } from '../plugins/plugins.ts';
import type { Projects } from '../rag/projects.ts';
import { NameRefused } from '../sandbox/script-extensions.ts';
import type { Scheduler } from '../scheduler/contract.ts';
import type { Settings } from '../settings/settings.ts';
import type { EffectRow } from '../store/schema.ts';
import { type BuiltInDeps, createBuiltInTools } from '../tools/builtin/built-in.ts';
import { messageOutcome } from '../tools/builtin/notify.ts';
import { CutOffEffects, type CutOffOutcome } from '../tools/gate/cut-off-effects.ts';
import { modelToolName, type Toolbox } from '../tools/gate/toolbox.ts';
import type { Tool } from '../tools/tool.ts';
import { createUndo, type UndoParts } from '../tools/undo/create.ts';
import type { Additions } from './additions.ts';
import { scriptTraces } from './agent.ts';
import type { Foundation } from './foundation.ts';
import type { Parts } from './parts.ts';
import type { Services } from './services.ts';

/** The tools of `src/tools/builtin/` and of the memory, wired to this program. */
export function builtInTools(
  settings: Settings,
  parts: Foundation &
    Services &
    Pick<Parts, 'scheduler' | 'kept' | 'memory' | 'programs'> &
    Pick<BuiltInDeps, 'services'>,
  toolbox: () => Toolbox,
): Tool[] {
  const { programs } = parts;
  const builtIn = createBuiltInTools({
    ...parts,
    jobProgram: (said, args, project) => programs.forJob(said, args, { toolbox: toolbox(), project }),
    web: settings.web,
    workspaceFiles: (conversationId) => parts.workspaces.spaceOf(conversationId),
  });
  return [...builtIn, ...createMemoryTools(parts.memory), ...programTools(settings, parts, toolbox)];
}

/** What lists the owner's programs, and what saves and deletes one. */
function programTools(
  settings: Settings,
  parts: Pick<Parts, 'programs' | 'models' | 'store' | 'now' | 'scheduler' | 'kept'>,
  toolbox: () => Toolbox,
): Tool[] {
  const { programs, scheduler, kept } = parts;
  const jobsOf = async (path: string) => {
    const jobs = (await scheduler.list()).filter(({ options }) => options.program?.path === path);
    return jobs.map(({ id, description }) => `${description} (${id})`);
  };
  const deleting = { folders: programs.folders, files: kept.files, jobsOf };
  return [listProgramsTool(programs, toolbox), saveTool(saving(settings, parts, toolbox)), deleteProgramTool(deleting)];
}

/** What saving a program needs. */
export function saving(
  settings: Settings,
  { programs, models, store, now }: Pick<Parts, 'programs' | 'models' | 'store' | 'now'>,
  toolbox: () => Toolbox,
): Saving {
  return {
    ...{ programs, models, toolbox },
    archive: new ConversationArchive(store, now),
    traceDir: scriptTraces(settings),
    hasModel: async () => (await models.candidates())[0]?.provider !== 'builtin',
  };
}

/** What saves and restores the things that tools replace. */
export function openUndo({ files }: Settings, parts: Foundation & Services & Pick<Parts, 'scheduler'>): UndoParts {
  return createUndo({ ...parts, limits: { days: files.versionDays, megabytes: files.versionsMb } });
}

/** What can find out how calls that were cut off ended. */
export function openCutOff(parts: {
  readonly store: Parts['store'];
  readonly now: Parts['now'];
  readonly toolbox: Pick<Toolbox, 'find'>;
  readonly kept: Pick<UndoParts, 'undo'>;
  readonly notifier: Pick<Parts['notifier'], 'outcome'>;
}): CutOffEffects {
  const { store, now, toolbox, kept, notifier } = parts;
  const lookUp = async (effect: EffectRow): Promise<CutOffOutcome> => {
    const trace = toolbox.find(effect.tool)?.durability.trace;
    if (trace === 'outbox') return messageOutcome(notifier, effect.idempotency_key);
    const outcome = await kept.undo.outcome(effect);
    if (outcome === 'done') return { state: 'done', text: 'It was done before the program was cut off.' };
    return { state: outcome === 'undone' || (outcome === undefined && trace) ? 'undone' : 'unknown' };
  };
  return new CutOffEffects({ store, now, lookUp });
}

/** @throws AssistantError `bad_usage` when the name of a given tool is taken. */
export function withGiven(ours: readonly Tool[], given: readonly Tool[]): Tool[] {
  const taken = new Set(ours.map(({ name }) => modelToolName(name)));
  for (const { name } of given) {
    if (taken.has(modelToolName(name))) {
      throw new AssistantError('bad_usage', `The tool name "${name}" is taken.`, {
        hint: 'Give the tool another name.',
      });
    }
    taken.add(modelToolName(name));
  }
  return [...ours, ...given];
}

/** Everything that reaches the network besides our own tools. */
export function callersOf(plugins: Pick<Plugins, 'list'>): string[] {
  return [...REMOTE_CHANNELS.map(({ id }) => id), ...plugins.list().map(({ name }) => name)];
}

/** What plugins do on a schedule becomes jobs, now and whenever plugins start or stop. */
export async function seedTasks(
  plugins: Pick<Plugins, 'tasks' | 'onChange'>,
  scheduler: Pick<Scheduler, 'seed'>,
): Promise<void> {
  await scheduler.seed(plugins.tasks());
  plugins.onChange(() => scheduler.seed(plugins.tasks()));
}

/** Plugins of the package, of the home, and those that an embedder hands over; `tools` have names they cannot take. */
export function loadPlugins(
  { home, plugins, env }: Settings,
  parts: Foundation & Services & Pick<Parts, 'kept'>,
  { tools, additions }: { tools: readonly Tool[]; additions: Pick<Additions, 'plugins' | 'served'> },
): Promise<Plugins> {
  const { artifacts, gateway, timeZone, log, redactor, obeyed, projects, registry, models, kept } = parts;
  return Plugins.load({
    oursDir: join(home.checkout, 'plugins'),
    // Code of one person would run among the homes of all.
    theirsDir: additions.served ? undefined : home.userPlugins,
    ownInstances: additions.served !== undefined,
    whyNot: async (entry) => (await obeyed.judge([entry]))[0]?.why,
    addedDir: additions.served ? undefined : join(home.dir, ...ADDED_PLUGINS),
    foreign: { artifacts, fetchFor: (caller, origins) => gateway.fetchFor(caller, origins) },
    switchesFile: join(home.dir, 'state', 'plugins.json'),
    homeDir: home.dir,
    projectsDir: home.projects,
    fileKeeper: fileKeeper({ files: kept.files, projects }),
    given: additions.plugins ?? [],
    env,
    config: plugins,
    ...{ timeZone, log, redactor, gateway },
    reserved: tools,
    grants: {
      addModule: (name, source) => registry.addModule(name, source),
      addFunction: (name, run) => {
        if (!isFree(name) || tools.some(({ functionName }) => functionName === name)) {
          throw new NameRefused(`the function name "${name}" is taken, or is no name that a script can use`);
        }
        return registry.addFunction(name, run);
      },
      registerProvider: (name, factory) => models.registerProvider(name, factory),
      registerPricing: (model, price) => models.registerPricing(model, price),
    },
  });
}

/** The tools of two changing sources as one list, whose identity is stable until either changes. */
export function together(first: () => readonly Tool[], second: () => readonly Tool[]): () => readonly Tool[] {
  let last: { readonly of: readonly (readonly Tool[])[]; readonly all: readonly Tool[] } = { of: [], all: [] };
  return () => {
    const [a, b] = [first(), second()];
    if (last.of[0] !== a || last.of[1] !== b) last = { of: [a, b], all: [...a, ...b] };
    return last.all;
  };
}

/** The MCP servers of the home. When several homes are served, no person's programs are started. */
export function openMcp(
  { home, env }: Settings,
  parts: Foundation & Services,
  { additions, frontend }: { additions: Pick<Additions, 'served'>; frontend: Frontend },
): Promise<Mcp> {
  const { log, redactor, artifacts, gateway, obeyed } = parts;
  return Mcp.open({
    ...{ homeDir: home.dir, env, log, redactor, artifacts },
    fetchFor: (caller, origins) => gateway.fetchFor(caller, origins),
    publicFetch: (caller) => gateway.publicFetch(caller),
    whyNot: async (path) => (await obeyed.judge([path]))[0]?.why,
    remoteOnly: additions.served !== undefined,
    sample: (request) => writeForServer(parts, request),
    tell: (text) => frontend.announce(text),
  });
}

/** How long a text for an MCP server may take. */
const SAMPLE_MS = 60_000;
const ASKED = { profile: 'BACKGROUND_TASK', mode: 'classic_tools', purpose: 'llm' } as const;

interface Writing {
  readonly models: Pick<Models, 'pick'>;
  readonly projects: Pick<Projects, 'active'>;
}

/** Generate text for an MCP server. Through the router, so that budgets and the project's limits hold. */
export async function writeForServer(
  { models, projects }: Writing,
  { system, messages }: Parameters<Sample>[0],
): ReturnType<Sample> {
  const signal = AbortSignal.timeout(SAMPLE_MS);
  const { model, name } = await models.pick({ project: projects.active(), ...ASKED, signal });
  const said = messages.map(
    ({ role, text }) => [role === 'assistant' ? 'ai' : 'human', text] as ['ai' | 'human', string],
  );
  const before: ['system', string][] = system === undefined ? [] : [['system', system]];
  const reply = await model.invoke([...before, ...said], { signal });
  return { text: reply.text, model: name };
}

/** The name under which every plugin's use of the global `fetch` is limited. */
const PLUGINS = 'plugin';

/**
 * Reject limits for names that do not exist: a typo would otherwise silently limit nothing.
 *
 * @param entries `EGRESS_TOOL_HOSTS`: `tool=host`.
 * @param callers what else reaches the network: channels, plugins.
 * @throws AssistantError `bad_setting`.
 */
export function checkToolHosts(entries: readonly string[], tools: readonly Tool[], callers: readonly string[]): void {
  const online = tools.filter((tool) => tool.policy.network);
  const known = new Set([...online.map(({ name }) => name), ...callers, PLUGINS]);
  for (const entry of entries) {
    const [name = '', host = ''] = entry.split('=');
    if (host.trim() === '') {
      const hint = 'Write tool=host or tool=*.host, separated by commas.';
      throw new AssistantError('bad_setting', `EGRESS_TOOL_HOSTS: "${entry}" names no host.`, { hint });
    }
    if (known.has(name)) continue;
    const guess = online.find(({ functionName }) => functionName === name)?.name ?? nearest(name, [...known]);
    throw new AssistantError('bad_setting', `EGRESS_TOOL_HOSTS: nothing called "${name}" reaches the network.`, {
      hint: guess ? `Did you mean "${guess}"?` : `It can limit: ${[...known].join(', ')}.`,
    });
  }
}
