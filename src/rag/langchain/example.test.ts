import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HNSWLib } from '@langchain/community/vectorstores/hnswlib';
import { Document } from '@langchain/core/documents';
import { expect, test } from 'vitest';
import { HashedEmbeddings } from '../../testing/hashed-embeddings.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { moveStore } from './example.ts';

const TEXTS = ['The ferry leaves at six.', 'Bread needs flour and water.', 'A ferry ticket costs ten crowns.'];
const documents = TEXTS.map((pageContent) => new Document({ pageContent }));
const embeddings = new HashedEmbeddings();

test('the example of the documents page is the one that is compiled, and does what it says', async () => {
  const [from, to] = [temporaryFolder(), temporaryFolder()];
  await (await HNSWLib.fromDocuments(documents, embeddings)).save(from);
  const store = await moveStore(from, to, embeddings);
  expect(store.size).toBe(3);
  expect((await store.similaritySearch('ferry leaves', 1)).map(({ id }) => id)).toEqual(['ferry']);
  const page = readFileSync(join(import.meta.dirname, '../../../docs/documents.md'), 'utf8');
  const example = readFileSync(join(import.meta.dirname, 'example.ts'), 'utf8');
  expect(page).toContain(`\`\`\`ts\n${example}\`\`\`\n`);
});
