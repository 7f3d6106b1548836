import type { BaseMessage } from '@langchain/core/messages';
import type { Language } from '../words/spelling.ts';
import { answerLanguage } from './language.ts';
import { type ModelInput, readModelInput } from './model-input.ts';
import { recognizeIntent } from './recognize.ts';
import type { Intent, RawRequest } from './request.ts';

/** When and where a request is read. */
export type Clock = Pick<RawRequest, 'now' | 'timeZone' | 'isDue'>;

/** What a request amounts to that came as messages to a model. */
export function readIntent(input: ModelInput, clock: Clock): Intent {
  return recognizeIntent({ ...input, ...clock });
}

/** What the built-in model would do about a request, without doing it. */
export interface WouldDo {
  /** By their names for models, dots as `_`; none where it would only say or ask something. */
  readonly tools: readonly string[];
  readonly language: Language;
}

/** @param offered names of the tools that are bound to the request; none where a script is asked for. */
export async function wouldDo(
  messages: readonly BaseMessage[],
  offered: readonly string[],
  clock: Clock,
): Promise<WouldDo> {
  const input = readModelInput(messages, offered);
  const language = answerLanguage(input.text, input.earlier);
  const intent = readIntent(input, clock);
  return { tools: intent.kind === 'act' ? intent.actions.map(({ tool }) => tool) : [], language };
}
