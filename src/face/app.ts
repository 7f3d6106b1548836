import type { Agent } from '../agent/agent.ts';
import type { Approved, Approver } from '../agent/approved-calls.ts';
import type { Background } from '../agent/background.ts';
import type { ReplayedScript } from '../agent/code/replay.ts';
import type { CodeKnobs } from '../agent/code/types.ts';
import type { TurnWishes } from '../agent/types.ts';
import type { Log } from '../base/log.ts';
import type { Redactor } from '../base/redact.ts';
import type { Answer, Mode, Turn, TurnContext } from '../base/turn.ts';
import type { ConversationArchive } from '../conversation/archive.ts';
import type { Trial } from '../evals/evaluate.ts';
import type { Freezer } from '../lang/freeze/freezer.ts';
import type { Programs } from '../lang/programs/programs.ts';
import type { ModelInstaller } from '../models/local/installer.ts';
import type { ModelControl } from '../models/types.ts';
import type { Notifier } from '../notify/contract.ts';
import type { PresenceKind, Present } from '../notify/presence.ts';
import type { Mcp } from '../plugins/mcp/mcp.ts';
import type { Memory } from '../plugins/memory/memory.ts';
import type { Plugins } from '../plugins/plugins.ts';
import type { Skills } from '../plugins/skills/skills.ts';
import type { Projects } from '../rag/projects.ts';
import type { Documents } from '../rag/types.ts';
import type { Sandbox } from '../sandbox/contract.ts';
import type { Scheduler } from '../scheduler/contract.ts';
import type { HomeBackup } from '../store/home-backup.ts';
import type { RestoredHome } from '../store/home-restore.ts';
import type { Store } from '../store/store.ts';
import type { CutOffEffects } from '../tools/gate/cut-off-effects.ts';
import type { Origins } from '../tools/gate/origins.ts';
import type { Proposals } from '../tools/gate/proposals.ts';
import type { Toolbox } from '../tools/gate/toolbox.ts';
import type { Undo } from '../tools/undo/undo.ts';
import type { Workspaces } from '../workspace/workspaces.ts';
import type { AskedDoor, ChatDoor, DoorDevices, DoorHooks, OpenDoor } from './doors.ts';
import type { SetupDesk } from './setup-desk.ts';
import type { Status } from './status-report.ts';

/** One line of `wooster doctor`; `hint` says how to fix it by hand. `off`: optional, and not there. */
export interface Check {
  readonly name: string;
  readonly state: 'ok' | 'off' | 'warn' | 'fail';
  readonly detail: string;
  readonly hint?: string | undefined;
  /** What `doctor --fix` does about it. @returns what it did, for the person. */
  readonly fix?: (() => Promise<string>) | undefined;
}

/** Control over scripts while the program runs. */
interface CodeControl {
  readonly knobs: CodeKnobs;
  /** Run the scripts of a recorded turn again, on recorded results. @throws AssistantError `file_not_found`. */
  replay(turnId: string, signal: AbortSignal): Promise<readonly ReplayedScript[]>;
}

/** What a user interface gives to the app. */
export interface Frontend {
  /** Show a message that no turn asked for (a reminder, the result of a job) without garbling the line being typed. */
  announce(text: string): void;
  /** `--verbose`: also write the log to stderr. */
  readonly verbose: boolean;
  /** `--json`: what is told is for programs. */
  readonly json?: boolean;
}

/** One of several homes that a program serves. */
export interface OpenedHome {
  readonly app: App;
  /** What its settings want. */
  readonly mode: Mode;
  /** Do something for the home, in its context. */
  run<T>(work: () => T): T;
}

/** Several homes served by one program. */
export interface ServedHomes {
  /** How many homes are open. */
  count(): number;
  close(): Promise<void>;
}

/** Requests and their answers: the ones under way, and the conversations that they make up. */
export interface Turns {
  run(turn: Turn, context: TurnContext, wishes?: TurnWishes): Promise<Answer>;
  /** Measures a conversation's context window, and summarises it. */
  readonly agent: Pick<Agent, 'compact' | 'context' | 'prompts' | 'tools'>;
  readonly archive: ConversationArchive;
  readonly background: Background;
  readonly workspaces: Workspaces;
  readonly code: CodeControl;
}

/** What happens without anybody asking: jobs, and the messages about them. */
export interface Schedule {
  readonly jobs: Scheduler;
  /** Jobs that a program does instead of a model. */
  freezer(): Promise<Freezer>;
  readonly notifier: Notifier;
  /** Who serves this home, and where its owner can see something, now; oldest first. */
  present(): Promise<readonly Present[]>;
  /** The person did something at this program's own face just now. */
  active(): void;
  /**
   * Work for several homes of the server, each with its own settings. Homes that are added or removed meanwhile are
   * noticed within seconds.
   *
   * @param opened  called with each; what it gives is called before that home is closed.
   * @throws AssistantError `bad_usage` on SQLite.
   */
  serveHomes(
    which: 'all' | readonly string[],
    opened?: (home: OpenedHome) => () => Promise<void>,
  ): Promise<ServedHomes>;
}

