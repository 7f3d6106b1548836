import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { FakeClock } from '../testing/clock.ts';
import { temporaryFolder } from '../testing/home.ts';
import { openTestStore, STORE_KINDS } from '../testing/stores.ts';
import { faces, Presence, type PresenceKind, thatRunJobs, whoIsThere } from './presence.ts';

async function place(kind: 'sqlite' | 'postgres' = 'sqlite') {
  const clock = new FakeClock('2026-11-20T11:00:00Z');
  const store = await openTestStore(undefined, { kind });
  // On a server leases are in its time, which would not be this clock's.
  Object.assign(store, { now: async () => clock.now().toISOString() });
  const deps = { store, log: silentLog, now: clock.now };
  const come = async (kind: PresenceKind, runsJobs = true) => {
    const presence = new Presence(deps, { kind, runsJobs });
    onTestFinished(() => presence.close());
    await presence.begin();
    return presence;
  };
  return { clock, store, come, present: () => whoIsThere(deps) };
}

describe.each(STORE_KINDS)('on %s', (kind) => {
  test('who is there is known with what, where and since when, until they go', async () => {
    const { come, present } = await place(kind);
    expect(await present()).toEqual([]);
    const server = await come('server');
    const at = new Date('2026-11-20T11:00:00Z');
    expect(await present()).toEqual([
      {
        ...{ id: server.id, kind: 'server', host: hostname(), pid: process.pid, runsJobs: true },
        ...{ since: at, seenAt: at, activeAt: undefined },
      },
    ]);
    await server.close();
    expect(await present()).toEqual([]);
  });

  test('who gives no sign of life is gone when the lease ends, and one who does stays', async () => {
    const { clock, come, present } = await place(kind);
    const [hangs, lives] = [await come('server'), await come('prompt')];
    clock.advance(20_000);
    await lives.beat();
    clock.advance(15_000);
    expect((await present()).map(({ id, since }) => [id, since.getTime() < clock.now().getTime()])).toEqual([
      [lives.id, true],
    ]);
    await hangs.beat();
    expect(await present()).toHaveLength(2);
  });
});

test('the face at which the person did something last comes first, and a server is none', async () => {
  const { clock, come, present } = await place();
  const [page, prompt] = [await come('page', false), await come('prompt')];
  clock.advance(1000);
  await come('server');
  page.active();
  await page.beat();
  expect(faces(await present()).map(({ kind }) => kind)).toEqual(['page', 'prompt']);
  clock.advance(1000);
  prompt.active();
  await prompt.beat();
  expect(faces(await present()).map(({ kind }) => kind)).toEqual(['prompt', 'page']);
  expect(thatRunJobs(await present()).map(({ kind }) => kind)).toEqual(['prompt', 'server']);
});

test('a program that was killed is gone at once, whatever its lease says', async () => {
  const path = join(temporaryFolder(), 'state.sqlite3');
  const modules = (file: string) => JSON.stringify(join(import.meta.dirname, file));
  const script = `
    const { openStore } = await import(${modules('../store/store.ts')});
    const { Presence } = await import(${modules('presence.ts')});
    const store = await openStore(${JSON.stringify(path)});
    const deps = { store, log: console, now: () => new Date() };
    await new Presence(deps, { kind: 'server', runsJobs: true }).begin();
    setInterval(() => {}, 1000);
    console.log('there');`;
  const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const store = await openTestStore(path, { kind: 'sqlite' });
  onTestFinished(() => store.close());
  const present = () => whoIsThere({ store, now: () => new Date() });
  expect((await present()).map(({ pid }) => pid)).toEqual([child.pid]);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await present()).toEqual([]);
});
