import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Redactor } from '../base/redact.ts';
import { temporaryFolder } from '../testing/home.ts';
import { createLog, type LogOptions } from './log.ts';

/** A log of somebody in Berlin, half an hour before midnight there. */
function berlin(rest: Partial<LogOptions> = {}) {
  const dir = join(temporaryFolder(), 'logs');
  let now = new Date('2026-01-15T22:30:00Z');
  const options = { dir, timeZone: 'Europe/Berlin', level: 'info', verbose: false, ...rest } as const;
  const log = createLog(options, new Redactor(['not-by-shape-9']), () => now);
  onTestFinished(() => log.close());
  const linesOf = (day: string) =>
    readFileSync(join(options.dir, `${day}.jsonl`), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const wait = (ms: number) => {
    now = new Date(now.getTime() + ms);
  };
  return { log, dir, linesOf, wait };
}

test('a line has its level, its message and its fields, and no secret', () => {
  const { log, linesOf } = berlin();
  log.info('sent', { to: 'not-by-shape-9' });
  log.warn('slow');
  log.error('failed not-by-shape-9', { code: 3 });
  log.debug('a step');
  expect(linesOf('2026-01-15')).toMatchObject([
    { level: 30, msg: 'sent', to: '[secret]' },
    { level: 40, msg: 'slow' },
    { level: 50, msg: 'failed [secret]', code: 3 },
  ]);
  expect(linesOf('2026-01-15')[0]).not.toHaveProperty('pid');
});

test('at midnight of the owner another file begins', () => {
  const { log, dir, linesOf, wait } = berlin();
  log.info('before');
  wait(3_600_000);
  log.info('after');
  log.info('later');
  expect(linesOf('2026-01-15').map(({ msg }) => msg)).toEqual(['before']);
  expect(linesOf('2026-01-16').map(({ msg }) => msg)).toEqual(['after', 'later']);
  log.close();
  log.info('too late');
  expect([linesOf('2026-01-16').length, readdirSync(dir).toSorted()]).toEqual([
    2,
    ['2026-01-15.jsonl', '2026-01-16.jsonl'],
  ]);
});

test('a second log of the day goes on in its file, also in one that was put elsewhere', () => {
  const { log, dir, linesOf } = berlin();
  log.info('one');
  berlin({ dir }).log.info('two');
  expect(linesOf('2026-01-15').map(({ msg }) => msg)).toEqual(['one', 'two']);
  renameSync(join(dir, '2026-01-15.jsonl'), join(dir, 'elsewhere.jsonl'));
  log.info('three');
  expect(readdirSync(dir)).toEqual(['elsewhere.jsonl']);
  expect(linesOf('elsewhere').map(({ msg }) => msg)).toEqual(['one', 'two', 'three']);
});

test('the day is today unless another is given', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:00:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  const dir = temporaryFolder();
  createLog({ dir, timeZone: 'UTC', level: 'info', verbose: false }, new Redactor([])).close();
  expect(readdirSync(dir)).toEqual(['2026-03-01.jsonl']);
});

test.runIf(existsSync('/proc/self/fd'))('yesterday’s file is let go of', async () => {
  const { log, dir, wait } = berlin();
  const held = () =>
    readdirSync('/proc/self/fd')
      .map((fd) => `/proc/self/fd/${fd}`)
      .map((fd) => (existsSync(fd) ? readlinkSync(fd) : ''))
      .filter((link) => link.includes(dir))
      .map((link) => basename(link));
  log.info('before');
  expect(held()).toEqual(['2026-01-15.jsonl']);
  wait(3_600_000);
  log.info('after');
  await expect.poll(held).toEqual(['2026-01-16.jsonl']);
  log.close();
  await expect.poll(held).toEqual([]);
});

test.runIf(existsSync('/dev/full'))('a full disk stops nobody', () => {
  const dir = temporaryFolder();
  symlinkSync('/dev/full', join(dir, '2026-01-15.jsonl'));
  const { log } = berlin({ dir });
  log.info('lost');
  log.error('lost as well');
  expect(readdirSync(dir)).toEqual(['2026-01-15.jsonl']);
});

