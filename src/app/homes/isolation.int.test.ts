import { afterEach, describe, expect, test } from 'vitest';
import { isHomeId } from '../../base/home-id.ts';
import { openStore } from '../../store/store.ts';
import { MixedOperations, markOf, marksIn } from '../../testing/mixed-operations.ts';
import { STORE_KINDS } from '../../testing/stores.ts';
import { emptyDatabase, query } from '../../testing/test-database.ts';

const HOMES = 50;
const OPERATIONS = 10_000;
const AT_ONCE = 8;

/** Names that would lead elsewhere if anything took them for SQL, a path, a pattern or a name of a role. */
const NAMES = [
  ...['anna', 'Anna', 'default', 'null', 'NULL', 'postgres', 'wooster_app', 'current_user', 'home', 'homes', 'all'],
  ...['a', 'a-', 'a--', 'a_', 'a.', 'a..', 'a...', 'a.b', 'aXb', 'a_b', 'a@b', 'a@b.example', '0', '00', '-1'.slice(1)],
  ...['1e3', 'true', 'proto__', 'constructor', 'toString', 'émile', 'emile', 'Ωmega', '日本語', 'мария', 'straße'],
  ...['strasse', 'ı', 'İstanbul', 'x'.repeat(64), 'x'.repeat(63), 'wooster.home', 'public', 'workers', 'ñ', 'n'],
];
/** What people write. */
const CONTENTS = [
  "'; set wooster.home = 'anna'; --",
  '"; drop table messages; --',
  '$1 $$ \\ %s %_ {home}',
  'line\nbreak \u202e right to left',
  '<script>alert(1)</script>',
  '\u0000 nothing',
];

const opened: MixedOperations[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

async function openHomes(url: string, count: number): Promise<MixedOperations[]> {
  const names = [...new Set(NAMES)].filter(isHomeId);
  for (let nth = 0; names.length < count; nth++) names.push(`more.${nth}`);
  for (const [nth, home] of names.slice(0, count).entries()) {
    const store = await openStore({ kind: 'postgres', url, home, pool: 4 });
    opened.push(new MixedOperations(store, `${markOf(nth)} ${CONTENTS[nth % CONTENTS.length]}`));
  }
  return opened;
}

/** Do operations in an order that looks random, some at the same time. @returns marks that were seen elsewhere. */
async function mix(homes: readonly MixedOperations[], operations: number) {
  const seen = { done: 0, failed: 0, strange: [] as string[], broken: [] as string[] };
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const one = async () => {
    const nth = random(homes.length);
    const home = homes[nth] as MixedOperations;
    const which = random(home.all.length);
    const ids = (homes[random(homes.length)] as MixedOperations).ids;
    const guess = ids[random(Math.max(1, ids.length))] ?? 'job_none';
    const look = (value: unknown) => {
      const others = marksIn(value ?? null).filter((mark) => mark !== nth);
      if (others.length > 0) seen.strange.push(`home ${nth} saw ${others.join()} by operation ${which}`);
    };
    try {
      look(await home.all[which]?.(guess));
    } catch (error) {
      seen.failed++;
      if (error instanceof TypeError) seen.broken.push(error.message);
      look(error);
    }
    for (const heard of home.heard.splice(0)) look(heard);
    seen.done++;
  };
  const lane = async () => {
    while (seen.done + AT_ONCE <= operations) await one();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return seen;
}

describe.runIf(STORE_KINDS.includes('postgres'))('fifty homes on one server', { timeout: 1_200_000 }, () => {
  test('never see anything of each other', async () => {
    const homes = await openHomes(await emptyDatabase(), HOMES);
    const { strange, broken, failed, done } = await mix(homes, OPERATIONS);
    expect(strange).toEqual([]);
    expect(broken).toEqual([]);
    // Unknown ids and impossible rows fail, all else does not.
    expect(failed).toBeLessThan(done / 4);
    for (const [nth, home] of homes.entries())
      for (const read of [1, 2, 3, 5, 9, 13, 15, 18, 20])
        expect(marksIn((await home.all[read]?.('')) ?? null).filter((mark) => mark !== nth)).toEqual([]);
  });

  test('would be seen to see each other without row level security', async () => {
    const url = await emptyDatabase();
    const homes = await openHomes(url, 5);
    const tables = await query(url, 'select relname from pg_class where relrowsecurity');
    for (const { relname } of tables as { relname: string }[])
      await query(url, `alter table "${relname}" disable row level security`);
    const { strange } = await mix(homes, 300);
    expect(strange.length).toBeGreaterThan(20);
  });
});
