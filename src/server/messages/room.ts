import type { App } from '../../face/app.ts';
import type { CommandPlace, LineCommands } from '../../face/doors.ts';
import type { ReceivingChannel } from '../../notify/types.ts';
import type { ChatFace } from './chat-face.ts';
import type { ChatSettings } from './chat-settings.ts';
import type { Questions } from './questions.ts';
import type { Say } from './say.ts';

/** What all chats of a channel share. */
export interface Room {
  readonly app: App;
  readonly channel: ReceivingChannel;
  readonly commands: LineCommands;
  /** What a new chat begins with. */
  readonly place: Pick<CommandPlace, 'mode' | 'project'>;
  readonly settings: ChatSettings;
  readonly questions: Questions;
  readonly face: ChatFace;
  /** Fires when another program receives, or the program ends. */
  readonly signal: AbortSignal;
  /** Say something in a chat, by the outbox. */
  readonly say: Say;
}
