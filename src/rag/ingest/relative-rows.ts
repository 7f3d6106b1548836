import type { Store } from '../../store/store.ts';
import { type Places, storedPath, storedRoot } from '../places.ts';
import { ProjectRows } from './project-rows.ts';

/**
 * Make a project's absolute paths in the database relative, where they are in the home. Programs before version 14
 * stored absolute ones only, and the database alone cannot tell where the home is.
 */
export async function makeRelative(store: Store, project: string, places: Places): Promise<void> {
  const roots = await store.db.selectFrom('roots').select('path').where('project', '=', project).execute();
  const sources = store.db.selectFrom('sources').select('root').distinct().where('project', '=', project);
  const ofRoots = changed(roots, ({ path }) => ({ from: path, to: storedPath(places, path) }));
  const ofSources = changed(await sources.execute(), ({ root }) => ({ from: root, to: storedRoot(places, root) }));
  if (ofRoots.length + ofSources.length === 0) return;
  await store.transaction(async () => {
    for (const move of ofRoots) await moveRoot(store, project, move);
    for (const move of ofSources) await moveSources(store, project, move);
  });
}

interface Move {
  readonly from: string;
  readonly to: string;
}

function changed<T>(rows: readonly T[], moveOf: (row: T) => Move): Move[] {
  return rows.map(moveOf).filter(({ from, to }) => from !== to);
}

async function moveRoot(store: Store, project: string, { from, to }: Move): Promise<void> {
  const { db } = store;
  const row = { project, path: to, added_at: new Date().toISOString() };
  await db
    .insertInto('roots')
    .values(row)
    .onConflict((conflict) => conflict.columns(['project', 'path']).doNothing())
    .execute();
  await db.deleteFrom('roots').where('project', '=', project).where('path', '=', from).execute();
}

/** If an older version still ran after the upgrade, both may exist; then one of them is deleted. */
async function moveSources(store: Store, project: string, { from, to }: Move): Promise<void> {
  const { db } = store;
  const twice = await db
    .selectFrom('sources as old')
    .innerJoin('sources as new', 'new.path', 'old.path')
    .select('old.id')
    .where('old.project', '=', project)
    .where('old.root', '=', from)
    .where('new.project', '=', project)
    .where('new.root', '=', to)
    .execute();
  if (twice.length > 0) {
    const records = new ProjectRows(store, project);
    await records.remove(twice);
    await records.bumpRevision();
  }
  await db.updateTable('sources').set({ root: to }).where('project', '=', project).where('root', '=', from).execute();
}
