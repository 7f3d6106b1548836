import { counted } from '../../base/text.ts';
import { addHome, countHome, listHomes, removeHome, requireHomeId, retireHome } from '../../store/homes.ts';
import { placeOf } from '../../store/location.ts';
import { openStore, type Store } from '../../store/store.ts';
import type { CommandCall } from '../command.ts';
import { badUsage, isYes } from '../flags.ts';

/**
 * The homes on a PostgreSQL server; each belongs to one person. Rows: `{id, createdAt, current}`, `{added}`,
 * `{removed, rows}`. `remove` asks first, and with nobody to ask needs `--yes`.
 */
export async function homes(call: CommandCall, [verb = 'list', id]: readonly string[]): Promise<number> {
  if (verb === 'list') return list(call);
  if (verb === 'add' && id !== undefined) return add(call, id);
  if (verb === 'remove' && id !== undefined) return remove(call, id);
  const known = verb === 'add' || verb === 'remove';
  const problem = known ? `store homes ${verb} needs an id.` : `Unknown subcommand "store homes ${verb}".`;
  throw badUsage(problem, 'Usage: wooster store homes [list] | add ID | remove ID');
}

async function list({ app, out }: CommandCall): Promise<number> {
  for (const { id, created_at } of await listHomes(app.store)) {
    const current = id === homeOf(app.store);
    out.show({ id, createdAt: created_at, current }, `${current ? '*' : ' '} ${id}  since ${created_at.slice(0, 10)}`);
  }
  return 0;
}

async function add({ app, out }: CommandCall, id: string): Promise<number> {
  const added = await addHome(app.store, id);
  const use = `Programs with WOOSTER_HOME_ID=${id} and \`serve --homes all\` use it.`;
  out.show({ id, added }, added ? `Home ${id} is there now. ${use}` : `Home ${id} exists already.`);
  return 0;
}

async function remove(call: CommandCall, id: string): Promise<number> {
  const { app, out, session } = call;
  await refuseToRemove(call, id);
  const { location } = app.store;
  if (location.kind !== 'postgres') return 1;
  const store = await openStore({ ...location, home: id });
  try {
    const counts = await countHome(store);
    const rows = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const what = counts.size === 0 ? 'it is empty' : [...counts].map(([table, n]) => `${n} ${table}`).join(', ');
    out.line(`${placeOf(store.location)}: ${what}. Files in projects/ and notes/ stay.`);
    if (!session.yes && !isYes(await out.ask(`Delete home ${id} with ${counted(rows, 'row')} for ever? [y/N] `))) {
      out.note('Nothing was deleted.');
      return 1;
    }
    await retireHome(store);
    await removeHome(store);
    out.show({ removed: id, rows }, `Home ${id} is deleted, with ${counted(rows, 'row')}.`);
    return 0;
  } finally {
    await store.close();
  }
}

/** Opening a store creates its home, so check first. */
async function refuseToRemove({ app }: CommandCall, id: string): Promise<void> {
  requireHomeId(id);
  const homes = await listHomes(app.store);
  if (id === homeOf(app.store)) {
    throw badUsage(`${id} is the home of this program.`, 'Run the command with another WOOSTER_HOME_ID.');
  }
  if (!homes.some((each) => each.id === id)) {
    throw badUsage(`There is no home ${id}.`, '"wooster store homes" lists them.');
  }
}

function homeOf({ location }: Store): string | undefined {
  return location.kind === 'postgres' ? location.home : undefined;
}
