import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import { openStore, type Store } from '../store/store.ts';
import { type Cable, openCable } from './cable.ts';
import { testLocation } from './stores.ts';

/** The URL of the test server. */
export function serverUrl(): string {
  const location = testLocation(':memory:', 'postgres');
  return location.kind === 'postgres' ? location.url : '';
}

/** That URL with its user, password, port or database changed. */
export function changedUrl(
  parts: Partial<Pick<URL, 'username' | 'password' | 'port' | 'pathname' | 'search'>>,
): string {
  return Object.assign(new URL(serverUrl()), parts).href;
}

/** A way to the test server that can be cut. */
export async function testCable(): Promise<Cable> {
  const cable = await openCable(serverUrl());
  onTestFinished(() => cable.close());
  return cable;
}

/** The store of a home on a server, of a new one unless given; it is closed with the test. */
export async function openHome(url: string, home = `test-${Math.random()}`, pool = 4): Promise<Store> {
  const store = await openStore({ kind: 'postgres', url, home, pool });
  onTestFinished(() => store.close());
  return store;
}

/** Add a row, of the simplest kind. */
export async function addRule(store: Store, id: string): Promise<void> {
  const rule = { id, tool: id, destination: 'd', created_at: '2026-01-01T00:00:00.000Z' };
  await store.db.insertInto('approval_rules').values(rule).execute();
}

/** The ids of those rows. */
export async function rulesOf(store: Store): Promise<string[]> {
  const rows = await store.db.selectFrom('approval_rules').select('id').orderBy('id').execute();
  return rows.map(({ id }) => id);
}

/** An empty database on the test server that goes away with the test. @returns its URL. */
export async function emptyDatabase(options = ''): Promise<string> {
  const name = `wooster_test_${randomBytes(6).toString('hex')}`;
  await query(serverUrl(), `create database ${name} template template0 ${options}`);
  onTestFinished(async () => {
    await query(serverUrl(), `drop database ${name} with (force)`);
  });
  const url = new URL(serverUrl());
  url.pathname = `/${name}`;
  return url.href;
}

/** Ask the server as the URL's role, without the program's own code. */
export async function query(url: string, text: string, values: readonly unknown[] = []): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, [...values])).rows;
  } finally {
    await client.end();
  }
}
