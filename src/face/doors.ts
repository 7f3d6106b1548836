import type { Mode } from '../base/turn.ts';
import type { Served } from '../plugins/mcp/serve/server-face.ts';

/** A command as a client lists it. */
export interface ListedCommand {
  readonly name: string;
  readonly description: string;
  /** What may be typed behind it. */
  readonly usage: string;
}

/** The session that a command is typed in. */
export interface CommandPlace {
  readonly mode: Mode;
  readonly project: string;
  readonly conversationId?: string | undefined;
  readonly signal: AbortSignal;
}

/** What may stand in a line from a place on. */
export interface LineCompletions {
  readonly from: number;
  readonly items: readonly { readonly value: string; readonly note?: string | undefined }[];
}

/** What a command gave: its rows as with `--json`, and what it says to people where it failed. */
export interface CommandResult {
  readonly code: number;
  readonly rows: readonly unknown[];
  readonly text: string;
  /** The error that ended it. */
  readonly problem?: { readonly code: string; readonly message: string; readonly hint: string };
}

/** The commands of the program as lines that are typed, handed over by the room that has them. */
export interface LineCommands {
  readonly list: readonly ListedCommand[];
  /**
   * Undefined: the line is a request. Otherwise runs it. @returns what it printed. Never rejects.
   *
   * @param from  what is not for chats is refused there.
   */
  reads(line: string, from?: 'chat'): ((place: CommandPlace) => Promise<string>) | undefined;
}

/** The same as a program calls them. */
export interface DoorCommands extends LineCommands {
  /** Run a command as `wooster WORDS --json` would, or as people read it. Never rejects. */
  run(words: readonly string[], place: CommandPlace, as?: 'rows' | 'text'): Promise<CommandResult>;
  /** What the word at the cursor of a line can become. */
  complete(line: string, cursor: number, place: CommandPlace): Promise<LineCompletions | undefined>;
  /**
   * What the command needs besides the scope for commands: the scope to decide about calls, or the page that changes
   * who is obeyed. `machine`: it reaches the machine itself, which is only for a page whose owner has the machine.
   */
  scopeOf(words: readonly string[]): 'approve' | 'page' | 'machine' | undefined;
}

/** A call that waits for a decision, as a person reads it. */
export interface Question {
  readonly type: 'question';
  readonly id: string;
  readonly text: string;
}

/** A door over HTTP as a command opens it. */
export interface AskedDoor {
  /** `HOST:PORT`, `:PORT` or `HOST`; absent: as the settings say. */
  readonly address?: string | undefined;
  readonly commands: DoorCommands;
  /**
   * What one client is offered over MCP.
   *
   * @param conversationId keeps what it has read, whatever becomes of this program.
   * @param signal ends its calls.
   */
  served(conversationId: string, signal: AbortSignal): Served;
  readonly mode: Mode;
  readonly project: string;
}

/** Chats as a command opens them, and editors. */
export interface ChatDoor {
  readonly commands: LineCommands;
  readonly mode: Mode;
  readonly project: string;
}

/** Where the program is reached over HTTP. */
export interface HttpDoor {
  readonly host: string;
  readonly port: number;
  /** Further names of this door, `name` or `name:port`. */
  readonly names: readonly string[];
  /** Addresses of proxies in front of it. */
  readonly proxies: readonly string[];
  /** Paths of certificate and key, PEM. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
}

/** An open door. */
export interface OpenDoor {
  /** Without a slash at its end. */
  readonly url: string;
  close(): Promise<void>;
}

/** What a hook begins. */
export type HookBegins =
  | { readonly kind: 'prompt'; readonly prompt: string }
  | { readonly kind: 'job'; readonly job: string }
  /** `param` gets the text that came. */
  | { readonly kind: 'program'; readonly path: string; readonly hash: string; readonly param?: string };

export interface HookPlace {
  readonly project: string;
  readonly mode: Mode;
}

export interface DoorHook {
  readonly name: string;
  readonly project: string;
  readonly begins: HookBegins;
  readonly createdAt: string;
}

/** Addresses at which programs of the owner's begin something. */
export interface DoorHooks {
  /** @returns the secret to sign with, told this once. @throws AssistantError `bad_usage`. */
  add(name: string, begins: HookBegins, place: HookPlace): Promise<{ readonly secret: string }>;
  list(): Promise<readonly DoorHook[]>;
  remove(name: string): Promise<void>;
}

/** Who may enter. */
export interface DoorDevices {
  pair(
    name?: string,
  ): Promise<{ readonly code: string; readonly scopes: readonly string[]; readonly expiresAt: string }>;
  issue(name: string, scopes: readonly string[]): Promise<{ readonly device: DoorDevice; readonly token: string }>;
  list(): Promise<readonly DoorDevice[]>;
  revoke(id: string): Promise<void>;
}

export interface DoorDevice {
  readonly id: string;
  readonly name: string;
  readonly kind: 'page' | 'program';
  readonly scopes: readonly string[];
  readonly createdAt: string;
  readonly seenAt: string | null;
  readonly revokedAt: string | null;
}
