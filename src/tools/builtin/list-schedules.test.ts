import { expect, test } from 'vitest';
import type { NewJob } from '../../scheduler/types.ts';
import { testScheduler } from '../../testing/scheduler.ts';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { listSchedulesTool } from './list-schedules.ts';

const JOB = { when: 'tomorrow 8am', project: 'home', untrusted: false };

/** What a model reads when these are planned. */
async function listed(jobs: readonly (Pick<NewJob, 'prompt'> & Partial<NewJob>)[]) {
  const { scheduler } = await testScheduler();
  const ids: string[] = [];
  for (const job of jobs) ids.push((await scheduler.add({ ...JOB, ...job })).id);
  const scope = await testScope();
  const result = await testToolbox([listSchedulesTool(scheduler)], scope).call('list_schedules', {}, scope);
  return { scheduler, scope, ids, rows: (result.ok ? result.value : []) as { text: string; more?: number }[] };
}

test('a reminder is listed with its text and its time, those of other projects are not', async () => {
  const { rows, ids, scope } = await listed([{ prompt: 'water the tulips' }, { prompt: 'x', project: 'garden' }]);
  expect(rows).toEqual([
    {
      ...{ id: ids[0], text: 'water the tulips', when: expect.stringContaining('08:00') },
      ...{ next: '2026-11-21T08:00:00.000Z', enabled: true },
    },
  ]);
  expect(scope.labels.untrusted).toBe(false);
});

test('where nothing is planned, the list is empty', async () => {
  expect((await listed([])).rows).toEqual([]);
});

test('one text of others makes the list one that others wrote', async () => {
  const { rows, scope } = await listed([{ prompt: 'mine' }, { prompt: 'theirs', untrusted: true }]);
  const marked = rows.map((row) => 'untrusted' in row && row.untrusted);
  expect(marked.sort()).toEqual([false, true]);
  expect(scope.labels.untrusted).toBe(true);
});

test('a reminder that comes no more has no time, and one that waits is not on', async () => {
  const { scheduler, scope, ids } = await listed([{ prompt: 'water the tulips' }]);
  await scheduler.pause(ids[0] ?? '');
  const toolbox = testToolbox([listSchedulesTool(scheduler)], scope);
  expect(await toolbox.call('list_schedules', {}, scope)).toMatchObject({ value: [{ next: '', enabled: false }] });
});

test.each([
  [2000, 2000],
  [2001, 2000],
])('of a text of %i characters, %i are listed', async (length, expected) => {
  const { rows } = await listed([{ prompt: 'x'.repeat(length) }]);
  expect(rows[0]?.text).toHaveLength(expected);
});

test('no more than fifty are listed, and the last one says how many there are besides', async () => {
  const { rows } = await listed(Array.from({ length: 53 }, (_, nth) => ({ prompt: `${nth}` })));
  expect(rows).toHaveLength(50);
  expect(rows.map(({ more }) => more)).toEqual([...Array(49).fill(undefined), 3]);
});

test('long ones are listed as far as they fit, the first in any case', async () => {
  const { rows } = await listed(Array.from({ length: 7 }, () => ({ prompt: 'x'.repeat(1900) })));
  expect(rows.length).toBeLessThan(7);
  expect(JSON.stringify(rows).length).toBeLessThanOrEqual(8000 + ',"more":3'.length);
  expect(rows.map(({ more }) => more)).toEqual([...Array(rows.length - 1).fill(undefined), 7 - rows.length]);
});

test.each([
  [0, 5],
  [1, 4],
])('with %i characters more than fit into a result, %i of five are listed', async (over, expected) => {
  const texts = (last: number) => [1500, 1500, 1500, 1500, last].map((length) => ({ prompt: 'x'.repeat(length) }));
  const left = 8000 - JSON.stringify((await listed(texts(1))).rows).length;
  expect((await listed(texts(1 + left + over))).rows).toHaveLength(expected);
});
