import type { Readable, Writable } from 'node:stream';
import type { App } from './app.ts';
import type { ChatDoor } from './doors.ts';

/** Where an editor is served. */
export interface EditorStreams {
  readonly input: Readable;
  /** Nothing else may write to it. */
  readonly output: Writable;
  /** Ends the service. */
  readonly signal: AbortSignal;
}

/** The program that an editor is served with. */
export interface EditorHome extends ChatDoor {
  readonly app: App;
}

/** What an editor is served with. */
export interface EditorDoor extends EditorStreams {
  /** Called once at most, when the editor has been greeted or asks for something; whoever opens it closes it. */
  open(): Promise<EditorHome>;
}
