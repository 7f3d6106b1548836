import { expect, test } from 'vitest';
import { Attempt } from './attempt.ts';
import type { WireWatch } from './guard-fetch.ts';
import { LentClients } from './lent-clients.ts';

interface Client {
  readonly number: number;
  /** The watcher of a request that begins now. */
  watcher(): WireWatch;
}

const DEADLINES = { firstByteMs: 60_000, idleMs: 60_000 };

function lending() {
  const clients = new LentClients<Client>();
  let made = 0;
  const lend = async (key: string) => {
    const attempt = new Attempt(DEADLINES);
    const client = await clients.lend(key, attempt, async (watch) => ({ number: ++made, watcher: watch }));
    return { attempt, client };
  };
  return lend;
}

test('one attempt after the other gets the same client, whose requests report to the running attempt', async () => {
  const lend = lending();
  const first = await lend('a');
  expect(first.client.watcher()).toBe(first.attempt);
  first.attempt.end();
  first.attempt.end();
  const second = await lend('a');
  expect(second.client.number).toBe(1);
  expect(second.client.watcher()).toBe(second.attempt);
  second.attempt.end();
});

test('attempts at the same time get different clients, as do those that differ in a setting', async () => {
  const lend = lending();
  const all = [await lend('a'), await lend('a'), await lend('key changed')];
  expect(all.map(({ client }) => client.number)).toEqual([1, 2, 3]);
  for (const { attempt, client } of all) expect(client.watcher()).toBe(attempt);
  for (const { attempt } of all) attempt.end();
});

test('only so many clients are kept', async () => {
  const lend = lending();
  for (let index = 0; index < 9; index++) (await lend(`${index}`)).attempt.end();
  const again = await Promise.all([lend('0'), lend('8')]);
  expect(again.map(({ client }) => client.number)).toEqual([10, 9]);
  for (const { attempt } of again) attempt.end();
});
