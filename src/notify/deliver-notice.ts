import { AssistantError } from '../base/errors.ts';
import { deliveryText } from './outbox-outcome.ts';
import type { Notice, Notifier } from './types.ts';

const DELIVERY_MS = 60_000;

/**
 * Take a job's notice to the owner: to the channel it names, or to the terminal with the reason when that channel
 * cannot be used at all. What cannot be delivered yet stays in the outbox.
 *
 * @returns the outcome, in a word or a line.
 */
export async function deliverNotice(notifier: Notifier, { text, voice, to, key, runId }: Notice): Promise<string> {
  const signal = AbortSignal.timeout(DELIVERY_MS);
  const message = { text, voice, to, idempotencyKey: key, runId };
  const sent = await notifier.send(message, signal).catch((error: unknown) => {
    if (!(error instanceof AssistantError)) throw error;
    const why = `(not sent to ${to ?? 'you'}: ${error.message} ${error.hint})`;
    return notifier.send({ ...message, text: `${why}\n${text}`, to: 'terminal' }, signal);
  });
  return deliveryText(sent);
}
