import { AssistantError, messageOf } from '../base/errors.ts';
import { counted } from '../base/text.ts';
import { visibleLine } from '../base/visible-characters.ts';
import type { Check } from '../face/app.ts';
import type { Status } from '../face/status-report.ts';
import type { ModelControl, Models } from '../models/types.ts';
import type { Notifier } from '../notify/contract.ts';
import type { Mcp } from '../plugins/mcp/mcp.ts';
import type { Memory } from '../plugins/memory/memory.ts';
import type { Skills } from '../plugins/skills/skills.ts';
import type { PluginStatus } from '../plugins/slot.ts';
import type { Projects } from '../rag/projects.ts';
import { pickRanker } from '../rag/search/model-reranker.ts';
import type { RagOptions } from '../rag/types.ts';
import type { Sandbox } from '../sandbox/contract.ts';
import { damageOf } from '../store/backup.ts';
import type { Store, StoreLocation } from '../store/store.ts';
import type { Workspaces } from '../workspace/workspaces.ts';
import { checkPrivate, type PrivatePlaces } from './private-files.ts';
import { checkStatus } from './status-checks.ts';

/** What the checks look at. */
export interface CheckDeps {
  readonly store: Store;
  readonly models: Models & Pick<ModelControl, 'embedding'>;
  readonly projects: Pick<Projects, 'list' | 'active'>;
  readonly sandbox: Sandbox;
  readonly notifier: Notifier;
  readonly workspaces: Pick<Workspaces, 'always' | 'prove'>;
  readonly privatePlaces: PrivatePlaces;
  readonly rerank: RagOptions['rerank'];
  readonly mcp: Pick<Mcp, 'hub'>;
  readonly memory: Pick<Memory, 'files'>;
  readonly skills: Pick<Skills, 'list'>;
  plugins(): readonly PluginStatus[];
  /** Why vectors cannot be searched where the settings say; undefined when they can. */
  vectorsProblem(): Promise<AssistantError | undefined>;
  status(): Promise<Status>;
  /** Settings that have no effect, and what to set instead. */
  unread(): readonly { readonly name: string; readonly instead: string }[];
}

/** `node:sqlite` and type stripping without flags. */
const OLDEST_NODE = 24;
/** So long an MCP server may take to list its tools. */
const SERVER_MS = 10_000;

/** Run every check of `wooster doctor`; each one really tries what it names, and none keeps the others from running. */
export async function runChecks(deps: CheckDeps): Promise<readonly Check[]> {
  const { models, projects } = deps;
  const checks: Readonly<Record<string, () => Found | Promise<Found>>> = {
    node: checkNode,
    database: () => checkDatabase(deps.store),
    privacy: () => checkPrivate(deps.privatePlaces),
    model: () => checkModels(models),
    embedding: () => checkEmbedding(models, projects),
    vectors: () => checkVectors(deps),
    reranker: () => checkReranker(deps),
    sandbox: () => checkSandbox(deps.sandbox),
    workspace: () => checkWorkspace(deps.workspaces),
    channel: () => checkChannels(deps.notifier),
    plugin: () => checkPlugins(deps.plugins()),
    settings: () => deps.unread().map(({ name, instead }) => warning('settings', `${name} is not read`, instead)),
    mcp: () => checkServers(deps.mcp),
    memory: () => checkMemory(deps.memory, projects.active()),
    skill: () => checkSkills(deps.skills, projects.active()),
    status: async () => checkStatus(await deps.status()),
  };
  const all: Check[] = [];
  for (const [name, check] of Object.entries(checks)) all.push(...(await foundBy(name, check)));
  return all;
}

type Found = Check | readonly Check[];

/** A damaged database may fail anywhere. */
async function foundBy(name: string, check: () => Found | Promise<Found>): Promise<readonly Check[]> {
  try {
    return [await check()].flat();
  } catch (error) {
    const hint = error instanceof AssistantError ? error.hint : undefined;
    return [{ name, state: 'fail', detail: messageOf(error), hint }];
  }
}

function warning(name: string, detail: string, hint?: string): Check {
  return { name, state: 'warn', detail, hint };
}

