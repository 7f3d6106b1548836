import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import { testLocation } from './stores.ts';

/** The URL of the test server. */
export function serverUrl(): string {
  const location = testLocation(':memory:', 'postgres');
  return location.kind === 'postgres' ? location.url : '';
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
