import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lastingFolder, temporaryFolder } from './testing/home.ts';
import { ownJobs, rows, wooster } from './testing/wooster.ts';

/** A small disk of its own; only root may mount one. */
const disk = lastingFolder();
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk.dir]).status === 0;
const home = join(disk.dir, 'home');
const run = (...words: string[]) => wooster(words, { home, cwd: '/', store: 'sqlite' });

/** A home with one note and one reminder, and its database as it was. */
let before: Buffer;
beforeAll(async () => {
  if (!isMounted) return;
  mkdirSync(home);
  await run('ask', 'note that the disk was empty');
  await run('schedule', 'add', '--when', 'every day at 9', '--prompt', 'tides', '--yes');
  before = readFileSync(join(home, 'state', 'wooster.sqlite3'));
}, 60_000);
afterAll(() => {
  spawnSync('umount', [disk.dir]);
  disk.remove();
});

function fill(): void {
  const left = statfs();
  spawnSync('dd', ['if=/dev/zero', `of=${join(disk.dir, 'fill')}`, 'bs=4096', `count=${left + 10}`]);
}

function statfs(): number {
  return Number(spawnSync('stat', ['-f', '-c', '%a', disk.dir], { encoding: 'utf8' }).stdout);
}

describe.runIf(isMounted).each([
  ['on a full disk', 'disk is full', fill],
  [
    'in a read-only home',
    'read-only|unable to open',
    () => {
      spawnSync('rm', [join(disk.dir, 'fill')]);
      spawnSync('mount', ['-o', 'remount,ro', disk.dir]);
    },
  ],
])('%s', (_, named, spoil) => {
  beforeAll(spoil);

  test('questions are answered, with the reason why nothing is kept', async () => {
    const ran = await run('ask', '2+2');
    expect([ran.code, ran.stdout]).toEqual([0, '2+2 = 4\n']);
    expect(ran.stderr).toMatch(new RegExp(named, 'u'));
    expect((await run('ask', 'what did I note?')).stdout).toContain('the disk was empty');
  });

  test('everything can be looked up', async () => {
    expect((await run('sessions')).stdout).toContain('note that the disk was empty');
    expect((await run('log')).stdout).toContain('write_note');
    expect(ownJobs((await run('schedule', 'list', '--json')).stdout)).toHaveLength(1);
    const doctor = await run('doctor', '--json');
    expect(rows(doctor.stdout)).toContainEqual(expect.objectContaining({ name: 'database', state: 'fail' }));
  });

  test('nothing is confirmed', async () => {
    for (const text of ['note that it is full', 'remind me tomorrow at 9 to tidy up']) {
      const ran = await run('ask', text);
      expect(ran.stdout).toMatch(new RegExp(`That did not work: .*(?:${named})`, 'u'));
      expect(ran.code).toBe(1);
    }
    for (const words of [
      ['schedule', 'add', '--when', 'tomorrow 9:00', '--prompt', 'x', '--yes'],
      ['sessions', 'rename', String(rows((await run('sessions', '--json')).stdout)[0]?.id), 'new title'],
      ['backup'],
      ['backup', '--all'],
      ['ingest', join(import.meta.dirname, '..', 'AGENTS.md')],
      ['status'],
      ['restore', join(home, 'state', 'wooster.sqlite3')],
    ]) {
      const ran = await run(...words);
      expect([words, ran.code]).toEqual([words, 1]);
      expect(ran.stderr).toMatch(new RegExp(named, 'u'));
    }
    expect(readFileSync(join(home, 'state', 'wooster.sqlite3')).equals(before)).toBe(true);
  }, 180_000);
});

test('what a backup that was cut off has left is removed at the next start, and a copy is private from the start', async () => {
  const folder = temporaryFolder();
  await wooster(['backup'], { home: folder, store: 'sqlite' });
  const backups = join(folder, 'state', 'backups');
  const [backup = ''] = readdirSync(backups);
  expect(statSync(join(backups, backup)).mode & 0o777).toBe(0o600);
  cpSync(join(backups, backup), join(backups, 'cut-off.sqlite3.part'));
  writeFileSync(join(backups, 'mine.part'), '');
  chmodSync(join(backups, 'cut-off.sqlite3.part'), 0o644);
  await wooster(['sessions'], { home: folder, store: 'sqlite' });
  expect(readdirSync(backups).toSorted()).toEqual([backup, 'mine.part']);
  expect(existsSync(join(backups, 'cut-off.sqlite3.part'))).toBe(false);
});
