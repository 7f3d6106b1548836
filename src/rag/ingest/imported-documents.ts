import { basename } from 'node:path';
import { isRecord, sha256 } from '../../base/json.ts';
import type { HnswlibFolder, HnswlibText } from '../langchain/hnswlib-files.ts';
import { type Chunk, chunk, countWords } from '../read/chunk.ts';

/** One document of a saved store: all texts that name the same source. */
export interface ImportedDocument {
  /** For display only: never an absolute path, and it leads to no file. */
  readonly path: string;
  /** Of texts, places and metadata. */
  readonly sha256: string;
  readonly bytes: number;
  readonly chunks: readonly ImportedChunk[];
}

interface ImportedChunk {
  readonly chunk: Chunk;
  /** The label of its vector; undefined for a part of a text that was too long for one chunk. */
  readonly label: number | undefined;
}

/** A text of more words than this many chunks have is cut. */
const MAX_CHUNKS_UNCUT = 4;
const MOST_PATH_CHARS = 500;

/** The documents of a store, in its order, without empty and repeated texts. */
export function toDocuments({ dir, texts }: HnswlibFolder, chunkWords: number): ImportedDocument[] {
  const shared = sharedFolder(texts);
  const groups = new Map<string, HnswlibText[]>();
  for (const text of texts) {
    const path = pathOf(text, shared) || basename(dir);
    const group = groups.get(path);
    if (group) group.push(text);
    else groups.set(path, [text]);
  }
  return [...groups].map(([path, group]) => toDocument(path, group, chunkWords));
}

function toDocument(path: string, texts: readonly HnswlibText[], chunkWords: number): ImportedDocument {
  const seen = new Set<string>();
  const fresh = texts.filter(({ pageContent, metadata }) => {
    const content = sha256(JSON.stringify([pageContent, metadata]));
    return pageContent.trim() !== '' && !seen.has(content) && seen.add(content);
  });
  return {
    path,
    sha256: sha256([...seen].join('\n')),
    bytes: fresh.reduce((sum, { pageContent }) => sum + Buffer.byteLength(pageContent), 0),
    chunks: fresh.flatMap((text) => toChunks(text, chunkWords)),
  };
}

function toChunks({ pageContent, metadata, label }: HnswlibText, chunkWords: number): ImportedChunk[] {
  const where = positionOf(metadata, label);
  if (countWords(pageContent) <= chunkWords * MAX_CHUNKS_UNCUT) {
    const { page, ...rest } = where;
    const pages = page === undefined ? {} : { pages: [page, page] as const };
    return [{ chunk: { text: pageContent, heading: [], ...rest, ...pages, metadata }, label }];
  }
  const parts = chunk({ blocks: [{ kind: 'text', text: pageContent, ...where }] }, { words: chunkWords });
  return parts.map((part) => ({ chunk: { ...part, metadata }, label: undefined }));
}

/** Reads the location that LangChain's loaders and splitters write. Lines within a page mean nothing to a person. */
function positionOf(metadata: HnswlibText['metadata'], label: number) {
  const loc = record(metadata.loc);
  const page = natural(loc.pageNumber);
  if (page !== undefined) return { page };
  const lines = record(loc.lines);
  const from = natural(lines.from) ?? natural(metadata.line);
  const to = natural(lines.to) ?? from;
  if (from !== undefined && to !== undefined && from <= to) return { lines: [from, to] as const };
  return typeof metadata.source === 'string' ? {} : { place: `text ${label + 1}` };
}

function pathOf({ metadata }: HnswlibText, shared: readonly string[]): string {
  if (typeof metadata.source !== 'string') return '';
  const source = printable(metadata.source);
  if (isUrl(source)) return source.slice(0, MOST_PATH_CHARS);
  const parts = partsOf(source);
  return (isAbsolute(source) ? parts.slice(shared.length) : parts).join('/').slice(0, MOST_PATH_CHARS);
}

/** The leading folders that all absolute paths have in common, which say nothing on this machine. */
function sharedFolder(texts: readonly HnswlibText[]): readonly string[] {
  let shared: readonly string[] | undefined;
  for (const { metadata } of texts) {
    const source = typeof metadata.source === 'string' ? printable(metadata.source) : '';
    if (!isAbsolute(source)) continue;
    const folder = partsOf(source).slice(0, -1);
    const before: readonly string[] = shared ?? folder;
    const differs = before.findIndex((part, at) => part !== folder[at]);
    shared = differs < 0 ? before : before.slice(0, differs);
  }
  return shared ?? [];
}

function partsOf(path: string): string[] {
  return path.split(/[\\/]+/u).filter((part) => part !== '' && part !== '.' && part !== '..');
}

function isAbsolute(source: string): boolean {
  return /^(?:[\\/]|[a-z]:[\\/])/iu.test(source);
}

function isUrl(source: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//iu.test(source);
}

function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function natural(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 ? value : undefined;
}
