import type { Voice } from '../../base/turn.ts';

/**
 * @param more.key  the same for a repetition, which then says nothing.
 * @param more.replyTo  the message in the chat that it answers.
 * @param more.voice  whose words they are; absent: the program's.
 */
export type Say = (
  chat: string,
  text: string,
  more?: {
    readonly key?: string;
    readonly voice?: Voice | undefined;
    readonly turnId?: string;
    readonly replyTo?: string | undefined;
  },
) => Promise<void>;
