import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type Html, html, raw } from '../report/html.ts';
import { readPage, slugOf } from './page.ts';
import { SCRIPT, STYLE } from './shell.ts';

/** A page of the docs: where its Markdown is in the checkout, and where it stands in the site. */
interface Source {
  readonly source: string;
  readonly target: string;
}

/** Files of the site, by their path in it. */
export type Site = ReadonlyMap<string, string | Buffer>;

/** The first page, which also says by its last section how the others are grouped. */
const FIRST = 'README.md';
const OURS = /\.(?:md|png|svg)$/u;
const ASSET = /\.(?:png|svg)$/u;

/**
 * The docs of a checkout as a site of static files, which works from a folder without a server. Its menu is the last
 * section of the README; every page and every heading can be searched for.
 *
 * @throws Error naming every link whose page or heading does not exist.
 */
export function buildSite(root: string): Site {
  const sources = sourcesOf(root);
  const links = new Links(root, sources);
  const menu = menuOf(root, sources);
  const pages = sources.map((each) => ({
    ...each,
    ...readPage(read(root, each.source), (link) => links.from(each, link)),
  }));
  if (links.problems.length > 0) throw new Error(`links that lead nowhere:\n${links.problems.join('\n')}`);
  const found = pages.flatMap(({ target, title, parts }) =>
    parts.map(({ heading, anchor, text }) => [`${target}${anchor === '' ? '' : `#${anchor}`}`, title, heading, text]),
  );
  return new Map<string, string | Buffer>([
    ...pages.map(({ target, title, body }) => [target, frame(target, { title, body, menu })] as const),
    ...links.assets,
    ['search.js', `const FOUND = ${JSON.stringify(found)};\n${SCRIPT}`],
    ['style.css', STYLE],
  ]);
}

/** Where links of pages lead in the site. */
class Links {
  /** Pictures that pages show. */
  readonly assets = new Map<string, Buffer>();
  readonly problems: string[] = [];
  readonly #root: string;
  readonly #sources: readonly Source[];
  readonly #anchors: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(root: string, sources: readonly Source[]) {
    this.#root = root;
    this.#sources = sources;
    this.#anchors = new Map(sources.map(({ source }) => [source, anchorsOf(read(root, source))]));
  }

  /** @returns undefined for what is not part of the site, such as sources of the program. */
  from({ source, target }: Source, link: string): string | undefined {
    const [path = '', anchor] = link.split('#');
    const file = path === '' ? source : posix.normalize(posix.join(posix.dirname(source), path));
    const page = this.#sources.find((each) => each.source === file);
    const isThere = page ? anchor === undefined || this.#anchors.get(file)?.has(anchor) : this.#hasFile(file);
    if (isThere && page) return `${relative(target, page.target)}${anchor === undefined ? '' : `#${anchor}`}`;
    if (isThere && ASSET.test(file)) return this.#asset(target, file);
    if (!isThere && (page || OURS.test(file))) this.problems.push(`${source}: ${link}`);
    return undefined;
  }

  #hasFile(file: string): boolean {
    return existsSync(join(this.#root, file));
  }

  #asset(target: string, file: string): string {
    const path = file.replace(/^docs\//u, '');
    this.assets.set(path, readFileSync(join(this.#root, file)));
    return relative(target, path);
  }
}

function read(root: string, path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

function sourcesOf(root: string): readonly Source[] {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .toSorted();
  const top = [FIRST, 'CONTRIBUTING.md', 'SECURITY.md'].filter((path) => existsSync(join(root, path)));
  return [
    ...top.map((source) => ({ source, target: source === FIRST ? 'index.html' : source.replace(/md$/u, 'html') })),
    ...docs.map((path) => ({ source: `docs/${path}`, target: path.replace(/md$/u, 'html') })),
  ];
}

function anchorsOf(text: string): ReadonlySet<string> {
  const headings = text.replaceAll(/^```.*?^```/gmsu, '').matchAll(/^#{1,6} +(.+)$/gmu);
  return new Set([...headings].map(([, heading = '']) => slugOf(heading)));
}

/** A group of the menu: its name, and the links in it as text and target. */
interface Group {
  readonly name: string;
  readonly links: readonly (readonly [text: string, target: string])[];
}

/** `**Use it:** [first steps](docs/start.md) · …`, as the README ends. */
function menuOf(root: string, sources: readonly Source[]): readonly Group[] {
  const more = read(root, FIRST).split(/^## More$/mu)[1] ?? '';
  return [...more.matchAll(/^\*\*(.+?):\*\*(.+?)(?=\n\n|$(?![\s\S]))/gmsu)].map(([, name = '', links = '']) => ({
    name,
    links: [...links.matchAll(/\[([^[\]]+)\]\(([^()]+)\)/gu)].flatMap(([, text = '', path]) => {
      const page = sources.find(({ source }) => source === path);
      return page ? [[text, page.target] as const] : [];
    }),
  }));
}

function relative(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to);
}

function frame(
  target: string,
  { title, body, menu }: { readonly title: string; readonly body: string; readonly menu: readonly Group[] },
): string {
  const to = (path: string) => relative(target, path);
  const current = (path: string) => (path === target ? raw(' aria-current="page"') : raw(''));
  const items = ({ links }: Group): readonly Html[] =>
    links.map(([text, path]) => html`<li><a href="${to(path)}"${current(path)}>${text}</a></li>`);
  const groups = menu.map((group) => html`<h2>${group.name}</h2><ul>${items(group)}</ul>`);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} · Wooster</title>
<link rel="stylesheet" href="${to('style.css')}">
</head>
<body data-root="${to('index.html').replace('index.html', '')}">
<nav aria-label="Docs">
<p><a href="${to('index.html')}"${current('index.html')}>Wooster</a></p>
<input type="search" placeholder="Search" aria-label="Search the docs" aria-controls="found">
<ol id="found" aria-live="polite"></ol>
${groups}
</nav>
<main>${raw(body)}</main>
<script src="${to('search.js')}"></script>
</body>
</html>
`.text;
}
