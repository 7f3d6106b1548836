import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { EmbeddingsChoice } from '../../models/types.ts';
import { normalise } from '../../rag/index/lsa.ts';
import type { QuestionVectors } from './rank.ts';

/** How long a turn waits for the embedding model; without it facts are found by their words. */
const WAIT_MS = 3000;
/** How long a model that failed or was slow is left alone. */
const REST_MS = 60_000;

/**
 * The vectors of facts, from the configured embedding model. They are only in memory: of a forgotten fact nothing
 * stays behind.
 */
export class FactVectors {
  readonly #embedding: EmbeddingsChoice;
  readonly #log: Log;
  readonly #known = new Map<string, Float32Array>();
  #restsUntil = 0;

  constructor(embedding: EmbeddingsChoice, log: Log) {
    this.#embedding = embedding;
    this.#log = log;
  }

  /** Undefined if the model may not see the project's facts, fails or is slow. */
  async of(question: string, facts: readonly string[], project: string): Promise<QuestionVectors | undefined> {
    if (!this.#embedding.allows(project) || performance.now() < this.#restsUntil) return undefined;
    const waiting = new AbortController();
    try {
      const late = delay(WAIT_MS, undefined, { signal: waiting.signal });
      const made = await Promise.race([this.#embed(question, facts), late]);
      return made ?? this.#rest('it was slow');
    } catch (error) {
      return this.#rest(messageOf(error));
    } finally {
      waiting.abort();
    }
  }

  async #embed(question: string, facts: readonly string[]): Promise<QuestionVectors | undefined> {
    const { embeddings } = this.#embedding;
    const missing = [...new Set(facts)].filter((fact) => !this.#known.has(fact));
    const [asked, made] = await Promise.all([
      embeddings.embedQuery(question),
      missing.length === 0 ? [] : embeddings.embedDocuments(missing),
    ]);
    const kept = new Set(facts);
    for (const text of this.#known.keys()) if (!kept.has(text)) this.#known.delete(text);
    for (const [index, text] of missing.entries()) {
      const vector = normalise(Float32Array.from(made[index] ?? []));
      if (vector) this.#known.set(text, vector);
    }
    const vector = normalise(Float32Array.from(asked));
    return vector && { question: vector, facts: facts.map((fact) => this.#known.get(fact)) };
  }

  #rest(why: string): undefined {
    this.#restsUntil = performance.now() + REST_MS;
    this.#log.warn('facts are searched without the embedding model', { model: this.#embedding.name, error: why });
  }
}
