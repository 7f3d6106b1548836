import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openCommands } from '../../testing/commands.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { STORE_KINDS, testLocation } from '../../testing/stores.ts';

/** A store as arguments of the command line, with the flags that choose the home on a server. */
function wordsFor(kind: (typeof STORE_KINDS)[number], flag: string): { text: string; flags: readonly string[] } {
  const location = testLocation(join(temporaryFolder(), 'other.sqlite3'), kind);
  if (location.kind === 'sqlite') return { text: location.path, flags: [] };
  return { text: location.url, flags: [flag, location.home] };
}

describe.each(STORE_KINDS)('another store on %s', (kind) => {
  test('a home is copied there and back, and the conversation comes with it', async () => {
    const commands = await openCommands({ store: 'sqlite' });
    await commands.say('remember the tide tables');
    const own = join(commands.home, 'state', 'wooster.sqlite3');
    const [to, from] = [wordsFor(kind, '--to-home'), join(temporaryFolder(), 'back.sqlite3')];
    const there = await commands.run(['store', 'copy', own, to.text, ...to.flags]);
    expect(there).toMatchObject({ code: 0, notes: [] });
    expect(there.rows.at(-1)).toMatchObject({ equal: true });
    expect(there.rows).toContainEqual(expect.objectContaining({ table: 'conversations', copied: 1, equal: true }));
    const flags = to.flags.map((flag) => flag.replace('--to-home', '--from-home'));
    const back = await commands.run(['store', 'copy', to.text, from, ...flags]);
    expect(back.rows).toContainEqual(expect.objectContaining({ table: 'messages', present: 0, equal: true }));
    expect(back.code).toBe(0);
  });

  test('it is made by migrate and then found in order', async () => {
    const commands = await openCommands();
    const { text, flags } = wordsFor(kind, '--to-home');
    expect(await commands.run(['store', 'migrate', text, ...flags])).toMatchObject({ code: 0 });
    const checked = await commands.run(['store', 'check', text, ...flags]);
    expect(checked.rows).toEqual([expect.objectContaining({ kind, integrity: 'ok' })]);
  });
});

test('check looks at the store of the home', async () => {
  const { run } = await openCommands();
  const { code, rows, lines } = await run(['store', 'check']);
  expect(code).toBe(0);
  expect(rows).toEqual([expect.objectContaining({ integrity: 'ok', findings: [] })]);
  expect(lines.at(-1)).toBe('Everything is as it should be.');
});

test('a check or a copy does not make the file that it is to read', async () => {
  const { run } = await openCommands();
  const missing = join(temporaryFolder(), 'no.sqlite3');
  await expect(run(['store', 'check', missing])).rejects.toMatchObject({ code: 'file_not_found' });
  await expect(run(['store', 'copy', missing, `${missing}2`])).rejects.toMatchObject({ code: 'file_not_found' });
});

test.each([
  ['store', 'copy', 'a'],
  ['store', 'check', 'a', 'b'],
  ['store', 'drop'],
  ['home', 'add'],
  ['home', 'rename', 'x'],
])('%s %s is refused with the usage', async (...words) => {
  const { run } = await openCommands();
  await expect(run(words)).rejects.toMatchObject({
    code: 'bad_usage',
    hint: expect.stringMatching(/^Usage: wooster/u),
  });
});

test('homes are for a server: an SQLite file is one home', async () => {
  const { run } = await openCommands({ store: 'sqlite' });
  await expect(run(['home', 'list'])).rejects.toMatchObject({
    code: 'bad_usage',
    hint: expect.stringMatching(/WOOSTER_STORE_URL/u),
  });
});

describe.each(STORE_KINDS.filter((kind) => kind === 'postgres'))('homes on %s', (kind) => {
  test('one is added, listed, and removed after a yes', async () => {
    const [own, other] = [testLocation(':memory:', kind), testLocation(':memory:', kind)];
    if (own.kind !== 'postgres' || other.kind !== 'postgres') return;
    const { run } = await openCommands({ store: 'sqlite', config: { store: { url: own.url, home: own.home } } });
    const { home: id } = other;
    expect((await run(['home', 'add', id])).rows).toEqual([{ id, added: true }]);
    expect((await run(['home', 'list'])).rows).toContainEqual(expect.objectContaining({ id, current: false }));
    const refused = await run(['home', 'remove', id], ['n']);
    expect(refused).toMatchObject({ code: 1, notes: ['Nothing was deleted.'] });
    expect(refused.asked.join()).toContain(`Delete home ${id}`);
    expect((await run(['home', 'remove', id], ['y'])).rows).toEqual([{ removed: id, rows: 0 }]);
    await expect(run(['home', 'remove', id], ['y'])).rejects.toThrow('There is no home');
    await expect(run(['home', 'remove', own.home], ['y'])).rejects.toThrow('is the home of this program');
  });
});

test('status has numbers for monitoring, and the doctor says the same in words', async () => {
  const { app, run } = await openCommands();
  const { code, rows, lines } = await run(['status']);
  expect(code).toBe(0);
  expect(rows).toEqual([
    {
      store: expect.objectContaining({ kind: app.store.kind, selectMs: expect.any(Number) }),
      runs: {
        ...{ due: 0, inProgress: 0, oldestDueMs: null, lastRun: null, nextRun: null, workers: expect.any(Array) },
      },
      outbox: { pending: 0, sending: 0, oldestDueMs: null },
      index: [],
      ...{ serving: [], clockReturn: null },
    },
  ]);
  expect(lines[0]).toMatch(/^store {4}\w+ \d+\.\d+/u);
  const checks = await app.home.check();
  expect(checks.filter(({ name }) => ['store', 'jobs', 'outbox'].includes(name))).toMatchObject([
    { name: 'store', state: 'ok' },
    { name: 'jobs', state: 'ok', detail: '0 runs waiting' },
    { name: 'outbox', state: 'ok', detail: '0 message parts waiting' },
  ]);
});
