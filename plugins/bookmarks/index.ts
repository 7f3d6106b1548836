import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  changeInTurn,
  definePlugin,
  defineTool,
  localDate,
  pageMarkdown,
  replaceFile,
  type Tool,
  type ToolContext,
  z,
} from '#plugin';

const MAX_BYTES = 5_000_000;
const Address = z.url({ protocol: /^https?$/u, error: 'must be a full http or https address' }).max(4000);

export default definePlugin({
  name: 'bookmarks',
  version: '1.0.0',
  description: 'Keeps bookmarks in bookmarks.md, and pages as Markdown among the documents of a project.',

  effects: ['local'],
  state: { home: '', projects: '' },

  initialize(host) {
    this.state.home = String(host.config.home);
    this.state.projects = String(host.config.projects);
  },

  getAgentTools() {
    const { home, projects } = this.state;
    const list = join(home, 'bookmarks.md');
    return [newBookmark(list), searchBookmarks(list), clipPage(projects)];
  },
});

function newBookmark(list: string): Tool {
  return defineTool({
    name: 'add_bookmark',
    positional: ['url', 'title'],
    aliases: { url: ['link', 'address'] },
    description:
      "Keep an address in the user's bookmarks, with a title, tags and notes. To keep the page itself, clip_page.",
    input: z.object({
      url: Address,
      title: z.string().trim().max(300).optional(),
      tags: z.array(z.string().trim().min(1).max(40)).max(20).default([]),
      notes: z.string().max(1000).optional(),
    }),
    policy: { effect: 'local', change: 'append' },
    provenance: { readsFrom: [], writesTo: () => `file:${list}` },
    timeoutMs: 5000,
    execute: async (bookmark, { now, timeZone }) => {
      const line = await addBookmark(list, bookmark, localDate(now(), timeZone));
      return line === undefined ? `Is there already: ${bookmark.url}` : `Kept: ${line}`;
    },
  });
}

function searchBookmarks(list: string): Tool {
  return defineTool({
    name: 'find_bookmarks',
    positional: ['query'],
    description: "Find the user's bookmarks by words or #tags, newest first; without words, the newest.",
    input: z.object({ query: z.string().default(''), limit: z.number().int().min(1).max(100).default(20) }),
    policy: { effect: 'none' },
    provenance: { readsFrom: [`file:${list}`] },
    timeoutMs: 5000,
    execute: ({ query, limit }) => findBookmarks(list, query, limit),
  });
}

function clipPage(projects: string): Tool {
  const input = z.object({ url: Address });
  // The date is part of the name, since a page saved on another day is another document.
  const pathOf = ({ url }: z.output<typeof input>, { turn, now, timeZone }: ToolContext) =>
    join(projects, turn.project, 'clippings', `${localDate(now(), timeZone)}-${slugOf(url)}.md`);
  return defineTool({
    name: 'clip_page',
    positional: ['url'],
    aliases: { url: ['link', 'address'] },
    description: 'Keep a web page as Markdown among the documents of the project, where query_rag finds it.',
    input,
    output: z.object({ kept: z.string(), title: z.string(), characters: z.number() }),
    policy: { effect: 'local', change: 'append', network: true, destination: ({ url }) => url },
    provenance: { writesTo: (page, context) => `file:${pathOf(page, context)}`, readsFrom: ['web'] },
    timeoutMs: 30_000,
    execute: async (page, context) => {
      // Any public page: the program's `fetch` goes through the gateway too.
      const response = await fetch(page.url, { signal: context.signal, headers: { accept: 'text/html' } });
      if (!response.ok) throw new Error(`The page answered with status ${response.status}.`);
      const type = response.headers.get('content-type') ?? '';
      if (!/html|text\/plain/iu.test(type)) throw new Error(`It is no page but ${type || 'of no known type'}.`);
      const html = await limited(response);
      const { title = page.url, text } = await pageMarkdown(html);
      const path = pathOf(page, context);
      const head = ['---', `source: ${page.url}`, `read: ${localDate(context.now(), context.timeZone)}`, '---'].join(
        '\n',
      );
      if (existsSync(path)) throw new Error('This page was kept today already.');
      await replaceFile(path, `${head}\n\n${text}\n`);
      return { kept: `clippings/${path.split('/').at(-1)}`, title, characters: text.length };
    },
  });
}

/** @throws Error for a page that is too long, without waiting for the rest of it. */
async function limited(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > MAX_BYTES) throw new Error(`The page is longer than ${MAX_BYTES} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function slugOf(url: string): string {
  const { hostname, pathname } = new URL(url);
  const words = `${hostname.replace(/^www\./u, '')}${pathname}`.toLowerCase().replace(/[^a-z0-9]+/gu, '-');
  return words.slice(0, 80).replace(/^-|-$/gu, '');
}

interface Bookmark {
  readonly url: string;
  readonly title?: string | undefined;
  readonly tags: readonly string[];
  readonly notes?: string | undefined;
}

/** `- [title](url) #tag #tag: notes (2026-12-24)`; other lines are the owner's and stay. */
const LINE = /^- \[(.*)\]\((https?:[^\s)]+)\)(.*)$/u;

/** @returns the line; undefined when the address is there already. */
function addBookmark(path: string, bookmark: Bookmark, day: string): Promise<string | undefined> {
  return changeInTurn(path, () => add(path, bookmark, day));
}

async function add(path: string, bookmark: Bookmark, day: string): Promise<string | undefined> {
  const { tags, notes } = bookmark;
  // Brackets of an address would end the link.
  const url = bookmark.url.replaceAll('(', '%28').replaceAll(')', '%29');
  const text = await readList(path);
  if (text.split('\n').some((line) => LINE.exec(line)?.[2] === url)) return undefined;
  const title = oneLine(bookmark.title || bookmark.url).replace(/[[\]]/gu, '');
  const marks = tags.map((tag) => ` #${tag.replace(/^#/u, '').replace(/\s+/gu, '-')}`).join('');
  const line = `- [${title}](${url})${marks}${notes ? `: ${oneLine(notes)}` : ''} (${day})`;
  await replaceFile(path, `${text}${text !== '' && !text.endsWith('\n') ? '\n' : ''}${line}\n`);
  return line;
}

/** Newest first, those that have all the words. */
async function findBookmarks(path: string, query: string, limit: number): Promise<object[]> {
  const words = query
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '');
  const lines = (await readList(path))
    .split(/\r?\n/u)
    .filter((line) => LINE.test(line))
    .toReversed();
  const found = lines.filter((line) => words.every((word) => line.toLowerCase().includes(word)));
  return found.slice(0, limit).map((line) => {
    const [, title = '', url = '', about = ''] = LINE.exec(line) ?? [];
    return { title, url, about: about.trim() };
  });
}

async function readList(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
