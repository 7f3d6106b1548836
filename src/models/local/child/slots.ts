import type { Sequence, Token } from './engine-api.ts';

/** The conversations that the model has read, one in each sequence of its context. */
export class Slots {
  /** Least recently used first. */
  #sequences: readonly Sequence[];

  constructor(sequences: readonly Sequence[]) {
    this.#sequences = sequences;
  }

  /**
   * The sequence that costs least to read on from: what it has yet to read, and what others would have to read again.
   * So a conversation goes on where it was, and a new one shares the system prompt of one that is short.
   */
  take(tokens: readonly Token[]): Sequence {
    const costs = this.#sequences.map((sequence) => {
      const shared = commonStart(sequence.contextTokens, tokens);
      return { sequence, cost: tokens.length + sequence.contextTokens.length - 2 * shared };
    });
    const least = Math.min(...costs.map(({ cost }) => cost));
    const taken = costs.find(({ cost }) => cost === least)?.sequence;
    if (taken === undefined) throw new RangeError('a context has at least one sequence');
    this.#sequences = [...this.#sequences.filter((each) => each !== taken), taken];
    return taken;
  }
}

function commonStart(a: readonly Token[], b: readonly Token[]): number {
  const differs = a.findIndex((token, index) => token !== b[index]);
  return differs < 0 ? a.length : differs;
}
