import { Lexer, type Token, type Tokens } from 'marked';
import { h } from './dom.ts';
import { t } from './words.ts';

/** The source of each block that is shown, so that a streamed answer draws only its end anew. */
const DRAWN = new WeakMap<Element, readonly string[]>();

/**
 * Show Markdown as elements. HTML in it is text, pictures are not loaded, and only links to web pages and mail are
 * links; citations lead to the document.
 *
 * @param isJudged an answer that is still coming has links that nobody has judged: they are text.
 */
export function drawMarkdown(into: Element, text: string, isJudged: boolean): void {
  const blocks = new Lexer({ gfm: true }).lex(text).filter(({ type }) => type !== 'space' && type !== 'def');
  const before = DRAWN.get(into) ?? [];
  const sources = blocks.map(({ raw }) => raw);
  const changed = sources.findIndex((raw, at) => raw !== before[at]);
  const from = changed < 0 ? sources.length : changed;
  while (into.childNodes.length > from) into.lastChild?.remove();
  for (const [at, block] of blocks.entries()) {
    if (at < from) continue;
    const drawn = into.appendChild(drawBlock(block));
    // It is drawn again once its links are known.
    if (!isJudged && unlink(drawn)) sources[at] = '';
  }
  DRAWN.set(into, sources);
}

/** @returns whether there were links that lead out of the page. */
function unlink(drawn: Node): boolean {
  const links = drawn instanceof Element ? [...drawn.querySelectorAll('a[target]')] : [];
  for (const link of links) link.replaceWith(...link.childNodes);
  return links.length > 0;
}

type Draw<Kind> = (token: Kind) => Node;

const BLOCKS: Readonly<Record<string, Draw<never>>> = {
  heading: ({ depth, tokens }: Tokens.Heading) => h(HEADINGS[depth - 1] ?? 'h6', {}, inline(tokens)),
  paragraph: ({ tokens }: Tokens.Paragraph) => h('p', {}, inline(tokens)),
  blockquote: ({ tokens }: Tokens.Blockquote) => h('blockquote', {}, tokens.map(drawBlock)),
  code: ({ text, lang }: Tokens.Code) => codeBlock(text, lang ?? ''),
  hr: () => h('hr'),
  list: (list: Tokens.List) => drawList(list),
  table: (table: Tokens.Table) => drawTable(table),
  text: (token: Tokens.Text) => h('p', {}, token.tokens ? inline(token.tokens) : drawText(token.text)),
};

/** The title of the page is the only `h1`. */
const HEADINGS = ['h2', 'h3', 'h4', 'h5', 'h6', 'h6'] as const;

function drawBlock(token: Token): Node {
  const draw = BLOCKS[token.type] as Draw<Token> | undefined;
  return draw ? draw(token) : h('p', {}, token.raw);
}

function drawList({ ordered, start, items }: Tokens.List): Node {
  const rows = items.map(({ task, checked, tokens, loose }) => {
    const mark = task ? (checked ? '☑ ' : '☐ ') : '';
    const isTight = (token: Token): token is Tokens.Text => token.type === 'text' && !loose;
    return h(
      'li',
      {},
      mark,
      tokens
        .filter(({ type }) => type !== 'checkbox')
        .map((token) => (isTight(token) ? inline(token.tokens ?? []) : drawBlock(token))),
    );
  });
  return ordered ? h('ol', { start: start === '' ? 1 : start }, rows) : h('ul', {}, rows);
}

function drawTable({ header, rows }: Tokens.Table): Node {
  const head = h(
    'tr',
    {},
    header.map(({ tokens }) => h('th', { scope: 'col' }, inline(tokens))),
  );
  const body = rows.map((row) =>
    h(
      'tr',
      {},
      row.map(({ tokens }) => h('td', {}, inline(tokens))),
    ),
  );
  return scrolling(h('table', {}, h('thead', {}, head), h('tbody', {}, body)), t('table'));
}

