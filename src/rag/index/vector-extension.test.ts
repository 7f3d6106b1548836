import { describe, expect, onTestFinished, test } from 'vitest';
import { openTestStore, STORE_KINDS } from '../../testing/stores.ts';
import { emptyDatabase, openHome, query, serverUrl } from '../../testing/test-database.ts';
import { vectorExtensionProblem } from './vector-extension.ts';

test('a home in a file has no pgvector', async () => {
  const store = await openTestStore(undefined, { kind: 'sqlite' });
  onTestFinished(() => store.close());
  expect(await vectorExtensionProblem(store)).toMatchObject({
    ...{ code: 'bad_setting', hint: expect.stringContaining('WOOSTER_STORE_URL') },
  });
});

describe.runIf(STORE_KINDS.includes('postgres'))('on PostgreSQL', () => {
  test('a superuser may add pgvector', async () => {
    expect(await vectorExtensionProblem(await openHome(await emptyDatabase()))).toBeUndefined();
  });

  test('a role that may not add it is told who can, until somebody has', async () => {
    const database = await emptyDatabase();
    const role = `owner_${Math.random().toString(36).slice(2)}`;
    await query(serverUrl(), `create role ${role} login`);
    onTestFinished(async () => {
      await query(database, `drop owned by ${role} cascade`);
      await query(serverUrl(), `drop role ${role}`);
    });
    await query(database, `grant create on schema public to ${role}`);
    const store = await openHome(Object.assign(new URL(database), { username: role }).href);
    expect(await vectorExtensionProblem(store)).toMatchObject({
      message: expect.stringContaining('this role may not add pgvector'),
      hint: expect.stringContaining('a superuser'),
    });
    await query(database, 'create extension vector');
    expect(await vectorExtensionProblem(store)).toBeUndefined();
  });
});
