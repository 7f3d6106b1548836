import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openCable } from './testing/cable.ts';
import { temporaryFolder } from './testing/home.ts';
import { type Served, startServe } from './testing/serve.ts';
import { STORE_KINDS } from './testing/stores.ts';
import { serverUrl } from './testing/test-database.ts';
import { rows, wooster } from './testing/wooster.ts';

const READY = 'Running schedules and delivering messages';

function sqliteHome(): string {
  const home = join(temporaryFolder(), 'home');
  mkdirSync(home);
  return home;
}

async function health(home: string) {
  const { code, stdout } = await wooster(['serve', '--health'], { home, cwd: '/', store: 'sqlite' });
  return { code, line: stdout.trim() };
}

/** Wait until the health is what it is expected to be: a sign of life comes every few seconds. */
async function healthy(home: string, code: number, said: RegExp): Promise<void> {
  await expect.poll(() => health(home), { timeout: 30_000 }).toEqual({ code, line: expect.stringMatching(said) });
}

test('whether a home is served can be asked while it is, and afterwards, without making one', async () => {
  const home = sqliteHome();
  const served = startServe({ home, store: 'sqlite' });
  await served.see(READY);
  await healthy(home, 0, /^serving since .*, process \d+/u);
  expect(await served.end()).toBe(0);
  expect(await health(home)).toEqual({ code: 1, line: expect.stringMatching(/^not serving: no/u) });
  const nowhere = join(temporaryFolder(), 'nowhere');
  expect((await health(nowhere)).code).toBe(1);
  expect(existsSync(nowhere)).toBe(false);
}, 60_000);

test('a program that was killed does not serve', async () => {
  const home = sqliteHome();
  const served = startServe({ home, store: 'sqlite' });
  await served.see(READY);
  await healthy(home, 0, /^serving/u);
  await served.end('SIGKILL');
  expect(await health(home)).toEqual({ code: 1, line: expect.stringContaining('has ended') });
}, 60_000);

test('a home that is moved away is not made anew, and served again when it is back', async () => {
  const home = sqliteHome();
  const served = startServe({ home, store: 'sqlite' });
  await served.see(READY);
  renameSync(home, `${home}-2`);
  await served.see('Not serving: The home was moved or removed');
  await served.see('Not serving: the folder of the home is gone. It is tried again');
  expect(existsSync(home)).toBe(false);
  renameSync(`${home}-2`, home);
  await served.see(READY);
  await healthy(home, 0, /^serving/u);
  expect(await served.end()).toBe(0);
}, 60_000);

test('another home in the place of the one that is served ends it', async () => {
  const home = sqliteHome();
  const served = startServe({ home, store: 'sqlite' });
  await served.see(READY);
  renameSync(home, `${home}-2`);
  cpSync(`${home}-2`, home, { recursive: true });
  expect(await served.ended()).toBe(1);
  expect(served.shown()).toContain('Another folder is at');
}, 60_000);

test('a damaged database ends it, since only a person can help', async () => {
  const home = sqliteHome();
  mkdirSync(join(home, 'state'));
  writeFileSync(join(home, 'state', 'wooster.sqlite3'), Buffer.alloc(8192, 0xa5));
  const served = startServe({ home, store: 'sqlite' });
  expect(await served.ended()).toBe(1);
  expect(served.shown()).toContain('wooster restore');
}, 60_000);

/** A disk of its own; only root may mount one. */
function smallDisk(): string {
  const dir = temporaryFolder();
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', dir]);
  if (status === 0) onTestFinished(() => void spawnSync('umount', ['-l', dir]));
  return dir;
}

