import { expect, test } from 'vitest';
import { testScheduler } from '../testing/scheduler.ts';
import { jobNamed } from './find-job.ts';

async function someJobs() {
  const { scheduler } = await testScheduler();
  const add = (when: string, prompt: string) =>
    scheduler.add({ when, prompt, project: 'home', untrusted: false }).then(({ id }) => id);
  const ids = {
    orchids: await add('tomorrow 9am', 'Reminder: water the orchids'),
    roses: await add('monday 15:30', 'water the roses'),
    dentist: await add('every friday at 10', 'Zahnarzt anrufen'),
  };
  return { ids, jobs: await scheduler.list() };
}

test.each([
  ['the orchids reminder', 'orchids'],
  ['orchid', 'orchids'],
  ['water the roses', 'roses'],
  ["Monday's reminder", 'roses'],
  ['the 15:30 alarm', 'roses'],
  ['the 9am reminder', 'orchids'],
  ['meine Erinnerung an den Zahnarzt', 'dentist'],
  ['the monday watering', 'roses'],
  ['the monday feeding', undefined],
  ['the reminder to water', undefined],
  ['my reminder', undefined],
  ['the tulips', undefined],
] as const)('"%s" is %s', async (said, expected) => {
  const { ids, jobs } = await someJobs();
  if (expected) expect(jobNamed(jobs, said).id).toBe(ids[expected]);
  else expect(() => jobNamed(jobs, said)).toThrow(expect.objectContaining({ code: 'unknown_schedule' }));
});

test('an id is enough, and what may be meant is listed with its time', async () => {
  const { ids, jobs } = await someJobs();
  expect(jobNamed(jobs, `#${ids.roses}`).id).toBe(ids.roses);
  expect(() => jobNamed(jobs, 'water')).toThrow(
    `"water" may be any of 2: ${ids.orchids} "Reminder: water the orchids" (Sat 2026-11-21 09:00); ${ids.roses}`,
  );
  expect(() => jobNamed(jobs, 'tulips')).toThrow(ids.dentist);
  expect(() => jobNamed([], 'tulips')).toThrow('Nothing is scheduled.');
});
