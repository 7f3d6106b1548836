import { UNCERTAIN } from '../rag/citation.ts';
import type { Block, Parsed } from '../rag/read/parsed.ts';
import { isUncertain } from '../rag/read/seen.ts';

/** Of the file, or of a few of its pages where these are pictures. */
const READ_MS = 60_000;

/**
 * The text of a file of any format that can be ingested, pictures included, read in a process of its own. What was read
 * badly from a picture says so.
 *
 * @param name  a file's name or path: its extension says how it is read.
 * @throws Unreadable; the signal's reason.
 */
export async function fileText(bytes: Uint8Array, name: string, signal: AbortSignal): Promise<string> {
  const { GuardedReader } = await import('../rag/ingest/guarded-read.ts');
  const { readDocument } = await import('../rag/ingest/read-document.ts');
  const reader = new GuardedReader({ timeoutMs: READ_MS });
  try {
    return textOf(await readDocument(reader, bytes, name, { signal }));
  } finally {
    await reader.close();
  }
}

function textOf({ title, blocks }: Parsed): string {
  const parts = blocks.map(blockText);
  const isTitled = title === undefined || parts.some((part) => part.includes(title));
  return (isTitled ? parts : [title, ...parts]).join('\n\n');
}

function blockText(block: Block): string {
  if (block.kind === 'heading') return `${'#'.repeat(block.level)} ${block.text}`;
  if (block.kind === 'table') return [block.header, ...block.rows.map((row) => row.text)].join('\n');
  return block.seen && isUncertain(block.seen) ? `${block.text} (${UNCERTAIN})` : block.text;
}
