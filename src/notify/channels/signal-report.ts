import { z } from 'zod';
import { parseJson } from '../../base/json.ts';
import type { Outcome } from '../channel.ts';

/** What signal-cli says about each recipient of a message, on one line of JSON. */
const REPORT = z.object({
  timestamp: z.number(),
  results: z.array(
    z.object({
      recipientAddress: z.object({
        uuid: z.string().nullish(),
        number: z.string().nullish(),
        username: z.string().nullish(),
      }),
      type: z.string(),
      token: z.string().nullish(),
      retryAfterSeconds: z.number().nullish(),
    }),
  ),
});

export type SignalReport = z.infer<typeof REPORT>;
type Result = SignalReport['results'][number];

/** Failures that pass: another try may reach the recipient. */
const PASSING: ReadonlySet<string> = new Set(['NETWORK_FAILURE', 'RATE_LIMIT_FAILURE', 'INVALID_PRE_KEY_FAILURE']);
const REASONS: ReadonlyMap<string, string> = new Map([
  ['NETWORK_FAILURE', 'Signal could not be reached'],
  ['RATE_LIMIT_FAILURE', 'Signal asks to wait'],
  ['INVALID_PRE_KEY_FAILURE', 'its keys are not usable'],
  ['UNREGISTERED_FAILURE', 'not on Signal'],
  ['IDENTITY_FAILURE', 'the safety number changed; verify it in Signal'],
]);

/** The report in the output of signal-cli; versions before 0.12 print none. */
export function findReport(stdout: string): SignalReport | undefined {
  for (const line of stdout.split('\n')) {
    const report = REPORT.safeParse(parseJson(line));
    if (report.success) return report.data;
  }
  return undefined;
}

/**
 * The outcome for all recipients together. Once some have received the message, only the others are named for another
 * attempt, in the form that `signal-cli send` accepts as a recipient.
 */
export function readReport({ timestamp, results }: SignalReport): Outcome {
  const failed = results.filter(({ type }) => type !== 'SUCCESS');
  const again = failed.filter(canPass);
  const lost = failed.filter((result) => !canPass(result)).map(describe);
  const some = failed.length < results.length;
  if (again.length > 0) {
    const left = some ? again.map(recipientOf) : undefined;
    return { state: 'retry', detail: again.map(describe).join(', '), ...waitOf(again), left, lost };
  }
  if (lost.length > 0 && !some) return { state: 'failed', detail: lost.join(', ') };
  return { state: 'sent', remoteId: String(timestamp), detail: 'confirmed', lost };
}

/** Signal lifts a limit after a time or a captcha; without a time only the captcha is left. */
function canPass({ type, token, retryAfterSeconds }: Result): boolean {
  return PASSING.has(type) && !(token && !retryAfterSeconds);
}

function waitOf(again: readonly Result[]): {
  readonly why: 'busy' | 'error' | 'unclear';
  readonly waitMs?: number | undefined;
} {
  const has = (type: string) => again.some((result) => result.type === type);
  if (!has('RATE_LIMIT_FAILURE')) return { why: has('NETWORK_FAILURE') ? 'unclear' : 'error' };
  const seconds = again.map(({ retryAfterSeconds }) => retryAfterSeconds ?? 0);
  const longest = Math.max(...seconds);
  return { why: 'busy', waitMs: longest > 0 ? longest * 1000 : undefined };
}

function describe(result: Result): string {
  const why =
    result.type === 'RATE_LIMIT_FAILURE' && !canPass(result)
      ? 'Signal asks for a captcha; see signal-cli submitRateLimitChallenge'
      : (REASONS.get(result.type) ?? result.type);
  return `${redactNumbers(recipientOf(result))} (${why})`;
}

function recipientOf({ recipientAddress: { number, uuid, username } }: Result): string {
  return number ?? uuid ?? (username ? `u:${username}` : 'a recipient without an address');
}

/** Cut phone numbers down to their last two digits. */
export function redactNumbers(text: string): string {
  return text.replace(/\+\d{5,}(?=\d{2})/gu, '+…');
}
