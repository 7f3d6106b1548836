import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Insertable, Kysely } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { messageOf } from '../base/errors.ts';
import { makeFindable, searchMessages } from '../conversation/message-search.ts';
import { temporaryFolder } from '../testing/home.ts';
import { STORE_KINDS, testLocation } from '../testing/stores.ts';
import { type CopyProgress, copyStore } from './copy.ts';
import { placeOf } from './location.ts';
import { COPIED_TABLES, type Database } from './schema.ts';
import { openStore, type Store } from './store.ts';

const AT = '2026-11-22T12:00:00.000Z';

type Rows = { readonly [T in keyof Database]?: readonly Insertable<Database[T]>[] };

/** At least one row of every table, with what is hard to carry over: NUL, signs, fractions, bytes and nothing. */
const ROWS: Rows = {
  conversations: ['a', 'é', 'Z'].map((id) => ({
    ...{ id, title: `NUL \0 and 🦉 ${id}`, project: 'home', last_data: null, created_at: AT, updated_at: AT },
  })),
  turns: [7, 3].map((seq) => ({
    ...{ seq, id: `t${seq}`, conversation_id: 'a', mode: 'classic_tools', origin: 'cli', text: 'x' },
    ...{ status: 'answered' as const, owner: null, started_at: AT, finished_at: AT },
  })),
  messages: Array.from({ length: 600 }, (_, sequence) => ({
    ...{ conversation_id: 'a', turn_id: 't7', sequence, role: 'user' as const, token_count: 3, created_at: AT },
    content: `Café number ${sequence}`,
  })),
  compaction_events: [
    { conversation_id: 'a', round: 1, tokens_before: 9, tokens_after: 1, summary: 's', created_at: AT },
  ],
  turn_memory: [{ turn_id: 't7', key: 'k', value: '{}' }],
  code_turns: [{ turn_id: 't7', model: 'm', replies: 1, clean: 1, retries: 0, fell_back: 0, created_at: AT }],
  usage: [
    {
      ...{ turn_id: null, conversation_id: null, job_id: null, project: 'home', mode: 'm', provider: 'p', model: 'm' },
      ...{ purpose: 'turn', input_tokens: 1, output_tokens: 2, cached_tokens: 0, cost_usd: 0.1 + 0.2 },
      ...{ latency_ms: 5, ok: 1, created_at: AT },
    },
  ],
  model_calls: [
    {
      ...{ model: 'p:m', address: 'http://127.0.0.1:1234', calls: 9, clean: 7, held: 2, level: 1, slips: 0 },
      ...{ binds: null, updated_at: AT },
    },
  ],
  devices: [
    {
      ...{ id: 'dev_1', name: 'phone', kind: 'page', token_hash: 'h', scopes: '["read"]', created_at: AT },
      ...{ seen_at: null, revoked_at: null },
    },
  ],
  hooks: [
    {
      ...{ name: 'bell', secret: 'whsec_x', kind: 'prompt', what: 'who?', param: null, project: 'home' },
      ...{ mode: 'classic_tools', created_at: AT },
    },
  ],
  artifacts: [
    {
      ...{ id: 'x', project: 'home', conversation_id: null, turn_id: null, type: 'text', description: null },
      ...{ data: 'd', created_at: AT },
    },
  ],
  effects: [
    {
      ...{ id: 'e', turn_id: 't7', run_id: null, conversation_id: 'a', tool: 't', effect: 'local' as const },
      ...{ idempotency_key: 'i', input: '{}', change: null, destination: null, state: 'done' as const },
      ...{ result: null, approved_by: null, created_at: AT, finished_at: AT },
    },
  ],
  approval_rules: [{ id: 'r', tool: 't', destination: 'd', created_at: AT }],
  receipts: [
    {
      ...{ seq: 1, at: AT, turn_id: 't7', conversation_id: 'a', tool: 't', effect: 'local', destination: null },
      ...{ input: '{}', input_sha: 's', state: 'done' as const, result: null, approved_by: null },
      ...{ previous: '', hash: 'h', effect_id: 'e', result_sha: null },
    },
  ],
  receipt_heads: [{ chain: 'c', seq: 1, hash: 'h' }],
  origins: [{ thing: 'f', untrusted: 0, private: 1, sources: '[]', updated_at: AT }],
  file_origins: [{ path: 'projects/home/a.md', sha256: 'a', untrusted: 1, sources: '[]', by: 'call', at: AT }],
  proposals: [
    {
      ...{ id: 'prop_1', project: 'home', conversation_id: 'c', turn_id: 't', mode: 'code_agent', tool: 'send_mail' },
      ...{ input: '{}', target: null, diff: null, reason: 'r', provenance: '{}', hash: 'h', state: 'waiting' },
      ...{ created_at: AT, expires_at: AT, decided_at: null, decided_by: null, holder: null, held_until: null },
      ...{ result: null, answer: null },
    },
  ],
  file_versions: [
    {
      ...{ project: 'home', path: 'p', version: 1, content: new Uint8Array([0, 255]), sha256: 's', size: 2 },
      ...{ turn_id: 't7', effect_id: null, at: AT },
    },
  ],
  kept_states: [
    {
      ...{ effect_id: 'e', nth: 1, seq: 1, turn_id: 't7', project: 'home', kind: 'file' as const, thing: 'p', size: 1 },
      ...{ before: '1', after: null, at: AT, undone_by: null },
    },
  ],
  content_pins: [{ kind: 'skill', id: 'skills/tea', hash: 'h', imported: 1 }],
  job_writes: [{ project: 'home', path: 'p', sha256: 's', turn_id: 't7', at: AT }],
  schedules: [
    {
      ...{ id: 's', kind: 'at' as const, expression: 'x', said: 'x', description: 'x', time_zone: 'UTC' },
      ...{ task: 'AGENT_PROMPT' as const, task_key: null, seeded: null, payload: '{}', options: '{}', pin: null },
      ...{ project: 'home', paused_because: null, next_run_utc: null, anchor_utc: AT, tz_data: 'x' },
      ...{ idempotency_key: null, created_at: AT },
    },
  ],
  runs: [
    {
      ...{ id: 'r', schedule_id: 's', scheduled_for: AT, reason: 'time' as const, state: 'succeeded' as const },
      ...{ owner: null, lease_until: null, not_before: null, first_missed: null, event: null, conversation_id: null },
      ...{ turn_id: null, output: null, error: null, cost_usd: 1e-7, started_at: AT, finished_at: AT, chain: null },
    },
  ],
  notices: [{ key: 'n', run_id: null, route: null, text: 't', outcome: null, next_at: AT, created_at: AT, since: AT }],
  earlier_jobs: [{ key: 'k', job_id: null, at: AT }],
  outbox: [
    {
      ...{ id: 'o', dedupe_key: 'd:1', run_id: null, turn_id: null, channel: 'c', recipient: 'r', part: 1, parts: 1 },
      ...{ body: 'b', state: 'sent' as const, due_at: AT, expires_at: AT, owner: null, lease_until: null },
      ...{ remote_id: null, last_error: null, created_at: AT, recipients: null },
    },
  ],
  chat_accounts: [{ channel: 'c', account: 'a', chat: 'x', decides_all: 0, paired_at: AT }],
  chat_receivers: [{ channel: 'c', account: 'a', mark: '7', trouble: null, updated_at: AT }],
  chat_messages: [{ channel: 'c', chat: 'x', id: '1', event: '{}', state: 'new' as const, turn_id: null, at: AT }],
  chats: [{ channel: 'c', chat: 'x', conversation_id: 'a', project: 'home', mode: 'code_agent', model: null }],
  chat_overheard: [{ channel: 'c', chat: 'x', said: '[]', at: AT }],
  outgoing_files: [{ id: 'o', name: 'f', bytes: new Uint8Array([1]) }],
  chat_questions: [
    {
      ...{ code: 'q', channel: 'c', chat: 'x', hash: 'h', text: 't', proposal_id: null },
      ...{ state: 'open' as const, created_at: AT },
    },
  ],
  channel_states: [{ channel: 'c', address_hash: 'h', off_because: null, hold_until: null, failures: 0 }],
  corpora: [{ project: 'home', revision: 4 }],
  roots: [{ project: 'home', path: '/p', added_at: AT }],
  sources: [
    {
      ...{ id: 5, project: 'home', root: '/p', path: 'a.md', document_id: 'a', kind: 'md', title: null, size: 3 },
      ...{ mtime_us: 1_795_000_000_123_456, sha256: 's', version: '1', state: 'indexed' as const, error: null },
      ...{ chunks: 1, indexed_at: AT, taken: null },
    },
  ],
  chunks: [8, 11].map((id) => ({
    ...{ id, project: 'home', source_id: 5, ordinal: id, text: 't', text_sha: 's', heading: '', place: null },
    ...{ page_from: null, page_to: null, line_from: 1, line_to: 2, metadata: null },
  })),
  vectors: [{ text_sha: 's', model: 'm', dimensions: 2, vector: new Uint8Array([0, 128, 255]) }],
  rag_checks: [{ project: 'home', question: 'q', document_id: 'a', rank: null, checked_at: null }],
  waiting_runs: [{ run_id: 'r', proposal: 'p', until: null, steps: '[]' }],
  frozen_jobs: [
    {
      ...{ job_id: 's', state: 'thawed' as const, frozen: '{}', frozen_at: AT, audited_at: AT, why: 'you' },
      ...{ deviations: 1, runs: 2, spent_tokens: 3, spent_usd: null, stopped: 's' },
    },
  ],
  seen_pages: [{ project: 'home', sha256: 'ab', page: 2, version: '1.eng', found: '[]' }],
  chunk_changes: [{ project: 'home', revision: 4, chunk_id: 8, gone: 0 }],
  index_files: Array.from({ length: 9 }, (_, part) => ({
    ...{ project: 'home', name: 'segment-1.bin', part, crc: 1, bytes: new Uint8Array([part]) },
  })),
  index_manifests: [{ project: 'home', revision: 4, manifest: '{}' }],
};

