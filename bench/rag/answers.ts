import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extractAnswer } from '../../src/answers/extract.ts';
import { nearPassages } from '../../src/answers/near-passages.ts';
import { silentLog } from '../../src/base/log.ts';
import { createDocuments } from '../../src/rag/documents.ts';
import { RAG_DEFAULTS } from '../../src/rag/options.ts';
import { createProjects } from '../../src/rag/projects.ts';
import type { Hit } from '../../src/rag/types.ts';
import { openStore } from '../../src/store/store.ts';
import { QUESTIONS, type Question } from './questions.ts';
import { GERMAN_QUESTIONS } from './questions-german.ts';

const THRESHOLDS = [0, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7];
const DEPTH = 8;
/** How many of the nearest passages are shown where no sentence is. */
const CANDIDATES = 2;
/** How many passages a model is given. */
const SHOWN = 5;

/** What came of a question at each threshold. */
type Outcome = 'right' | 'wrong' | 'shown' | 'unsure';

/** How many of the passages that a model would be given stay without those far below the best, and what is lost. */
class Kept {
  #all = 0;
  #near = 0;
  readonly #lost: string[] = [];

  add([asked, expected]: Question, hits: readonly Hit[]): void {
    const [all, near] = [hits, nearPassages(asked, hits)].map((each) => each.slice(0, SHOWN));
    this.#all += all?.length ?? 0;
    this.#near += near?.length ?? 0;
    const has = (some: readonly Hit[] = []) => some.some(({ text }) => expected?.test(text));
    if (has(all) && !has(near)) this.#lost.push(asked);
  }

  toString(): string {
    return `${this.#near} of ${this.#all} passages kept; no right one left for: ${this.#lost.join('; ') || 'none'}`;
  }
}

const kept = new Kept();

/** `node bench/rag/answers.ts`: which share of a question a sentence has to cover before it is given as the answer. */
async function outcomes(folder: string, questions: readonly Question[]): Promise<Map<Question, Outcome[]>> {
  const home = mkdtempSync(join(tmpdir(), 'wooster-answers-'));
  const store = await openStore(join(home, 'state', 'w.sqlite3'));
  mkdirSync(join(home, 'projects', 'home'), { recursive: true });
  const projects = createProjects({ projectsDir: join(home, 'projects'), homeDir: home, log: silentLog, store });
  const parts = { store, projects, log: silentLog, options: RAG_DEFAULTS, vectorDataDir: join(home, 'vector_data') };
  const documents = createDocuments({ ...parts, embedding: undefined });
  try {
    await documents.ingest('home', [join(import.meta.dirname, folder)], { signal: new AbortController().signal });
    const found = new Map<Question, Outcome[]>();
    for (const question of questions) {
      const [asked, expected] = question;
      const hits = await documents.search('home', asked, { k: DEPTH });
      const isShown = hits.slice(0, CANDIDATES).some(({ text }) => expected?.test(text));
      const each = THRESHOLDS.map((least): Outcome => {
        const { answer } = extractAnswer({ question: asked, resolved: asked }, hits, least);
        if (answer === '') return isShown ? 'shown' : 'unsure';
        return expected?.test(answer) ? 'right' : 'wrong';
      });
      if (process.argv.includes('--all')) {
        const { answer, confidence } = extractAnswer({ question: asked, resolved: asked }, hits);
        console.log(
          `${each.join(' ')}\n  ${asked} (${confidence.toFixed(2)})\n    ${answer.replaceAll('\n', '\n    ')}`,
        );
      }
      found.set(question, each);
      kept.add(question, hits);
    }
    return found;
  } finally {
    await documents.close();
    await store.close();
    rmSync(home, { recursive: true, force: true });
  }
}

const SETS = [
  ['English', 'answers', QUESTIONS],
  ['German', 'answers-german', GERMAN_QUESTIONS],
] as const;

for (const [language, folder, questions] of SETS) {
  const found = [...(await outcomes(folder, questions))];
  for (const [name, half] of [
    ['chosen on', 0],
    ['reported on', 1],
  ] as const) {
    const own = found.filter((_, at) => at % 2 === half);
    const [withAnswer, without] = [own.filter(([q]) => q[1]), own.filter(([q]) => !q[1])];
    console.log(`\n${language}, ${name}: ${withAnswer.length} questions with an answer, ${without.length} without`);
    console.log('least share | right | wrong | shown among two passages | unsure || answered although there is none');
    for (const [at, least] of THRESHOLDS.entries()) {
      const count = (rows: typeof own, kind: Outcome) => rows.filter(([, each]) => each[at] === kind).length;
      const kinds = (['right', 'wrong', 'shown', 'unsure'] as const).map((kind) => count(withAnswer, kind));
      console.log([least, ...kinds, count(without, 'wrong')].join(' | '));
    }
  }
}
console.log(`\n${kept}`);
