import { join } from 'node:path';
import { type Agent, createAgent } from './agent/agent.ts';
import { Background } from './agent/background.ts';
import { createClassicEngine } from './agent/classic/engine.ts';
import { createCodeEngine } from './agent/code/engine.ts';
import { replayTurn } from './agent/code/replay.ts';
import { createRunCodeTool } from './agent/code/run-code.ts';
import { checkCondition } from './agent/condition.ts';
import { JobTurns } from './agent/job-turns.ts';
import { internalPrompt } from './agent/prompt.ts';
import { systemClock } from './base/clock.ts';
import { AssistantError, messageOf } from './base/errors.ts';
import type { Log } from './base/log.ts';
import { Redactor } from './base/redact.ts';
import { secretVariables } from './base/secret-variables.ts';
import { preview } from './base/text.ts';
import { SavedConversations } from './conversation/saved-conversations.ts';
import { createModels } from './models/models.ts';
import type { ModelControl } from './models/types.ts';
import { createGateway } from './net/gateway.ts';
import { deliverNotice } from './notify/deliver-notice.ts';
import { createNotifier } from './notify/notifier.ts';
import { OutboxTimer } from './notify/outbox-timer.ts';
import type { Prepared } from './plugins/definition.ts';
import { Plugins } from './plugins/plugins.ts';
import { changedDocuments } from './rag/changed-documents.ts';
import { createDocuments } from './rag/documents.ts';
import { createProjects, type Projects } from './rag/projects.ts';
import { createModelReranker } from './rag/search/model-reranker.ts';
import type { Documents } from './rag/types.ts';
import type { App, Frontend } from './repl/app.ts';
import { runChecks } from './repl/checks.ts';
import { legacyScheduleLines } from './repl/legacy-schedule-lines.ts';
import { createScriptRegistry } from './sandbox/registry.ts';
import { createSandbox } from './sandbox/sandbox.ts';
import type { Scheduler } from './scheduler/contract.ts';
import { createScheduler } from './scheduler/scheduler.ts';
import type { Settings } from './settings/settings.ts';
import { createLog } from './store/log.ts';
import { openStore } from './store/store.ts';
import { Artifacts, createArtifactTools } from './tools/builtin/artifacts.ts';
import { createCurrentTimeTool } from './tools/builtin/current-time.ts';
import { createFileTools } from './tools/builtin/files.ts';
import { JobWrites, jobRunThatWrote } from './tools/builtin/job-writes.ts';
import { createNoteTools, projectJournal } from './tools/builtin/notes.ts';
import { createNotifyTools } from './tools/builtin/notify.ts';
import { ProjectFiles } from './tools/builtin/project-files.ts';
import { createQueryRagTool } from './tools/builtin/query-rag.ts';
import { createScheduleTools } from './tools/builtin/schedule.ts';
import { createWebTools } from './tools/builtin/web-tools.ts';
import { ApprovalRules } from './tools/gate/approvals.ts';
import { hasEffects } from './tools/gate/effect-ledger.ts';
import { Origins } from './tools/gate/origins.ts';
import { Toolbox } from './tools/gate/toolbox.ts';
import type { Tool } from './tools/tool.ts';
import { machineZone, zoneOf } from './when/zone.ts';
import { chooseBackends } from './workspace/backends.ts';
import { Workspaces } from './workspace/workspaces.ts';