async function open(kind: Store['kind'], rows: Rows = {}): Promise<Store> {
  const path = join(temporaryFolder(), 'state.sqlite3');
  const store = await openStore(testLocation(path, kind));
  onTestFinished(() => store.close());
  await store.transaction(async () => {
    for (const { name } of COPIED_TABLES) await insert(store, name, rows[name] ?? []);
  });
  return store;
}

async function insert(store: Store, table: keyof Database, rows: readonly object[]): Promise<void> {
  if (rows.length === 0) return;
  const db = store.db as unknown as Kysely<Record<string, object>>;
  await db.insertInto(table).values(rows).execute();
}

const options = (onProgress?: (progress: CopyProgress) => void, signal = new AbortController().signal) => ({
  signal,
  makeFindable,
  ...(onProgress ? { onProgress } : {}),
});

const WAYS = STORE_KINDS.flatMap((from) => STORE_KINDS.map((to) => ({ from, to })));

describe.each(WAYS)('from $from to $to', ({ from, to }) => {
  test('every table arrives, and both ends have the same checksums', async () => {
    const [a, b] = [await open(from, ROWS), await open(to)];
    const report = await copyStore(a, b, options());
    expect(report.map(({ table }) => table)).toEqual(COPIED_TABLES.map(({ name }) => name));
    expect(report.filter(({ copied }) => copied === 0).map(({ table }) => table)).toEqual([]);
    expect(report.filter(({ equal }) => !equal)).toEqual([]);
    const { cost_usd } = await b.db.selectFrom('usage').select('cost_usd').executeTakeFirstOrThrow();
    expect(cost_usd).toBe(0.1 + 0.2);
    const { vector } = await b.db.selectFrom('vectors').select('vector').executeTakeFirstOrThrow();
    expect([...vector]).toEqual([0, 128, 255]);
    expect((await searchMessages(b, 'cafe 599', 5)).map(({ excerpt }) => excerpt)).toEqual(['[Café] number [599]']);
  });

  test('a copy that was stopped goes on, and one that was done finds nothing to do', async () => {
    const [a, b] = [await open(from, ROWS), await open(to)];
    const stop = new AbortController();
    const stopAt = ({ table, done }: CopyProgress) => {
      if (table === 'messages' && done >= 250) stop.abort();
    };
    await expect(copyStore(a, b, options(stopAt, stop.signal))).rejects.toThrow('abort');
    const second = await copyStore(a, b, options());
    expect(second.find(({ table }) => table === 'messages')).toMatchObject({ copied: 350, present: 250, equal: true });
    const third = await copyStore(a, b, options());
    expect(third.every(({ copied, equal }) => copied === 0 && equal)).toBe(true);
  });

  test('a row with other content stops the copy and is named; it stays as it is', async () => {
    const [a, b] = [await open(from, ROWS), await open(to)];
    await copyStore(a, b, options());
    await b.db.updateTable('roots').set({ added_at: 'later' }).execute();
    const copying = copyStore(a, b, options());
    await expect(copying).rejects.toMatchObject({
      code: 'stores_differ',
      message: expect.stringMatching(/roots, row "home", "\/p"/u),
    });
    expect(await b.db.selectFrom('roots').select('added_at').execute()).toEqual([{ added_at: 'later' }]);
  });

  test('a row that is there under another key stops the copy, too', async () => {
    const rules = ['r', 's', 't'].map((id) => ({ id, tool: id, destination: 'd', created_at: AT }));
    const [a, b] = [await open(from, { approval_rules: rules }), await open(to)];
    await insert(b, 'approval_rules', [{ id: 'other', tool: 's', destination: 'd', created_at: AT }]);
    const error = await copyStore(a, b, options()).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'stores_differ', cause: expect.any(Error) });
    expect(error).toHaveProperty(
      'message',
      `${placeOf(b.location)} has other content already: approval_rules, one of the rows "r" to "t": ` +
        `${messageOf((error as Error).cause)}.`,
    );
  });

  test('a row more at the destination is kept and reported', async () => {
    const [a, b] = [await open(from, ROWS), await open(to, { origins: [] })];
    await insert(b, 'origins', [{ thing: 'more', untrusted: 0, private: 0, sources: '[]', updated_at: AT }]);
    const report = await copyStore(a, b, options());
    expect(report.filter(({ equal }) => !equal).map(({ table }) => table)).toEqual(['origins']);
    expect(await b.db.selectFrom('origins').selectAll().execute()).toHaveLength(2);
  });

  test('numbers of deleted rows are not given out again', async () => {
    const [a, b] = [await open(from, ROWS), await open(to)];
    await a.db.deleteFrom('chunks').where('id', '=', 11).execute();
    await copyStore(a, b, options());
    const [chunk] = ROWS.chunks ?? [];
    if (!chunk) throw new Error('no chunk');
    const { id: _, ...fresh } = chunk;
    const added = await b.db.insertInto('chunks').values(fresh).returning('id').executeTakeFirstOrThrow();
    expect(added.id).toBeGreaterThan(11);
  });

  test('the source may be open for reading only', async () => {
    const a = await open(from, ROWS);
    const reading = await openStore(a.location, { readOnly: true });
    onTestFinished(() => reading.close());
    const report = await copyStore(reading, await open(to), options());
    expect(report.every(({ equal }) => equal)).toBe(true);
  });

  test('two copies into the same home do not run at once', async () => {
    const [a, b] = [await open(from, ROWS), await open(to)];
    await using _ = await b.lock('copy');
    await expect(copyStore(a, b, options())).rejects.toMatchObject({ code: 'store_unavailable' });
  });
});

