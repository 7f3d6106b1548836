import type { VectorRow } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';

/** A text, by its hash, with its vector. */
export interface EmbeddedText {
  readonly sha: string;
  /** Of unit length. */
  readonly vector: Float32Array;
}

export function vectorRow(model: string, { sha, vector }: EmbeddedText): VectorRow {
  const { buffer, byteOffset, byteLength, length } = vector;
  return { text_sha: sha, model, dimensions: length, vector: new Uint8Array(buffer, byteOffset, byteLength) };
}

/** The length of a model's vectors; 0 when there are none. */
export async function vectorDimensions(store: Store, model: string): Promise<number> {
  const query = store.read.selectFrom('vectors').select('dimensions').where('model', '=', model).limit(1);
  return (await query.executeTakeFirst())?.dimensions ?? 0;
}
