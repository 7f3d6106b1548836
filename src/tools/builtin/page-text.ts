import { readHtml } from '../../rag/read/html.ts';
import type { Block } from '../../rag/read/parsed.ts';

/**
 * What a reader sees of an HTML page: the title, then its text, one line per block with white space folded,
 * preformatted text as it stands, tables row by row. Pages are read as documents are, so both quote the same words.
 */
export function pageText(html: string): string {
  const { title, blocks } = readHtml(html, { foldLines: true });
  const texts = blocks.map(textOf);
  // The reader names a page without a title after its first heading, which is among the blocks already.
  if (title !== undefined && !blocks.some((block) => block.kind === 'heading' && block.text === title))
    texts.unshift(title);
  return texts.join('\n');
}

function textOf(block: Block): string {
  if (block.kind !== 'table') return block.text;
  const rows = block.rows.map(({ text }) => text);
  return (block.header === '' ? rows : [block.header, ...rows]).join('\n');
}