test('where the next file cannot be opened, the last one goes on', () => {
  const { log, dir, linesOf, wait } = berlin();
  log.info('before');
  mkdirSync(join(dir, '2026-01-16.jsonl'));
  wait(3_600_000);
  log.info('after');
  expect(linesOf('2026-01-15').map(({ msg }) => msg)).toEqual(['before', 'after']);
});

test('a folder that cannot be made stops nobody, and a silent log makes none', () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  const { log } = berlin({ dir: join(file, 'logs') });
  log.error('lost');
  const silent = berlin({ level: 'silent' });
  silent.log.error('unsaid');
  silent.wait(3_600_000);
  silent.log.error('unsaid on the next day');
  expect(() => readdirSync(silent.dir)).toThrow('ENOENT');
});

test('with --verbose every event is a line, of which steps are their text alone; with --json it is as it is', () => {
  const written: string[] = [];
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  onTestFinished(() => spy.mockRestore());
  const { log, linesOf } = berlin({ verbose: true });
  log.debug('[Compaction] said "hi"\n');
  log.info('run ended', { job: 'job_1', error: 'it is late' });
  expect(written[0]).toBe('[Compaction] said "hi"\n\n');
  expect(written[1]).toMatch(/^\d\d:\d\d:\d\d info {2}run ended job=job_1 error="it is late"\n$/u);
  expect(linesOf('2026-01-15').map(({ level }) => level)).toEqual([20, 30]);
  const quiet = berlin({ verbose: true, level: 'error' });
  quiet.log.info('unsaid');
  berlin().log.info('in the file alone');
  expect(written).toHaveLength(2);
  berlin({ verbose: true, json: true }).log.info('run ended', { job: 'job_1' });
  expect(JSON.parse(written[2] ?? '')).toMatchObject({ msg: 'run ended', job: 'job_1' });
});

test('a file that is full gets a number, and a new one begins; in the end the oldest go', () => {
  const { log, dir } = berlin({ limits: { days: 90, bytes: 400_000 } });
  const sizes = () => readdirSync(dir).map((name) => statSync(join(dir, name)).size);
  for (let line = 0; line < 1400; line++) log.info('x'.repeat(100));
  expect(readdirSync(dir).toSorted()).toEqual([
    ...['2026-01-15.1.jsonl', '2026-01-15.2.jsonl', '2026-01-15.3.jsonl', '2026-01-15.jsonl'],
  ]);
  for (let line = 0; line < 5000; line++) log.info('x'.repeat(100));
  expect(readdirSync(dir)).not.toContain('2026-01-15.1.jsonl');
  expect(sizes().reduce((sum, size) => sum + size, 0)).toBeLessThan(460_000);
});

test('two programs that fill one file set it aside once', () => {
  const limits = { days: 90, bytes: 800_000 };
  const first = berlin({ limits });
  const second = berlin({ dir: first.dir, limits });
  for (let line = 0; line < 400; line++) for (const { log } of [first, second]) log.info('x'.repeat(100));
  const counts = readdirSync(first.dir).map(
    (name) => readFileSync(join(first.dir, name), 'utf8').split('\n').length - 1,
  );
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(800);
  expect(counts.length).toBe(2);
});

test('files that are too old go when another is begun, and what else is there stays', () => {
  const dir = temporaryFolder();
  for (const name of ['2026-01-04.jsonl', '2026-01-05.jsonl', '2026-01-05.2.jsonl', 'notes.jsonl'])
    writeFileSync(join(dir, name), '{}\n');
  berlin({ dir, limits: { days: 10, bytes: 1e6 } });
  expect(readdirSync(dir)).not.toContain('2026-01-04.jsonl');
  expect(readdirSync(dir)).toContain('2026-01-05.jsonl');
  expect(readdirSync(dir)).toContain('notes.jsonl');
});

test('a log is its owner’s alone', () => {
  const { dir } = berlin();
  expect(statSync(join(dir, '2026-01-15.jsonl')).mode & 0o777).toBe(0o600);
});
