import type { Token, Tokens } from 'marked';
import { cellsOf } from '../tty/width.ts';
import { type Ink, type Piece, wrapPieces } from '../tty/wrap.ts';
import type { CodeColours } from './code.ts';
import type { CodePart } from './cut.ts';
import { inlinePieces } from './inline.ts';
import { tableRows } from './table.ts';

/** How blocks are drawn. */
export interface Page {
  /** Cells of a row. */
  readonly width: number;
  readonly ink: Ink;
  readonly colours: CodeColours;
}

const DIM = '2';
const BULLETS = ['•', '◦', '▪'] as const;
/** Deeper nesting is not indented further: there would be no room for words. */
const MIN_WIDTH = 12;

/** The rows of several blocks, with an empty row wherever the source has one. */
export function blocksRows(tokens: readonly Token[], page: Page, depth = 0): Piece[][] {
  const rows: Piece[][] = [];
  let apart = false;
  for (const token of tokens) {
    if (token.type === 'space') {
      apart = rows.length > 0;
      continue;
    }
    const block = blockRows(token, page, depth);
    if (block.length === 0) continue;
    if (apart) rows.push([]);
    rows.push(...block);
    apart = endsApart(token);
  }
  return rows;
}

/** The source has an empty line behind the block. */
export function endsApart(token: Token): boolean {
  return token.type === 'space' || /\n[ \t]*\n$/u.test(token.raw);
}

function blockRows(token: Token, page: Page, depth: number): Piece[][] {
  switch (token.type) {
    case 'heading':
      return headingRows(token as Tokens.Heading, page);
    case 'list':
      return listRows(token as Tokens.List, page, depth);
    case 'blockquote':
      return quoteRows(token as Tokens.Blockquote, page, depth);
    case 'code':
      return codeRows(token as CodePart, page);
    case 'table':
      return tableRows(token as Tokens.Table, page.width, page.ink);
    case 'hr':
      return [[{ text: (page.ink.unicode ? '─' : '-').repeat(Math.min(page.width, 40)), style: DIM }]];
    case 'def':
      return wrapPieces([{ text: token.raw.trim() }], page.width);
    default:
      return wrapPieces(textPieces(token, page.ink), page.width);
  }
}

/** A paragraph, or anything else that is drawn as one. */
export function textPieces(token: Token, ink: Ink): Piece[] {
  if ('tokens' in token && token.tokens) return inlinePieces(token.tokens, ink);
  return [{ text: token.raw.replace(/\n+$/u, '') }];
}

/** Without styles the marks stay, to show that it is a heading. */
function headingRows(token: Tokens.Heading, { ink, width }: Page): Piece[][] {
  const style = token.depth <= 2 ? '1;4' : '1';
  const marks = ink.styles ? [] : [{ text: `${'#'.repeat(token.depth)} ` }];
  return wrapPieces([...marks, ...inlinePieces(token.tokens, ink, style)], width);
}

function listRows(list: Tokens.List, page: Page, depth: number): Piece[][] {
  const start = typeof list.start === 'number' ? list.start : 1;
  const widest = `${start + list.items.length - 1}. `.length;
  return list.items.flatMap((item, index) => {
    const bullet = page.ink.unicode ? (BULLETS[Math.min(depth, BULLETS.length - 1)] ?? '-') : '-';
    const mark = list.ordered ? `${start + index}. `.padStart(widest) : `${bullet} `;
    const rows = indented(item.tokens, mark, page, depth);
    const apart = list.loose && index < list.items.length - 1 && /\n[ \t]*\n\s*$/u.test(item.raw);
    return apart ? [...rows, []] : rows;
  });
}

/** A list item: its mark in front of the first row, the others below the text. */
function indented(tokens: readonly Token[], mark: string, page: Page, depth: number): Piece[][] {
  const indent = page.width - cellsOf(mark) < MIN_WIDTH ? '' : ' '.repeat(cellsOf(mark));
  const inner = { ...page, width: page.width - Math.max(indent.length, 2) };
  const rows = blocksRows(tokens, inner.width < 4 ? page : inner, depth + 1);
  if (rows.length === 0) return [[{ text: mark.trimEnd() }]];
  return rows.map((row, index) => {
    if (row.length === 0) return [];
    return [{ text: index === 0 ? (indent === '' ? '- ' : mark) : indent }, ...row];
  });
}

function quoteRows(quote: Tokens.Blockquote, page: Page, depth: number): Piece[][] {
  if (page.width < MIN_WIDTH) return blocksRows(quote.tokens, page, depth);
  const bar = { text: page.ink.unicode ? '│ ' : '> ', style: DIM };
  return blocksRows(quote.tokens, { ...page, width: page.width - 2 }, depth).map((row) => [bar, ...row]);
}

/** Nothing stands left of code, so that it can be copied; its language stands above. */
function codeRows(code: CodePart, { width, ink, colours }: Page): Piece[][] {
  const language = /^\S*/u.exec(code.lang ?? '')?.[0] ?? '';
  const label = [{ text: language === '' ? '```' : `\`\`\`${language}`, style: DIM }];
  const lines = ink.styles ? colours.lines(code.text, language) : code.text.split('\n').map((text) => [{ text }]);
  const rows = lines.flatMap((line) => wrapCode(line, width));
  return [...(code.continued ? [] : [label]), ...rows, ...(code.unclosed ? [] : [[{ text: '```', style: DIM }]])];
}

/** Code is cut at the edge, not at words. */
function wrapCode(line: readonly Piece[], width: number): Piece[][] {
  const glued = line.map((piece) => ({
    ...piece,
    text: piece.text.replaceAll('\t', '    ').replaceAll(' ', '\u00a0'),
  }));
  return wrapPieces(glued, width).map((row) =>
    row.map((piece) => ({ ...piece, text: piece.text.replaceAll('\u00a0', ' ') })),
  );
}
