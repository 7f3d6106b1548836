/**
 * Reads 40 generated documents as they look at three levels of photography: characters, totals, what is marked as
 * uncertain, and what a search finds of them beside the same texts typed.
 *
 * `npm run bench -- pictures 1` looks at the first level alone.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../src/base/log.ts';
import { createDocuments } from '../src/rag/documents.ts';
import { RAG_DEFAULTS } from '../src/rag/options.ts';
import { createProjects } from '../src/rag/projects.ts';
import type { Documents } from '../src/rag/types.ts';
import { openStore } from '../src/store/store.ts';
import { sheet } from '../src/testing/pictures.ts';
import { report } from './harness/report.ts';
import { type Made, madeDocuments } from './pictures/documents.ts';
import { LEVELS, photographed } from './pictures/photograph.ts';

const SHEET = { width: 1240, height: 1500, points: 10, font: 'DejaVuSansMono' } as const;
const MARK = 'uncertain';
const documents = madeDocuments();
const dir = mkdtempSync(join(tmpdir(), 'wooster-pictures-'));
const typed = await asked('typed', (made) => Buffer.from(made.text), 'txt');
const figures = [];
const levels = Number(process.argv[2] ?? LEVELS.length);
for (const [at, level] of LEVELS.slice(0, levels).entries()) {
  const sheets = new Map<string, Buffer>();
  for (const [number, made] of documents.entries())
    sheets.set(
      made.name,
      await photographed(await (await sheet(made.text, SHEET)).png().toBuffer(), level, 100 * at + number),
    );
  const read = await asked(`level-${at + 1}`, (made) => sheets.get(made.name) ?? Buffer.alloc(0), 'jpg');
  const must = [99, 95, 85][at] ?? 0;
  const mostMarked = [10, 30, 100][at] ?? 100;
  const name = `level ${at + 1}`;
  if (process.env.PICTURES_TELL === '1') console.error(name, read);
  figures.push(
    { what: `${name}: characters read right`, unit: '%', samples: [read.characters], must, better: 'more' as const },
    { what: `${name}: totals wrong and not marked`, unit: 'documents', samples: [read.wrong], must: 0 },
    { what: `${name}: totals marked as uncertain`, unit: '%', samples: [read.marked], must: mostMarked },
    {
      what: `${name}: found, of what is found typed`,
      unit: '%',
      samples: [(100 * read.found) / typed.found],
      must: 95,
      better: 'more' as const,
    },
    { what: `${name}: a page`, unit: 's', samples: [read.seconds / documents.length] },
  );
}
rmSync(dir, { recursive: true });
report(figures);

interface Read {
  /** Of 100. */
  readonly characters: number;
  readonly wrong: number;
  readonly marked: number;
  readonly found: number;
  readonly seconds: number;
}

/** Ingest the documents in one form, and ask their questions. */
async function asked(form: string, bytesOf: (made: Made) => Buffer, extension: string): Promise<Read> {
  const home = join(dir, form);
  const docs = join(home, 'docs');
  mkdirSync(docs, { recursive: true });
  for (const made of documents) writeFileSync(join(docs, `${made.name}.${extension}`), bytesOf(made));
  const store = await openStore({ kind: 'sqlite', path: join(home, 'w.sqlite3') }, {});
  const projects = createProjects({ projectsDir: join(home, 'projects'), homeDir: home, log: silentLog, store });
  const own = createDocuments({
    options: RAG_DEFAULTS,
    vectorDataDir: join(home, 'vectors'),
    store,
    projects,
    log: silentLog,
  });
  try {
    const started = performance.now();
    await own.ingest('home', [docs], { signal: new AbortController().signal });
    const seconds = (performance.now() - started) / 1000;
    return { ...(await judged(own, extension)), seconds };
  } finally {
    await own.close();
    await store.close();
  }
}

async function judged(own: Documents, extension: string): Promise<Omit<Read, 'seconds'>> {
  const sums = { wrong: 0, marked: 0, totals: 0, found: 0, errors: 0, characters: 0 };
  for (const made of documents) {
    const file = `${made.name}.${extension}`;
    const [text] = await own.texts('home', file);
    const read = text?.text ?? '';
    sums.errors += distance(plain(made.text), plain(read));
    sums.characters += plain(made.text).length;
    const hits = await own.search('home', made.question, { k: 40 });
    if (hits[0]?.file === file) sums.found++;
    if (made.total === undefined) continue;
    sums.totals++;
    const isMarked = hits.some(
      (hit) => hit.file === file && hit.citation.includes(MARK) && /total|summe|pay|zahlen/iu.test(hit.text),
    );
    if (isMarked) sums.marked++;
    else if (!read.includes(made.total)) sums.wrong++;
    if (process.env.PICTURES_TELL === '1' && (isMarked || !read.includes(made.total)))
      console.error(file, isMarked ? 'marked' : 'WRONG', JSON.stringify(read));
  }
  return {
    characters: 100 * (1 - sums.errors / sums.characters),
    wrong: sums.wrong,
    marked: (100 * sums.marked) / sums.totals,
    found: sums.found,
  };
}

/** Without what stands between cells and paragraphs. */
function plain(text: string): string {
  return text.replace(/[\s|]+/gu, ' ').trim();
}

/** How many characters have to be changed, added or removed. @see Levenshtein 1966 */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
