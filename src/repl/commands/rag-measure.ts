import { closeSync, openSync, writeSync } from 'node:fs';
import { AssistantError, messageOf } from '../../base/errors.ts';
import { evaluate } from '../../rag/eval/metrics.ts';
import { formatRun, readQrels, readQueries, readRun } from '../../rag/eval/trec.ts';
import type { CommandCall } from '../command.ts';
import { ProgressLine } from '../progress-line.ts';

/** `rag run`: every query's best documents as a TREC run file. */
export async function runQueries(call: CommandCall, k: number): Promise<number> {
  const { session, app, out, signal } = call;
  const queries = readQueries(needed(call, 'queries'));
  const path = needed(call, 'out');
  const file = openForWriting(path);
  const line = new ProgressLine(out);
  let hitCount = 0;
  try {
    for (const [index, { id, text }] of queries.entries()) {
      const hits = await app.documents.search(session.project, text, { k, documents: true, signal });
      writeSync(file, formatRun(id, hits));
      hitCount += hits.length;
      line.show({ done: index + 1, total: queries.length, file: id, stage: 'ask' });
    }
  } finally {
    closeSync(file);
  }
  out.row({ queries: queries.length, hits: hitCount, k, out: path });
  out.line(`${queries.length} queries, ${hitCount} hits in ${path}`);
  return 0;
}

/** `rag eval`: a run file against judgements. */
export async function evalRun(call: CommandCall): Promise<number> {
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
  const value = flags[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new AssistantError('bad_usage', `--${name} FILE is missing.`, { hint: 'wooster help rag shows the usage.' });
}

function openForWriting(path: string): number {
  try {
    return openSync(path, 'w');
  } catch (error) {
    const hint = 'Choose a folder that exists and can be written.';
    throw new AssistantError('path_refused', `${path} cannot be written: ${messageOf(error)}.`, { hint, cause: error });
  }
}