/** What is wider than the page scrolls by itself, by keyboard as well. */
function scrolling(content: Node, label: string): HTMLElement {
  return h('div', { class: 'wide', tabindex: 0, role: 'region', 'aria-label': label }, content);
}

export function codeBlock(text: string, language: string): HTMLElement {
  return scrolling(h('pre', {}, h('code', {}, text)), language === '' ? t('code') : `${t('code')}: ${language}`);
}

const INLINE: Readonly<Record<string, (token: never) => readonly Node[]>> = {
  strong: ({ tokens }: Tokens.Strong) => [h('strong', {}, inline(tokens))],
  em: ({ tokens }: Tokens.Em) => [h('em', {}, inline(tokens))],
  del: ({ tokens }: Tokens.Del) => [h('s', {}, inline(tokens))],
  codespan: ({ text }: Tokens.Codespan) => [h('code', {}, text)],
  br: () => [h('br')],
  escape: ({ text }: Tokens.Escape) => [new Text(text)],
  // Where an address is plain text, its host must not become a link again.
  link: ({ raw, href, tokens }: Tokens.Link) => [/^www\./iu.test(raw) ? new Text(raw) : drawLink(href, inline(tokens))],
  image: ({ href, text }: Tokens.Image) => [drawLink(href, [new Text(`${t('picture')}: ${text || href}`)])],
  text: (token: Tokens.Text) => (token.tokens ? inline(token.tokens) : drawText(token.text)),
};

function inline(tokens: readonly Token[]): Node[] {
  return tokens.flatMap((token) => {
    const draw = INLINE[token.type] as ((each: Token) => readonly Node[]) | undefined;
    return draw ? draw(token) : [new Text(token.raw)];
  });
}

function drawLink(href: string, content: readonly Node[]): Node {
  const url = URL.parse(href);
  if (!url || !['http:', 'https:', 'mailto:'].includes(url.protocol)) return h('span', {}, [...content]);
  return h('a', { href: url.href, target: '_blank', rel: 'noopener noreferrer nofollow' }, [...content]);
}

/**
 * As the search writes them: `[notes/oslo.md, Hotels, lines 3-9]`, `[report.pdf, p. 4]`, and with a word of warning
 * where a picture was read badly, `[bill.jpg, lower half, read from a picture, uncertain]`. A heading never ends as a
 * file's name does.
 */
const CITED = new RegExp(
  [
    String.raw`\[([^[\]\n]{1,300}?)(?:, (?![^,\]]{0,80}\.[\p{L}\d]{1,8},)[^[\],\n]{1,80})??`,
    String.raw`, ((?:lines?|pp?\.|slides?) \d+(?:-\d+)?|(?:upper|lower) half)(?:, [a-z ,]{1,60})?\]`,
  ].join(''),
  'gu',
);

/** The place that a citation names; empty where it names none. */
export function whereCited(citation: string): string {
  return [...citation.matchAll(CITED)][0]?.[2] ?? '';
}

/** A text with links to the documents that it cites. */
function drawText(text: string): Node[] {
  const nodes: Node[] = [];
  let end = 0;
  for (const match of text.matchAll(CITED)) {
    const [whole, file = '', where = ''] = match;
    nodes.push(new Text(plain(text.slice(end, match.index))), citation(plain(file), where, plain(whole)));
    end = match.index + whole.length;
  }
  return [...nodes, new Text(plain(text.slice(end)))].filter((node) => node.textContent !== '');
}

function citation(file: string, where: string, whole: string): Node {
  const name = file.split('/').at(-1) ?? file;
  const href = documentPath(file, where);
  return h('a', { class: 'cited', href, title: whole }, `${name}, ${where}`);
}

/** Where the page shows a document. @param where `lines 3-9`, or empty. */
export function documentPath(file: string, where = ''): string {
  return `/documents?${new URLSearchParams({ file, ...(where && { where }) })}`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: '\u00a0',
};

/** The few entities that models write; all else stays as it stands. */
function plain(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39|nbsp);/gu, (whole, name: string) => ENTITIES[name] ?? whole);
}
