import { AssistantError } from '../base/errors.ts';
import { told } from '../base/told.ts';

/** Why words of time have no single meaning, in a short phrase that fits after a colon. */
export class Unclear extends Error {
  /** Both readings, if there are exactly two, to be named in a question. */
  readonly between: readonly string[];

  constructor(why: string, between: readonly string[] = []) {
    super(why);
    this.between = between;
  }
}

/**
 * The error for a time that was not understood.
 *
 * @param why what is not clear about it.
 */
export function notUnderstood(said: string, why?: string): AssistantError {
  const message = why === undefined ? told('no_time', { said }) : told('unclear_time', { said, why });
  return new AssistantError('bad_time', message, {
    unclear: true,
    hint: [
      'Say it like "tomorrow 8am", "in 20 minutes", "every weekday at 9", "every 2 hours", ',
      '"2026-12-24 18:00" or as cron "0 9 * * 1-5".',
    ].join(''),
  });
}
