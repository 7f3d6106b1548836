import type { Element } from 'domhandler';
import { DomUtils } from 'htmlparser2';
import { readHtml } from './html.ts';
import { type Block, type Parsed, Unreadable } from './parsed.ts';
import { resolvePath, ZipArchive } from './zip.ts';

const { getElementsByTagName: all, textContent, getAttributeValue: attribute } = DomUtils;

/** Read the slides in order: title as heading, paragraphs, speaker notes. */
export function readPptx(bytes: Uint8Array): Parsed {
  const archive = new ZipArchive(
    bytes,
    /^ppt\/(?:presentation\.xml|slides\/|notesSlides\/|_rels\/).*|^ppt\/.*\.rels$/u,
  );
  const presentation = archive.xml('ppt/presentation.xml');
  if (!presentation) throw new Unreadable('not a presentation');
  const relations = archive.relations('ppt/presentation.xml');
  const paths = all('p:sldId', presentation).map((slide) => relations.get(attribute(slide, 'r:id') ?? ''));
  const blocks = paths.flatMap((path, index) =>
    path === undefined ? [] : readSlide(archive, path, `slide ${index + 1}`),
  );
  const title = blocks.find(({ kind }) => kind === 'heading');
  return { title: title?.kind === 'heading' ? title.text : undefined, blocks };
}

function readSlide(archive: ZipArchive, path: string, place: string): Block[] {
  const slide = archive.xml(path);
  if (!slide) return [];
  const shapes = all('p:sp', slide);
  const isTitle = (shape: Element) =>
    all('p:ph', shape).some((mark) => /^(?:title|ctrTitle)$/u.test(attribute(mark, 'type') ?? ''));
  const title = shapes.filter(isTitle).map(drawnText).join(' ').trim();
  const body = [...shapes.filter((shape) => !isTitle(shape)), ...all('a:tbl', slide)].map(drawnText);
  const notes = [...archive.relations(path).values()].filter((target) => target.includes('notesSlide'));
  const spoken = notes
    .flatMap((target) => archive.xml(target) ?? [])
    .map((document) => all('p:sp', document).map(drawnText).join('\n'));
  const text = [...body, ...spoken].filter((part) => part.trim() !== '').join('\n');
  return [
    { kind: 'heading', level: 1, text: title || place, place },
    ...(text === '' ? [] : [{ kind: 'text' as const, text, place }]),
  ];
}

function drawnText(shape: Element): string {
  const paragraphs = all('a:p', shape).map((paragraph) => all('a:t', paragraph).map(textContent).join(''));
  return paragraphs.filter((text) => text.trim() !== '').join('\n');
}

/** Read an OpenDocument text: headings, paragraphs, lists and tables. */
export function readOdt(bytes: Uint8Array): Parsed {
  const content = new ZipArchive(bytes, /^content\.xml$/u).xml('content.xml');
  const [body] = content ? all('office:text', content) : [];
  if (!body) throw new Unreadable('not a text document');
  const blocks = body.children.flatMap((child) => ('name' in child ? odtBlocks(child as Element) : []));
  const title = blocks.find(({ kind }) => kind === 'heading');
  return { title: title?.kind === 'heading' ? title.text : undefined, blocks };
}

function odtBlocks(element: Element): Block[] {
  const text = textContent(element).replace(/\s+/gu, ' ').trim();
  if (element.name === 'text:h') {
    const level = Number(attribute(element, 'text:outline-level') ?? 1);
    return text === '' ? [] : [{ kind: 'heading', level, text }];
  }
  if (element.name === 'text:p') return text === '' ? [] : [{ kind: 'text', text }];
  if (element.name === 'table:table') return [odtTable(element)];
  return element.children.flatMap((child) => ('name' in child ? odtBlocks(child as Element) : []));
}

function odtTable(table: Element): Block {
  const rows = all('table:table-row', table).map((row) =>
    all('table:table-cell', row)
      .map((cell) => textContent(cell).replace(/\s+/gu, ' ').trim())
      .join(' | '),
  );
  const [header = '', ...rest] = rows.filter((row) => row.replace(/[|\s]/gu, '') !== '');
  return { kind: 'table', header, rows: rest.map((text, index) => ({ text, number: index + 2 })) };
}

/** Read the chapters of an EPUB in reading order. */
export function readEpub(bytes: Uint8Array): Parsed {
  const archive = new ZipArchive(bytes, /^META-INF\/container\.xml$|\.(?:opf|x?html?|xml)$/iu);
  const container = archive.xml('META-INF/container.xml');
  const root = container && attribute(all('rootfile', container)[0] as Element, 'full-path');
  const book = root === undefined ? undefined : archive.xml(root);
  if (!book || root === undefined) throw new Unreadable('not a book');
  const folder = root.slice(0, root.lastIndexOf('/') + 1);
  const items = new Map(all('item', book).map((item) => [attribute(item, 'id'), attribute(item, 'href') ?? '']));
  const chapters = all('itemref', book).map((entry) => items.get(attribute(entry, 'idref')) ?? '');
  const blocks = chapters.flatMap((href, index) => {
    const source = archive.text(resolvePath(folder, href));
    return source === undefined ? [] : readHtml(source, { position: { place: `chapter ${index + 1}` } }).blocks;
  });
  const title = all('dc:title', book).map(textContent).join(' ').trim();
  return { title: title || undefined, blocks };
}
