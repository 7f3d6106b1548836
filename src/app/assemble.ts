import { join } from 'node:path';
import type { Agent } from '../agent/agent.ts';
import { ApprovedCalls } from '../agent/approved-calls.ts';
import { Background } from '../agent/background.ts';
import { replayTurn } from '../agent/code/replay.ts';
import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { preview } from '../base/text.ts';
import { ConversationArchive } from '../conversation/archive.ts';
import type { Programs } from '../lang/programs/programs.ts';
import { OutboxTimer } from '../notify/outbox-timer.ts';
import type { Mcp } from '../plugins/mcp/mcp.ts';
import type { Memory } from '../plugins/memory/memory.ts';
import type { Plugins } from '../plugins/plugins.ts';
import type { Skills } from '../plugins/skills/skills.ts';
import type { App, Frontend } from '../repl/app.ts';
import { runChecks } from '../repl/checks.ts';
import { legacyScheduleLines } from '../repl/legacy-schedule-lines.ts';
import type { PrivatePlaces } from '../repl/private-files.ts';
import { readStatus } from '../repl/status-report.ts';
import type { Scheduler } from '../scheduler/contract.ts';
import type { Settings } from '../settings/settings.ts';
import { unreadSettings } from '../settings/unread.ts';
import type { CutOffEffects } from '../tools/gate/cut-off-effects.ts';
import type { Proposals } from '../tools/gate/proposals.ts';
import type { Toolbox } from '../tools/gate/toolbox.ts';
import type { Undo } from '../tools/undo/undo.ts';
import type { Additions, CreateApp } from './additions.ts';
import { scriptTraces } from './agent.ts';
import type { Foundation } from './foundation.ts';
import { serveHomes } from './homes/serve-homes.ts';
import type { Services } from './services.ts';
import { openSetup } from './setup.ts';
import { openTrial } from './trial.ts';

interface Modules {
  readonly foundation: Foundation;
  readonly frontend: Frontend;
  readonly services: Services;
  readonly scheduler: Scheduler;
  readonly plugins: Plugins;
  readonly mcp: Mcp;
  readonly memory: Memory;
  readonly skills: Skills;
  readonly programs: Programs;
  readonly toolbox: Toolbox;
  readonly agent: Agent;
  readonly undo: Undo;
  readonly proposals: Proposals;
  readonly cutOff: CutOffEffects;
  readonly additions: Additions;
  readonly createApp: CreateApp;
}

/**
 * What the frontends get of it all; the order in `close` is the reverse of who uses whom, but for messages: whatever
 * hangs on one would wait for it.
 */
export function assemble(settings: Settings, modules: Modules): App {
  const { foundation, frontend, services, scheduler, plugins, mcp, toolbox, agent } = modules;
  const { memory, skills, programs, undo, proposals, cutOff, additions, createApp } = modules;
  const { store, log, redactor, gateway, now, timeZone } = foundation;
  const { models, documents, projects, notifier, sandbox, workspaces, codeKnobs } = services;
  const archive = new ConversationArchive(store, now);
  const background = new Background({ runTurn: agent.runTurn, now, timeZone });
  const outboxTimer = additions.served ? undefined : new OutboxTimer(notifier);
  const status = () => readStatus({ store, vectorDataDir: settings.home.vectorData });
  return {
    homeDir: settings.home.dir,
    homeId: settings.shared.homeId,
    ...{ undo, cutOff, memory, skills, programs },
    ...{ timeZone, store, log, redactor, toolbox, models, documents, projects },
    ...{ scheduler, notifier, agent, archive, proposals },
    approve: approvalOf({ foundation, agent, toolbox, proposals }),
    origins: services.origins,
    background,
    ...{ workspaces, sandbox },
    code: {
      knobs: codeKnobs,
      replay: (turnId, signal) => replayTurn({ sandbox, traceDir: scriptTraces(settings) }, turnId, signal),
    },
    runTurn: agent.runTurn,
    plugins: () => plugins.list(),
    pluginHost: plugins,
    ...{ mcp, setup: openSetup(settings, foundation) },
    status,
    doctor: () =>
      runChecks({
        ...{ store, models, projects, sandbox, notifier, workspaces, plugins: () => plugins.list(), mcp },
        ...{ memory, skills },
        ...{ privatePlaces: privatePlaces(settings), rerank: settings.rag.rerank, status },
        unread: () => unreadSettings(settings),
      }),
    openTrial: (budgetUsd) => openTrial(budgetUsd, { settings, store, models, createApp }),
    serveHomes: (which) => serveHomes(which, { settings, foundation, createApp }),
    activeProject: () => projects.active(),
    ...startedOnce({
      // The copy of a home that cannot be written has the same jobs and messages as the home itself.
      start: async () => (store.unkept ? undefined : begin({ scheduler, outboxTimer, archive, frontend, mcp })),
      close: () =>
        closeInOrder(log, {
          notifier: () => notifier.close(),
          background: () => background.close(),
          workspaces: () => workspaces.close(),
          scheduler: () => scheduler.stop(),
          outbox: async () => outboxTimer?.stop(),
          mcp: () => mcp.close(),
          plugins: () => plugins.shutdown(),
          documents: () => documents.close(),
          models: () => models.close(),
          sandbox: () => sandbox.close(),
          gateway: () => gateway.close(),
          store: () => store.close(),
          log: async () => log.close(),
        }),
    }),
  };
}

