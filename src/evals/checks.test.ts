import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/home.ts';
import { failedChecks, type Outcome } from './checks.ts';
import type { Checks } from './tasks.ts';

const outcome: Omit<Outcome, 'folder'> = {
  ...{ answer: 'Three months, in writing.', journal: 'home.md', timeZone: 'Europe/Berlin' },
  schedules: [{ text: 'call the dentist', next: new Date('2026-11-23T07:00:00Z') }],
  calls: [
    { name: 'query_rag', ok: true },
    { name: 'notify', ok: false },
  ],
  now: new Date('2026-11-22T12:00:00Z'),
};

function failed(checks: Checks): Promise<readonly string[]> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'garden.md'), 'Shed code: 4711\n');
  return failedChecks(checks, { ...outcome, folder });
}

const RIGHT: readonly Checks[] = [
  {},
  { answer: { contains: ['THREE months'], any: ['orally', 'writing'], lacks: ['week'], matches: '^three' } },
  { files: { 'garden.md': { contains: ['4711'] }, 'gone.md': null } },
  { schedules: { count: 1, some: { contains: ['Dentist'], days: 1, time: '08:00' } } },
  { calls: { some: ['query_rag'], none: ['write_file'] } },
];

test.each(RIGHT)('%j holds', async (checks) => {
  expect(await failed(checks)).toEqual([]);
});

const WRONG: readonly (readonly [Checks, string])[] = [
  [{ answer: { contains: ['three', 'week'] } }, 'the answer does not contain "week": Three months, in writing.'],
  [{ answer: { any: ['week', 'year'] } }, 'contains none of "week", "year"'],
  [{ answer: { lacks: ['months'] } }, 'the answer contains "months"'],
  [{ answer: { matches: '^\\d' } }, 'does not match ^\\d'],
  [{ notes: { contains: ['x'] } }, 'the journal is not there'],
  [{ files: { 'garden.md': null } }, 'garden.md is there'],
  [{ files: { 'gone.md': { lacks: ['x'] } } }, 'gone.md is not there'],
  [{ schedules: { count: 0 } }, 'there are 1 schedules instead of 0: "call the dentist" 2026-11-23T07:00:00.000Z'],
  [{ schedules: { some: { time: '07:00' } } }, 'no schedule is as asked'],
  [{ schedules: { some: { days: 0 } } }, 'no schedule is as asked'],
  [{ schedules: { some: { contains: ['doctor'] } } }, 'no schedule is as asked'],
  [{ calls: { some: ['notify'] } }, 'notify was not called'],
  [{ calls: { none: ['notify'] } }, 'notify was called'],
];

test.each(WRONG)('%j does not', async (checks, why) => {
  expect(await failed(checks)).toEqual([expect.stringContaining(why)]);
});
