import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startDocuments } from '../../testing/documents.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { HOSTILE_FILES } from '../../testing/hostile-files.ts';
import { RAG_DEFAULTS } from '../options.ts';
import { GuardedReader } from './guarded-read.ts';

const signal = new AbortController().signal;
const FIXTURES = join(import.meta.dirname, '../read/fixtures');
const LIMIT_MS = 10_000;
const LATE = `took longer than ${LIMIT_MS} ms to read`;

/** Files that cannot be read, in order, and why. */
const FAILING = [
  ['bomb.docx', HOSTILE_FILES.bomb, 'unpacks to more than 300 MB'],
  ['bomb.epub', HOSTILE_FILES.bomb, 'unpacks to more than 300 MB'],
  ['bomb.xlsx', HOSTILE_FILES.bomb, 'unpacks to more than 300 MB'],
  ['commas.csv', HOSTILE_FILES.commasCsv, expect.stringMatching(/^took longer than|out of memory$/u)],
  ['deep.odt', HOSTILE_FILES.deepOdt, 'broken odt file'],
  ['laughing.docx', HOSTILE_FILES.laughingDocx, 'broken docx file'],
  ['laughing.pdf', HOSTILE_FILES.laughingPdf, LATE],
  ['lying.docx', HOSTILE_FILES.lyingDocx, 'broken docx file'],
] as const;

test('files that cost too much are named with the reason, and all others are read, the next one too', async () => {
  const home = temporaryFolder();
  mkdirSync(join(home, 'docs'));
  for (const [name, make] of FAILING) writeFileSync(join(home, 'docs', name), make());
  // Nested deeper than any browser nests, and still a page with a word on it.
  writeFileSync(join(home, 'docs', 'deep.html'), HOSTILE_FILES.deepHtml());
  // Entities are not for source text; it is kept as it stands.
  writeFileSync(join(home, 'docs', 'laughing.xml'), HOSTILE_FILES.laughingXml());
  // Each comes right after a file whose reader had to be stopped.
  for (const [from, to] of [
    ['garden.md', 'deep.html.md'],
    ['handbook.docx', 'laughing.pdf.docx'],
    ['warranty.pdf', 'z.pdf'],
  ] as const)
    copyFileSync(join(FIXTURES, from), join(home, 'docs', to));
  const { documents } = await startDocuments(home, { options: { ...RAG_DEFAULTS, parseTimeoutMs: LIMIT_MS } });
  const report = await documents.ingest('home', [join(home, 'docs')], { signal });
  expect(report.failed).toEqual(FAILING.map(([file, , why]) => ({ file, why })));
  expect(report).toMatchObject({ indexed: 5, skipped: [], aborted: false });
  const files = async (query: string) => (await documents.search('home', query, { k: 1 })).map(({ file }) => file);
  expect(await files('chisel shelf')).toEqual(['laughing.pdf.docx']);
  expect(await files('free within thirty days')).toEqual(['z.pdf']);
  expect(await files('slugs ate the lettuce')).toEqual(['deep.html.md']);
}, 180_000);

test('a reader that runs out of memory says so and takes the next file', async () => {
  // So little memory that it runs out in a single allocation, which ends a process and not just a thread.
  const reader = new GuardedReader({ timeoutMs: 120_000, memoryMb: 64 });
  onTestFinished(() => reader.close());
  const wide = reader.read(HOSTILE_FILES.wideXlsx(), 'wide.xlsx', { signal });
  await expect(wide).rejects.toMatchObject({ name: 'Unreadable', message: 'its reader ran out of memory' });
  const { blocks } = await reader.read(readFileSync(join(FIXTURES, 'garden.xlsx')), 'garden.xlsx', { signal });
  expect(blocks[0]).toMatchObject({ kind: 'heading', text: 'Beds 2024' });
}, 180_000);
