import { basename, join } from 'node:path';
import { ApprovedCalls } from '../agent/approved-calls.ts';
import { Background } from '../agent/background.ts';
import { replayTurn } from '../agent/code/replay.ts';
import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { preview } from '../base/text.ts';
import { ConversationArchive } from '../conversation/archive.ts';
import type { App, Frontend } from '../face/app.ts';
import { readStatus } from '../face/status-report.ts';
import { OutboxTimer } from '../notify/outbox-timer.ts';
import { Presence, type PresenceKind, whoIsThere } from '../notify/presence.ts';
import { HERE } from '../notify/routes.ts';
import { sayAtPrompt } from '../notify/say-notices.ts';
import type { ShownNotice } from '../notify/types.ts';
import { runChecks } from '../repl/checks.ts';
import { legacyScheduleLines } from '../repl/legacy-schedule-lines.ts';
import type { PrivatePlaces } from '../repl/private-files.ts';
import type { Settings } from '../settings/settings.ts';
import { unreadSettings } from '../settings/unread.ts';
import { mustKeep } from '../store/unkept.ts';
import type { Additions, CreateApp } from './additions.ts';
import { scriptTraces } from './agent.ts';
import { BackupTimer, type BackupTimerDeps } from './backups/backup-timer.ts';
import { HomeBackups } from './backups/home-backups.ts';
import { openDoors } from './doors.ts';
import { serveHomes } from './homes/serve-homes.ts';
import type { Parts } from './parts.ts';
import { openSetup } from './setup.ts';
import { openTrial } from './trial.ts';

interface Around {
  readonly frontend: Frontend;
  readonly additions: Additions;
  readonly createApp: CreateApp;
}

/** The faces of the parts that frontends see. */
export function assemble(settings: Settings, parts: Parts, { frontend, additions, createApp }: Around): App {
  const { store, log, redactor, now, timeZone, models, notifier, sandbox, projects } = parts;
  const { scheduler, agent, mcp, plugins, proposals } = parts;
  const archive = new ConversationArchive(store, now);
  const background = new Background({ runTurn: agent.runTurn, now, timeZone });
  const outboxTimer = additions.served ? undefined : new OutboxTimer(notifier);
  const backups = new HomeBackups({ settings, store, redactor, now });
  const backupTimer = openBackupTimer(settings, { ...parts, backups });
  const own = new OwnPresence({ ...parts, frontend });
  const approvals = new ApprovedCalls({ ...parts, conversations: agent.conversations, toolbox: () => parts.toolbox });
  const app: App = {
    home: homeFace(settings, parts, { frontend, additions, createApp }, { own, backups }),
    turns: {
      ...{ run: agent.runTurn, agent, archive, background, workspaces: parts.workspaces },
      code: {
        knobs: parts.codeKnobs,
        replay: (turnId, signal) => replayTurn({ sandbox, traceDir: scriptTraces(settings) }, turnId, signal),
      },
    },
    schedule: {
      ...{
        jobs: scheduler,
        freezer: parts.freezer,
        notifier,
        present: () => whoIsThere({ store, now }),
        active: () => own.active(),
      },
      serveHomes: (which, opened) => serveHomes(which, { settings, store, log, createApp, opened }),
    },
    knowledge: {
      ...{ documents: parts.documents, projects, origins: parts.origins },
      ...{ memory: parts.memory, skills: parts.skills },
    },
    tools: {
      ...{ toolbox: parts.toolbox, plugins, mcp, programs: parts.programs, sandbox },
      ...{ proposals, undo: parts.kept.undo, cutOff: parts.cutOff },
      approve: (id, approver) => approvals.approve(id, approver),
    },
    ...{ models, store, doors: openDoors(settings.server, () => app) },
    ...startedOnce({
      // The copy of a home that cannot be written has the same jobs and messages as the home itself.
      start: async (as) => {
        if (store.unkept) return;
        if (as !== undefined) await own.begin(as);
        await begin({ scheduler, notifier, store, outboxTimer, archive, frontend, mcp });
        await announceChanged(parts, frontend);
        backupTimer?.start();
      },
      close: async () => {
        await app.doors.closeChats();
        await own.close();
        await app.doors.close();
        await closeAll(parts, { background, outboxTimer, backupTimer });
      },
    }),
  };
  return app;
}

/** Whose program it is, and how it is doing. */
function homeFace(
  settings: Settings,
  parts: Parts,
  { createApp }: Around,
  { own, backups }: { readonly own: OwnPresence; readonly backups: HomeBackups },
): App['home'] {
  const { store, log, redactor, timeZone, models, plugins } = parts;
  const { home, shared } = settings;
  const status = () => readStatus({ store, vectorDataDir: home.vectorData, notices: parts.notifier.notices });
  return {
    ...{ dir: home.dir, id: shared.homeId, timeZone, log, redactor, setup: openSetup(settings, parts), status },
    ...{ backups, installer: parts.installer },
    check: () =>
      runChecks({
        ...{ ...parts, status, plugins: () => plugins.list() },
        ...{ privatePlaces: privatePlaces(settings), rerank: settings.rag.rerank },
        unread: () => unreadSettings(settings),
        vectorsProblem: async () =>
          settings.rag.vectors === 'pgvector'
            ? (await import('../rag/index/vector-extension.ts')).vectorExtensionProblem(store)
            : undefined,
      }),
    prove: async () => {
      mustKeep(store);
      await own.prove();
    },
    openTrial: (budgetUsd) => openTrial(budgetUsd, { settings, store, models, createApp }),
  };
}

interface Timers {
  readonly background: Background;
  /** Absent when another program serves the home, which then delivers. */
  readonly outboxTimer: OutboxTimer | undefined;
  readonly backupTimer: BackupTimer | undefined;
}

