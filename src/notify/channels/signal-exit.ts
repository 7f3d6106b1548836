import type { Outcome } from '../channel.ts';
import { redactNumbers } from './signal-report.ts';

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
  const said = redactNumbers(exit.stderr.trim()).slice(0, MAX_ERROR_CHARS);
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
