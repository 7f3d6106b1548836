import { Document } from '@langchain/core/documents';
import { BaseRetriever, type BaseRetrieverInput } from '@langchain/core/retrievers';
import type { Documents, Hit } from '../types.ts';

export interface ProjectRetrieverInput extends BaseRetrieverInput {
  readonly documents: Documents;
  readonly project: string;
  /** How many documents to return; 5 by default. */
  readonly k?: number;
}

/**
 * A LangChain retriever over a project's documents. `metadata` contains file, heading, lines or pages, citation and
 * score of the hit, and what an imported text had as metadata.
 */
export class ProjectRetriever extends BaseRetriever {
  readonly lc_namespace = ['wooster', 'retrievers'];
  readonly #documents: Documents;
  readonly #project: string;
  readonly #k: number;

  static override lc_name(): string {
    return 'ProjectRetriever';
  }

  constructor({ documents, project, k = 5, ...rest }: ProjectRetrieverInput) {
    super(rest);
    this.#documents = documents;
    this.#project = project;
    this.#k = k;
  }

  override async _getRelevantDocuments(query: string): Promise<Document[]> {
    const hits = await this.#documents.search(this.#project, query, { k: this.#k });
    return hits.map(toDocument);
  }
}

function toDocument({ text, chunkId, metadata, ...hit }: Hit): Document {
  const { file, documentId, heading, pages, lines, place, citation, score } = hit;
  const ours = { source: file, documentId, heading, pages, lines, place, citation, score };
  return new Document({ id: String(chunkId), pageContent: text, metadata: { ...metadata, ...ours } });
}
