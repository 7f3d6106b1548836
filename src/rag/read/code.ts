import { extname } from 'node:path';
import { RecursiveCharacterTextSplitter, type SupportedTextSplitterLanguage } from '@langchain/textsplitters';
import type { Block, Parsed } from './parsed.ts';

const LANGUAGES: Readonly<Record<string, SupportedTextSplitterLanguage>> = {
  ...same('cpp', 'c cc cpp cxx h hpp'),
  ...same('go', 'go'),
  ...same('java', 'java kt kts'),
  ...same('js', 'js jsx mjs cjs ts tsx vue svelte'),
  ...same('php', 'php'),
  ...same('proto', 'proto'),
  ...same('python', 'py'),
  ...same('ruby', 'rb'),
  ...same('rust', 'rs'),
  ...same('scala', 'scala'),
  ...same('swift', 'swift'),
  ...same('sol', 'sol'),
  ...same('html', 'xml'),
};

const CHARS_PER_PIECE = 1200;
/** The first definition in a piece of code, which becomes its heading. */
const DEFINITION = new RegExp(
  [
    '^[ \\t]*(?:export |default |public |private |protected |static |async |abstract |final |pub )*',
    '(?:function|class|interface|def|fn|func|struct|enum|trait|type|module|impl)\\s+[\\w.$<>:]+',
  ].join(''),
  'mu',
);

/** Split source code where its language begins a new definition, with the first definition of each piece as heading. */
export async function readCode(source: string, path: string, start = 1): Promise<Parsed> {
  const language = LANGUAGES[extname(path).slice(1).toLowerCase()];
  const size = { chunkSize: CHARS_PER_PIECE, chunkOverlap: 0 };
  const splitter = language
    ? RecursiveCharacterTextSplitter.fromLanguage(language, size)
    : new RecursiveCharacterTextSplitter(size);
  const pieces = await splitter.createDocuments([source]);
  const blocks = pieces.flatMap(({ pageContent, metadata }): Block[] => {
    const { from, to } = (metadata as { loc: { lines: { from: number; to: number } } }).loc.lines;
    const name = DEFINITION.exec(pageContent)?.[0].trim();
    const text: Block = { kind: 'code', text: pageContent, lines: [from, to] };
    return [
      { kind: 'heading', level: 1, text: name ?? `lines ${from + start - 1}-${to + start - 1}`, lines: [from, from] },
      text,
    ];
  });
  return { title: path.split('/').at(-1), blocks };
}

function same(language: SupportedTextSplitterLanguage, extensions: string) {
  return Object.fromEntries(extensions.split(' ').map((extension) => [extension, language]));
}
