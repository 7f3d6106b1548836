import type { AssistantError, Told } from '../base/errors.ts';
import { refusal, say, type ToldCode, told } from './told.ts';

/** Why words of time are unclear; a code alone where it has no values. */
export type Why = ToldCode | Told;

/** Why words of time have no single meaning. */
export class Unclear extends Error {
  readonly told: Told;
  /** Both readings, if there are exactly two, to be named in a question. */
  readonly between: readonly string[];

  constructor(why: Why, between: readonly string[] = []) {
    const what = typeof why === 'string' ? told(why) : why;
    super(say(what, 'en') ?? String(what.values.text ?? ''));
    this.told = what;
    this.between = between;
  }
}

/**
 * The error for a time that was not understood.
 *
 * @param why what is not clear about it.
 */
export function notUnderstood(said: string, why?: Told): AssistantError {
  return refusal('bad_time', why === undefined ? told('no_time', { said }) : told('unclear_time', { said, why }), {
    unclear: true,
    hint: [
      'Say it like "tomorrow 8am", "in 20 minutes", "every weekday at 9", "every 2 hours", ',
      '"2026-12-24 18:00" or as cron "0 9 * * 1-5".',
    ].join(''),
  });
}
