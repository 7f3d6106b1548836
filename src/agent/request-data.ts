import { taughtBy } from '../base/examples.ts';
import type { MessageData } from '../models/message-data.ts';
import type { EngineRun } from './types.ts';

/** What the system prompt of a turn says as data, in both modes. */
export async function requestData({ facts, offers, done, toolbox, turn }: EngineRun): Promise<MessageData> {
  return { facts, offers, done, examples: taughtBy(await toolbox.offered(turn)) };
}
