import type { DocumentInterface } from '@langchain/core/documents';
import type { Layout } from './layout.ts';
import { Pace } from './pace.ts';
import { toShared } from './store-files.ts';

/** Keeps the documents for which it returns true, or whose metadata has each of the given values. */
export type Filter = ((document: DocumentInterface) => boolean) | Readonly<Record<string, unknown>>;

/** How many characters of text are passed on at once when a store is saved. */
const PART_CHARS = 1_000_000;

/** By slot: 1 for documents that pass the filter. */
export async function fitting({ rows, vectors }: Layout, filter: Filter): Promise<Uint8Array> {
  const allowed = new Uint8Array(vectors.count);
  const pace = new Pace();
  for (let slot = 0; slot < allowed.length; slot++) {
    const row = rows[slot];
    if (row && fits(row.document, filter)) allowed[slot] = 1;
    if (pace.due) await pace.pause();
  }
  return allowed;
}

function fits(document: DocumentInterface, filter: Filter): boolean {
  if (typeof filter === 'function') return (filter as (document: DocumentInterface) => boolean)(document);
  return Object.entries(filter).every(([key, value]) => (document.metadata as Record<string, unknown>)[key] === value);
}

/** The documents as JSON lines, in the order of their slots. */
export async function toLines({ rows }: Layout): Promise<SharedArrayBuffer[]> {
  const parts: SharedArrayBuffer[] = [];
  const pace = new Pace();
  let lines = '';
  for (const row of rows) {
    if (row) {
      const { pageContent, metadata } = row.document;
      lines += `${JSON.stringify({ id: row.id, pageContent, metadata })}\n`;
    }
    if (lines.length > PART_CHARS) {
      parts.push(toShared(lines));
      lines = '';
    }
    if (pace.due) await pace.pause();
  }
  return [...parts, toShared(lines)];
}
