import { normalise } from '../index/lsa.ts';
import { readHnswlib, refused } from './hnswlib-files.ts';
import { SharedVectors } from './shared-vectors.ts';
import { type OpenedStore, readStore, toShared } from './store-files.ts';

/** A folder that contains a vector store: our own, or one that LangChain's `HNSWLib` saved. */
export interface Folder {
  readonly dir: string;
  readonly form: 'own' | 'hnswlib';
}

/** @throws AssistantError `index_unavailable` when it holds none, or is damaged. */
export async function openFolder({ dir, form }: Folder): Promise<OpenedStore> {
  return form === 'own' ? readStore(dir) : openHnswlib(dir);
}

/** The labels of its vectors become document ids. */
async function openHnswlib(dir: string): Promise<OpenedStore> {
  const { dimensions, texts, vectors: stored } = await readHnswlib(dir);
  const slotOf = new Map(texts.map(({ label }, slot) => [label, slot]));
  const vectors = new SharedVectors(dimensions);
  for await (const [label, values] of stored()) {
    const slot = slotOf.get(label);
    const vector = normalise(values);
    if (slot === undefined) throw refused(dir, `vector ${label} has no text`);
    if (!vector) throw refused(dir, `vector ${label} is zero or not finite`);
    slotOf.delete(label);
    vectors.put(slot, vector);
  }
  vectors.count = texts.length;
  const lines = texts.map(({ label, ...text }) => `${JSON.stringify({ id: String(label), ...text })}\n`);
  const slots = Uint32Array.from({ length: texts.length }, (_, slot) => slot);
  return { vectors, slots, documents: toShared(lines.join('')), graph: undefined };
}
