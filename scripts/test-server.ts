/** A PostgreSQL server of our own, with an empty database that goes away again. See postgres.sh. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Client } from 'pg';

const SCRIPT = join(import.meta.dirname, 'postgres.sh');

export interface TestServer {
  /** Of the database, as its administrator. */
  readonly url: string;
  /** Stop the server and start it again. */
  restart(): Promise<void>;
}

/**
 * Do something with a server that is started for it, unless it is running already. With WOOSTER_TEST_POSTGRES_URL set,
 * that one is used, which cannot be restarted from here.
 */
export async function withTestServer<T>(
  { port, settings = [] }: { readonly port: number; readonly settings?: readonly string[] },
  work: (server: TestServer) => Promise<T>,
): Promise<T> {
  const run = (action: string) => postgres(action, port, action === 'start' ? settings : []);
  const server = await run('url');
  const wasUp = await ask(server, 'select 1').then(
    () => true,
    () => false,
  );
  if (!wasUp) await run('start');
  const name = `wooster_suite_${randomBytes(4).toString('hex')}`;
  const restart = async () => {
    if (process.env.WOOSTER_TEST_POSTGRES_URL) throw new Error('only a server of our own is restarted');
    await run('stop');
    await run('start');
  };
  try {
    await ask(server, `create database ${name} template template0 encoding 'UTF8'`);
    return await work({ url: Object.assign(new URL(server), { pathname: `/${name}` }).href, restart });
  } finally {
    await ask(server, `drop database if exists ${name} with (force)`).catch((error) =>
      process.stderr.write(`${error}\n`),
    );
    if (!wasUp) await run('stop');
  }
}

/** @returns what it printed. */
async function postgres(action: string, port: number, settings: readonly string[]): Promise<string> {
  // The server that stays holds on to whatever it was given.
  const child = spawn('sh', [SCRIPT, action, String(port), ...settings], { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    printed += part;
  });
  const { promise, resolve, reject } = Promise.withResolvers<number | string>();
  child.once('error', reject);
  child.once('close', (code, signal) => resolve(code ?? signal ?? ''));
  const end = await promise;
  if (end !== 0) throw new Error(`postgres.sh ${action} ended with ${end}`);
  return printed.trim();
}

async function ask(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 3000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(text);
  } finally {
    await client.end().catch(() => {});
  }
}