/** Put the parts together, floor by floor. Nothing runs in the background before `start`. */
export async function createApp(settings: Settings, frontend: Frontend): Promise<App> {
  const ground = openGround(settings, frontend);
  // Plugins and packages bring their own code: what they fetch takes the one way out as well.
  globalThis.fetch = ground.gateway.publicFetch('plugin');
  const services = openServices(settings, ground, { frontend, jobContext: (turn) => jobs.contextOf(turn) });
  const jobs = new JobTurns({
    runTurn: (turn, context) => agent.runTurn(turn, context),
    defaultMode: settings.agent.chatMode,
    defaultChannel: () => services.notifier.defaultChannel(),
    now: ground.now,
    timeZone: ground.timeZone,
  });
  const scheduler = openScheduler(settings, { ground, services, jobs, toolbox: () => toolbox });
  const tools = builtInTools(settings, { ground, services, scheduler });
  const plugins = await loadPlugins(settings, { ground, services, tools });
  scheduler.seed(plugins.tasks());
  const toolbox = new Toolbox({
    tools: [...tools, ...plugins.tools()],
    rules: new ApprovalRules(ground.store, ground.now, settings.approvals.allow),
    origins: new Origins(ground.store, ground.now),
    isLocalOnly: (project) => services.models.isLocalOnly(project),
    redactor: ground.redactor,
    log: ground.log,
    maxResultChars: settings.codeAgent.maxOutputLength,
  });
  const agent = openAgent(settings, { ground, services, plugins, toolbox, jobs });
  return assemble(settings, { ground, frontend, services, scheduler, plugins, toolbox, agent });
}

type Ground = ReturnType<typeof openGround>;
type Services = ReturnType<typeof openServices>;

/** What everything stands on. */
function openGround(settings: Settings, frontend: Frontend) {
  const { home, program, secrets } = settings;
  const timeZone = ownerZone(program.timeZone);
  const redactor = new Redactor([...secrets, ...secretVariables(process.env)]);
  const log = createLog({ dir: home.logs, level: program.logLevel, verbose: frontend.verbose, timeZone }, redactor);
  const store = openStore(home.database);
  return {
    redactor,
    log,
    store,
    artifacts: new Artifacts(store, systemClock.now),
    gateway: createGateway({ ...settings.net, log }),
    now: systemClock.now,
    timeZone,
  };
}

/** @throws AssistantError `bad_setting` for a name that no time zone has. */
function ownerZone(setting: string | undefined): string {
  if (setting === undefined) return machineZone();
  try {
    return zoneOf(setting).name;
  } catch (cause) {
    const hint = cause instanceof AssistantError ? cause.hint : '';
    throw new AssistantError('bad_setting', `WOOSTER_TIME_ZONE: ${messageOf(cause)}`, { hint, cause });
  }
}

/** The rooms that know no agent. */
function openServices(
  settings: Settings,
  ground: Ground,
  { frontend, jobContext }: { readonly frontend: Frontend; readonly jobContext: JobTurns['contextOf'] },
) {
  const { home } = settings;
  const { redactor, log, store, gateway, now, timeZone } = ground;
  const projects = createProjects({ projectsDir: home.projects, homeDir: home.dir, log });
  const models = createModels({
    options: { ...settings.models, contextWindowTokens: settings.agent.contextWindowTokens },
    store,
    fetchFor: (caller, origins) => gateway.fetchFor(caller, origins),
    modelFetch: (caller) => gateway.modelFetch(caller),
    projectsDir: home.projects,
    log,
    redactor,
    now,
    timeZone,
  });
  return {
    projects,
    models,
    documents: openDocuments(settings, ground, { projects, models, jobContext }),
    notifier: createNotifier({
      options: settings.channels,
      store,
      gateway,
      log,
      now,
      print: (text) => frontend.announce(text),
      redactor,
    }),
    sandbox: createSandbox({ log, memoryMb: settings.codeAgent.memoryLimitMb, timeZone }),
    registry: createScriptRegistry(),
    workspaces: openWorkspaces(settings, log),
    codeKnobs: { maxAttempts: settings.codeAgent.maxAttempts },
  };
}

