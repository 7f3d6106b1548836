import { Marked, type Tokens } from 'marked';
import { html } from '../report/html.ts';

/** What can be found: the text below one heading. */
export interface Part {
  readonly heading: string;
  /** Empty for what stands at the top. */
  readonly anchor: string;
  readonly text: string;
}

export interface Page {
  readonly title: string;
  /** HTML, in which nothing of the source is markup but what Markdown makes. */
  readonly body: string;
  readonly parts: readonly Part[];
}

const LETTER = /[^\p{L}\p{N} _-]/gu;

/** The anchor of a heading, as forges make it. */
export function slugOf(heading: string): string {
  return heading.trim().toLowerCase().replaceAll(LETTER, '').replaceAll(' ', '-');
}

/**
 * One page.
 *
 * @param linkTo where a link of the page leads in the site; undefined leaves its words alone.
 */
export function readPage(source: string, linkTo: (link: string) => string | undefined): Page {
  const escaped = (text: string) => html`${text}`.text;
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        return `<h${depth} id="${escaped(slugOf(text))}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const words = this.parser.parseInline(tokens);
        const to = /^https?:/u.test(href) ? href : linkTo(href);
        return to === undefined ? words : `<a href="${escaped(to)}">${words}</a>`;
      },
      image({ href, text }: Tokens.Image) {
        return `<img src="${escaped(linkTo(href) ?? href)}" alt="${escaped(text)}">`;
      },
      // Markers of generated parts are comments; other markup of a page is text.
      html: ({ text }: Tokens.HTML | Tokens.Tag) => (text.trimStart().startsWith('<!--') ? '' : escaped(text)),
    },
  });
  const title = /^# (.+)$/mu.exec(source)?.[1] ?? '';
  return { title, body: marked.parse(source, { async: false }), parts: partsOf(source) };
}

/** Blocks of code belong to the text around them, and their comments are no headings. */
function partsOf(source: string): readonly Part[] {
  const parts: { heading: string; anchor: string; lines: string[] }[] = [{ heading: '', anchor: '', lines: [] }];
  let fenced = false;
  for (const line of source.split('\n')) {
    if (line.startsWith('```')) fenced = !fenced;
    const heading = fenced ? undefined : /^#{2,6} +(.+)$/u.exec(line)?.[1];
    if (heading === undefined) parts.at(-1)?.lines.push(line.replace(/^# .*/u, ''));
    else parts.push({ heading: heading.replaceAll('`', ''), anchor: slugOf(heading), lines: [] });
  }
  return parts.map(({ lines, ...about }) => ({ ...about, text: wordsOf(lines.join(' ')) }));
}

function wordsOf(markdown: string): string {
  return markdown
    .replaceAll(/\]\([^()]*\)/gu, ']')
    .replaceAll(/<!--.*?-->|[`*|[\]]/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}
