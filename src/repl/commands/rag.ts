import { closeSync, openSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { AssistantError, messageOf } from '../../base/errors.ts';
import { counted } from '../../base/text.ts';
import { evaluate } from '../../rag/eval/metrics.ts';
import { formatRun, readQrels, readQueries, readRun } from '../../rag/eval/trec.ts';
import type { Hit, ImportedFolder, ImportReport, IngestProgress } from '../../rag/types.ts';
import { bar } from '../chart.ts';
import type { Command, CommandCall, Output } from '../command.ts';
import { badUsage, countFlag, isYes, textFlag } from '../flags.ts';
import { formOf } from '../own-words.ts';
import { ProgressLine } from '../progress-line.ts';
import { ragTest } from './rag-questions.ts';

const DEFAULT_K = 10;
const MAX_NEIGHBOURS = 10;
const SHOWN_CHARS = 200;
/** Width of the best hit's bar, on a terminal. */
const BAR_CELLS = 12;

/**
 * Search and its evaluation, without a model in between. Rows of `search`: `{rank, ...hit}`, best first.
 * `run` and `eval` speak the formats of TREC, so results can be compared with any other retrieval system.
 */
export const rag: Command = {
  name: 'rag',
  summary: 'Search the documents, and measure the quality of the search',
  group: 'Documents',
  usage: [
    'rag search "QUERY" [--k N] [--neighbours N]   N passages before and after each as its context',
    'rag run --queries F.jsonl [--k N] --out F.trec',
    'rag eval --run F.trec --qrels F.tsv',
    'rag test                           try your own test questions again',
    'rag test add "QUESTION" DOCUMENT | list | remove "QUESTION"',
    'rag import FOLDER [--vectors MODEL]   import a store saved by HNSWLib of LangChain; MODEL made its vectors',
    'rag import --remove FOLDER            remove it again',
  ],
  examples: ['rag search "notice period" --k 3', 'rag test add "when is the rent due?" lease'],
  flags: {
    vectors: { type: 'string' },
    remove: { type: 'boolean' },
    k: { type: 'string' },
    neighbours: { type: 'string' },
    queries: { type: 'string' },
    out: { type: 'string' },
    run: { type: 'string' },
    qrels: { type: 'string' },
  },
  async run(call) {
    const [verb = '', ...words] = call.args;
    if (verb === '') throw badUsage('rag needs a subcommand.', `Usage: wooster ${rag.usage.join(' | ')}`);
    return formOf(rag, ACTIONS, verb)(call, words);
  },
};

/** The words behind `rag`. */
const ACTIONS: Readonly<Record<string, (call: CommandCall, words: readonly string[]) => Promise<number>>> = {
  search,
  run: (call) => runQueries(call, countFlag(call.flags, 'k', { fallback: 100 })),
  eval: evalRun,
  test: ragTest,
  import: ragImport,
};

async function search({ flags, session, app, out, signal }: CommandCall, words: readonly string[]): Promise<number> {
  const query = words.join(' ').trim();
  if (query === '') throw badUsage('There is no query.', 'Usage: wooster rag search "QUERY"');
  const k = countFlag(flags, 'k', { fallback: DEFAULT_K });
  const neighbours = countFlag(flags, 'neighbours', { min: 0, max: MAX_NEIGHBOURS, fallback: 0 });
  const hits = await app.knowledge.documents.search(session.project, query, { k, neighbours, signal });
  for (const [index, hit] of hits.entries()) {
    out.row({ rank: index + 1, ...hit });
    const drawn = out.draws ? ` ${bar(shareOf(hit, hits), BAR_CELLS).padEnd(BAR_CELLS)}` : '';
    const score = `${hit.score.toFixed(3)}${drawn}`;
    out.line(`${String(index + 1).padStart(2)}. ${score}  ${hit.citation}  ${hit.heading.join(' > ')}`);
    for (const line of linesOf(hit)) out.line(`    ${line}`);
  }
  if (hits.length === 0) out.note('Not in your documents.');
  return 0;
}

/** As a share of the best hit's score. */
function shareOf({ score }: Hit, [best]: readonly Hit[]): number {
  return best === undefined || best.score <= 0 ? 0 : Math.min(1, Math.max(0, score / best.score));
}

/** The beginning of a passage; with `--neighbours`, the whole passage between the ones around it. */
function linesOf({ text, context }: Hit): string[] {
  if (!context) return [flat(text).slice(0, SHOWN_CHARS)];
  return [
    ...(context.before === '' ? [] : [`before | ${flat(context.before)}`]),
    `found  | ${flat(text)}`,
    ...(context.after === '' ? [] : [`after  | ${flat(context.after)}`]),
    `all    | ${context.citation}`,
  ];
}

function flat(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

/** `rag run`: write the best documents for every query as a TREC run file. */
async function runQueries(call: CommandCall, k: number): Promise<number> {
  const { session, app, out, signal } = call;
  const queries = readQueries(needed(call, 'queries'));
  const path = needed(call, 'out');
  const file = openForWriting(path);
  const line = new ProgressLine(out);
  let hitCount = 0;
  try {
    for (const [index, { id, text }] of queries.entries()) {
      const hits = await app.knowledge.documents.search(session.project, text, { k, documents: true, signal });
      writeSync(file, formatRun(id, hits));
      hitCount += hits.length;
      line.show({ done: index + 1, total: queries.length, file: id, stage: 'ask' });
    }
  } finally {
    closeSync(file);
  }
  out.row({ queries: queries.length, hits: hitCount, k, out: path });
  out.line(`${counted(queries.length, 'query', 'queries')}, ${counted(hitCount, 'hit')} written to ${path}`);
  return 0;
}

/** `rag eval`: score a TREC run file against relevance judgements. */
async function evalRun(call: CommandCall): Promise<number> {
  const { out } = call;
  const found = evaluate(readRun(needed(call, 'run')), readQrels(needed(call, 'qrels')));
  out.row({ queries: found.queries, ndcg10: found.ndcg10, recall100: found.recall100, map: found.map });
  const x100 = (value: number) => (value * 100).toFixed(1).padStart(5);
  out.line(`queries     ${String(found.queries).padStart(5)}`);
  out.line(`nDCG@10     ${x100(found.ndcg10)}`);
  out.line(`Recall@100  ${x100(found.recall100)}`);
  out.line(`MAP         ${x100(found.map)}`);
  return 0;
}

function needed({ flags }: CommandCall, name: string): string {
  const value = textFlag(flags, name);
  if (value !== undefined) return value;
  throw badUsage(`--${name} FILE is missing.`, '"wooster help rag" shows the usage.');
}

/** Opened before the search, so that a path that cannot be written costs no time. */
function openForWriting(path: string): number {
  try {
    return openSync(path, 'w');
  } catch (error) {
    const hint = 'Choose a folder that exists and is writable.';
    throw new AssistantError('path_refused', `Cannot write ${path}: ${messageOf(error)}.`, { hint, cause: error });
  }
}

/** `rag import`: import a vector store that LangChain's HNSWLib saved, or remove what was imported from one. */
async function ragImport(call: CommandCall, words: readonly string[]): Promise<number> {
  const [folder, ...more] = words;
  if (folder === undefined || more.length > 0)
    throw new AssistantError('bad_usage', 'rag import needs one folder.', {
      hint: 'Usage: wooster rag import FOLDER, the folder that LangChain saved its store to',
    });
  return call.flags.remove === true ? remove(call, folder) : take(call, folder);
}

async function take({ app, session, flags, out, signal }: CommandCall, folder: string): Promise<number> {
  app.knowledge.projects.create(session.project);
  const line = new ProgressLine(out);
  const onProgress = (progress: IngestProgress) => line.show(progress);
  const vectors = textFlag(flags, 'vectors');
  const report = await app.knowledge.documents.importStore(session.project, folder, { signal, onProgress, vectors });
  out.row({ type: 'import', folder: resolve(folder), ...report });
  if (report.aborted) {
    out.note('Stopped. Nothing was imported.');
    return 130;
  }
  out.line(lineOf(report));
  return 0;
}

function lineOf({ imported, unchanged, removed, vectors, chunks }: ImportReport): string {
  const counts = [
    `${imported} imported`,
    `${unchanged} unchanged`,
    ...(removed > 0 ? [`${removed} removed`] : []),
    ...(vectors > 0 ? [`${counted(vectors, 'vector')} kept`] : []),
  ];
  return `${counts.join(', ')}; ${counted(chunks, 'passage')} in the index`;
}

async function remove({ app, session, out, signal }: CommandCall, folder: string): Promise<number> {
  const all = await app.knowledge.documents.imports(session.project);
  const gone = all.find((each) => each.folder === resolve(folder));
  if (gone === undefined) return nothingFrom(folder, all, out);
  const what = `${counted(gone.files, 'imported document')} (${counted(gone.passages, 'passage')})`;
  const question = `Remove ${what} from project ${session.project}? [y/N] `;
  if (!session.yes && !isYes(await out.ask(question))) {
    out.note('Nothing was removed.');
    return 1;
  }
  const removed = await app.knowledge.documents.removeImported(session.project, folder, { signal });
  out.show({ type: 'import', folder: resolve(folder), removed }, `${counted(removed, 'imported document')} removed`);
  return 0;
}

function nothingFrom(folder: string, all: readonly ImportedFolder[], out: Output): number {
  out.note(`Nothing was imported from ${resolve(folder)}.`);
  for (const known of all) out.note(`Imported from: ${known.folder}`);
  return 1;
}
