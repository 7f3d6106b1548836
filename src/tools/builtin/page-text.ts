import { readHtml } from '../../rag/read/html.ts';
import type { Block, Parsed } from '../../rag/read/parsed.ts';
import { mainPart } from './main-part.ts';

/** How a page is written down: as a reader sees it, or with its headings, code and tables marked. */
export type PageForm = 'text' | 'markdown';

/**
 * What a reader sees of an HTML page: the title, then its text, one line per block with white space folded,
 * preformatted text as it stands, tables row by row. Pages are read as documents are, so both quote the same words.
 */
export function pageText(html: string): string {
  return writePage(readHtml(html, { foldLines: true }), 'text');
}

/**
 * The part that a page is about, with the title of the page.
 *
 * @param address where it is from: its links are kept as `[words](address)`, relative ones resolved.
 */
export function readPage(html: string, address?: string): Parsed {
  const { title } = readHtml(html.slice(0, 100_000), { foldLines: true });
  const links = address === undefined ? {} : { linksFrom: baseOf(html, address) };
  const { title: own, blocks } = readHtml(mainPart(html), { foldLines: true, ...links });
  return { title: title ?? own, blocks };
}

/** What relative addresses start from. The main part of a page is without its head, where a page says so. */
function baseOf(html: string, address: string): string {
  const [, href] = /<base\s[^<>]{0,200}?href\s*=\s*["']?([^"'\s<>]{1,1000})/iu.exec(html.slice(0, 100_000)) ?? [];
  return (href === undefined ? undefined : URL.parse(href, address)?.href) ?? address;
}

/** Title and blocks as text; a change of page is marked, so that it can be cited. */
export function writePage({ title, blocks }: Parsed, form: PageForm): string {
  const write = form === 'markdown' ? markdownOf : textOf;
  const texts = blocks.flatMap((block, index) => {
    const turned = block.page !== undefined && block.page !== blocks[index - 1]?.page;
    return turned ? [`[page ${block.page}]`, write(block)] : [write(block)];
  });
  // The reader names a page without a title after its first heading, which is among the blocks already.
  if (title !== undefined && !blocks.some((block) => block.kind === 'heading' && wordsOf(block.text) === title))
    texts.unshift(form === 'markdown' ? `# ${title}` : title);
  return texts.join(form === 'markdown' ? '\n\n' : '\n');
}

/** A text without the addresses of its links. */
function wordsOf(text: string): string {
  return text.replace(/\[([^[\]]*)\]\([^()\s]*\)/gu, '$1');
}

function textOf(block: Block): string {
  if (block.kind !== 'table') return block.text;
  const rows = block.rows.map(({ text }) => text);
  return (block.header === '' ? rows : [block.header, ...rows]).join('\n');
}

function markdownOf(block: Block): string {
  if (block.kind === 'heading') return `${'#'.repeat(block.level)} ${block.text}`;
  if (block.kind === 'code') return `\`\`\`\n${block.text}\n\`\`\``;
  return textOf(block);
}
