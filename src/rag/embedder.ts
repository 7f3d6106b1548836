import type { EmbeddingsInterface } from '@langchain/core/embeddings';
import { AssistantError, messageOf } from '../base/errors.ts';
import type { Store } from '../store/store.ts';
import { cosine, normalise } from './index/lsa.ts';
import { inBatches } from './ingest/batches.ts';
import type { Sample } from './ingest/import-store.ts';
import { ProjectRows } from './ingest/project-rows.ts';
import { vectorDimensions, vectorRow } from './ingest/vector-rows.ts';
import { Corpus, searchable } from './search/corpus.ts';
import type { IngestProgress } from './types.ts';

/** A configured embedding model. Stored vectors belong to it by `name`. */
export interface EmbeddingModel {
  readonly name: string;
  readonly embeddings: EmbeddingsInterface;
  /** False for projects whose documents must not be sent to the model. They are searched without it. */
  readonly allows?: (project: string) => boolean;
}

const BATCH = 64;
/** The lowest cosine of two vectors that one model made from the same text: servers round differently. */
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

  /** Embed every chunk of the project whose text has no vector yet. If aborted, the vectors made so far are kept. */
  async embedMissing(
    project: string,
    options: { signal: AbortSignal; onProgress?: ((progress: IngestProgress) => void) | undefined },
  ): Promise<void> {
    const missing = await this.#missing(project);
    const corpus = new Corpus(this.#store, project);
    let done = 0;
    try {
      while (done < missing.length && !options.signal.aborted) {
        const chunks = [...(await corpus.getMany(missing.slice(done, done + BATCH))).values()];
        const vectors = await this.#embed(chunks.map(searchable));
        await this.#save(
          chunks.map(({ sha }) => sha),
          vectors,
        );
        done = Math.min(done + BATCH, missing.length);
        options.onProgress?.({ done, total: missing.length, file: chunks.at(-1)?.file ?? '', stage: 'embed' });
      }
    } finally {
      // Readers that have already taken in the rows did so without these vectors.
      if (done > 0) await this.#store.transaction(() => new ProjectRows(this.#store, project).bumpRevision());
    }
  }

  /** Another model with vectors for chunks that this one has not embedded: using both would mix them. */
  async otherModelOf(project: string): Promise<string | undefined> {
    const query = this.#store.read
      .selectFrom('chunks as c')
      .innerJoin('vectors as other', (join) =>
        join.onRef('other.text_sha', '=', 'c.text_sha').on('other.model', '<>', this.id),
      )
      .leftJoin('vectors as own', (join) => join.onRef('own.text_sha', '=', 'c.text_sha').on('own.model', '=', this.id))
      .select('other.model')
      .where('c.project', '=', project)
      .where('own.model', 'is', null)
      .limit(1);
    return (await query.executeTakeFirst())?.model;
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

  /** The query's unit vector; undefined if the model returns none that can be compared. */
  async embedQuery(text: string): Promise<Float32Array | undefined> {
    return normalise(Float32Array.from(await this.#model.embeddings.embedQuery(text)));
  }

  /** The first chunk of each text without a vector. */
  async #missing(project: string): Promise<number[]> {
    const rows = await this.#store.read
      .selectFrom('chunks as c')
      .leftJoin('vectors as v', (join) => join.onRef('v.text_sha', '=', 'c.text_sha').on('v.model', '=', this.id))
      .select(({ fn }) => fn.min<number>('c.id').as('first'))
      .where('c.project', '=', project)
      .where('v.text_sha', 'is', null)
      .groupBy('c.text_sha')
      .orderBy('first')
      .execute();
    return rows.map(({ first }) => first);
  }

  /** @param shas hashes of the texts, without duplicates. */
  async #save(shas: readonly string[], vectors: readonly (readonly number[])[]): Promise<void> {
    const store = this.#store;
    await store.transaction(async () => {
      const first = vectors[0]?.length ?? 0;
      const dimensions = (await vectorDimensions(store, this.id)) || first;
      const rows = shas.map((sha, index) => ({ sha, vector: this.#unit(vectors[index] ?? [], dimensions) }));
      for (const some of inBatches(rows.map((row) => vectorRow(this.id, row))))
        await store.db
          .insertInto('vectors')
          .values(some)
          .onConflict((conflict) =>
            conflict.columns(['text_sha', 'model']).doUpdateSet(({ ref }) => ({
              dimensions: ref('excluded.dimensions'),
              vector: ref('excluded.vector'),
            })),
          )
          .execute();
    });
  }

  /** A zero vector stays zero. @throws AssistantError `index_unavailable` for a vector of another length. */
  #unit(values: readonly number[], dimensions: number): Float32Array {
    const vector = Float32Array.from(values);
    if (vector.length !== dimensions || dimensions === 0) throw this.#mixed(dimensions, vector.length);
    return normalise(vector) ?? new Float32Array(dimensions);
  }

  #mixed(expected: number, got: number): AssistantError {
    return new AssistantError(
      'index_unavailable',
      `The embedding model ${this.#model.name} gave a vector of ${got} numbers where ${expected} were expected.`,
      { hint: 'Rename the changed model, or embed everything again: wooster ingest --rebuild' },
    );
  }
}
