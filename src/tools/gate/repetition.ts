import { canonicalJson, sha256 } from '../../base/json.ts';

/** So many equal calls with an equal outcome, and the next one is not run. */
export const MAX_REPETITIONS = 3;

/** `refuse`: not run, and told so. `halt`: not run, and the turn is over. */
export type Verdict = 'run' | 'refuse' | 'halt';

/** One call; `script` when it comes from one: any object that all calls of that script share, and no other. */
export interface GuardedCall {
  readonly tool: string;
  readonly input: unknown;
  readonly script?: object | undefined;
}

/**
 * Notices when a turn gets nowhere: the same call failing again and again, or giving the same in a row. The fourth
 * such call is not run. It ends the turn when the model has read what the first three came to; a script has made all
 * of them before its model reads anything, so the first script to run into this is told, and a later one halts.
 */
export class RepetitionGuard {
  readonly #failures = new Map<string, number>();
  /** Scripts that were refused a call, by that call. */
  readonly #told = new Map<string, object>();
  #last = { key: '', outcome: '', times: 0 };

  judge(call: GuardedCall): Verdict {
    const key = keyOf(call);
    const told = this.#told.get(key);
    if (told !== undefined && told === call.script) return 'refuse';
    if (!this.#isStuck(key)) return 'run';
    if (call.script === undefined || told !== undefined) return 'halt';
    this.#told.set(key, call.script);
    // The script written next may read this once more; it cannot know the value otherwise.
    if (this.#last.key === key) this.#last = { key: '', outcome: '', times: 0 };
    return 'refuse';
  }

  /** @param outcome the result's text; for a failure its message. */
  note(call: GuardedCall, ok: boolean, outcome: string): void {
    const key = keyOf(call);
    if (!ok) this.#failures.set(key, (this.#failures.get(key) ?? 0) + 1);
    const same = this.#last.key === key && this.#last.outcome === outcome;
    this.#last = { key, outcome, times: same ? this.#last.times + 1 : 1 };
  }

  #isStuck(key: string): boolean {
    const inARow = this.#last.key === key ? this.#last.times : 0;
    return Math.max(inARow, this.#failures.get(key) ?? 0) >= MAX_REPETITIONS;
  }
}

function keyOf({ tool, input }: GuardedCall): string {
  return sha256(`${tool} ${canonicalJson(input)}`);
}
