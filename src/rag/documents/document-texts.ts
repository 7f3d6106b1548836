import { resolve } from 'node:path';
import { parseJson } from '../../base/json.ts';
import type { Store } from '../../store/store.ts';
import { IMPORTED_KIND } from '../ingest/import-root.ts';
import { absoluteRoot, type Places } from '../places.ts';
import type { DocumentText } from '../types.ts';

/** What stands after the file in a citation: `, lines 3-9`, `, p. 4`, `, Budget, row 4`. */
const PLACE = /, [^/]*$/u;

/**
 * The texts of the documents that a name means: their file's path as it is shown, also as it is on this machine, or a
 * citation. The text is the one that was ingested, put together from its chunks with their headings.
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
  const known = rows.map((row) => {
    const place = row.kind === IMPORTED_KIND ? undefined : resolve(absoluteRoot(places, row.root), row.path);
    return { ...row, place };
  });
  for (const meant of meanings(name)) {
    const found = known.filter(({ path, place }) => path === meant || place === meant);
    if (found.length > 0) return Promise.all(found.map((row) => textOf(store, row)));
  }
  return [];
}

/** The names that a path or a citation may stand for, the likeliest first. */
function meanings(name: string): readonly string[] {
  const inside = /^\[(?<inside>.+)\]$/su.exec(name.trim())?.groups?.inside;
  const names = [name, ...(inside === undefined ? [] : [inside])];
  for (let rest = inside ?? ''; PLACE.test(rest); ) {
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
