import type { Token } from 'marked';
import type { Ink, Piece } from '../tty/wrap.ts';

const STYLES = { strong: '1', em: '3', del: '9', codespan: '36', link: '4' } as const;
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&apos;': "'", '&nbsp;': ' ' },
};

/** Text within a block: emphasis, code, links, line ends. */
export function inlinePieces(tokens: readonly Token[], ink: Ink, style?: string): Piece[] {
  return tokens.flatMap((token) => piecesOf(token, ink, style));
}

function piecesOf(token: Token, ink: Ink, style: string | undefined): Piece[] {
  switch (token.type) {
    case 'strong':
    case 'em':
    case 'del':
      return inlinePieces(token.tokens ?? [], ink, joined(style, STYLES[token.type]));
    case 'codespan': {
      // Without colours the marks say that it is code.
      const text = ink.styles ? token.text : `\`${token.text}\``;
      return [{ text, style: joined(style, STYLES.codespan) }];
    }
    case 'link':
      return linkPieces(token.href, inlinePieces(token.tokens ?? [], ink, style), style);
    case 'image':
      return linkPieces(token.href, [{ text: token.text || 'image', style }], style);
    case 'br':
      return [{ text: '\n' }];
    case 'checkbox':
      return [{ text: token.checked ? '[x] ' : '[ ] ', style }];
    case 'text':
      return token.tokens ? inlinePieces(token.tokens, ink, style) : [{ text: decoded(token.text), style }];
    case 'escape':
      return [{ text: token.text, style }];
    default:
      return [{ text: 'text' in token && token.type !== 'html' ? token.text : token.raw, style }];
  }
}

/** The label, and the address unless the label shows it. Terminals detect addresses by themselves. */
function linkPieces(href: string, label: readonly Piece[], style: string | undefined): Piece[] {
  const text = label.map((piece) => piece.text).join('');
  const linked = joined(style, STYLES.link);
  if (text === href || `mailto:${text}` === href) return [{ text, style: linked }];
  return [...label, { text: ' (', style }, { text: href, style: linked }, { text: ')', style }];
}

function joined(outer: string | undefined, inner: string): string {
  return outer === undefined ? inner : `${outer};${inner}`;
}

function decoded(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39|apos|nbsp);/gu, (entity) => ENTITIES[entity] ?? entity);
}
