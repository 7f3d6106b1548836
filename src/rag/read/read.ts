import { decode } from './decode.ts';
import { readHtml } from './html.ts';
import { type Kind, kindOf } from './kinds.ts';
import { readMarkdown } from './markdown.ts';
import { type Parsed, Unreadable } from './parsed.ts';
import { readText } from './text.ts';

/** Raise it when a reader gives other blocks for the same file. */
export const READER_VERSION = 1;

type Reader = (bytes: Uint8Array, path: string) => Parsed | Promise<Parsed>;

const READERS: Partial<Record<Kind, Reader>> = {
  markdown: (bytes) => readMarkdown(decode(bytes)),
  text: (bytes) => readText(decode(bytes)),
  html: (bytes) => readHtml(decode(bytes)),
};

/**
 * Read one file's content by the kind its name says.
 *
 * @throws Unreadable with a reason for people.
 */
export async function read(bytes: Uint8Array, path: string): Promise<Parsed> {
  const kind = kindOf(path) ?? 'text';
  const reader = READERS[kind];
  if (!reader) throw new Unreadable(`no reader for ${kind} files`);
  return reader(bytes, path);
}
