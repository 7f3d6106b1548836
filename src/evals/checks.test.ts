import { mkdirSync, writeFileSync } from 'node:fs';
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

function failed(checks: Checks, other: Partial<Outcome> = {}): Promise<readonly string[]> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'garden.md'), 'Shed code: 4711\n');
  writeFileSync(join(folder, 'empty.md'), '');
  mkdirSync(join(folder, 'folder.md'));
  return failedChecks(checks, { ...outcome, folder, ...other });
}

const RIGHT: readonly Checks[] = [
  {},
  { answer: { contains: ['THREE months'], any: ['orally', 'writing'], lacks: ['week'], matches: '^three' } },
  { files: { 'garden.md': { contains: ['4711'] }, 'gone.md': null } },
  { schedules: { count: 1, some: { contains: ['Dentist'], days: 1, time: '08:00' } } },
  { calls: { some: ['query_rag'], none: ['write_file'] } },
  { calls: {} },
  { schedules: {} },
  { schedules: { count: 1 } },
  { schedules: { some: {} } },
  { answer: {} },
  { files: {} },
  { files: { 'empty.md': { lacks: ['x'], matches: '^$' } } },
];

test.each(RIGHT)('%j holds', async (checks) => {
  expect(await failed(checks)).toEqual([]);
});

const NOT_ASKED = 'no schedule is as asked: "call the dentist" 2026-11-23T07:00:00.000Z';

const WRONG: readonly (readonly [Checks, string])[] = [
  [{ answer: { contains: ['three', 'week'] } }, 'the answer does not contain "week": Three months, in writing.'],
  [{ answer: { any: ['week', 'year'] } }, 'the answer contains none of "week", "year": Three months, in writing.'],
  [{ answer: { lacks: ['months'] } }, 'the answer contains "months"'],
  [{ answer: { matches: '^\\d' } }, 'the answer does not match ^\\d: Three months, in writing.'],
  [{ notes: { contains: ['x'] } }, 'the journal is not there'],
  [{ files: { 'garden.md': null } }, 'garden.md is there'],
  [{ files: { 'gone.md': { lacks: ['x'] } } }, 'gone.md is not there'],
  [{ schedules: { count: 0 } }, 'there are 1 schedules instead of 0: "call the dentist" 2026-11-23T07:00:00.000Z'],
  [{ schedules: { some: { time: '07:00' } } }, NOT_ASKED],
  [{ schedules: { some: { days: 0 } } }, NOT_ASKED],
  [{ schedules: { some: { contains: ['doctor'] } } }, NOT_ASKED],
  [{ schedules: { some: { contains: ['dentist', 'doctor'] } } }, NOT_ASKED],
  [{ files: { 'empty.md': { contains: ['x'] } } }, 'empty.md does not contain "x": it is empty'],
  [{ files: { 'folder.md': { contains: ['x'] } } }, 'folder.md does not contain "x": EISDIR: '],
  [{ files: { 'folder.md': null } }, 'folder.md is there'],
  [{ calls: { some: ['notify'] } }, 'notify was not called'],
  [{ calls: { none: ['notify'] } }, 'notify was called'],
];

test.each(WRONG)('%j does not', async (checks, why) => {
  const [first = '', ...others] = await failed(checks);
  expect([first.slice(0, why.length), others]).toEqual([why, []]);
  // Only what the system says of a folder goes on.
  expect(first.length === why.length).toBe(!why.endsWith(': EISDIR: '));
});

test('all that is wrong is told, in order', async () => {
  const checks: Checks = {
    answer: { contains: ['x'], any: ['y'], lacks: ['three', 'months'], matches: 'z' },
    notes: {},
    files: { 'a.md': {}, 'b.md': {} },
    schedules: { count: 2, some: { days: 5 } },
    calls: { some: ['a', 'notify'], none: ['query_rag', 'notify'] },
  };
  const seen = ': Three months, in writing.';
  expect(await failed(checks)).toEqual([
    ...[`the answer does not contain "x"${seen}`, `the answer contains none of "y"${seen}`],
    ...['the answer contains "three"', 'the answer contains "months"', `the answer does not match z${seen}`],
    ...['the journal is not there', 'a.md is not there', 'b.md is not there'],
    'there are 1 schedules instead of 2: "call the dentist" 2026-11-23T07:00:00.000Z',
    NOT_ASKED,
    ...['a was not called', 'notify was not called', 'query_rag was called', 'notify was called'],
  ]);
});

test('the journal is a file of the project', async () => {
  const journal = 'garden.md';
  expect(await failed({ notes: { contains: ['4711'] } }, { journal })).toEqual([]);
  expect(await failed({ notes: { lacks: ['4711'] } }, { journal })).toEqual(['the journal contains "4711"']);
});

test('of schedules, one that is over comes never, and one as asked is enough', async () => {
  const over = { text: `call ${'somebody '.repeat(9)}`, next: undefined };
  const check: Checks = { schedules: { count: 0, some: { days: 1 } } };
  const shown = `"${over.text.slice(0, 39)}…" never`;
  expect(await failed(check, { schedules: [over] })).toEqual([
    `there are 1 schedules instead of 0: ${shown}`,
    `no schedule is as asked: ${shown}`,
  ]);
  expect(await failed({ schedules: { some: { time: '08:00' } } }, { schedules: [over] })).toHaveLength(1);
  const schedules = [over, ...outcome.schedules];
  expect(await failed({ schedules: { some: { contains: ['dentist'], days: 1 } } }, { schedules })).toEqual([]);
  expect(await failed({ schedules: { count: 3 } }, { schedules })).toEqual([
    `there are 2 schedules instead of 3: ${shown}, "call the dentist" 2026-11-23T07:00:00.000Z`,
  ]);
  expect(await failed({ schedules: { count: 1, some: {} } }, { schedules: [] })).toEqual([
    'there are 0 schedules instead of 1: none',
    'no schedule is as asked: there is none',
  ]);
});