/** What can be read: the owner's documents, and what is known about the owner. */
export interface Knowledge {
  readonly documents: Documents;
  readonly projects: Projects;
  /** Knows whose text the files are. */
  readonly origins: Origins;
  readonly memory: Memory;
  /** Instructions for certain tasks. */
  readonly skills: Skills;
}

/** What can be done: tools, where they come from, and how to approve, undo and settle their calls. */
export interface Tools {
  readonly toolbox: Toolbox;
  readonly plugins: Pick<Plugins, 'folders' | 'list' | 'refresh' | 'status'>;
  /** The MCP servers of the home. */
  readonly mcp: Pick<Mcp, 'hub'>;
  /** ThinkLang programs as tools and jobs. */
  readonly programs: Programs;
  /** Where programs and scripts run. */
  readonly sandbox: Sandbox;
  /** Calls that wait for approval because nobody could be asked. */
  readonly proposals: Pick<Proposals, 'list' | 'deny' | 'denyTurn' | 'get'>;
  /** Runs one of them, once. @throws AssistantError `bad_usage` when there is no such proposal. */
  approve(id: string, approver: Approver): Promise<Approved>;
  /** Brings back what local effects replaced. */
  readonly undo: Undo;
  /** The calls whose outcome is unknown because the program was killed. */
  readonly cutOff: CutOffEffects;
}

/** Backups of all that is in the home. */
export interface Backups {
  /** Newest first. */
  list(): Promise<readonly HomeBackup[]>;
  /** @param to  a folder other than the usual one. @throws AssistantError, see `HomeBackups`. */
  make(to?: string): Promise<HomeBackup>;
  restore(path: string): Promise<RestoredHome>;
}

/** Whose program it is, and how it is doing. */
export interface Home {
  readonly dir: string;
  /** Which home of a PostgreSQL server it is, or would be. */
  readonly id: string;
  /** The owner's IANA zone. */
  readonly timeZone: string;
  readonly log: Log;
  /** Takes secrets out of what is sent and shown. */
  readonly redactor: Redactor;
  /** What `wooster setup` needs of the program. */
  readonly setup: SetupDesk;
  readonly backups: Backups;
  /** Installs models into the home. */
  installer(): Promise<ModelInstaller>;
  check(): Promise<readonly Check[]>;
  status(): Promise<Status>;
  /** Show a sign of life in the database, if the program serves. @throws what keeps it from that. */
  prove(): Promise<void>;
  /**
   * A second program with the settings and models of this one, on an empty home that is deleted when it is closed. Its
   * spending counts towards this home's budgets.
   *
   * @param budgetUsd the most that a turn may spend.
   */
  openTrial(budgetUsd: number | undefined): Promise<Trial>;
}

/** What an editor will be offered. */
export interface EditorOffer {
  readonly protocol: number;
  readonly capabilities: readonly string[];
  readonly modes: readonly { readonly id: string; readonly name: string }[];
  readonly options: readonly { readonly id: string; readonly values: readonly string[] }[];
}

/** A door of several homes: a request is for the home that its token names. */
export interface SharedDoor extends OpenDoor {
  /** @returns what shuts the home's way in again. */
  admit(home: Pick<OpenedHome, 'app' | 'run'>, door: Omit<AskedDoor, 'address'>): () => Promise<void>;
}

/** Ways in besides the terminal; the packages of each are loaded when it is opened. */
export interface Doors {
  /** Receive on the channels that can, while no other program does, until the program is closed. */
  openChats(door: ChatDoor): Promise<void>;
  closeChats(): Promise<void>;
  /** @throws AssistantError `bad_usage` when the port is taken, or the door would be open to others without TLS. */
  openHttp(door: AskedDoor): Promise<OpenDoor>;
  /** For homes that come and go. @throws AssistantError `bad_usage` like the other. */
  openSharedHttp(address: string | undefined): Promise<SharedDoor>;
  /** Close those over HTTP that are open. @returns how many there were. */
  close(): Promise<number>;
  /** Whether the settings want the door open whenever the program serves. */
  readonly httpEnabled: boolean;
  /** Where it is now, or will be by the settings once somebody opens it: `http://127.0.0.1:4321`. */
  http(): Promise<{ readonly url: string; readonly isOpen: boolean }>;
  devices(): Promise<DoorDevices>;
  hooks(): Promise<DoorHooks>;
  editorOffer(session: Pick<Turn, 'mode' | 'project'>): Promise<EditorOffer>;
}

/** The program as its commands see it. */
export interface App {
  readonly home: Home;
  readonly turns: Turns;
  readonly schedule: Schedule;
  readonly knowledge: Knowledge;
  readonly tools: Tools;
  readonly models: ModelControl;
  readonly store: Store;
  readonly doors: Doors;
  /**
   * Start background work (due jobs, outbox). The REPL and `serve` call it, one-shot commands do not.
   *
   * @param as  what others see this program as; absent for one that nobody looks at and that ends by itself, like a
   * pipe.
   */
  start(as?: PresenceKind): Promise<void>;
  close(): Promise<void>;
}
