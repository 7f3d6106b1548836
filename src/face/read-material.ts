import type { Block, Parsed } from '../rag/read/parsed.ts';

const READ_MS = 30_000;

/**
 * The text of a file of any format that can be ingested.
 *
 * @param name tells the format.
 * @throws Unreadable; AssistantError `index_unavailable`; the signal's reason.
 */
export async function fileText(bytes: Uint8Array, name: string, signal: AbortSignal): Promise<string> {
  const { GuardedReader } = await import('../rag/ingest/guarded-read.ts');
  const reader = new GuardedReader({ timeoutMs: READ_MS });
  try {
    return textOf(await reader.read(bytes, name, { signal }));
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
  return block.kind === 'table' ? [block.header, ...block.rows.map((row) => row.text)].join('\n') : block.text;
}
