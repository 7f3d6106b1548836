import type { Store } from '../../store/store.ts';
import type { Documents } from '../types.ts';

/** One of the person's own questions, and the document that should answer it. */
export interface Check {
  readonly question: string;
  readonly documentId: string;
}

export interface CheckResult extends Check {
  /** The document's rank among the first ten; 0 if it is not among them. */
  readonly rank: number;
  /** The rank at the previous check; null if this is the first. */
  readonly before: number | null;
}

export interface CheckReport {
  readonly results: readonly CheckResult[];
  /** Mean reciprocal rank; a document that was not found counts as 0. */
  readonly score: number;
  readonly scoreBefore: number | null;
  /** Questions whose document ranks lower than before or is missing. */
  readonly dropped: readonly CheckResult[];
}

const DEPTH = 10;

/** The person's own test questions for a project, asked again after every change. */
export class Checks {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async add(project: string, { question, documentId }: Check): Promise<void> {
    await this.#store.db
      .insertInto('rag_checks')
      .values({ project, question, document_id: documentId })
      .onConflict((conflict) => conflict.columns(['project', 'question', 'document_id']).doNothing())
      .execute();
  }

  /** @returns whether there was such a question. */
  async remove(project: string, question: string): Promise<boolean> {
    const query = this.#store.db
      .deleteFrom('rag_checks')
      .where('project', '=', project)
      .where('question', '=', question);
    return (await query.executeTakeFirst()).numDeletedRows > 0n;
  }

  list(project: string): Promise<readonly (Check & { readonly rank: number | null })[]> {
    return this.#store.read
      .selectFrom('rag_checks')
      .select(['question', 'document_id as documentId', 'rank'])
      .where('project', '=', project)
      .orderBy('question')
      .orderBy('document_id')
      .execute();
  }

  /**
   * Search for every question of `project` in the documents of `asked`, which differs only when a rebuilt index is on
   * trial. The reranker is not used: it would cost a model call per question after every ingest.
   */
  async run(documents: Documents, project: string, asked = project): Promise<CheckReport> {
    const results: CheckResult[] = [];
    for (const { question, documentId, rank: before } of await this.list(project)) {
      const hits = await documents.search(asked, question, { k: DEPTH, documents: true, reranked: false });
      const rank = hits.findIndex((hit) => hit.documentId === documentId) + 1;
      results.push({ question, documentId, rank, before });
    }
    return report(results);
  }

  /** Store the ranks for comparison with the next check. */
  async keep(project: string, results: readonly CheckResult[], now: Date): Promise<void> {
    const store = this.#store;
    await store.transaction(async () => {
      for (const { question, documentId, rank } of results)
        await store.db
          .updateTable('rag_checks')
          .set({ rank, checked_at: now.toISOString() })
          .where('project', '=', project)
          .where('question', '=', question)
          .where('document_id', '=', documentId)
          .execute();
    });
  }
}

function report(results: readonly CheckResult[]): CheckReport {
  const known = results.flatMap(({ before }) => (before === null ? [] : [before]));
  const dropped = results.filter(({ rank, before }) => before !== null && before > 0 && (rank === 0 || rank > before));
  return {
    results,
    score: meanReciprocal(results.map(({ rank }) => rank)),
    scoreBefore: known.length > 0 ? meanReciprocal(known) : null,
    dropped,
  };
}

function meanReciprocal(ranks: readonly number[]): number {
  return ranks.reduce((sum, rank) => sum + (rank > 0 ? 1 / rank : 0), 0) / Math.max(1, ranks.length);
}
