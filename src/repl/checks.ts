import { existsSync, statSync } from 'node:fs';
import { pickRanker } from '../agent/rank-passages.ts';
import { AssistantError } from '../base/errors.ts';
import type { ModelControl, Models } from '../models/types.ts';
import type { Notifier } from '../notify/types.ts';
import type { PluginStatus } from '../plugins/plugins.ts';
import type { Projects } from '../rag/projects.ts';
import type { RagOptions } from '../rag/types.ts';
import type { Sandbox } from '../sandbox/contract.ts';
import type { Store } from '../store/store.ts';
import type { Workspaces } from '../workspace/workspaces.ts';
import type { Check } from './app.ts';

export interface CheckDeps {
  readonly store: Store;
  readonly models: Models & Pick<ModelControl, 'embedding'>;
  readonly projects: Pick<Projects, 'list' | 'active'>;
  readonly sandbox: Sandbox;
  readonly notifier: Notifier;
  readonly workspaces: Pick<Workspaces, 'always' | 'prove'>;
  readonly envFile: string;
  readonly rerank: RagOptions['rerank'];
  plugins(): readonly PluginStatus[];
}

const OLDEST_NODE = 24;
const OTHERS_MAY_READ = 0o077;

/** Everything `wooster doctor` looks at; each check really tries what it names. */
export async function runChecks(deps: CheckDeps): Promise<readonly Check[]> {
  return [
    checkNode(),
    checkDatabase(deps.store),
    ...checkEnvFile(deps.envFile),
    ...(await checkModels(deps.models)),
    ...checkEmbedding(deps.models, deps.projects),
    ...(await checkReranker(deps)),
    ...(await checkSandbox(deps.sandbox)),
    await checkWorkspace(deps.workspaces),
    ...checkChannels(deps.notifier),
    ...checkPlugins(deps.plugins()),
  ];
}

function checkNode(): Check {
  const ok = Number(process.versions.node.split('.')[0]) >= OLDEST_NODE;
  const hint = ok ? undefined : 'Start it with bin/wooster or npm start, which bring their own Node.';
  return { name: 'node', state: ok ? 'ok' : 'fail', detail: process.version, hint };
}

function checkDatabase(store: Store): Check {
  const found = store.sql.prepare('PRAGMA quick_check(1)').get();
  const result = String(found ? Object.values(found)[0] : 'no answer');
  const hint = result === 'ok' ? undefined : 'Restore a backup with `wooster restore FILE`.';
  return { name: 'database', state: result === 'ok' ? 'ok' : 'fail', detail: `${store.path}: ${result}`, hint };
}

function checkEnvFile(path: string): Check[] {
  if (!existsSync(path)) return [];
  const open = (statSync(path).mode & OTHERS_MAY_READ) !== 0;
  const hint = open ? `Others on this machine may read your keys: chmod 600 ${path}` : undefined;
  return [{ name: '.env', state: open ? 'warn' : 'ok', detail: path, hint }];
}

async function checkModels(models: Models): Promise<Check[]> {
  const candidates = await models.candidates();
  return candidates
    .filter(({ state }) => state !== 'not_configured')
    .map(({ provider, name, state, detail }) => ({
      name: 'model',
      state: state === 'ready' ? 'ok' : 'warn',
      detail: `${provider}:${name} ${state}`,
      hint: detail === '' ? undefined : detail,
    }));
}

/** Which model the documents are embedded with, and the projects that it may not see. */
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

/** `RAG_RERANK=model` has no effect where no model may be asked; that differs by project. */
async function checkReranker({ rerank, models, projects }: CheckDeps): Promise<Check[]> {
  if (rerank !== 'model') return [];
  const request = { project: projects.active(), signal: new AbortController().signal };
  try {
    const { provider, name } = await pickRanker(models, request);
    return [{ name: 'reranker', state: 'ok', detail: `${provider}:${name} puts the passages of a search in order` }];
  } catch (error) {
    if (!(error instanceof AssistantError)) throw error;
    return [{ name: 'reranker', state: 'warn', detail: error.message, hint: error.hint }];
  }
}

async function checkSandbox(sandbox: Sandbox): Promise<Check[]> {
  const { ok, problem, notes } = await sandbox.probe();
  const state = ok ? 'ok' : 'warn';
  const hint = ok ? undefined : 'Code mode is off; classic mode works.';
  return [
    {
      name: 'sandbox',
      state,
      detail: ok ? 'scripts run in a process of their own' : (problem ?? 'it does not start'),
      hint,
    },
    ...notes.map((note): Check => ({ name: 'sandbox', state: 'warn', detail: note })),
  ];
}

/** What /workspace would use; its limits are really tried. Only where conversations count on it is its lack worth a note. */
async function checkWorkspace(workspaces: CheckDeps['workspaces']): Promise<Check> {
  const name = 'workspace';
  try {
    const { backend, passedOver } = await workspaces.prove();
    const others = passedOver.length > 0 ? `; passed over: ${passedOver.join('; ')}` : '';
    return { name, state: 'ok', detail: `${backend.name}: every limit was tried and holds${others}` };
  } catch (error) {
    if (!(error instanceof AssistantError)) throw error;
    const state = workspaces.always ? 'warn' : 'ok';
    return { name, state, detail: `none: ${error.message}`, hint: error.hint };
  }
}

function checkChannels(notifier: Notifier): Check[] {
  return notifier.channels().map(({ name, configured, detail }) => ({
    name: 'channel',
    state: 'ok',
    detail: `${name}: ${configured ? detail : `not set up (${detail})`}`,
  }));
}

function checkPlugins(plugins: readonly PluginStatus[]): Check[] {
  return plugins
    .filter(({ state }) => state !== 'off')
    .map(({ name, state, detail, tools }) => ({
      name: 'plugin',
      state: state === 'failed' ? 'warn' : 'ok',
      detail: state === 'failed' ? `${name}: ${detail}` : `${name} (${tools.length} tools)`,
    }));
}
