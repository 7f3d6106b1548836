import { z } from 'zod';
import { loadExamples } from '../../base/examples.ts';
import type { Gateway } from '../../net/types.ts';
import { defineTool, type Tool } from '../tool.ts';
import { fetchText } from './fetch-text.ts';
import type { WebOptions } from './web-search.ts';

export interface WebToolDeps {
  readonly gateway: Gateway;
  readonly options: WebOptions;
}

const SEARCH_MS = 20_000;

/** `web_search` and `fetch_text`, which read the web. */
export function createWebTools(deps: WebToolDeps): readonly Tool[] {
  return [webSearch(deps), fetchText(deps.gateway)];
}

function webSearch(deps: WebToolDeps): Tool {
  return defineTool({
    name: 'web_search',
    positional: ['query'],
    aliases: { query: ['q', 'text', 'search', 'searchQuery'] },
    description: 'Search the web.',
    input: z.object({ query: z.string().trim().min(1).max(400) }),
    output: z.object({
      results: z.array(z.object({ title: z.string(), url: z.string(), snippet: z.string() })),
      note: z.string().optional().meta({ seldom: true }),
    }),
    policy: { effect: 'none', network: true, query: ({ query }) => query },
    provenance: { readsFrom: ['web'], found: ({ results }) => results.map(({ url }) => url) },
    presentation: { examples: loadExamples(import.meta.dirname, 'web-tools')('web_search') },
    timeoutMs: SEARCH_MS,
    execute: async ({ query }, context) => {
      const { searchWeb } = await import('./web-search.ts');
      return searchWeb(deps, query, context.signal);
    },
  });
}