function checkNode(): Check {
  const ok = Number(process.versions.node.split('.')[0]) >= OLDEST_NODE;
  const hint = ok ? undefined : 'Start Wooster with bin/wooster or npm start, which use their own Node.';
  return { name: 'node', state: ok ? 'ok' : 'fail', detail: process.version, hint };
}

async function checkDatabase(store: Store): Promise<Check> {
  const damage = await damageOf(store);
  if (damage) return { name: 'database', state: 'fail', detail: damage.message, hint: damage.hint };
  return { name: 'database', state: 'ok', detail: `${placeOf(store.location)}: ok` };
}

/** The file, or the server and database without user and password. */
function placeOf(location: StoreLocation): string {
  if (location.kind === 'sqlite') return location.path;
  const { host, pathname } = new URL(location.url);
  return `PostgreSQL ${host}${pathname}, home ${location.home}`;
}

const BUILT_IN_ALONE = [
  'Everyday requests only. `wooster models install` fetches a model that runs on this machine,',
  '`wooster setup` connects one.',
].join(' ');

/** Every configured candidate; one that is down is only a warning, since others can answer. */
async function checkModels(models: Models): Promise<Check[]> {
  const candidates = await models.candidates();
  return candidates
    .filter(({ state }) => state !== 'not_configured')
    .map(({ provider, name, state, detail }) => ({
      name: 'model',
      state: state === 'ready' ? 'ok' : 'warn',
      detail: `${provider}:${name} ${state}`,
      hint: provider === 'builtin' ? BUILT_IN_ALONE : detail === '' ? undefined : detail,
    }));
}

/** The embedding model, and the projects whose documents are not sent to it. */
function checkEmbedding(models: Pick<ModelControl, 'embedding'>, projects: Pick<Projects, 'list'>): Check[] {
  const embedding = models.embedding();
  if (!embedding) return [];
  const { name } = embedding;
  const withheld = projects.list().flatMap((project): Check[] => {
    try {
      if (embedding.allows(project)) return [];
      return [{ name: 'embedding', state: 'ok', detail: `project ${project} is local only: searched without ${name}` }];
    } catch (error) {
      if (!(error instanceof AssistantError)) throw error;
      return [{ name: 'embedding', state: 'fail', detail: error.message, hint: error.hint }];
    }
  });
  return [{ name: 'embedding', state: 'ok', detail: name }, ...withheld];
}

/** Otherwise only the next `ingest` would say it. */
async function checkVectors({ vectorsProblem }: CheckDeps): Promise<Check[]> {
  const problem = await vectorsProblem();
  return problem ? [{ name: 'vectors', state: 'fail', detail: problem.message, hint: problem.hint }] : [];
}

/** `RAG_RERANK=model` has no effect where no model may be used, which depends on the project. */
async function checkReranker({ rerank, models, projects }: CheckDeps): Promise<Check[]> {
  if (rerank !== 'model') return [];
  const request = { project: projects.active(), signal: new AbortController().signal };
  try {
    const { provider, name } = await pickRanker(models, request);
    return [{ name: 'reranker', state: 'ok', detail: `${provider}:${name} reranks the passages that a search finds` }];
  } catch (error) {
    if (!(error instanceof AssistantError)) throw error;
    return [{ name: 'reranker', state: 'warn', detail: error.message, hint: error.hint }];
  }
}

/** Without a sandbox only code mode is lost: a warning, with notes on limits that are weaker here. */
async function checkSandbox(sandbox: Sandbox): Promise<Check[]> {
  const { ok, problem, notes } = await sandbox.probe();
  const works: Check = { name: 'sandbox', state: 'ok', detail: 'scripts run in a separate process' };
  const hint = 'Code mode is unavailable; classic mode works.';
  const first = ok ? works : warning('sandbox', problem ?? 'does not start', hint);
  return [first, ...notes.map((note) => warning('sandbox', note))];
}

/** The backend that /workspace would use; its limits are really tested. */
async function checkWorkspace(workspaces: CheckDeps['workspaces']): Promise<Check> {
  const name = 'workspace';
  try {
    const { backend, passedOver } = await workspaces.prove();
    const others = passedOver.length > 0 ? `; skipped: ${passedOver.join('; ')}` : '';
    return { name, state: 'ok', detail: `${backend.name}: all limits tested and enforced${others}` };
  } catch (error) {
    const hint = error instanceof AssistantError ? error.hint : undefined;
    // Without WORKSPACE_ENABLED a workspace is an extra that /workspace turns on: its absence is not a problem.
    if (workspaces.always) return { name, state: 'warn', detail: `not available: ${messageOf(error)}`, hint };
    return { name, state: 'off', detail: `not available (optional): ${messageOf(error)}`, hint };
  }
}

