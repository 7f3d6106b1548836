import { extname } from 'node:path';

/** How a file is read. `code` is any program text; `text` also takes files of unknown kind that are text. */
export type Kind =
  | 'markdown'
  | 'text'
  | 'html'
  | 'pdf'
  | 'docx'
  | 'pptx'
  | 'xlsx'
  | 'odt'
  | 'epub'
  | 'csv'
  | 'json'
  | 'jsonl'
  | 'eml'
  | 'mbox'
  | 'ics'
  | 'picture'
  | 'code';

const EXTENSIONS: Readonly<Record<Exclude<Kind, 'code'>, string>> = {
  markdown: 'md markdown mdown mdx',
  text: 'txt text rst org adoc tex log',
  html: 'html htm xhtml',
  pdf: 'pdf',
  docx: 'docx',
  pptx: 'pptx',
  xlsx: 'xlsx',
  odt: 'odt',
  epub: 'epub',
  csv: 'csv tsv',
  json: 'json',
  jsonl: 'jsonl ndjson',
  eml: 'eml',
  mbox: 'mbox',
  ics: 'ics ical',
  picture: 'png jpg jpeg webp tif tiff gif avif heic heif',
};

const CODE = [
  'c h cc cpp hpp cxx cs go java js jsx mjs cjs ts tsx kt kts swift py rb php rs scala sol sh bash zsh sql lua pl r jl',
  'hs ml ex exs erl clj css scss less vue svelte proto toml yaml yml ini xml',
].join(' ');

const KINDS: ReadonlyMap<string, Kind> = new Map([
  ...Object.entries(EXTENSIONS).flatMap(([kind, list]) => list.split(' ').map((each) => [each, kind as Kind] as const)),
  ...CODE.split(' ').map((each) => [each, 'code'] as const),
]);

/** The kind of a file by its extension; undefined for an unknown one, which is read as text if it is text. */
export function kindOf(path: string): Kind | undefined {
  return KINDS.get(extname(path).slice(1).toLowerCase());
}

/** Kinds of files whose text other people wrote: mail, and pages saved from the web. */
const FROM_OUTSIDE: ReadonlySet<Kind> = new Set(['html', 'eml', 'mbox']);

/** Whether a file's text comes from outside, going by its kind. */
export function isFromOutside(path: string): boolean {
  const kind = kindOf(path);
  return kind !== undefined && FROM_OUTSIDE.has(kind);
}
