import { describe, expect, onTestFinished, test } from 'vitest';
import { searchMessages } from '../conversation/message-search.ts';
import { postgresOfSchema19, sqliteOfSchema19 } from '../testing/schema-19.ts';
import { STORE_KINDS } from '../testing/stores.ts';
import { type Database, TABLE_NAMES } from './schema.ts';
import { openStore, type Store } from './store.ts';

/** Homes of schema 19: the only one in a file, or two on a server. */
async function homes(kind: Store['kind']): Promise<Store[]> {
  const url = kind === 'postgres' ? await postgresOfSchema19() : '';
  const locations = kind === 'sqlite' ? [sqliteOfSchema19()] : ['a', 'b'].map((home) => ({ kind, url, home, pool: 1 }));
  const stores = await Promise.all(locations.map((location) => openStore(location)));
  for (const store of stores) onTestFinished(() => store.close());
  return stores;
}

/** How many rows of each table there are. */
const ROWS: Partial<Record<keyof Database, number>> = {
  ...{ conversations: 1, turns: 2, messages: 1, turn_memory: 1, usage: 1, artifacts: 1, effects: 1, receipts: 1 },
  ...{ receipt_heads: 1, file_origins: 1, content_pins: 1, schedules: 1, runs: 2, outbox: 1, roots: 1, sources: 1 },
};

describe.each(STORE_KINDS)('a home of schema 19 on %s', (kind) => {
  test('is upgraded in place, and keeps its rows', async () => {
    for (const { db } of await homes(kind)) {
      const there = TABLE_NAMES.filter((name) => kind === 'postgres' || !['homes', 'message_words'].includes(name));
      for (const name of there.filter((each) => !['homes', 'workers'].includes(each)))
        expect([name, await db.selectFrom(name).selectAll().execute()]).toMatchObject([
          name,
          { length: ROWS[name] ?? 0 },
        ]);
      expect(await db.selectFrom('usage').select(['cost_usd', 'ok']).execute()).toEqual([{ cost_usd: 0.125, ok: 1 }]);
      const [source] = await db.selectFrom('sources').selectAll().execute();
      expect(source).toMatchObject({ path: 'a.md', mtime_us: 1_795_000_000_123_456, chunks: 0, error: null });
    }
  });

  test('gives out no number twice, and keeps what is part of what', async () => {
    for (const { db } of await homes(kind)) {
      const before = await db.selectFrom('turns').select('seq').execute();
      const about = { conversation_id: 'c', mode: 'code_agent', origin: 'repl', text: '', started_at: '2026' };
      await db
        .insertInto('turns')
        .values({ id: 't6', status: 'cut_off', ...about })
        .execute();
      const { seq } = await db.selectFrom('turns').select('seq').where('id', '=', 't6').executeTakeFirstOrThrow();
      expect(seq).toBeGreaterThan(Math.max(...before.map((turn) => turn.seq)) + 1);
      await db.deleteFrom('conversations').execute();
      expect(await db.selectFrom('turn_memory').selectAll().execute()).toEqual([]);
      await expect(db.deleteFrom('receipts').execute()).rejects.toThrow('receipts are never deleted');
    }
  });

  test.runIf(kind === 'sqlite')('finds its messages', async () => {
    for (const store of await homes(kind)) {
      const found = await searchMessages(store, 'cafe', 5);
      expect(found.map(({ excerpt }) => excerpt)).toEqual(['Where is the [café]?']);
    }
  });
});
