import { describe, expect, onTestFinished, test } from 'vitest';
import { STORE_KINDS } from '../../testing/stores.ts';
import {
  addRule,
  changedUrl,
  emptyDatabase,
  openHome,
  query,
  rulesOf,
  testCable,
} from '../../testing/test-database.ts';
import { openStore } from '../store.ts';

describe.runIf(STORE_KINDS.includes('postgres'))('a server that cannot be used is named, without the password', () => {
  const refusals: [string, () => Promise<string> | string, string, RegExp][] = [
    ['no URL of a database', () => 'mysql://u:secret@h/d', 'bad_setting', /not the URL/u],
    ['no URL', () => 'secret', 'bad_setting', /not the URL/u],
    [
      'nobody listens',
      () => changedUrl({ port: '1', password: 'secret' }),
      'store_unavailable',
      /127.0.0.1:1.*REFUSED/u,
    ],
    [
      'no such role',
      () => changedUrl({ username: 'nobody', password: 'secret' }),
      'store_unavailable',
      /refused the login/u,
    ],
    ['no such database', () => changedUrl({ pathname: '/nowhere' }), 'store_unavailable', /no database .*\/nowhere/u],
    [
      'another encoding',
      () => emptyDatabase("encoding 'LATIN1' locale 'C'"),
      'store_unavailable',
      /encoding is LATIN1/u,
    ],
    [
      'a replica',
      async () => `${await emptyDatabase()}?options=-c%20default_transaction_read_only%3Don`,
      'store_unavailable',
      /read-only replica/u,
    ],
  ];

  test.each(refusals)('%s', async (_what, url, code, message) => {
    const attempt = openStore({ kind: 'postgres', url: await url(), home: 'h', pool: 1 });
    const error = await attempt.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code, message: expect.stringMatching(message), hint: expect.any(String) });
    expect(JSON.stringify([error, (error as Error).message])).not.toContain('secret');
  });

  test('a role that may not create tables', async () => {
    const url = await emptyDatabase();
    const role = `wooster_test_${Math.random().toString(36).slice(2)}`;
    await query(url, `create role ${role} login`);
    onTestFinished(async () => {
      await query(url, `drop role ${role}`);
    });
    const attempt = openStore({
      kind: 'postgres',
      url: Object.assign(new URL(url), { username: role }).href,
      home: 'h',
    });
    await expect(attempt).rejects.toMatchObject({
      code: 'store_unavailable',
      hint: expect.stringContaining('migrate'),
    });
  });

  test('tables of a newer version', async () => {
    const url = await emptyDatabase();
    await (await openStore({ kind: 'postgres', url, home: 'h' })).close();
    await query(url, 'update wooster_schema set version = version + 1');
    await expect(openStore({ kind: 'postgres', url, home: 'h' })).rejects.toMatchObject({ code: 'store_damaged' });
  });

  test('one that says nothing', async () => {
    const { url, cut } = await testCable();
    cut('silent');
    const begun = performance.now();
    await expect(openStore({ kind: 'postgres', url, home: 'h' })).rejects.toMatchObject({
      code: 'store_unavailable',
    });
    expect(performance.now() - begun).toBeLessThan(6000);
  });

  test('one that falls silent: nothing waits for ever, and all is well when it is back', async () => {
    const { url, cut, mend } = await testCable();
    const store = await openHome(`${url}?query_timeout=500`);
    await addRule(store, 'a');
    cut('silent');
    const begun = performance.now();
    await expect(rulesOf(store)).rejects.toThrow('Query read timeout');
    await expect(store.transaction(() => addRule(store, 'b'))).rejects.toThrow();
    expect(performance.now() - begun).toBeLessThan(6000);
    mend();
    await store.transaction(() => addRule(store, 'c'));
    expect(await rulesOf(store)).toEqual(['a', 'c']);
  });
});
