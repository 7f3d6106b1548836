import type { Store } from '../../store/store.ts';

/**
 * Give every source of a project the shortest unique document id: path without extension, path, or folder and path. The
 * folder is as stored, so that the id is the same on every machine.
 */
export async function nameDocuments(store: Store, project: string): Promise<void> {
  const sources = await store.db
    .selectFrom('sources')
    .select(['id', 'root', 'path', 'document_id as name'])
    .where('project', '=', project)
    .execute();
  const stems = tally(sources.map(({ path }) => withoutExtension(path)));
  const paths = tally(sources.map(({ path }) => path));
  for (const { id, root, path, name } of sources) {
    const own = (paths.get(path) ?? 0) > 1 ? `${root === '.' ? 'home' : root.split('/').at(-1)}/${path}` : path;
    const wanted = (stems.get(withoutExtension(path)) ?? 0) > 1 ? own : withoutExtension(path);
    if (wanted === name) continue;
    await store.db.updateTable('sources').set({ document_id: wanted }).where('id', '=', id).execute();
  }
}

export function withoutExtension(path: string): string {
  return path.replace(/(?<=[^/])\.[^./]*$/u, '');
}

function tally(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
