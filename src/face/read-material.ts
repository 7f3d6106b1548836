import type { Material } from '../base/turn.ts';
import { UNCERTAIN } from '../rag/citation.ts';
import { kindOf } from '../rag/read/kinds.ts';
import type { Block, Parsed } from '../rag/read/parsed.ts';
import { isUncertain } from '../rag/read/seen.ts';

/** Of the file, or of a few of its pages where these are pictures. */
const READ_MS = 60_000;

/** What is handed on of a picture that only models that see can make something of. */
const NO_TEXT = '(no text was found in this picture)';

/**
 * A file of any format that can be ingested, read in a process of its own: its text, and where it is a picture, the
 * picture itself. What was read badly from a picture says so.
 *
 * @param name  a file's name or path: its extension says how it is read.
 * @throws Unreadable; the signal's reason.
 */
export async function fileContent(
  bytes: Uint8Array,
  name: string,
  signal: AbortSignal,
): Promise<Pick<Material, 'text' | 'picture'>> {
  const { GuardedReader } = await import('../rag/ingest/guarded-read.ts');
  const { readDocument } = await import('../rag/ingest/read-document.ts');
  const reader = new GuardedReader({ timeoutMs: READ_MS });
  try {
    const text = textOf(await readDocument(reader, bytes, name, { signal }));
    if (kindOf(name) !== 'picture') return { text };
    const jpeg = Buffer.from(await reader.show(bytes, name, 1, signal)).toString('base64');
    return { text: text || NO_TEXT, picture: { jpeg } };
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