function openDocuments(
  { home, rag }: Settings,
  { store, log, redactor }: Ground,
  rooms: { readonly projects: Projects; readonly models: ModelControl; readonly jobContext: JobTurns['contextOf'] },
): Documents {
  const { projects, models, jobContext } = rooms;
  const asking = { models, redactor, log, jobContext, timeoutMs: rag.rerankTimeoutMs };
  return createDocuments({
    ...{ store, projects, log, options: rag },
    vectorDataDir: home.vectorData,
    embedding: models.embedding(),
    reranker: createModelReranker({
      ...asking,
      instructions: () => internalPrompt(join(home.checkout, 'prompts'), 'rerank'),
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

function openScheduler(
  settings: Settings,
  { ground, services, jobs, toolbox }: { ground: Ground; services: Services; jobs: JobTurns; toolbox: () => Toolbox },
): Scheduler {
  const { sandbox, registry } = services;
  const { memoryLimitMb } = settings.codeAgent;
  const condition = { ...ground, toolbox, sandbox, registry, memoryLimitMb };
  return createScheduler({
    store: ground.store,
    clock: systemClock,
    log: ground.log,
    timeZone: ground.timeZone,
    options: settings.scheduler,
    legacySchedule: settings.home.legacySchedule,
    onDue: jobs.onDue,
    hasEffects: (runId) => hasEffects(ground.store, runId),
    onNotice: (notice) => deliverNotice(services.notifier, notice),
    onRehearse: jobs.onRehearse,
    checkCondition: (job, signal) => checkCondition(condition, job, signal),
    readChanges: (project, after) =>
      changedDocuments(ground.store, project, { after, runThatWrote: jobRunThatWrote(ground.store) }),
  });
}

function builtInTools(
  settings: Settings,
  { ground, services, scheduler }: { ground: Ground; services: Services; scheduler: Scheduler },
): Tool[] {
  const { projects, documents, notifier, workspaces } = services;
  const files = new ProjectFiles((project) => projects.folder(project));
  const writes = new JobWrites(ground.store, ground.now);
  return [
    ...createNoteTools(projectJournal(projects, settings.home.dir)),
    createQueryRagTool(documents),
    ...createFileTools((id) => workspaces.spaceOf(id) ?? files, writes.note.bind(writes)),
    ...createScheduleTools(scheduler),
    ...createNotifyTools(notifier),
    ...createWebTools({ gateway: ground.gateway, options: settings.web }),
    ...createArtifactTools(ground.artifacts),
    createCurrentTimeTool(),
  ];
}

function loadPlugins(
  { home, plugins }: Settings,
  { ground, services, tools }: { ground: Ground; services: Services; tools: readonly Tool[] },
): Promise<Plugins> {
  const { registry, models } = services;
  return Plugins.load({
    oursDir: join(home.checkout, 'plugins'),
    theirsDir: home.userPlugins,
    homeDir: home.dir,
    timeZone: ground.timeZone,
    env: process.env,
    config: plugins,
    log: ground.log,
    redactor: ground.redactor,
    reserved: tools,
    grants: {
      addModule: (name, source) => void registry.addModule(name, source),
      addFunction: (name, run) => void registry.addFunction(name, run),
      registerProvider: (name, factory) => models.registerProvider(name, factory),
      registerPricing: (model, price) => models.registerPricing(model, price),
    },
  });
}

interface AgentRooms {
  readonly ground: Ground;
  readonly services: Services;
  readonly plugins: Plugins;
  readonly toolbox: Toolbox;
  readonly jobs: JobTurns;
}

function openAgent(settings: Settings, { ground, services, plugins, toolbox, jobs }: AgentRooms): Agent {
  const { store, log, redactor, artifacts } = ground;
  const { sandbox, registry, models, projects, workspaces, codeKnobs } = services;
  const promptsDir = join(settings.home.checkout, 'prompts');
  const options = settings.codeAgent;
  const traceDir = scriptTraces(settings);
  const classic = createClassicEngine({ ...settings.agent, artifacts });
  return createAgent({
    store,
    models,
    toolbox,
    plugins: { prepare: async (turn) => joined(await plugins.prepare(turn), workspaces.prepare(turn)) },
    projects,
    engines: {
      classic_tools: classic,
      code_agent: createCodeEngine({
        ...{ sandbox, store, log, options, registry, redactor, artifacts, promptsDir, traceDir },
        fallback: classic,
        knobs: codeKnobs,
      }),
    },
    promptsDir,
    options: { contextWindowTokens: settings.agent.contextWindowTokens, linkHosts: settings.net.linkHosts },
    redactor,
    log,
    classicTools: (run) => [
      createRunCodeTool({ sandbox, registry, memoryLimitMb: options.memoryLimitMb, redactor, traceDir }, run),
    ],
    jobContext: jobs.contextOf,
  });
}

/** One file per turn that ran scripts. */
function scriptTraces({ home }: Settings): string {
  return join(home.logs, 'scripts');
}

interface Rooms {
  readonly ground: Ground;
  readonly frontend: Frontend;
  readonly services: Services;
  readonly scheduler: Scheduler;
  readonly plugins: Plugins;
  readonly toolbox: Toolbox;
  readonly agent: Agent;
}

/** What the faces get of it all. */
function assemble(settings: Settings, { ground, frontend, services, scheduler, plugins, toolbox, agent }: Rooms): App {
  const { store, log, gateway, now, timeZone } = ground;
  const { models, documents, projects, notifier, sandbox, workspaces, codeKnobs } = services;
  const archive = new SavedConversations(store, now);
  const background = new Background({ runTurn: agent.runTurn, now, timeZone });
  const outboxTimer = new OutboxTimer(notifier);
  const listPlugins = () => plugins.list();
  return {
    homeDir: settings.home.dir,
    timeZone,
    store,
    log,
    toolbox,
    models,
    documents,
    projects,
    scheduler,
    notifier,
    agent,
    archive,
    background,
    workspaces,
    code: {
      knobs: codeKnobs,
      replay: (turnId, signal) => replayTurn({ sandbox, traceDir: scriptTraces(settings) }, turnId, signal),
    },
    runTurn: agent.runTurn,
    plugins: listPlugins,
    doctor: () =>
      runChecks({
        ...{ store, models, projects, sandbox, notifier, workspaces, plugins: listPlugins },
        envFile: settings.home.envFile,
        rerank: settings.rag.rerank,
      }),
    activeProject: () => projects.active(),
    start: async () => {
      const earlier = scheduler.importLegacy();
      if (earlier.found && !earlier.old) frontend.announce(legacyScheduleLines(earlier).join('\n'));
      scheduler.start();
      outboxTimer.start();
      announceCutOff(archive, frontend);
    },
    close: () =>
      closeInOrder(log, {
        background: () => background.close(),
        workspaces: () => workspaces.close(),
        scheduler: () => scheduler.stop(),
        outbox: async () => outboxTimer.stop(),
        plugins: () => plugins.shutdown(),
        notifier: () => notifier.close(),
        documents: () => documents.close(),
        models: () => models.close(),
        sandbox: () => sandbox.close(),
        gateway: () => gateway.close(),
        store: async () => store.close(),
      }),
  };
}

function joined(a: Prepared, b: Prepared): Prepared {
  return { context: [...a.context, ...b.context], tools: [...a.tools, ...b.tools] };
}

/** Offer the request that a killed program left behind. */
function announceCutOff(archive: SavedConversations, frontend: Frontend): void {
  const [turn] = archive.interrupted(1);
  if (!turn) return;
  const again = `/resume ${turn.conversation_id}`;
  frontend.announce(`A request was cut off: "${preview(turn.text, 80)}". ${again} goes on with it.`);
}

/** Let every part go, also after one that fails to. */
async function closeInOrder(log: Log, steps: Readonly<Record<string, () => Promise<void>>>): Promise<void> {
  for (const [part, close] of Object.entries(steps)) {
    await close().catch((error: unknown) => log.error('a part did not close', { part, error: messageOf(error) }));
  }
}