/** A checkout is not the person's alone, and a volume that several machines share is not this one's to lock up. */
function privatePlaces({ home, shared }: Settings): PrivatePlaces {
  const { dir, checkout, notes, projects, vectorData, userPlugins, logs, envFile, workspaces } = home;
  return {
    folders: [
      ...(dir === checkout ? [] : [dir]),
      ...[notes, userPlugins],
      ...(shared.projectsDir === undefined ? [projects] : []),
      ...(shared.cacheDir === undefined ? [vectorData] : []),
    ],
    ours: [join(dir, 'state'), logs],
    except: [workspaces],
    files: [envFile, join(dir, 'mcp.json'), join(dir, 'config', 'local.json')],
  };
}

/** What runs a proposal once its owner has approved it. */
function approvalOf({
  foundation: { store, now, timeZone },
  agent: { conversations },
  toolbox,
  proposals,
}: Pick<Modules, 'foundation' | 'agent' | 'toolbox' | 'proposals'>): App['approve'] {
  const calls = new ApprovedCalls({ store, now, timeZone, proposals, conversations, toolbox: () => toolbox });
  return (id, approver) => calls.approve(id, approver);
}

interface Beginning {
  readonly scheduler: Scheduler;
  /** Absent: whoever serves the home delivers. */
  readonly outboxTimer: OutboxTimer | undefined;
  readonly archive: ConversationArchive;
  readonly frontend: Frontend;
  readonly mcp: Mcp;
}

/** Start what runs in the background. */
async function begin({ scheduler, outboxTimer, archive, frontend, mcp }: Beginning): Promise<void> {
  mcp.start();
  await importLegacySchedule(scheduler, frontend);
  await scheduler.start();
  outboxTimer?.start();
  await announceCutOff(archive, frontend);
}

/** Once: jobs of the legacy Wooster become ours, and the owner is told which. */
async function importLegacySchedule(scheduler: Scheduler, frontend: Frontend): Promise<void> {
  const report = await scheduler.importLegacy();
  if (report.found && !report.old) frontend.announce(legacyScheduleLines(report).join('\n'));
}

/** Offer the request that a killed program left behind. */
async function announceCutOff(archive: ConversationArchive, frontend: Frontend): Promise<void> {
  const [turn] = await archive.interrupted(1);
  if (!turn) return;
  const again = `/resume ${turn.conversation_id}`;
  frontend.announce(`A request was cut off: "${preview(turn.text, 80)}". ${again} goes on with it.`);
}

/**
 * Start once, close once, and never one during the other: what a start in progress sets going must be stopped as well.
 * After a close nothing starts.
 */
function startedOnce({ start, close }: Pick<App, 'start' | 'close'>): Pick<App, 'start' | 'close'> {
  let starting: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  const closeAfterStart = async () => {
    await starting?.catch(() => undefined);
    await close();
  };
  return {
    start: async () => {
      if (closing) return;
      starting ??= start();
      await starting;
    },
    close: () => {
      closing ??= closeAfterStart();
      return closing;
    },
  };
}

/** Let every part go, also after one that fails to. */
async function closeInOrder(log: Log, steps: Readonly<Record<string, () => Promise<void>>>): Promise<void> {
  for (const [part, close] of Object.entries(steps)) {
    await close().catch((error: unknown) => log.error('a part did not close', { part, error: messageOf(error) }));
  }
}