test.each(STORE_KINDS)('a home is not copied onto itself: %s', async (kind) => {
  const a = await open(kind);
  await expect(copyStore(a, a, options())).rejects.toMatchObject({ code: 'bad_usage' });
});

test('a source with older tables is refused', async () => {
  const path = join(temporaryFolder(), 'old.sqlite3');
  await (await openStore(path)).close();
  using database = new DatabaseSync(path);
  database.exec('PRAGMA user_version = 12');
  const old = await openStore(path, { readOnly: true });
  onTestFinished(() => old.close());
  await expect(copyStore(old, await open('sqlite'), options())).rejects.toMatchObject({
    ...{ code: 'bad_usage', message: `${path} has older tables than this program.` },
    hint: 'Upgrade it first: wooster store migrate STORE.',
  });
});

test('comparing can be stopped as well', async () => {
  const [a, b] = [await open('sqlite'), await open('sqlite')];
  const stop = new AbortController();
  const told: CopyProgress[] = [];
  const stopAt = (progress: CopyProgress) => {
    told.push(progress);
    if (progress.stage === 'compare') stop.abort(new Error('enough'));
  };
  await expect(copyStore(a, b, options(stopAt, stop.signal))).rejects.toThrow('enough');
  expect(told).toEqual([{ table: 'conversations', stage: 'compare', done: 0, total: 0 }]);
});

