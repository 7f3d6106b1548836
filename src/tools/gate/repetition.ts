import { canonicalJson, sha256 } from '../../base/json.ts';

/** After so many equal calls with equal outcomes the next one is not run. */
const MAX_REPETITIONS = 3;

/** `refuse`: not run, and the caller is told. `halt`: not run, and the turn is over. */
export type Ruling = 'run' | 'refuse' | 'halt';

/** One call. `script` identifies the script it comes from: an object that this script's calls alone share. */
export interface GuardedCall {
  readonly tool: string;
  readonly input: unknown;
  readonly script?: object | undefined;
}

/**
 * Notices when a turn makes no progress: the same call fails again and again, or gives the same result several times in
 * a row. The fourth such call is not run. It ends the turn when the model has read the first three results. A script
 * makes all its calls before the model reads anything, so the first script that repeats itself is only told; a later
 * one ends the turn.
 */
export class RepetitionGuard {
  readonly #failures = new Map<string, number>();
  /** The script that was told, by the call it was refused. */
  readonly #told = new Map<string, object>();
  #last: { readonly key: string; readonly outcome: string; readonly times: number } | undefined;

  /** May this call run? */
  judge(call: GuardedCall): Ruling {
    const key = keyOf(call);
    const told = this.#told.get(key);
    if (told !== undefined && told === call.script) return 'refuse';
    if (!this.#isStuck(key)) return 'run';
    if (call.script === undefined || told !== undefined) return 'halt';
    this.#told.set(key, call.script);
    // The next script may read the value once more: variables do not survive, so it cannot know it otherwise.
    if (this.#last?.key === key) this.#last = undefined;
    return 'refuse';
  }

  /** Record how a call ended. @param outcome the result's text; for a failure its message. */
  note(call: GuardedCall, ok: boolean, outcome: string): void {
    const key = keyOf(call);
    if (!ok) this.#failures.set(key, (this.#failures.get(key) ?? 0) + 1);
    const last = this.#last;
    const times = last?.key === key && last.outcome === outcome ? last.times : 0;
    this.#last = { key, outcome, times: times + 1 };
  }

  #isStuck(key: string): boolean {
    const inARow = this.#last?.key === key ? this.#last.times : 0;
    return Math.max(inARow, this.#failures.get(key) ?? 0) >= MAX_REPETITIONS;
  }
}

function keyOf({ tool, input }: GuardedCall): string {
  return sha256(`${tool} ${canonicalJson(input)}`);
}
