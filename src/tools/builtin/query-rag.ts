import { z } from 'zod';
import type { Documents } from '../../rag/types.ts';
import { defineTool, type Tool } from '../tool.ts';

const DEFAULT_K = 5;
const MAX_K = 20;
const MAX_NEIGHBOURS = 3;

const inputSchema = z.object({
  query: z.string().trim().min(1).max(10_000),
  k: z.int().min(1).max(MAX_K).default(DEFAULT_K),
  neighbours: z
    .int()
    .min(0)
    .max(MAX_NEIGHBOURS)
    .default(0)
    .describe('Passages before and after each, returned as its context with their own citation.'),
});

const passageSchema = z.object({
  text: z.string(),
  citation: z.string(),
  score: z.number(),
  context: z.object({ before: z.string(), after: z.string(), citation: z.string() }).optional(),
});

/** `query_rag`: questions to the project's documents. Retrieval only, without a model call: free and quoted exactly. */
export function createQueryRagTool(documents: Documents): Tool {
  return defineTool({
    name: 'query_rag',
    functionName: 'queryRAG',
    positional: ['query', 'k'],
    aliases: { query: ['question', 'text', 'q', 'input'], k: ['limit', 'top_k', 'topK', 'count'] },
    description: [
      "Search the user's own documents of this project. Gives passages with citations and an answer in the documents'",
      'words; both empty when nothing fits. Cite as given. Not for the web: use web_search.',
    ].join(' '),
    input: inputSchema,
    output: z.object({
      answer: z.string(),
      passages: z.array(passageSchema),
      from: z.enum(['journal', 'documents']),
    }),
    effect: 'none',
    reads: 'private',
    returns: 'untrusted',
    // The journal is the owner's own; what was noted there while untrusted content was read is marked by `recalls`.
    own: ({ from }) => from === 'journal',
    recalls: (_input, { turn }) => `journal:${turn.project}`,
    timeoutMs: 60_000,
    execute: async ({ query, k, neighbours }, { turn, said, signal }) => {
      const options = { k, neighbours, history: said.slice(0, -1), signal, turn };
      const found = await documents.answer(turn.project, query, options);
      const passages = found.passages.map((passage) => ({ ...passage }));
      return {
        answer: found.answer,
        passages,
        from: found.journalOnly ? ('journal' as const) : ('documents' as const),
      };
    },
  });
}
