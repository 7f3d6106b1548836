import { canonicalJson, sha256 } from '../base/json.ts';

/** So many equal calls with an equal outcome, and the next one is not run. */
export const MAX_REPETITIONS = 3;

/** Notices when a turn gets nowhere: the same call failing again and again, or giving the same in a row. */
export class RepetitionGuard {
  readonly #failures = new Map<string, number>();
  #last = { key: '', outcome: '', times: 0 };

  /** Has this call failed, or in a row told the same, three times already? */
  isStuck(tool: string, input: unknown): boolean {
    const key = keyOf(tool, input);
    const inARow = this.#last.key === key ? this.#last.times : 0;
    return Math.max(inARow, this.#failures.get(key) ?? 0) >= MAX_REPETITIONS;
  }

  /** @param outcome the result's text; for a failure its message. */
  note(call: { readonly tool: string; readonly input: unknown }, ok: boolean, outcome: string): void {
    const key = keyOf(call.tool, call.input);
    if (!ok) this.#failures.set(key, (this.#failures.get(key) ?? 0) + 1);
    const same = this.#last.key === key && this.#last.outcome === outcome;
    this.#last = { key, outcome, times: same ? this.#last.times + 1 : 1 };
  }
}

function keyOf(tool: string, input: unknown): string {
  return sha256(`${tool} ${canonicalJson(input)}`);
}
