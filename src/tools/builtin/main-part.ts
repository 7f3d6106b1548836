import { type ChildNode, type Document, DomHandler, type Element } from 'domhandler';
import { Parser } from 'htmlparser2';
import { isTooDeep } from '../../base/deep-markup.ts';

/** Elements around the main content: menus, asides, forms. */
const CHROME = new Set(['nav', 'aside', 'footer', 'form', 'dialog', 'script', 'style', 'noscript', 'template']);
const CHROME_ROLES = new Set(['navigation', 'banner', 'contentinfo', 'complementary', 'search', 'dialog']);
const CHROME_NAMES =
  /\b(?:comments?|sidebar|share|social|promo|cookies?|related|newsletter|breadcrumbs?|adverts?|subscribe)\b/iu;
const CONTENT_NAMES = /\b(?:article|main|content|post|entry|body|text)\b/iu;
const MAIN = new Set(['article', 'main']);
/** Below this a marked part is a teaser, and an unmarked one a guess. */
const MIN_MARKED_CHARS = 250;
const MIN_GUESSED_CHARS = 600;
/** The least share of the page's text without menus; a smaller part would leave out too much. */
const MIN_SHARE = 0.3;

interface Part {
  readonly element: Element;
  readonly parent: Part | undefined;
  readonly chrome: boolean;
  /** Characters of text, characters inside links, and a score for paragraphs. */
  text: number;
  links: number;
  score: number;
}

/**
 * The part of a page that it is about, as source: without menus, asides, forms, and what readers do not see. A page in
 * which no part stands out comes whole, without what readers do not see.
 */
export function mainPart(html: string): string {
  const parts = partsOf(html);
  const page = parts[0];
  if (!page) return html;
  const main = marked(parts) ?? guessed(parts);
  const fits = main && main.text >= MIN_SHARE * page.text;
  const cut = parts.filter(({ chrome, element }) => (fits ? chrome : isHidden(element)));
  return fits ? slice(html, main.element, cut) : slice(html, undefined, cut);
}

/** All elements with their measures, parents first. Without recursion: pages nest as deep as their authors like. */
function partsOf(html: string): Part[] {
  const document = treeOf(html);
  const root = { ...empty(), element: document as unknown as Element, parent: undefined, chrome: false };
  const parts: Part[] = [root];
  const open: { node: ChildNode; parent: Part }[] = document.children.map((node) => ({ node, parent: root }));
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, parent } = next;
    if (node.type === 'text') addText(parent, node.data);
    if (!('children' in node) || !('name' in node)) continue;
    const element = node as Element;
    const part: Part = { ...empty(), element, parent, chrome: parent.chrome || isChrome(element) };
    parts.push(part);
    for (const child of element.children) open.push({ node: child, parent: part });
  }
  for (const part of parts.toReversed()) addUp(part);
  return parts;
}

function treeOf(html: string): Document {
  const handler = new DomHandler(undefined, { withStartIndices: true, withEndIndices: true });
  const parser = new Parser(handler);
  const open = handler.onopentag.bind(handler);
  handler.onopentag = (name, attributes) => {
    if (!isTooDeep(parser, name)) open(name, attributes);
  };
  parser.end(html);
  return handler.root;
}

function empty(): { text: number; links: number; score: number } {
  return { text: 0, links: 0, score: 0 };
}

function addText(part: Part, data: string): void {
  const text = data.trim();
  if (part.chrome || text === '') return;
  part.text += text.length;
}

/** Children are done before their parents. */
function addUp(part: Part): void {
  const { parent, element, chrome } = part;
  if (!parent || chrome) return;
  if (element.name === 'a') part.links = part.text;
  parent.text += part.text;
  parent.links += part.links;
  if (!['p', 'pre', 'td', 'blockquote', 'li'].includes(element.name) || part.text - part.links < 25) return;
  const weight = 1 + Math.min(3, (part.text - part.links) / 100);
  parent.score += weight;
  if (parent.parent) parent.parent.score += weight / 2;
}

/** What the page itself calls its main part. */
function marked(parts: readonly Part[]): Part | undefined {
  const named = parts.filter(
    ({ element, chrome }) => !chrome && (MAIN.has(element.name) || element.attribs?.role === 'main'),
  );
  return largest(
    named.filter(({ text }) => text >= MIN_MARKED_CHARS),
    ({ text }) => text,
  );
}

/** The element with most paragraphs that are not lists of links. */
function guessed(parts: readonly Part[]): Part | undefined {
  const open = parts.filter(
    ({ chrome, text, element }) => !chrome && text >= MIN_GUESSED_CHARS && element.name !== 'body',
  );
  return largest(open.slice(1), ({ score, links, text }) => score * (1 - links / text));
}

function largest(parts: readonly Part[], measure: (part: Part) => number): Part | undefined {
  let best: Part | undefined;
  for (const part of parts) if (measure(part) > (best ? measure(best) : 0)) best = part;
  return best;
}

function isChrome(element: Element): boolean {
  if (CHROME.has(element.name) || CHROME_ROLES.has(element.attribs.role ?? '') || isHidden(element)) return true;
  const names = `${element.attribs.class ?? ''} ${element.attribs.id ?? ''}`;
  return CHROME_NAMES.test(names) && !CONTENT_NAMES.test(names);
}

/** Hidden text, which only a program would read, is not content. */
function isHidden({ attribs }: Element): boolean {
  if (!attribs) return false;
  const style = attribs.style?.replace(/\s/gu, '').toLowerCase() ?? '';
  return 'hidden' in attribs || attribs['aria-hidden'] === 'true' || /display:none|visibility:hidden/u.test(style);
}

/** The source of an element, or of all, without those that are cut. */
function slice(html: string, element: Element | undefined, cut: readonly Part[]): string {
  const [from, to] = element ? rangeOf(element) : [0, html.length];
  const gaps = cut.map((part) => rangeOf(part.element)).sort(([a], [b]) => a - b);
  let kept = '';
  let at = from;
  for (const [start, end] of gaps) {
    if (end <= at || start >= to) continue;
    kept += html.slice(at, Math.max(at, start));
    at = end;
  }
  return kept + html.slice(at, Math.max(at, to));
}

function rangeOf({ startIndex, endIndex }: Element): [number, number] {
  return [startIndex ?? 0, (endIndex ?? -1) + 1];
}
