import { Document } from '@langchain/core/documents';
import type { EmbeddingsInterface } from '@langchain/core/embeddings';
import { LocalVectorStore } from './local-vector-store.ts';

/** Import what HNSWLib saved, change it, and save it to a new folder. */
export async function moveStore(from: string, to: string, embeddings: EmbeddingsInterface): Promise<LocalVectorStore> {
  const store = await LocalVectorStore.importHnswlib(from, embeddings);
  const ferry = new Document({ pageContent: 'The ferry leaves at seven.', metadata: { source: 'ferry.md' } });
  await store.addDocuments([ferry], { ids: ['ferry'] }); // An existing id would be replaced.
  await store.delete({ ids: ['0'] }); // HNSWLib's numbers are the ids.
  await store.save(to); // Texts, vectors and graph, each with a checksum.
  return LocalVectorStore.load(to, embeddings);
}
