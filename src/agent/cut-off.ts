import type { TurnEvent } from '../base/turn.ts';

/** What the person is told of an answer that the length limit or a broken connection ended. */
export const CUT_OFF: TurnEvent = {
  type: 'error',
  code: 'model_incomplete',
  message: 'The answer is incomplete: the model was cut off.',
  hint: 'Ask for the rest, or for a shorter answer.',
};
