import { AssistantError } from '../../base/errors.ts';
import type { Hit } from '../../rag/types.ts';
import type { Command, CommandCall } from '../command.ts';
import { ragImport } from './rag-import.ts';
import { evalRun, runQueries } from './rag-measure.ts';
import { ragTest } from './rag-test.ts';

const DEFAULT_K = 10;
const MOST_NEIGHBOURS = 10;
const SHOWN_CHARS = 200;

export const rag: Command = {
  name: 'rag',
  summary: 'Search the documents, and measure how well that works',
  usage: [
    'rag search "QUERY" [--k N] [--neighbours N]   N passages before and after each as its context',
    'rag run --queries F.jsonl [--k N] --out F.trec',
    'rag eval --run F.trec --qrels F.tsv',
    'rag test                           ask your own questions again',
    'rag test add "QUESTION" DOCUMENT | list | remove "QUESTION"',
    'rag import FOLDER [--vectors MODEL]   take over what HNSWLib of LangChain saved; MODEL made its vectors',
    'rag import --remove FOLDER            forget it again',
  ],
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
    const action = Object.hasOwn(ACTIONS, verb) ? ACTIONS[verb] : undefined;
    if (action) return action(call, words);
    const hint = `Usage: wooster ${rag.usage.join(' | ')}`;
    throw new AssistantError('bad_usage', verb === '' ? 'rag what?' : `There is no "rag ${verb}".`, { hint });
  },
};

const ACTIONS: Readonly<Record<string, (call: CommandCall, words: readonly string[]) => Promise<number>>> = {
  search,
  run: (call) => runQueries(call, countOf(call.flags.k, 100)),
  eval: evalRun,
  test: ragTest,
  import: ragImport,
};

async function search({ flags, session, app, out, signal }: CommandCall, words: readonly string[]): Promise<number> {
  const query = words.join(' ').trim();
  if (query === '') throw new AssistantError('bad_usage', 'There is no query.', { hint: 'wooster rag search "words"' });
  const options = { k: countOf(flags.k, DEFAULT_K), neighbours: neighboursOf(flags.neighbours), signal };
  const hits = await app.documents.search(session.project, query, options);
  for (const [index, hit] of hits.entries()) {
    out.row({ rank: index + 1, ...hit });
    out.line(`${String(index + 1).padStart(2)}. ${hit.score.toFixed(3)}  ${hit.citation}  ${hit.heading.join(' > ')}`);
    for (const line of linesOf(hit)) out.line(`    ${line}`);
  }
  if (hits.length === 0) out.note('Not in your documents.');
  return 0;
}

/** The beginning of a passage; the whole of it when what stands around it was asked for. */
function linesOf({ text, context }: Hit): string[] {
  if (!context) return [flat(text).slice(0, SHOWN_CHARS)];
  return [
    ...(context.before === '' ? [] : [`before | ${flat(context.before)}`]),
    `found  | ${flat(text)}`,
    ...(context.after === '' ? [] : [`after  | ${flat(context.after)}`]),
    `all of it: ${context.citation}`,
  ];
}

function flat(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

/** @throws AssistantError `bad_usage` unless it is a whole number from 0 to 10. */
function neighboursOf(flag: unknown): number {
  if (flag === undefined) return 0;
  const count = flag === '' ? Number.NaN : Number(flag);
  if (Number.isInteger(count) && count >= 0 && count <= MOST_NEIGHBOURS) return count;
  const hint = `Use 0 to ${MOST_NEIGHBOURS}: how many passages before and after each hit are shown with it.`;
  throw new AssistantError('bad_usage', `--neighbours ${String(flag)} is not a number of passages.`, { hint });
}

/** @throws AssistantError `bad_usage` unless it is a whole number from 1 to 1000. */
function countOf(flag: unknown, fallback: number): number {
  if (flag === undefined) return fallback;
  const k = Number(flag);
  if (Number.isInteger(k) && k >= 1 && k <= 1000) return k;
  throw new AssistantError('bad_usage', `--k ${String(flag)} is not a number of hits.`, { hint: 'Use 1 to 1000.' });
}