test('a copy tells how far it is, table by table, then compares', async () => {
  const [a, b] = [await open('sqlite', ROWS), await open('sqlite')];
  const told: CopyProgress[] = [];
  await copyStore(
    a,
    b,
    options((progress) => told.push(progress)),
  );
  const of = (stage: string, table: string) => told.filter((each) => each.stage === stage && each.table === table);
  expect(of('copy', 'messages').map(({ done, total }) => [done, total])).toEqual([
    [250, 600],
    [500, 600],
    [600, 600],
  ]);
  expect(of('compare', 'messages')).toEqual([{ table: 'messages', stage: 'compare', done: 600, total: 600 }]);
  expect(told.findLastIndex(({ stage }) => stage === 'copy')).toBeLessThan(
    told.findIndex(({ stage }) => stage === 'compare'),
  );
});

test('only what was asked and answered is made findable, and what is refused says what to do', async () => {
  const kinds = ['text', 'answer', 'code', 'feedback'] as const;
  const messages = (ROWS.messages ?? [])
    .slice(0, 4)
    .map((row, at) => ({ ...row, id: at + 1, kind: kinds[at] ?? 'text' }));
  const [a, b] = [await open('sqlite', { ...ROWS, messages }), await open('sqlite')];
  const found: unknown[] = [];
  const makeFindable = async (_to: Store, those: readonly unknown[]) => void found.push(those);
  await copyStore(a, b, { ...options(), makeFindable });
  expect(found).toEqual([
    [
      { id: 1, content: 'Café number 0' },
      { id: 2, content: 'Café number 1' },
    ],
  ]);
  await expect(copyStore(a, a, options())).rejects.toMatchObject({
    message: 'A home cannot be copied onto itself.',
    hint: 'Name another file, another database, or another --to-home.',
  });
  await using _ = await b.lock('copy');
  await expect(copyStore(a, b, options())).rejects.toMatchObject({
    message: expect.stringMatching(/^Another copy into .* is running\.$/u),
    hint: 'Wait until it has finished.',
  });
  await b.db.updateTable('roots').set({ added_at: 'later' }).execute();
  await _?.[Symbol.asyncDispose]();
  await expect(copyStore(a, b, options())).rejects.toMatchObject({
    message: expect.stringMatching(/has other content already: roots, row "home", "\/p"\.$/u),
    hint: 'Copy into a home that nothing has been written to yet. What was copied so far is kept.',
  });
});
