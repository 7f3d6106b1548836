import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { leaseHolder, processIdentity } from '../base/process-identity.ts';
import { sqlRun } from '../testing/sql.ts';
import { openTestStore, STORE_KINDS, testLocation } from '../testing/stores.ts';
import { openStore } from './store.ts';
import { goneOwners } from './workers.ts';

const STORE = JSON.stringify(join(import.meta.dirname, 'store.ts'));
const IDENTITY = JSON.stringify(join(import.meta.dirname, '../base/process-identity.ts'));

/** Another program with the store open. @returns a holder of leases in it. */
async function otherProgram(path: string, kind: 'sqlite' | 'postgres') {
  const script = `
    const { openStore } = await import(${STORE});
    const { leaseHolder } = await import(${IDENTITY});
    const store = await openStore(${JSON.stringify(testLocation(path, kind))});
    process.stdin.once('data', async () => { await store.close(); process.exit(); });
    console.log(leaseHolder());`;
  const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [said] = await once(child.stdout, 'data');
  const ended = once(child, 'close');
  return { owner: String(said).trim(), child, ended };
}

describe.each(STORE_KINDS.filter((kind) => kind === 'postgres'))('the workers of a home on %s', (kind) => {
  test('a program that has the store open is there, and gone once it has closed it', async () => {
    const path = randomUUID();
    const store = await openStore(testLocation(path, kind));
    onTestFinished(() => store.close());
    const { owner, child, ended } = await otherProgram(path, kind);
    expect(await goneOwners(store, [owner, leaseHolder(), processIdentity()])).toEqual(new Set());
    child.stdin.write('close\n');
    await ended;
    expect(await goneOwners(store, [owner])).toEqual(new Set([owner]));
  });

  test('a program that was killed is gone when it was not seen for 30 seconds', async () => {
    const path = randomUUID();
    const store = await openStore(testLocation(path, kind));
    onTestFinished(() => store.close());
    const { owner, child, ended } = await otherProgram(path, kind);
    child.kill('SIGKILL');
    await ended;
    expect(await goneOwners(store, [owner])).toEqual(new Set());
    const before = new Date(Date.parse(await store.now()) - 30_500).toISOString();
    await sqlRun(store, 'update workers set seen_at = ? where id like ?', before, `${owner.replace(/\/[^/]*$/u, '')}%`);
    expect(await goneOwners(store, [owner])).toEqual(new Set([owner]));
  });

  test('a name that no worker of the home has is gone', async () => {
    const store = await openTestStore();
    onTestFinished(() => store.close());
    expect((await goneOwners(store, ['elsewhere:1@boot#1/00000000'])).size).toBe(1);
  });

  test('a store that is only read leaves no row', async () => {
    const path = randomUUID();
    const store = await openStore(testLocation(path, kind));
    const reader = await openStore(testLocation(path, kind), { readOnly: true });
    expect(await store.db.selectFrom('workers').selectAll().execute()).toHaveLength(1);
    await reader.close();
    await store.close();
  });
});

test('in a file nobody is registered: the system knows which processes run', async () => {
  const store = await openStore(':memory:');
  expect(await goneOwners(store, [processIdentity(), 'host:1@boot#1'])).toEqual(new Set(['host:1@boot#1']));
  expect(await store.db.selectFrom('workers').selectAll().execute()).toEqual([]);
  await store.close();
});
