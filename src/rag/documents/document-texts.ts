import { resolve } from 'node:path';
import { parseJson } from '../../base/json.ts';
import { isIn } from '../../store/portable.ts';
import type { Store } from '../../store/store.ts';
import { IMPORTED_KIND } from '../ingest/import-root.ts';
import { absoluteRoot, type Places } from '../places.ts';
import { SEEN } from '../read/seen.ts';
import { Corpus, toHit } from '../search/corpus.ts';
import type { DocumentText, FileChunk, Hit, PassageSources, PicturePassage } from '../types.ts';
import type { DocumentsDeps } from './project-setup.ts';

/**
 * The texts of the documents that a name refers to: a file's path as shown or as it is on this machine, or a citation.
 * The text is the ingested one, reassembled from its chunks with their headings.
 */
export async function documentTexts(
  { store, places }: { readonly store: Store; readonly places: Places },
  project: string,
  name: string,
): Promise<readonly DocumentText[]> {
  const rows = await store.read
    .selectFrom('sources')
    .select(['id', 'root', 'path', 'kind', 'sha256'])
    .where('project', '=', project)
    .where('state', '=', 'indexed')
    .orderBy('id')
    .execute();
  const known = rows.map((row) => ({ ...row, place: placeOf(places, row) }));
  for (const meant of meanings(name)) {
    const found = known.filter(({ path, place }) => path === meant || place === meant);
    if (found.length > 0) return Promise.all(found.map((row) => textOf(store, row)));
  }
  return [];
}

/** The names that a path or a citation may stand for, most likely first. */
function meanings(name: string): readonly string[] {
  const inside = /^\[(?<inside>.+)\]$/su.exec(name.trim())?.groups?.inside;
  const names = [name, ...(inside === undefined ? [] : [inside])];
  // What follows the file in a citation: `, 12. Notice, lines 3-9`, `, p. 4`, `, Budget, row 4`.
  for (let rest = inside ?? ''; rest.includes(', '); ) {
    rest = rest.slice(0, rest.lastIndexOf(', '));
    names.push(rest);
  }
  return names;
}

interface Row {
  readonly id: number;
  readonly path: string;
  readonly place: string | undefined;
  readonly sha256: string;
}

async function textOf(store: Store, { id, path, place, sha256 }: Row): Promise<DocumentText> {
  const chunks = await store.read
    .selectFrom('chunks')
    .select(['text', 'heading'])
    .where('source_id', '=', id)
    .orderBy('ordinal')
    .execute();
  const parts: string[] = [];
  let above: readonly string[] = [];
  for (const { text, heading } of chunks) {
    const headings = headingsIn(heading);
    for (const [depth, each] of headings.entries()) {
      const isNew = headings.slice(0, depth + 1).some((one, index) => one !== above[index]);
      if (isNew && each !== text) parts.push(`${'#'.repeat(Math.min(depth + 1, 6))} ${each}`);
    }
    above = headings;
    parts.push(text);
  }
  return { file: path, text: parts.join('\n\n'), source: { path: place, sha256 } };
}

function headingsIn(column: string): readonly string[] {
  const headings = parseJson(column);
  return Array.isArray(headings) ? headings.map(String) : [];
}

export async function filesNamed(
  store: Store,
  project: string,
  fits: (path: string) => boolean,
): Promise<readonly FileChunk[]> {
  const rows = await store.read
    .selectFrom('sources as s')
    .innerJoin('chunks as c', 'c.source_id', 's.id')
    .select(['c.id as chunkId', 's.path as file'])
    .where('s.project', '=', project)
    .where('c.ordinal', '=', 0)
    .execute();
  return rows.filter(({ file }) => fits(file));
}

export async function chunksBeside(store: Store, chunkId: number, most: number): Promise<readonly string[]> {
  const rows = await store.read
    .selectFrom('chunks as hit')
    .innerJoin('chunks as c', 'c.source_id', 'hit.source_id')
    .select('c.text')
    .where('hit.id', '=', chunkId)
    .orderBy('c.ordinal')
    .limit(most)
    .execute();
  return rows.map(({ text }) => text);
}

/** So many passages are looked at for one with the heading. */
const MOST_HEADED = 500;

export async function sectionNumbered(
  store: Store,
  project: string,
  { chunkId, number }: { readonly chunkId: number; readonly number: string },
): Promise<Hit | undefined> {
  const rows = await store.read
    .selectFrom('chunks as from')
    .innerJoin('chunks as c', 'c.source_id', 'from.source_id')
    .select(['c.id', 'c.heading'])
    .where('from.id', '=', chunkId)
    .where('c.heading', 'like', `%${number}%`)
    .orderBy('c.ordinal')
    .limit(MOST_HEADED)
    .execute();
  const found = rows.find(({ heading }) => NUMBERED.exec(headingsIn(heading).at(-1) ?? '')?.groups?.number === number);
  const chunk = found && (await new Corpus(store, project).getMany([found.id])).get(found.id);
  return chunk && toHit(chunk, 0);
}

/** `12. Notice`, `12.3 Notice`, `§ 12 Notice`, `Section 12: Notice`. */
const NUMBERED = /^(?:§+ ?|\p{L}+ )?(?<number>\d{1,3}(?:\.\d{1,3}){0,3})(?![\p{L}\d])/u;

/** Metadata are written by `ChunkRows`, without spaces. */
const HAS_SEEN = `%"${SEEN}":%`;
const MOST_PASSAGES = 5000;

export async function picturePassages(store: Store, project: string): Promise<readonly PicturePassage[]> {
  const rows = await store.read
    .selectFrom('chunks')
    .select('id')
    .where('project', '=', project)
    .where('metadata', 'like', HAS_SEEN)
    .orderBy('source_id')
    .orderBy('ordinal')
    .limit(MOST_PASSAGES)
    .execute();
  const chunks = await new Corpus(store, project).getMany(rows.map(({ id }) => id));
  return [...chunks.values()].map((chunk) => toHit(chunk, 0));
}

export async function passageSources(
  { store, projects }: Pick<DocumentsDeps, 'store' | 'projects'>,
  project: string,
  chunkIds: readonly number[],
): Promise<PassageSources> {
  const rows = await store.read
    .selectFrom('chunks as c')
    .innerJoin('sources as s', 's.id', 'c.source_id')
    .select(['c.id', 's.id as source', 's.root', 's.path', 's.kind', 's.sha256'])
    .where(isIn(store, 'c.id', chunkIds))
    .execute();
  const known = new Set(rows.map(({ id }) => id));
  const found = [...new Map(rows.map((row) => [row.source, row])).values()].map((row) => ({
    path: placeOf(projects.places, row),
    sha256: row.sha256,
  }));
  // Nothing is known about a chunk that was deleted after it was found.
  const sources = chunkIds.every((id) => known.has(id)) ? found : [...found, { path: undefined, sha256: '' }];
  const journal = projects.journal(project);
  return { sources, journalOnly: sources.every(({ path }) => path === journal) };
}

/** Where a document's file is on this machine; undefined if it was imported from another program. */
function placeOf(
  places: Places,
  { root, path, kind }: { readonly root: string; readonly path: string; readonly kind: string },
): string | undefined {
  return kind === IMPORTED_KIND ? undefined : resolve(absoluteRoot(places, root), path);
}
