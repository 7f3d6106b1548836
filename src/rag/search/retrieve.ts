import { queryTokens } from '../analysis/german-words.ts';
import { gramsOf, stem, words } from '../analysis/words.ts';
import type { Bm25, Scored } from '../index/bm25.ts';
import { fuse, modelWeights, type RetrieverWeights, retrieverWeights } from './fusion.ts';
import { countTerms, expand, type WordsOf } from './pseudo-relevance-feedback.ts';

/** What a search runs over. All retrievers number the chunks with the same document ids. */
export interface Retrievers {
  readonly words: Bm25;
  readonly grams: Bm25;
  readonly dense?: DenseRetriever | undefined;
  /** The searchable texts of the document ids' chunks: title, headings and body. Called once per search. */
  textsOf(docIds: readonly number[]): Promise<ReadonlyMap<number, string>>;
}

/** Which chunks may be returned. */
export interface Allowed {
  /** By document id: 1 for those that may be returned. */
  readonly mask: Uint8Array;
  /** Whether the mask leaves out more than deleted chunks. */
  readonly filtered: boolean;
}

/** Finds chunks by the cosine of their vectors. */
export interface DenseRetriever {
  readonly kind: 'lsa' | 'model';
  /** The query's vector; undefined when none of its words is in the vector space. */
  vectorOf(queryWords: readonly string[]): Float32Array | undefined;
  search(vector: Float32Array, depth: number, allowed: Allowed): Scored[] | Promise<Scored[]>;
}

export interface RetrieverQuery {
  readonly text: string;
  /** How many hits each retriever contributes. */
  readonly depth: number;
  readonly allowed: Allowed;
  /** The query's vector from a configured embedding model. */
  readonly vector?: Float32Array | undefined;
}

/** Search words (with pseudo-relevance feedback), character n-grams and vectors, and fuse the rankings. Best first. */
export async function retrieve(retrievers: Retrievers, query: RetrieverQuery): Promise<Scored[]> {
  const { depth, allowed } = query;
  const content = queryTokens(query.text);
  const terms = content.map(stem);
  const vector = query.vector ?? (terms.length > 0 ? retrievers.dense?.vectorOf(terms) : undefined);
  const dense = vector && retrievers.dense ? await retrievers.dense.search(vector, depth, allowed) : [];
  const unknown = terms.filter((term) => retrievers.words.frequency(term) === 0).length / Math.max(1, terms.length);
  const wordsOf: WordsOf = async (docIds) =>
    new Map([...(await retrievers.textsOf(docIds))].map(([docId, text]) => [docId, words(text)]));
  const expanded = await expand(retrievers.words, terms, { wordsOf, allowed: allowed.mask });
  const byWords = retrievers.words.search(expanded, depth, allowed.mask);
  const byGrams = retrievers.grams.search(countTerms(gramsOf(content)), depth, allowed.mask);
  const weights = weigh({ byWords, byGrams, dense }, unknown, retrievers);
  return fuse([
    { hits: byWords, weight: weights.words },
    { hits: byGrams, weight: weights.grams },
    { hits: dense, weight: weights.dense },
  ]);
}

interface Rankings {
  readonly byWords: readonly Scored[];
  readonly byGrams: readonly Scored[];
  readonly dense: readonly Scored[];
}

function weigh({ byWords, byGrams, dense }: Rankings, unknown: number, retrievers: Retrievers): RetrieverWeights {
  if (dense.length === 0) return retrieverWeights(unknown, 'none');
  if (retrievers.dense?.kind !== 'model') return retrieverWeights(unknown, 'lsa');
  // An embedding model is trusted as far as the lexical ranking bears it out.
  const without = retrieverWeights(unknown, 'none');
  const lexical = fuse([
    { hits: byWords, weight: without.words },
    { hits: byGrams, weight: without.grams },
  ]);
  return modelWeights(unknown, dense, lexical, retrievers.words.docCount);
}