async function checkChannels(notifier: Notifier): Promise<Check[]> {
  const sending = (await notifier.channels()).map(({ name, configured, detail }): Check => {
    if (!configured) return { name: 'channel', state: 'off', detail: `${name}: not configured (${detail})` };
    const toReceive = notifier.toReceive(name);
    const more = toReceive === undefined ? '' : `; to receive as well, ${toReceive}`;
    return { name: 'channel', state: 'ok', detail: `${name}: ${detail}${more}` };
  });
  const receiving = notifier.receiving().map(async ({ id, inbound }): Promise<Check[]> => {
    const trouble = await notifier.inbox.trouble(id, inbound.account);
    return trouble === undefined ? [] : [warning('channel', `${id} receives nothing: ${trouble}`)];
  });
  return [...sending, ...(await Promise.all(receiving)).flat()];
}

/** Plugins that are switched off are not reported. */
function checkPlugins(plugins: readonly PluginStatus[]): Check[] {
  return plugins
    .filter(({ state }) => state !== 'off')
    .map(({ name, state, detail, tools }) => {
      const what = state === 'on' ? `${name} (${counted(tools.length, 'tool')})` : name;
      return {
        name: 'plugin',
        state: detail === '' ? 'ok' : 'warn',
        detail: detail === '' ? what : `${what}: ${detail}`,
      };
    });
}

/** Really asks every MCP server that is switched on. */
async function checkServers(mcp: CheckDeps['mcp']): Promise<Check[]> {
  const hub = await mcp.hub();
  const problems = new Map((await hub.ask(SERVER_MS)).map(({ name, problem }) => [name, problem]));
  return hub.status().flatMap(({ name, state, detail, tools, changed }): Check[] => {
    const problem = problems.get(name) ?? detail;
    if (state === 'off') return [];
    if (problem !== '') return [{ name: 'mcp', state: 'warn', detail: `${name}: ${visibleLine(problem)}` }];
    const check: Check = { name: 'mcp', state: 'ok', detail: `${name} (${counted(tools, 'tool')})` };
    if (changed.length === 0) return [check];
    const off = `${name}: ${counted(changed.length, 'tool')} changed and off: ${changed.map(visibleLine).join(', ')}`;
    return [check, { name: 'mcp', state: 'warn', detail: off, hint: `wooster mcp enable ${name} shows the change.` }];
  });
}

/** The doctor's lines about what is known of the owner: files that are not used, and lines in them that say nothing. */
async function checkMemory(memory: Pick<Memory, 'files'>, project: string): Promise<Check[]> {
  return (await memory.files(project)).map(({ path, entries, problems, unused }): Check => {
    const [first] = problems;
    if (unused !== undefined) return { name: 'memory', state: 'warn', detail: `${path} is not used: ${unused}` };
    if (!first) return { name: 'memory', state: 'ok', detail: `${path} (${counted(entries.length, 'fact')})` };
    const detail = `${path}, line ${first.line}: ${first.why}`;
    return { name: 'memory', state: 'warn', detail, hint: '`wooster memory` names every such line.' };
  });
}

/** Skills that are on, and broken ones; those that are merely off are not reported. */
async function checkSkills(skills: Pick<Skills, 'list'>, project: string): Promise<Check[]> {
  return (await skills.list(project)).flatMap((skill): Check[] => {
    const { name, state, place } = skill;
    if (state === 'broken') return [{ name: 'skill', state: 'warn', detail: `${name}: ${skill.broken.why}` }];
    if (state === 'off' || place === 'bundled') return [];
    if (state === 'on') return [{ name: 'skill', state: 'ok', detail: name }];
    const hint = `Look at it again: wooster skills trust ${name}`;
    return [{ name: 'skill', state: 'warn', detail: `${name} has changed since you agreed to it, so it is off`, hint }];
  });
}
