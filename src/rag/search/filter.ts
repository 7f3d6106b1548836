import { matchesGlob } from 'node:path';
import { sql } from 'kysely';
import { contains, idList, isIn } from '../../store/portable.ts';
import type { Store } from '../../store/store.ts';
import { type Conditions, fitsDate } from './query.ts';

const CHUNKS_PER_READ = 2000;

/** Ids of the project's chunks that meet all conditions. */
export async function fittingChunks(store: Store, project: string, conditions: Conditions): Promise<Set<number>> {
  const fitting = await bySource(store, project, conditions);
  for (const phrase of conditions.phrases) {
    const having = new Set<number>();
    for await (const { id } of containing(store, project, phrase)) having.add(id);
    keep(fitting, having);
  }
  for (const phrase of conditions.without) {
    const whole = wholeWords(phrase);
    for await (const { id, text } of containing(store, project, phrase)) if (whole.test(text)) fitting.delete(id);
  }
  return fitting;
}

/** By path and day. A chunk under a dated heading, as journals have them, counts for that day, else for the file's. */
async function bySource(store: Store, project: string, { files, dates }: Conditions): Promise<Set<number>> {
  const sources = await store.read
    .selectFrom('sources')
    .select(['id', 'path', 'mtime_us'])
    .where('project', '=', project)
    .execute();
  const named = sources.filter(({ path }) => files.length === 0 || files.some((file) => fitsPath(path, file)));
  const chunks = store.read.selectFrom('chunks').where(
    isIn(
      store,
      'source_id',
      named.map(({ id }) => id),
    ),
  );
  if (dates.length === 0) {
    const { ids } = await chunks.select(idList(store, 'id').as('ids')).executeTakeFirstOrThrow();
    return new Set(JSON.parse(ids) as number[]);
  }
  const dayOf = new Map(named.map(({ id, mtime_us: us }) => [id, new Date(us / 1000).toISOString()]));
  const rows = await chunks.select(['id', 'source_id', 'heading']).execute();
  const fitting = rows.filter(({ heading, source_id: source }) => {
    const day = dayIn(heading) ?? dayOf.get(source) ?? '';
    return dates.every((date) => fitsDate(day, date));
  });
  return new Set(fitting.map(({ id }) => id));
}

/** Whether a path contains the text (ignoring case) or matches the glob, here or in any folder. */
export function fitsPath(path: string, wanted: string): boolean {
  if (!/[*?[{]/u.test(wanted)) return path.toLowerCase().includes(wanted.toLowerCase());
  return matchesGlob(path, wanted) || matchesGlob(path, `**/${wanted}`);
}

function dayIn(heading: string): string | undefined {
  return /"(\d{4}-\d{2}-\d{2})\b[^"]*"\]$/u.exec(heading)?.[1];
}

/**
 * Chunks whose headings or text contain the phrase, ignoring case; `text` is in lower case.
 *
 * Databases know the lower case of ASCII only, or of what their locale knows. So the longest such part of the phrase
 * chooses the rows, and each is looked at here.
 */
async function* containing(
  store: Store,
  project: string,
  phrase: string,
): AsyncGenerator<{ readonly id: number; readonly text: string }> {
  const wanted = phrase.toLowerCase();
  const whole = sql<string>`lower(heading || ' ' || replace(text, ${'\n'}, ' '))`;
  const likely = contains(store, whole, longestAscii(wanted));
  for (let after = 0; ; ) {
    const rows = await store.read
      .selectFrom('chunks')
      .select(['id', 'heading', 'text'])
      .where('project', '=', project)
      .where('id', '>', after)
      .where(likely)
      .orderBy('id')
      .limit(CHUNKS_PER_READ)
      .execute();
    for (const { id, heading, text } of rows)
      if (`${heading} ${text.replaceAll('\n', ' ')}`.toLowerCase().includes(wanted))
        yield { id, text: `${heading} ${text}`.toLowerCase() };
    if (rows.length < CHUNKS_PER_READ) return;
    after = rows.at(-1)?.id ?? after;
  }
}

function longestAscii(text: string): string {
  const runs = text.match(/[ -~]+/gu) ?? [];
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest), '');
}

function wholeWords(phrase: string): RegExp {
  const parts = phrase
    .toLowerCase()
    .trim()
    .split(/\s+/u)
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|/-]/gu, '\\$&'));
  return new RegExp(`(?<![\\p{L}\\p{N}])${parts.join('\\s+')}(?![\\p{L}\\p{N}])`, 'u');
}

function keep(ids: Set<number>, only: ReadonlySet<number>): void {
  for (const id of ids) if (!only.has(id)) ids.delete(id);
}
