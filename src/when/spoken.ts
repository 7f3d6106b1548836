import { AssistantError } from '../base/errors.ts';
import { looksLikeCron } from './cron.ts';
import { type FoundTime, findTime } from './find.ts';
import { Unclear } from './refusal.ts';
import { LONGEST_CHARS, understand } from './understand.ts';
import { orUnclear } from './words.ts';

/** Where and when it was said. */
export interface SpokenOptions {
  readonly timeZone: string;
  readonly now: Date;
  /** It is about getting up: hours are in the morning. */
  readonly waking?: boolean | undefined;
}

/**
 * Words of time that a person said, passed on verbatim: "tomorrow at 5" is five in the afternoon, whereas a timetable
 * would mean five in the morning.
 *
 * @returns the words if `understand` reads the same from them or they are not a single time, otherwise ISO 8601.
 * @throws AssistantError `bad_time` with the question to ask, when they may mean either of two times.
 */
export function asSpoken(words: string, { timeZone, now, waking }: SpokenOptions): string {
  const plain = orUnclear(() => understand(words, { timeZone, from: now, count: 1 }).next[0]);
  const found = spoken(words, { timeZone, now, ...(waking === true ? { waking } : {}) });
  const isTwofold = found?.kind === 'unclear' && found.between.length > 0;
  if (found?.kind === 'unclear' && (isTwofold || plain instanceof Unclear)) throw unclear(words, found.question);
  if (found?.kind !== 'once') return words;
  return plain instanceof Date && plain.getTime() === found.at.getTime() ? words : found.at.toISOString();
}

/** What the words mean when they are a time and nothing else. @throws AssistantError `bad_time` when it is unclear. */
export function readSpoken(words: string, options: SpokenOptions): FoundTime | undefined {
  const found = spoken(words, options);
  if (found?.kind === 'unclear') throw unclear(words, found.question);
  return found;
}

function spoken(words: string, options: SpokenOptions): FoundTime | undefined {
  const text = words.trim();
  const found = text.length > LONGEST_CHARS || looksLikeCron(text) ? undefined : findTime(text, options);
  return found?.rest === '' ? found : undefined;
}

function unclear(words: string, question: string): AssistantError {
  const hint = 'Say it with am or pm, or on 24 hours, and with the day.';
  return new AssistantError('bad_time', `"${words}" is not clear. ${question}`, { hint, unclear: true });
}