describe.runIf(process.getuid?.() === 0)('started where nothing can be written', () => {
  test.each([
    [
      'a full disk',
      (dir: string) => void spawnSync('dd', ['if=/dev/zero', `of=${join(dir, 'fill')}`, 'bs=4096', 'count=2000']),
      (dir: string) => rmSync(join(dir, 'fill')),
    ],
    [
      'a read-only one',
      (dir: string) => void spawnSync('mount', ['-o', 'remount,ro', dir]),
      (dir: string) => void spawnSync('mount', ['-o', 'remount,rw', dir]),
    ],
  ])(
    '(%s) it says so, starts nothing, and serves as soon as something can be',
    async (_, spoil, mend) => {
      const dir = smallDisk();
      const home = join(dir, 'home');
      await wooster(['ask', '2+2'], { home, cwd: '/', store: 'sqlite' });
      spoil(dir);
      const served = startServe({ home, store: 'sqlite' });
      await served.see('Not serving: ');
      await served.see('It is tried again every 15 s.');
      expect(served.shown()).not.toContain(READY);
      expect((await health(home)).code).toBe(1);
      mend(dir);
      await served.see(READY);
      await healthy(home, 0, /^serving/u);
      expect(await served.end()).toBe(0);
    },
    60_000,
  );
});

test('events are one line each with --verbose, and JSON with --json', async () => {
  const home = sqliteHome();
  const add = ['schedule', 'add', '--when', 'in 1 second', '--prompt', 'what is 6 * 7?', '--yes'];
  await wooster(add, { home, store: 'sqlite' });
  const people = startServe({ home, store: 'sqlite' }, '--verbose');
  await people.see('run ended');
  await people.end();
  expect(people.shown()).toMatch(/^\d{2}:\d{2}:\d{2} info +run ended .*state=succeeded/mu);
  await wooster(add, { home, store: 'sqlite' });
  const programs = startServe({ home, store: 'sqlite' }, '--verbose', '--json');
  await programs.see('run ended');
  await programs.end();
  const lines = programs
    .shown()
    .split('\n')
    .filter((line) => line.includes('run ended'));
  expect(rows(lines.join('\n'))[0]).toMatchObject({ level: 30, msg: 'run ended', state: 'succeeded' });
}, 60_000);

/** A stand-in for systemd-notify that writes down what it is told. */
function told(): { readonly env: Readonly<Record<string, string>>; all(): string } {
  const dir = temporaryFolder();
  writeFileSync(join(dir, 'systemd-notify'), `#!/bin/sh\necho "$@" >>${join(dir, 'told')}\n`);
  chmodSync(join(dir, 'systemd-notify'), 0o755);
  return {
    env: { NOTIFY_SOCKET: '/run/x', PATH: `${dir}:${process.env.PATH}` },
    all: () => (existsSync(join(dir, 'told')) ? readFileSync(join(dir, 'told'), 'utf8') : ''),
  };
}

test('systemd is told when it serves, and when it waits', async () => {
  const supervisor = told();
  const nobody = { WOOSTER_STORE_URL: 'postgres://nobody@127.0.0.1:9/none' };
  const waiting = startServe({ home: sqliteHome(), store: 'sqlite', env: { ...supervisor.env, ...nobody } });
  await waiting.see('Not serving: ');
  await expect.poll(supervisor.all).toMatch(/^--no-block --ready --status=not serving: .* WATCHDOG=1\n/u);
  expect(await waiting.end()).toBe(0);
  const other = told();
  const served = startServe({ home: sqliteHome(), store: 'sqlite', env: other.env });
  await expect.poll(other.all, { timeout: 20_000 }).toBe('--no-block --ready --status=serving WATCHDOG=1\n');
  await served.end();
}, 60_000);

describe.runIf(STORE_KINDS.includes('postgres'))('with a home on a server', () => {
  test('that is down, it waits, and it says when the server goes and comes', async () => {
    const cable = await openCable(serverUrl());
    onTestFinished(() => cable.close());
    cable.cut('silent');
    const home = sqliteHome();
    const env = { WOOSTER_STORE_URL: cable.url, WOOSTER_HOME_ID: `serve-${Date.now()}` };
    const served: Served = startServe({ home, store: 'sqlite', env });
    await served.see('Not serving: ');
    cable.mend();
    await served.see(READY);
    cable.cut('silent');
    await served.see('Not serving: ');
    cable.mend();
    await served.see('Serving again.');
    // A connection that was cut may still be closing: then the signal ends it.
    expect([0, null]).toContain(await served.end());
  }, 120_000);
});
