import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { AssistantError } from '../../base/errors.ts';
import { loadExamples } from '../../base/examples.ts';
import { typedAddress } from '../../base/web-address.ts';
import type { Gateway, GatewayRequest, GatewayResponse } from '../../net/types.ts';
import { GuardedReader } from '../../rag/ingest/guarded-read.ts';
import type { Parsed } from '../../rag/read/parsed.ts';
import { localDate } from '../../when/calendar.ts';
import { defineTool, type Tool, type ToolContext } from '../tool.ts';
import type { PageForm } from './page-text.ts';

const MAX_PAGE_BYTES = 2_000_000;
/** A PDF is larger than its text: it holds pictures and fonts too. */
const MAX_PDF_BYTES = 20_000_000;
/** The most characters of a text that one call gives. */
const MAX_TEXT_CHARS = 200_000;
/** A server that is busy is asked again as often, after so long unless it says otherwise. */
const [TRIES, WAIT_MS] = [3, 500];
const BUSY: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const PAGE_MS = 20_000;
const XML = ['application/xml', 'application/xhtml+xml', 'application/rss+xml', 'application/atom+xml'];
const OTHER_SCHEME = /^(?!https?:)[a-z][a-z0-9+.-]*:\/\//iu;
const TYPES = ['text/', 'application/json', 'application/feed+json', ...XML, 'application/pdf'];

/** `fetch_text`, which reads a page, PDF or feed of the web. */
export function fetchText(gateway: Gateway): Tool {
  return defineTool({
    name: 'fetch_text',
    positional: ['url', 'markdown'],
    aliases: { url: ['href', 'link', 'address', 'uri'] },
    description: 'Read a web page, PDF or feed, with its links.',
    input: z.object({
      url: z
        .string()
        .trim()
        .min(1)
        .max(4000)
        // Refused before anybody is asked about it.
        .refine((url) => !OTHER_SCHEME.test(url), 'only http and https addresses are fetched'),
      markdown: z.boolean().optional().describe('mark headings'),
      offset: z.int().min(0).default(0).describe('first character').meta({ seldom: true }),
      limit: z.int().min(1).max(MAX_TEXT_CHARS).optional().describe('characters').meta({ seldom: true }),
    }),
    output: z.string(),
    policy: { effect: 'none', network: true, destination: ({ url }) => addressOf(url) },
    provenance: { readsFrom: ['web'] },
    presentation: { examples: loadExamples(import.meta.dirname, 'web-tools')('fetch_text') },
    timeoutMs: PAGE_MS,
    execute: async ({ url, markdown, offset, limit }, context) => {
      const form = markdown ? 'markdown' : 'text';
      const request = { caller: 'fetch_text', url: addressOf(url), signal: context.signal, accept: TYPES };
      const response = await patiently(gateway, { ...request, maxBytes: MAX_PDF_BYTES, totalMs: PAGE_MS });
      return partOf(await readable(response, form, context), { offset, limit });
    },
  });
}

/** All of a text, or a part of it. @throws AssistantError `bad_usage` where it is too long for one call. */
function partOf(
  text: string,
  { offset, limit }: { readonly offset: number; readonly limit: number | undefined },
): string {
  const part = text.slice(offset, limit === undefined ? undefined : offset + limit);
  if (part.length <= MAX_TEXT_CHARS) return part;
  const hint = `Read it in parts: { url, offset, limit }, in characters, limit at most ${MAX_TEXT_CHARS}.`;
  throw new AssistantError('bad_usage', `The text has ${text.length} characters. ${hint}`, { hint });
}

/** Ask again while a server says that it is busy, within the time of the call. */
async function patiently(gateway: Gateway, request: GatewayRequest): Promise<GatewayResponse> {
  for (let tries = 1; ; tries++) {
    const response = await gateway.request(request);
    if (!BUSY.has(response.status) || tries === TRIES) return response;
    const asked = Number(response.headers['retry-after'] ?? Number.NaN) * 1000;
    const waitMs = Number.isFinite(asked) ? asked : WAIT_MS * tries;
    if (waitMs > PAGE_MS / TRIES) return response;
    await sleep(waitMs, undefined, { signal: request.signal });
  }
}

/** The address that is judged is the one that is dialled. Models omit the scheme; the gateway explains other errors. */
function addressOf(url: string): string {
  return typedAddress(url)?.href ?? url;
}

/** @throws AssistantError `egress_failed` for an error page: its text would pass for an answer. */
async function readable(response: GatewayResponse, form: PageForm, context: ToolContext): Promise<string> {
  if (response.status >= 400)
    throw new AssistantError('egress_failed', `The page answered with status ${response.status}.`, {
      hint: 'Check the address.',
    });
  const type = response.headers['content-type'] ?? '';
  if (/pdf/iu.test(type)) return await cited(await readPdf(response, context.signal), response, { form, context });
  if (response.body.length > MAX_PAGE_BYTES)
    throw new AssistantError('egress_refused', `The page is longer than ${MAX_PAGE_BYTES} bytes.`, {
      hint: 'Try a part of it.',
    });
  const source = response.text();
  // Readers of markup load with the first page.
  const { isFeed, readFeed } = await import('./feed.ts');
  if (isFeed(type, source)) return readFeed(source);
  if (!/html/iu.test(type)) return source;
  const { readPage } = await import('./page-text.ts');
  return await cited(readPage(source, response.url), response, { form, context });
}

/** A page as Markdown is meant to be kept, so it names its source. */
async function cited(
  page: Parsed,
  { url }: GatewayResponse,
  { form, context }: { readonly form: PageForm; readonly context: ToolContext },
): Promise<string> {
  const { writePage } = await import('./page-text.ts');
  const text = writePage(page, form);
  if (form === 'text') return text;
  return `${text}\n\nSource: [${page.title ?? url}](${url}), read ${localDate(context.now(), context.timeZone)}`;
}

/** Parsed in a process of its own, like documents: the file is untrusted. */
async function readPdf({ body }: GatewayResponse, signal: AbortSignal): Promise<Parsed> {
  const reader = new GuardedReader({ timeoutMs: PAGE_MS });
  try {
    return await reader.read(body, 'page.pdf', { signal });
  } finally {
    await reader.close();
  }
}
