import { z } from 'zod';
import { parseJson } from '../../base/json.ts';
import { cut } from '../../base/text.ts';
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
    const report = reportOf(parseJson(line));
    if (report) return report;
  }
  return undefined;
}

export function reportOf(value: unknown): SignalReport | undefined {
  return REPORT.safeParse(value).data;
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

const MAX_ERROR_CHARS = 300;
const RATE_LIMIT_MS = 15 * 60_000;

/** How a run of signal-cli ended. */
export interface SignalExit {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Why it could not be started. */
  readonly notStarted?: string | undefined;
  readonly timedOut: boolean;
}

/**
 * The outcome of a run that gave no report.
 *
 * Exit codes: 1 user, 2 unexpected, 3 input or output, 4 untrusted key, 5 rate limit, 6 captcha.
 */
export function readExit(exit: SignalExit): Outcome {
  const said = cut(redactNumbers(exit.stderr.trim()), MAX_ERROR_CHARS);
  const why = said ? `: ${said}` : '';
  if (exit.notStarted !== undefined) {
    return { state: 'failed', detail: `signal-cli cannot be started, ${exit.notStarted}; set SIGNAL_CLI_PATH` };
  }
  if (exit.timedOut) return { state: 'unknown', detail: 'signal-cli did not finish in time' };
  switch (exit.code) {
    case 0:
      return { state: 'sent', remoteId: /^\d{10,}$/mu.exec(exit.stdout)?.[0], detail: 'confirmed' };
    case 1:
      return { state: 'failed', detail: `signal-cli refused${why}` };
    case 3:
      return { state: 'retry', detail: `signal-cli could not reach Signal${why}`, why: 'unclear' };
    case 4:
      return { state: 'failed', detail: "the recipient's safety number changed; verify it in Signal" };
    case 5:
      return { state: 'retry', detail: 'Signal asks to wait', why: 'busy', waitMs: RATE_LIMIT_MS };
    case 6:
      return { state: 'failed', detail: 'Signal asks for a captcha; see signal-cli submitRateLimitChallenge' };
    default:
      return {
        state: 'unknown',
        detail: `signal-cli ended ${exit.code === null ? 'by a signal' : `with ${exit.code}`}${why}`,
      };
  }
}