function openBackupTimer(
  { backup }: Settings,
  { backups, log, now, notifier }: Pick<Parts, 'log' | 'now' | 'notifier'> & { readonly backups: HomeBackups },
): BackupTimer | undefined {
  if (backup.everyMs === undefined) return undefined;
  const tell: BackupTimerDeps['tell'] = (notice) => notifier.notices.post(notice);
  return new BackupTimer({ backups, everyMs: backup.everyMs, log, now, tell });
}

/** Users before what they use, except for messages: whatever waits for one would delay the rest. */
function closeAll(parts: Parts, { background, outboxTimer, backupTimer }: Timers): Promise<void> {
  return closeInOrder(parts.log, {
    notifier: () => parts.notifier.close(),
    background: () => background.close(),
    workspaces: () => parts.workspaces.close(),
    scheduler: () => parts.scheduler.stop(),
    outbox: async () => outboxTimer?.stop(),
    backup: async () => backupTimer?.stop(),
    mcp: () => parts.mcp.close(),
    plugins: () => parts.plugins.shutdown(),
    documents: () => parts.documents.close(),
    models: () => parts.models.close(),
    sandbox: () => parts.sandbox.close(),
    gateway: () => parts.gateway.close(),
    store: () => parts.store.close(),
    log: async () => parts.log.close(),
  });
}

/** A checkout may belong to others too, and a volume shared by several machines is not for this one to restrict. */
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

interface OwnPresenceParts extends Pick<Parts, 'store' | 'log' | 'now' | 'timeZone' | 'notifier'> {
  readonly frontend: Frontend;
}

/** What others see this program as: a server, or a face that shows notices. */
class OwnPresence {
  readonly #parts: OwnPresenceParts;
  #own: { active(): void; close(): Promise<void> } | undefined;
  #server: Presence | undefined;

  constructor(parts: OwnPresenceParts) {
    this.#parts = parts;
  }

  async begin(kind: PresenceKind): Promise<void> {
    const { notifier, frontend, now, timeZone } = this.#parts;
    if (kind !== 'server') {
      const show = (notices: readonly ShownNotice[]) =>
        frontend.announce(sayAtPrompt(notices, { now: now(), timeZone }));
      this.#own = await notifier.notices.openFace({ kind, runsJobs: true, show });
      return;
    }
    const presence = new Presence(this.#parts, { kind, runsJobs: true });
    this.#own = this.#server = presence;
    await presence.begin();
  }

  active(): void {
    this.#own?.active();
  }

  /** See `Home`. */
  async prove(): Promise<void> {
    await (this.#server ? this.#server.prove() : this.#parts.store.now());
  }

  async close(): Promise<void> {
    await this.#own?.close();
  }
}

interface Beginning extends Pick<Parts, 'scheduler' | 'mcp' | 'notifier' | 'store'> {
  /** Absent when another program serves the home, which then delivers. */
  readonly outboxTimer: OutboxTimer | undefined;
  readonly archive: ConversationArchive;
  readonly frontend: Frontend;
}

/** Start what runs in the background. */
async function begin({ outboxTimer, archive, frontend, mcp, ...parts }: Beginning): Promise<void> {
  const { scheduler } = parts;
  mcp.start();
  await importLegacySchedule(parts);
  await scheduler.start();
  outboxTimer?.start();
  await announceCutOff(archive, frontend);
}

/** Once per home: import the jobs of the legacy Wooster, and tell the owner which. */
async function importLegacySchedule({
  scheduler,
  notifier,
  store,
}: Pick<Beginning, 'scheduler' | 'notifier' | 'store'>) {
  const report = await scheduler.importLegacy();
  if (!report.found || report.old) return;
  const text = legacyScheduleLines(report).join('\n');
  await store.transaction(() => notifier.notices.post({ key: 'legacy-schedule', text, to: HERE }));
  await notifier.notices.advance();
}

/** Offer the request that a killed program left behind. */
async function announceCutOff(archive: ConversationArchive, frontend: Frontend): Promise<void> {
  const [turn] = await archive.interrupted(1);
  if (!turn) return;
  const again = `/resume ${turn.conversation_id}`;
  frontend.announce(`A request was cut off: "${preview(turn.text, 80)}". ${again} goes on with it.`);
}

/** Name the programs that are off because they have changed, and what brings them back. */
async function announceChanged(
  { programs, toolbox, projects }: Pick<Parts, 'programs' | 'toolbox' | 'projects'>,
  frontend: Frontend,
): Promise<void> {
  for (const { file, state } of await programs.changed({ toolbox, project: projects.active() })) {
    const name = basename(file, '.tl');
    const what = state === 'broken' ? 'cannot be used any more' : 'has changed, so it is off';
    frontend.announce(`The program ${name} ${what}. Read it, then: wooster think trust "${name}"`);
  }
}

/**
 * Start once, close once, and never both at the same time: a close waits for a start in progress, so that it stops
 * what that one started. Nothing starts after a close.
 */
function startedOnce({ start, close }: Pick<App, 'start' | 'close'>): Pick<App, 'start' | 'close'> {
  let starting: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  const closeAfterStart = async () => {
    await starting?.catch(() => undefined);
    await close();
  };
  return {
    start: async (as) => {
      if (closing) return;
      starting ??= start(as);
      await starting;
    },
    close: () => {
      closing ??= closeAfterStart();
      return closing;
    },
  };
}

/** Close every part, even after one that fails to close. */
async function closeInOrder(log: Log, steps: Readonly<Record<string, () => Promise<void>>>): Promise<void> {
  for (const [part, close] of Object.entries(steps)) {
    await close().catch((error: unknown) => log.error('a part did not close', { part, error: messageOf(error) }));
  }
}
