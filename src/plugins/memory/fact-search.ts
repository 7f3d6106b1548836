import type { Log } from '../../base/log.ts';
import type { EmbeddingsChoice } from '../../models/types.ts';
import { FactVectors } from './fact-vectors.ts';
import type { KnownFact } from './memory-files.ts';
import type { FactIndex } from './rank.ts';

/** A fact that a search found. */
export interface FoundFact extends KnownFact {
  /** How much of the question its words cover, 0 to 1. */
  readonly fit: number;
}

export interface FactSearchDeps {
  readonly log: Log;
  /** The embedding model, if one is set. */
  readonly embedding?: EmbeddingsChoice | undefined;
}

/** Ranks facts by words, n-grams, topic and, if an embedding model is set, by meaning. */
export class FactSearch {
  readonly #vectors: FactVectors | undefined;
  #index: { readonly key: string; readonly facts: FactIndex } | undefined;

  constructor({ embedding, log }: FactSearchDeps) {
    this.#vectors = embedding && new FactVectors(embedding, log);
  }

  /**
   * Best first. The index is rebuilt when a fact has changed.
   *
   * @param project  the project whose embedding model is used; undefined: words are enough.
   */
  async rank(question: string, facts: readonly KnownFact[], project: string | undefined): Promise<FoundFact[]> {
    if (facts.length === 0) return [];
    const texts = facts.map(({ text }) => text);
    const index = await this.#indexOf(texts);
    const vectors = project === undefined ? undefined : await this.#vectors?.of(question, texts, project);
    return (await index.search(question, vectors)).flatMap(({ index: at, fit }) => {
      const fact = facts[at];
      return fact ? [{ ...fact, fit }] : [];
    });
  }

  async #indexOf(texts: readonly string[]): Promise<FactIndex> {
    const key = texts.join('\n');
    if (this.#index?.key === key) return this.#index.facts;
    // Text analysis is only loaded when there is something to search.
    const { FactIndex } = await import('./rank.ts');
    const facts = new FactIndex(texts);
    this.#index = { key, facts };
    return facts;
  }
}
