import { Embeddings } from '@langchain/core/embeddings';
import { contentTokens, gramsOf, stem } from '../rag/analysis/words.ts';
import { normalise } from '../rag/index/lsa.ts';

const DIMENSIONS = 1024;
/** A stem counts as much as two n-grams. */
const STEM_WEIGHT = 2;

/** Embeddings without a model: stems and character n-grams hashed into a vector. Weak, but always available. */
export class HashedEmbeddings extends Embeddings {
  constructor() {
    super({});
  }

  override async embedDocuments(texts: string[]): Promise<number[][]> {
    return texts.map(embed);
  }

  override async embedQuery(text: string): Promise<number[]> {
    return embed(text);
  }
}

function embed(text: string): number[] {
  const content = contentTokens(text);
  const vector = new Float32Array(DIMENSIONS);
  for (const token of content) add(vector, `=${stem(token)}`, STEM_WEIGHT);
  for (const gram of gramsOf(content)) add(vector, gram, 1);
  for (let axis = 0; axis < DIMENSIONS; axis++) {
    const value = vector[axis] ?? 0;
    // Dampens frequent features.
    vector[axis] = Math.sign(value) * Math.sqrt(Math.abs(value));
  }
  return Array.from(normalise(vector) ?? vector);
}

/** One bit of the hash is the sign, so that colliding features cancel out on average. */
function add(vector: Float32Array, feature: string, weight: number): void {
  let hash = 0x811c9dc5;
  for (let at = 0; at < feature.length; at++) hash = Math.imul(hash ^ feature.charCodeAt(at), 0x01000193) >>> 0;
  hash ^= hash >>> 15;
  const axis = (hash >>> 1) % DIMENSIONS;
  vector[axis] = (vector[axis] ?? 0) + (hash & 1 ? weight : -weight);
}
