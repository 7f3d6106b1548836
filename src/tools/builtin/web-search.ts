import { Parser } from 'htmlparser2';
import { z } from 'zod';
import { AssistantError, messageOf } from '../../base/errors.ts';
import { beginning } from '../../base/text.ts';
import type { Gateway } from '../../net/types.ts';
import { pageText } from './page-text.ts';

/** Settings of the search. The first service that is set up is used; with none, the search that needs no key. */
export interface WebOptions {
  readonly tavilyApiKey?: string | undefined;
  readonly tavilyUrl?: string | undefined;
  readonly braveApiKey?: string | undefined;
  readonly braveUrl?: string | undefined;
  readonly searxngUrl?: string | undefined;
  readonly duckDuckGoUrl?: string | undefined;
}

export interface SearchHit {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

const MAX_HITS = 8;
const MAX_SNIPPET_CHARS = 500;

export interface SearchDeps {
  readonly gateway: Gateway;
  readonly options: WebOptions;
}

/** What a search found; `note` says what the person or model should know of how. */
export interface Found {
  readonly results: SearchHit[];
  readonly note?: string;
}

type Ask = (deps: SearchDeps, query: string, signal: AbortSignal) => Promise<SearchHit[]>;

const SERVICES = 'TAVILY_API_KEY, BRAVE_API_KEY or SEARXNG_BASE_URL';
const KEYLESS_NOTE = `From DuckDuckGo's page, without a key: some may be missing. ${SERVICES} sets up a service.`;

/**
 * Search the web with the configured service.
 *
 * @throws AssistantError `egress_failed` with the service and what to set instead.
 */
export async function searchWeb(deps: SearchDeps, query: string, signal: AbortSignal): Promise<Found> {
  const [name, ask, note] = serviceOf(deps.options);
  try {
    const hits = await ask(deps, query, signal);
    const results = hits.filter((hit) => /^https?:/u.test(hit.url)).slice(0, MAX_HITS);
    return note === undefined ? { results } : { results, note };
  } catch (error) {
    signal.throwIfAborted();
    throw new AssistantError('egress_failed', `${name} returned no results: ${messageOf(error)}`, {
      hint: `Set ${SERVICES}, or try again later.`,
      cause: error,
    });
  }
}

/** The first that is set up. */
function serviceOf(options: WebOptions): readonly [name: string, ask: Ask, note?: string] {
  if (options.tavilyApiKey) return ['Tavily', askTavily];
  if (options.braveApiKey) return ['Brave', askBrave];
  if (options.searxngUrl) return ['SearXNG', askSearxng];
  return ['The keyless search', askDuckDuckGo, KEYLESS_NOTE];
}

const Tavily = z.object({ results: z.array(z.object({ title: z.string(), url: z.string(), content: z.string() })) });

async function askTavily({ gateway, options }: SearchDeps, query: string, signal: AbortSignal): Promise<SearchHit[]> {
  const base = options.tavilyUrl ?? 'https://api.tavily.com';
  const response = await gateway.request({
    caller: 'web_search',
    url: under(base, 'search'),
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${options.tavilyApiKey ?? ''}` },
    body: JSON.stringify({ query, max_results: MAX_HITS }),
    signal,
    configured: options.tavilyUrl ? [base] : [],
    accept: ['application/json'],
  });
  return Tavily.parse(json(response)).results.map(({ title, url, content }) => hit(title, url, content));
}

const Brave = z.object({
  web: z
    .object({ results: z.array(z.object({ title: z.string(), url: z.string(), description: z.string().optional() })) })
    .optional(),
});

async function askBrave({ gateway, options }: SearchDeps, query: string, signal: AbortSignal): Promise<SearchHit[]> {
  const base = options.braveUrl ?? 'https://api.search.brave.com';
  const response = await gateway.request({
    caller: 'web_search',
    url: `${under(base, 'res/v1/web/search')}?${new URLSearchParams({ q: query, count: String(MAX_HITS) })}`,
    headers: { 'x-subscription-token': options.braveApiKey ?? '' },
    signal,
    configured: options.braveUrl ? [base] : [],
    accept: ['application/json'],
  });
  const { results = [] } = Brave.parse(json(response)).web ?? {};
  // Words that were found are marked up.
  const plain = (text: string) => pageText(text).trim();
  return results.map(({ title, url, description }) => hit(plain(title), url, plain(description ?? '')));
}

const Searxng = z.object({
  results: z.array(z.object({ title: z.string().optional(), url: z.string(), content: z.string().nullish() })),
});

async function askSearxng({ gateway, options }: SearchDeps, query: string, signal: AbortSignal): Promise<SearchHit[]> {
  const base = options.searxngUrl ?? '';
  const url = `${under(base, 'search')}?${new URLSearchParams({ q: query, format: 'json' })}`;
  const response = await gateway.request({
    caller: 'web_search',
    url,
    signal,
    configured: [base],
    accept: ['application/json'],
  });
  return Searxng.parse(json(response)).results.map(({ title, url, content }) => hit(title ?? url, url, content ?? ''));
}

async function askDuckDuckGo(
  { gateway, options }: SearchDeps,
  query: string,
  signal: AbortSignal,
): Promise<SearchHit[]> {
  const base = options.duckDuckGoUrl ?? 'https://html.duckduckgo.com';
  const response = await gateway.request({
    caller: 'web_search',
    url: `${under(base, 'html/')}?${new URLSearchParams({ q: query })}`,
    signal,
    configured: options.duckDuckGoUrl ? [base] : [],
    accept: ['text/html'],
  });
  if (response.status !== 200) throw new Error(`it answered with status ${response.status}.`);
  return resultsPage(response.text());
}

/**
 * The hits of DuckDuckGo's page for browsers without scripts, in order; none when nothing was found.
 *
 * @throws Error when the page has neither hits nor the note that there are none, as when it asks for a captcha.
 */
export function resultsPage(html: string): SearchHit[] {
  const found: Record<'href' | 'title' | 'snippet', string>[] = [];
  let field: 'title' | 'snippet' | undefined;
  let depth = 0;
  let isEmpty = false;
  const parser = new Parser({
    onopentag: (name, { class: classes = '', href = '' }) => {
      const has = (wanted: string) => classes.split(/\s+/u).includes(wanted);
      isEmpty ||= has('no-results');
      if (field) depth++;
      else if (name === 'a' && has('result__a')) {
        found.push({ href, title: '', snippet: '' });
        [field, depth] = ['title', 1];
      } else if (has('result__snippet')) [field, depth] = ['snippet', 1];
    },
    ontext: (text) => {
      const hit = found.at(-1);
      if (hit && field) hit[field] += text;
    },
    onclosetag: () => {
      if (field && --depth === 0) field = undefined;
    },
  });
  parser.end(html);
  if (found.length === 0 && !isEmpty)
    throw new Error('its page holds no results that can be read; it may be asking whether you are human.');
  return found.map(({ href, title, snippet }) => hit(oneLine(title), realAddress(href), oneLine(snippet)));
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

/** DuckDuckGo wraps addresses: `//duckduckgo.com/l/?uddg=<address>`. */
function realAddress(href: string): string {
  const url = URL.parse(href, 'https://duckduckgo.com');
  return url?.searchParams.get('uddg') ?? url?.href ?? '';
}

function json(response: { readonly status: number; text(): string }): unknown {
  if (response.status !== 200) throw new Error(`it answered with status ${response.status}.`);
  return JSON.parse(response.text());
}

function hit(title: string, url: string, snippet: string): SearchHit {
  return { title, url, snippet: beginning(snippet, MAX_SNIPPET_CHARS) };
}

/** A path below a base address, which may have a path of its own. */
function under(base: string, path: string): string {
  return new URL(path, base.endsWith('/') ? base : `${base}/`).href;
}
