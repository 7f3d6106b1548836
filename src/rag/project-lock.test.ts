import { readdirSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { silentLog } from '../base/log.ts';
import { temporaryFolder } from '../testing/home.ts';
import { asOnlyWriter } from './project-lock.ts';
import { createProjects } from './projects.ts';

test('nothing is written once the lock is lost', async () => {
  const lost = new AbortController();
  const held = { lost: lost.signal, confirm: async () => {} };
  const store = { lock: async () => ({ ...held, [Symbol.asyncDispose]: async () => {} }) };
  const home = temporaryFolder();
  const projects = createProjects({ projectsDir: home, homeDir: home, log: silentLog, store });
  lost.abort();
  const note = projects.appendJournal('home', 'too late', { at: new Date(), timeZone: 'UTC' });
  await expect(note).rejects.toMatchObject({ code: 'project_busy' });
  expect(readdirSync(projects.folder('home'))).toEqual([]);
});

const MESSAGE = 'The connection to the database broke, so nothing was written into project home.';

/** A store whose lock on the project's files can be lost. */
function lockable() {
  const lost = new AbortController();
  const asked: string[] = [];
  let held = 0;
  const lock = async (name: string) => {
    asked.push(name);
    held++;
    return { lost: lost.signal, confirm: async () => {}, [Symbol.asyncDispose]: async () => void held-- };
  };
  return { store: { lock }, lost, asked, held: () => held };
}

test('the work is done under the lock of the project, which is given back whatever comes of it', async () => {
  const { store, asked, held } = lockable();
  expect(await asOnlyWriter(store, 'home', async () => held())).toBe(1);
  await expect(asOnlyWriter(store, 'home', () => Promise.reject(new Error('full')))).rejects.toThrow('full');
  expect({ asked, held: held() }).toEqual({ asked: ['files:home', 'files:home'], held: 0 });
});

test('work that ends because the lock was lost says that nothing was written; any other error stays', async () => {
  const { store, lost, held } = lockable();
  const work = (error: () => unknown) => async (signal: AbortSignal) => {
    lost.abort();
    expect(signal.aborted).toBe(true);
    throw error();
  };
  const busy = { code: 'project_busy', message: MESSAGE, hint: 'Try again in a moment.' };
  await expect(
    asOnlyWriter(
      store,
      'home',
      work(() => lost.signal.reason),
    ),
  ).rejects.toMatchObject(busy);
  await expect(
    asOnlyWriter(
      store,
      'home',
      work(() => new Error('full')),
    ),
  ).rejects.toThrow('full');
  expect(held()).toBe(0);
});

test('a lock that is free again within some seconds is waited for', async () => {
  const { store, asked } = lockable();
  const lock = async (name: string) => (asked.length < 3 ? void asked.push(name) : store.lock(name));
  expect(await asOnlyWriter({ lock }, 'home', async () => 'done')).toBe('done');
  expect(asked).toHaveLength(4);
});

test('a lock that others keep for longer than six seconds is given up', async () => {
  const { store } = lockable();
  const times = [0, 6000, 6001];
  const now = vi.spyOn(performance, 'now').mockImplementation(() => times.shift() ?? 0);
  const taken = vi.fn(async () => undefined);
  const work = vi.fn(async () => {});
  const waiting = asOnlyWriter({ ...store, lock: taken }, 'home', work).finally(() => now.mockRestore());
  await expect(waiting).rejects.toMatchObject({
    ...{ code: 'project_busy', hint: 'Try again in a moment.' },
    message: 'Another program is writing into project home for too long.',
  });
  expect([taken.mock.calls, work.mock.calls]).toEqual([[['files:home'], ['files:home']], []]);
});
