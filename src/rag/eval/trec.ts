import { readFileSync } from 'node:fs';
import { AssistantError, messageOf } from '../../base/errors.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import type { Judgements } from './metrics.ts';

export interface RunQuery {
  readonly id: string;
  readonly text: string;
}

/** One found document of one query, best first. */
export interface RunHit {
  readonly documentId: string;
  readonly score: number;
}

const TAG = 'wooster';

/**
 * Queries, one JSON object per line with `_id` (or `id`) and `text` (or `query`).
 *
 * @throws AssistantError `bad_usage` naming file and line, `file_not_found`.
 */
export function readQueries(path: string): RunQuery[] {
  return lines(path).map(({ line, number }) => {
    const value = parseJson(line);
    const id = isRecord(value) ? (value._id ?? value.id) : undefined;
    const text = isRecord(value) ? (value.text ?? value.query) : undefined;
    if ((typeof id === 'string' || typeof id === 'number') && typeof text === 'string') return { id: String(id), text };
    throw bad(path, number, 'a query needs "_id" and "text"');
  });
}

/** `query_id Q0 doc_id rank score tag`, one line per hit. White space in ids is percent-encoded. */
export function formatRun(query: string, hits: readonly RunHit[]): string {
  const line = ({ documentId, score }: RunHit, index: number) =>
    `${encode(query)} Q0 ${encode(documentId)} ${index + 1} ${score.toFixed(6)} ${TAG}\n`;
  return hits.map(line).join('');
}

/** Document ids per query, by score, ties by rank. @throws as `readQueries`. */
export function readRun(path: string): Map<string, string[]> {
  const rows = new Map<string, { id: string; rank: number; score: number }[]>();
  for (const { line, number } of lines(path)) {
    const [query, , id, rank, score] = line.trim().split(/\s+/u);
    const sound =
      query !== undefined && id !== undefined && Number.isFinite(Number(rank)) && Number.isFinite(Number(score));
    if (!sound || rank === undefined || score === undefined)
      throw bad(path, number, 'expected: query_id Q0 doc_id rank score tag');
    const hits = rows.get(query) ?? [];
    hits.push({ id, rank: Number(rank), score: Number(score) });
    rows.set(query, hits);
  }
  const order = (hits: { id: string; rank: number; score: number }[]) =>
    hits.sort((a, b) => b.score - a.score || a.rank - b.rank).map(({ id }) => id);
  return new Map([...rows].map(([query, hits]) => [query, order(hits)]));
}

/** Judgements as `query-id corpus-id score` with or without a header, or as TREC's `query 0 document score`. */
export function readQrels(path: string): Map<string, Judgements> {
  const judgements = new Map<string, Map<string, number>>();
  for (const { line, number } of lines(path)) {
    const fields = line.includes('\t') ? line.split('\t').map((field) => field.trim()) : line.trim().split(/\s+/u);
    const [query, document, score] = fields.length >= 4 ? [fields[0], fields[2], fields[3]] : fields;
    if (number === 1 && !Number.isFinite(Number(score))) continue;
    if (query === undefined || document === undefined || score === undefined || !Number.isFinite(Number(score)))
      throw bad(path, number, 'expected: query-id, corpus-id, score');
    const of = judgements.get(encode(query)) ?? new Map<string, number>();
    judgements.set(encode(query), of.set(encode(document), Number(score)));
  }
  return judgements;
}

function encode(id: string): string {
  return id.replace(/\s/gu, (space) => encodeURIComponent(space));
}

function lines(path: string): { line: string; number: number }[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const hint = 'Check the path.';
    throw new AssistantError('file_not_found', `${path} cannot be read: ${messageOf(error)}.`, { hint, cause: error });
  }
  const all = text
    .replace(/^\uFEFF/u, '')
    .split(/\r?\n/u)
    .map((line, index) => ({ line, number: index + 1 }));
  return all.filter(({ line }) => line.trim() !== '');
}

function bad(path: string, line: number, what: string): AssistantError {
  return new AssistantError('bad_usage', `${path}, line ${line}: ${what}.`, {
    hint: 'docs/documents.md shows the form.',
  });
}
