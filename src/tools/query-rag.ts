import { z } from 'zod';
import type { Documents } from '../rag/types.ts';
import { defineTool, type Tool } from './tool.ts';

const DEFAULT_K = 5;
const MAX_K = 20;

/** Questions to the project's documents. Retrieval only: no model call, so it costs nothing and quotes exactly. */
export function createQueryRagTool(documents: Documents): Tool {
  return defineTool({
    name: 'query_rag',
    functionName: 'queryRAG',
    positional: ['query', 'k'],
    aliases: { query: ['question', 'text', 'q', 'input'], k: ['limit', 'top_k', 'topK', 'count'] },
    description:
      "Search the user's own documents of this project. Gives passages with citations and an answer in the documents' words; both empty when nothing fits. Cite as given. Not for the web: use web_search.",
    input: z.object({ query: z.string().trim().min(1).max(10_000), k: z.int().min(1).max(MAX_K).default(DEFAULT_K) }),
    output: z.object({
      answer: z.string(),
      passages: z.array(z.object({ text: z.string(), citation: z.string(), score: z.number() })),
      from: z.enum(['journal', 'documents']),
    }),
    effect: 'none',
    reads: 'private',
    returns: 'untrusted',
    // The journal holds what the owner had noted; what was noted while reading strangers is marked there.
    own: ({ from }) => from === 'journal',
    recalls: (_input, { turn }) => `journal:${turn.project}`,
    timeoutMs: 60_000,
    execute: async ({ query, k }, { turn, said, signal }) => {
      const found = await documents.answer(turn.project, query, { k, history: said.slice(0, -1), signal });
      const passages = found.passages.map((passage) => ({ ...passage }));
      return {
        answer: found.answer,
        passages,
        from: found.journalOnly ? ('journal' as const) : ('documents' as const),
      };
    },
  });
}
