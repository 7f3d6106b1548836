import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Document } from '@langchain/core/documents';
import { RunnableLambda } from '@langchain/core/runnables';
import { expect, test } from 'vitest';
import { startDocuments } from '../../testing/documents.ts';
import { ProjectRetriever } from './project-retriever.ts';

test("a project's documents are a retriever that can be piped", async () => {
  const { home, documents: source } = await startDocuments();
  mkdirSync(join(home, 'projects', 'home'), { recursive: true });
  writeFileSync(join(home, 'projects', 'home', 'ferry.md'), '# Ferry\n\nThe ferry leaves at six.\n');
  const retriever = new ProjectRetriever({ documents: source, project: 'home', k: 1 });
  const chain = retriever.pipe(
    RunnableLambda.from((found: Document[]) => found.map(({ metadata }) => metadata.citation)),
  );
  expect(await chain.invoke('when does the ferry leave')).toEqual(['[ferry.md, line 3]']);
});
