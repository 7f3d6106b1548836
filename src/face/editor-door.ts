import type { Readable, Writable } from 'node:stream';
import type { Mode } from '../base/turn.ts';

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
  readonly conversationId: string;
  readonly signal: AbortSignal;
}

/** The commands of the program, handed over by the room that has them. */
export interface EditorCommands {
  readonly list: readonly ListedCommand[];
  /** Undefined: the line is a request. Otherwise runs it. @returns what it printed. Never rejects. */
  reads(line: string): ((place: CommandPlace) => Promise<string>) | undefined;
}

/** What an editor is served with. */
export interface EditorDoor {
  readonly input: Readable;
  /** Nothing else may write to it. */
  readonly output: Writable;
  /** Ends the service. */
  readonly signal: AbortSignal;
  readonly commands: EditorCommands;
  readonly mode: Mode;
  readonly project: string;
}
