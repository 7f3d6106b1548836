import { z } from 'zod';
import { AssistantError } from '../../base/errors.ts';
import { headAndTail } from '../../base/text.ts';
import { typedAddress } from '../../base/web-address.ts';
import type { Gateway, GatewayResponse } from '../../net/types.ts';
import { defineTool, type Tool } from '../tool.ts';
import { pageText } from './page-text.ts';
import { searchWeb, type WebOptions } from './web-search.ts';

export interface WebToolDeps {
  readonly gateway: Gateway;
  readonly options: WebOptions;
}

const MAX_PAGE_BYTES = 2_000_000;
const MAX_PAGE_CHARS = 50_000;
const PAGE_MS = 20_000;
const TEXT_TYPES = ['text/', 'application/json', 'application/xml', 'application/xhtml+xml', 'application/rss+xml'];

/** `web_search` and `fetch_text`, which read the web. */
export function createWebTools(deps: WebToolDeps): readonly Tool[] {
  return [webSearch(deps), fetchText(deps)];
}

function webSearch(deps: WebToolDeps): Tool {
  return defineTool({
    name: 'web_search',
    positional: ['query'],
    aliases: { query: ['q', 'text', 'search', 'searchQuery'] },
    description: 'Search the public web.',
    input: z.object({ query: z.string().trim().min(1).max(400) }),
    output: z.object({ results: z.array(z.object({ title: z.string(), url: z.string(), snippet: z.string() })) }),
    effect: 'none',
    reads: 'public',
    returns: 'untrusted',
    network: true,
    timeoutMs: PAGE_MS,
    query: ({ query }) => query,
    found: ({ results }) => results.map(({ url }) => url),
    execute: async ({ query }, context) => ({ results: await searchWeb(deps, query, context.signal) }),
  });
}

function fetchText({ gateway }: WebToolDeps): Tool {
  return defineTool({
    name: 'fetch_text',
    positional: ['url'],
    aliases: { url: ['href', 'link', 'address', 'uri'] },
    description: 'Read a public web page as plain text; takes a full address.',
    input: z.object({ url: z.string().trim().min(1).max(4000) }),
    output: z.string(),
    effect: 'none',
    reads: 'public',
    returns: 'untrusted',
    network: true,
    timeoutMs: PAGE_MS,
    destination: ({ url }) => addressOf(url),
    execute: async ({ url }, { signal }) => {
      const request = {
        caller: 'fetch_text',
        url: addressOf(url),
        signal,
        accept: TEXT_TYPES,
        maxBytes: MAX_PAGE_BYTES,
      };
      return readable(await gateway.request({ ...request, totalMs: PAGE_MS }));
    },
  });
}

/** What is judged is what is dialled. Models leave the scheme out; the gateway says what is wrong with other texts. */
function addressOf(url: string): string {
  return typedAddress(url)?.href ?? url;
}

/** @throws AssistantError `egress_failed` for an error page: its text would pass for an answer. */
function readable(response: GatewayResponse): string {
  if (response.status >= 400)
    throw new AssistantError('egress_failed', `The page answered with status ${response.status}.`, {
      hint: 'Check the address.',
    });
  const isPage = /html/iu.test(response.headers['content-type'] ?? '');
  return headAndTail(isPage ? pageText(response.text()) : response.text(), MAX_PAGE_CHARS);
}
