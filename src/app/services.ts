import { join, resolve } from 'node:path';
import { checkCondition } from '../agent/job-condition.ts';
import type { JobTurns } from '../agent/job-turns.ts';
import { internalPrompt } from '../agent/prompt.ts';
import { systemClock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { once } from '../base/once.ts';
import { openBuiltin } from '../builtin/open.ts';
import type { Freezer } from '../lang/freeze/freezer.ts';
import { LocalModels } from '../models/local/local-models.ts';
import { createModels } from '../models/models.ts';
import type { ModelControl } from '../models/types.ts';
import type { Gateway } from '../net/types.ts';
import { completed } from '../notify/channels.ts';
import { createNotifier } from '../notify/notifier.ts';
import { hasOutsideFacts } from '../plugins/memory/entries.ts';
import { changedDocuments } from '../rag/changed-documents.ts';
import { createFieldReader } from '../rag/documents/model-fields.ts';
import { createDocuments } from '../rag/documents.ts';
import { createProjects, type Projects } from '../rag/projects.ts';
import { createModelReranker } from '../rag/search/model-reranker.ts';
import type { Documents } from '../rag/types.ts';
import { createSandbox } from '../sandbox/sandbox.ts';
import { createScriptExtensions } from '../sandbox/script-extensions.ts';
import type { Scheduler } from '../scheduler/contract.ts';
import { createScheduler } from '../scheduler/scheduler.ts';
import type { Settings } from '../settings/settings.ts';
import { jobRunsThatWrote } from '../tools/builtin/job-writes.ts';
import type { CutOffEffects } from '../tools/gate/cut-off-effects.ts';
import { hasEffects } from '../tools/gate/effect-rows.ts';
import { ObeyedFiles } from '../tools/gate/obeyed-files.ts';
import { Origins } from '../tools/gate/origins.ts';
import type { Proposals } from '../tools/gate/proposals.ts';
import type { Toolbox } from '../tools/gate/toolbox.ts';
import { chooseBackends } from '../workspace/backends.ts';
import { Workspaces } from '../workspace/workspaces.ts';
import type { Foundation } from './foundation.ts';
import type { Serving } from './homes/serve-homes.ts';

/** Models, documents, messages, scripts and workspaces: the modules that know no agent. */
export type Services = ReturnType<typeof openServices>;

/** @param jobContext  a function, since jobs need an agent and the agent needs all of this. */
export function openServices(settings: Settings, foundation: Foundation, jobContext: JobTurns['contextOf']) {
  const { home } = settings;
  const { redactor, log, store, gateway, now, timeZone } = foundation;
  const origins = new Origins(store, now, {
    places: { home: resolve(home.dir), projects: resolve(home.projects) },
    isMixed: hasOutsideFacts,
  });
  const obeyed = new ObeyedFiles(origins.files);
  const isObeyed = (path: string) => obeyed.isObeyed(path);
  const projects = createProjects({
    ...{ projectsDir: home.projects, homeDir: home.dir, ownerDir: home.owner, only: home.only },
    ...{ log, store, isObeyed },
  });
  const local = new LocalModels({ modelsDir: home.models, enginesDir: home.engines, options: settings.models.local });
  const models = createModels({
    options: { ...settings.models, contextWindowTokens: settings.agent.contextWindowTokens },
    store,
    fetchFor: (caller, origins) => gateway.fetchFor(caller, origins),
    modelFetch: (caller) => gateway.modelFetch(caller),
    projectsDir: home.projects,
    local,
    handed: { builtin: openBuiltin },
    log,
    redactor,
    now,
    timeZone,
  });
  return {
    installer: openInstaller(settings, local, gateway),
    origins,
    obeyed,
    projects,
    models,
    documents: openDocuments(settings, foundation, { projects, models, jobContext }),
    notifier: createNotifier({
      options: completed(settings.channels, settings.bundled),
      routes: settings.routes,
      store,
      gateway,
      log,
      now,
      timeZone,
      redactor,
      pageText: async (html) => (await import('../tools/builtin/page-text.ts')).pageText(html),
    }),
    sandbox: createSandbox({ log, memoryMb: settings.codeAgent.memoryLimitMb, timeZone }),
    registry: createScriptExtensions(),
    workspaces: openWorkspaces(settings, log),
    codeKnobs: { maxAttempts: settings.codeAgent.maxAttempts },
  };
}

/** Loaded by the commands that install. */
function openInstaller({ home, models }: Settings, local: LocalModels, gateway: Gateway) {
  return once(async () => {
    const { ModelInstaller } = await import('../models/local/installer.ts');
    return new ModelInstaller({
      ...{ local, enginesDir: home.engines, hubUrl: models.local.hubUrl },
      downloadFetch: (named) => gateway.downloadFetch('models.install', named),
      fetchFor: (origin) => gateway.fetchFor('models.install', [origin]),
    });
  });
}

/** For one document, by a model that may run on this machine. */
const FIELDS_MS = 120_000;

function openDocuments(
  { home, rag, shared }: Settings,
  { store, log, redactor }: Foundation,
  modules: { readonly projects: Projects; readonly models: ModelControl; readonly jobContext: JobTurns['contextOf'] },
): Documents {
  const { projects, models, jobContext } = modules;
  const asking = { models, redactor, log, jobContext, timeoutMs: rag.rerankTimeoutMs };
  return createDocuments({
    ...{ store, projects, log, options: rag },
    vectorDataDir: home.vectorData,
    sharedFolders: shared.projectsDir !== undefined,
    embedding: models.embedding(),
    reranker: createModelReranker({
      ...asking,
      instructions: () => internalPrompt(join(home.checkout, 'prompts'), 'rerank'),
    }),
    fieldReader: createFieldReader({
      ...{ models, redactor, timeoutMs: FIELDS_MS },
      instructions: () => internalPrompt(join(home.checkout, 'prompts'), 'fields'),
    }),
  });
}

function openWorkspaces({ home, workspace }: Settings, log: Log): Workspaces {
  return new Workspaces({
    dir: home.workspaces,
    backends: chooseBackends(workspace.backend, workspace.image),
    limits: workspace,
    always: workspace.enabled,
    prompt: () => internalPrompt(join(home.checkout, 'prompts'), 'workspace'),
    log,
  });
}

/** @param later  functions, since tools schedule jobs and the scheduler is therefore opened before them. */
export function openScheduler(
  settings: Settings,
  parts: Foundation & Services & { readonly jobs: Pick<JobTurns, 'onRehearse'> },
  later: {
    readonly toolbox: () => Toolbox;
    readonly cutOff: () => CutOffEffects;
    readonly proposals: () => Pick<Proposals, 'isDecided'>;
    readonly freezer: () => Promise<Pick<Freezer, 'onDue'>>;
    readonly served: Serving | undefined;
  },
): Scheduler {
  const { store, log, timeZone, notifier, jobs } = parts;
  const { toolbox, cutOff, proposals, freezer, served } = later;
  const condition = { ...parts, toolbox, memoryLimitMb: settings.codeAgent.memoryLimitMb };
  return createScheduler({
    ...{ store, log, timeZone, clock: systemClock },
    options: { ...settings.scheduler, concurrency: settings.shared.workerSlots ?? settings.scheduler.concurrency },
    legacySchedule: settings.home.legacySchedule,
    slots: served?.slots,
    ticked: served !== undefined,
    onDue: async (run) => (await freezer()).onDue(run),
    hasEffects: async (runId) => {
      await cutOff().settle(await cutOff().begun({ runId }));
      return hasEffects(store, runId);
    },
    isDecided: (id) => proposals().isDecided(id),
    notices: notifier.notices,
    reported: (runIds) => notifier.notices.reported(runIds),
    onRehearse: jobs.onRehearse,
    checkCondition: (job, signal) => checkCondition(condition, job, signal),
    readChanges: (project, after) =>
      changedDocuments(store, project, { after, runsThatWrote: jobRunsThatWrote(store) }),
  });
}
