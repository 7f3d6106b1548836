import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Document } from '@langchain/core/documents';
import { z } from 'zod';
import { AssistantError } from '../../base/errors.ts';

export interface HnswlibEntry {
  readonly id: string;
  readonly document: Document;
  readonly vector: number[];
}

const argsSchema = z.looseObject({ space: z.enum(['l2', 'ip', 'cosine']), numDimensions: z.int() });
const docstoreSchema = z.array(
  z.tuple([
    z.union([z.string(), z.number()]),
    z.looseObject({ pageContent: z.string(), metadata: z.record(z.string(), z.unknown()) }),
  ]),
);

/**
 * Documents and vectors of a folder that LangChain's `HNSWLib` saved: args.json, docstore.json, hnswlib.index.
 *
 * @throws AssistantError `index_unavailable` when it is none, or the native library is missing here.
 */
export async function readHnswlib(dir: string): Promise<HnswlibEntry[]> {
  try {
    const { space, numDimensions } = argsSchema.parse(readJson(join(dir, 'args.json')));
    const documents = docstoreSchema.parse(readJson(join(dir, 'docstore.json')));
    const library = await import('hnswlib-node');
    const { HierarchicalNSW } = 'default' in library ? (library.default as typeof library) : library;
    const index = new HierarchicalNSW(space, numDimensions);
    await index.readIndex(join(dir, 'hnswlib.index'));
    return documents.map(([label, { pageContent, metadata }]) => ({
      id: String(label),
      document: new Document({ pageContent, metadata }),
      vector: index.getPoint(Number(label)),
    }));
  } catch (error) {
    const hint = 'Give the folder that `HNSWLib.save` wrote: args.json, docstore.json and hnswlib.index.';
    throw new AssistantError('index_unavailable', `${dir} cannot be imported.`, { hint, cause: error });
  }
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
