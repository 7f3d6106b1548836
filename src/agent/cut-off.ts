import { counted } from '../base/text.ts';
import type { TurnEvent } from '../base/turn.ts';

/** What the person is told of an answer that the length limit or a broken connection ended. */
export const CUT_OFF: TurnEvent = {
  type: 'error',
  code: 'model_incomplete',
  message: 'The answer is incomplete: the model was cut off.',
  hint: 'Ask for the rest, or for a shorter answer.',
};

/** The last words of a turn that reached its limit, after so many steps or scripts. */
export function stoppedAfter(count: number, noun: string): string {
  return `I stopped after ${counted(count, noun)} without finishing. Ask me to go on if you want the rest.`;
}
