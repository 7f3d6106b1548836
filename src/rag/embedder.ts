import type { EmbeddingsInterface } from '@langchain/core/embeddings';
import { AssistantError, messageOf } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import type { Store } from '../store/store.ts';
import { normalise } from './index/lsa.ts';
import type { Sample } from './ingest/import-store.ts';
import { Corpus, searchable } from './search/corpus.ts';
import type { IngestProgress } from './types.ts';

/** A configured embedding model. Stored vectors belong to it by `name`. */
export interface EmbeddingModel {
  readonly name: string;
  readonly embeddings: EmbeddingsInterface;
  /** False for projects whose documents must not be sent to it. They are searched without it. */
  readonly allows?: (project: string) => boolean;
}

const BATCH = 64;
/** Least cosine of two vectors that one model made of one text: servers round differently. */
const SAME_MODEL = 0.98;

/** Embeds chunks with a model and stores the vectors, one per text and model, so that no text is embedded twice. */
export class Embedder {
  readonly #store: Store;
  readonly #model: EmbeddingModel;

  constructor(store: Store, model: EmbeddingModel) {
    this.#store = store;
    this.#model = model;
  }

  /** Identifies this model's vectors in the database and the index. */
  get id(): string {
    return `model:${this.#model.name}`;
  }

  get name(): string {
    return this.#model.name;
  }

  /** Whether this model made the vectors, judged by embedding the same texts again. */
  async made({ texts, vectors }: Sample): Promise<boolean> {
    const again = texts.length === 0 ? [] : await this.#embed([...texts]);
    return vectors.every((vector, index) => {
      const own = normalise(Float32Array.from(again[index] ?? []));
      return own !== undefined && own.length === vector.length && cosine(own, vector) > SAME_MODEL;
    });
  }

  /** Embed every chunk of the project whose text has no vector yet. When aborted, the vectors made so far are kept. */
  async embedMissing(
    project: string,
    options: { signal: AbortSignal; onProgress?: ((progress: IngestProgress) => void) | undefined },
  ): Promise<void> {
    const missing = this.#missing(project);
    const corpus = new Corpus(this.#store.sql, project);
    for (let at = 0; at < missing.length && !options.signal.aborted; at += BATCH) {
      const chunks = [...corpus.getMany(missing.slice(at, at + BATCH)).values()];
      const vectors = await this.#embed(chunks.map(searchable));
      this.#save(
        chunks.map(({ sha }) => sha),
        vectors,
      );
      const done = Math.min(at + BATCH, missing.length);
      options.onProgress?.({ done, total: missing.length, file: chunks.at(-1)?.file ?? '', stage: 'embed' });
    }
  }

  /** Another model whose vectors exist for chunks that this one has not embedded: using both would mix them. */
  otherModelOf(project: string): string | undefined {
    const sql = `SELECT other.model AS model FROM chunks c
      JOIN vectors other ON other.text_sha = c.text_sha AND other.model <> ?1
      WHERE c.project = ?2 AND NOT EXISTS (SELECT 1 FROM vectors own WHERE own.text_sha = c.text_sha AND own.model = ?1)
      LIMIT 1`;
    const row = this.#store.sql.prepare(sql).get(this.id, project);
    return row && String(row.model);
  }

  async #embed(texts: string[]): Promise<number[][]> {
    try {
      return await this.#model.embeddings.embedDocuments(texts);
    } catch (error) {
      const hint =
        'What was read is kept and can be found by its words. Run wooster ingest again when the model is available.';
      const message = `The embedding model ${this.#model.name} could not be asked: ${messageOf(error)}.`;
      throw new AssistantError('model_unreachable', message, { hint, cause: error });
    }
  }

  /** The query's unit vector; undefined when the model returns none that can be compared. */
  async embedQuery(text: string): Promise<Float32Array | undefined> {
    return normalise(Float32Array.from(await this.#model.embeddings.embedQuery(text)));
  }

  #missing(project: string): number[] {
    const sql = `SELECT min(c.id) AS id FROM chunks c LEFT JOIN vectors v ON v.text_sha = c.text_sha AND v.model = ?
      WHERE c.project = ? AND v.text_sha IS NULL GROUP BY c.text_sha ORDER BY 1`;
    return this.#store.sql
      .prepare(sql)
      .all(this.id, project)
      .map((row) => Number(row.id));
  }

  #save(shas: readonly string[], vectors: readonly (readonly number[])[]): void {
    const known = this.#store.sql.prepare('SELECT dimensions FROM vectors WHERE model = ? LIMIT 1').get(this.id);
    const dimensions = isRecord(known) ? Number(known.dimensions) : (vectors[0]?.length ?? 0);
    const insert = this.#store.sql.prepare(
      'INSERT OR REPLACE INTO vectors (text_sha, model, dimensions, vector) VALUES (?, ?, ?, ?)',
    );
    this.#store.transaction(() => {
      for (const [index, sha] of shas.entries()) {
        const vector = Float32Array.from(vectors[index] ?? []);
        if (vector.length !== dimensions || dimensions === 0) throw this.#mixed(dimensions, vector.length);
        insert.run(
          sha,
          this.id,
          dimensions,
          new Uint8Array((normalise(vector) ?? new Float32Array(dimensions)).buffer),
        );
      }
    });
  }

  #mixed(expected: number, got: number): AssistantError {
    return new AssistantError(
      'index_unavailable',
      `The embedding model ${this.#model.name} gave a vector of ${got} numbers where ${expected} were expected.`,
      { hint: 'Rename the changed model, or embed everything again: wooster ingest --rebuild' },
    );
  }
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, axis) => sum + value * (b[axis] ?? 0), 0);
}
