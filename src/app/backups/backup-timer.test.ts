import { expect, test } from 'vitest';
import { AssistantError } from '../../base/errors.ts';
import type { Notice } from '../../notify/types.ts';
import type { HomeBackup } from '../../store/home-backup.ts';
import { BackupTimer } from './backup-timer.ts';

const HOUR_MS = 3_600_000;
const NO_LOG = { debug() {}, info() {}, warn() {}, error() {} };

function scene({ fails = false, newest }: { fails?: boolean; newest?: string } = {}) {
  let at = Date.parse('2026-11-26T08:00:00Z');
  const made: string[] = newest === undefined ? [] : [newest];
  const told: Pick<Notice, 'key' | 'text'>[] = [];
  const backup = (time: string): HomeBackup => ({
    ...{ path: time, bytes: 1 },
    manifest: { format: 1, at: time, version: '1', files: [], left: [] },
  });
  const timer = new BackupTimer({
    ...{ everyMs: 12 * HOUR_MS, log: NO_LOG, now: () => new Date(at) },
    backups: {
      list: async () => made.toReversed().map(backup),
      make: async () => {
        if (fails) throw new AssistantError('home_not_writable', 'The disk is full.', { hint: 'x' });
        const time = new Date(at).toISOString();
        made.push(time);
        return backup(time);
      },
      thin: async () => 0,
    },
    tell: async (message) => told.push(message),
  });
  const later = async (hours: number) => {
    at += hours * HOUR_MS;
    await timer.look();
  };
  return { made, told, later };
}

test('a backup is made when there is none, and when the newest is too old', async () => {
  const { made, later } = scene();
  for (const hours of [0, 11, 2, 11, 1]) await later(hours);
  expect(made).toEqual(['2026-11-26T08:00:00.000Z', '2026-11-26T21:00:00.000Z', '2026-11-27T09:00:00.000Z']);
});

test('one from the future, before the clock was set, does not count', async () => {
  const { made, later } = scene({ newest: '2027-01-01T00:00:00.000Z' });
  await later(0);
  expect(made).toHaveLength(2);
});

test('a failure is told, once a day', async () => {
  const { told, later } = scene({ fails: true });
  for (const hours of [0, 1, 24]) await later(hours);
  expect(told.map(({ key }) => key)).toEqual([
    ...['backup-failed:2026-11-26', 'backup-failed:2026-11-26', 'backup-failed:2026-11-27'],
  ]);
  expect(told[0]?.text).toContain('The disk is full.');
});
