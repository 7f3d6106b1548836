import { readFile } from 'node:fs/promises';
import { changeInTurn, replaceFile } from '#plugin';

export interface Bookmark {
  readonly url: string;
  readonly title?: string | undefined;
  readonly tags: readonly string[];
  readonly notes?: string | undefined;
}

/** `- [title](url) #tag #tag: notes (2026-12-24)`; other lines are the owner's and stay. */
const LINE = /^- \[(.*)\]\((https?:[^\s)]+)\)(.*)$/u;

/** @returns the line; undefined when the address is there already. */
export function addBookmark(path: string, bookmark: Bookmark, day: string): Promise<string | undefined> {
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
export async function findBookmarks(path: string, query: string, limit: number): Promise<object[]> {
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
