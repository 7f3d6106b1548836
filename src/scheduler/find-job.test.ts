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
    bins: await add('every tuesday at 7', 'Mülltonnen rausstellen'),
    dentist: await add('every friday at 10', 'Zahnarzt anrufen'),
    mat: await add('sunday at 8', 'roll up the mat'),
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
  ['muelltonnen', 'bins'],
  ['the monday watering', 'roses'],
  ['the mats', 'mat'],
  ['the monday feeding', undefined],
  ['the reminder to water', undefined],
  ['my reminder', undefined],
  ['the orchid thing', 'orchids'],
  ['das mit dem Zahnarzt', 'dentist'],
  ['the thing', undefined],
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

test('the one that says no more than the words is meant before others that have them as well', async () => {
  const { scheduler } = await testScheduler();
  const add = (prompt: string) => scheduler.add({ when: 'tomorrow at 9', prompt, project: 'home', untrusted: false });
  const choir = await add('Reminder: choir');
  await add('pay for the choir supper');
  expect(jobNamed(await scheduler.list(), 'the choir alarm').id).toBe(choir.id);
});

test('a job that you paused is meant too, one that is over is not', async () => {
  const { scheduler, clock, tick } = await testScheduler();
  const add = (when: string, prompt: string) => scheduler.add({ when, prompt, project: 'home', untrusted: false });
  const paused = await add('tomorrow at 9', 'feed the cat');
  await add('in 5 minutes', 'feed the dog');
  await scheduler.pause(paused.id);
  clock.advance(6 * 60_000);
  await tick();
  const jobs = await scheduler.list();
  expect(jobNamed(jobs, 'feed').id).toBe(paused.id);
  expect(() => jobNamed(jobs, 'dog')).toThrow(expect.objectContaining({ hint: '`wooster schedule list` shows all.' }));
});

test.each([
  ['the 3pm one', 'tea'],
  ['15:00', 'tea'],
  ['pm', 'tea'],
  ['the 7:30 one', 'run'],
  ['the 12:30 one', 'stop the pump'],
  ['the 21 november 2026 one', 'tea'],
  ['2026-11-22', 'run'],
  ['saturday', 'tea'],
  ['stopped', 'stop the pump'],
  ['hoping', undefined],
])('"%s" is about "%s"', async (said, prompt) => {
  const { scheduler } = await testScheduler();
  const add = (when: string, text: string) => scheduler.add({ when, prompt: text, project: 'home', untrusted: false });
  await add('tomorrow at 15:00', 'tea');
  await add('sunday at 7:30', 'run');
  await add('every month on the 7th at 0:30', 'stop the pump');
  const jobs = await scheduler.list();
  if (prompt) expect(jobNamed(jobs, said).prompt).toBe(prompt);
  else expect(() => jobNamed(jobs, said)).toThrow(expect.objectContaining({ code: 'unknown_schedule' }));
});

test('of many that may be meant ten are named, and how many more there are', async () => {
  const { scheduler } = await testScheduler();
  for (let n = 0; n < 12; n++)
    await scheduler.add({ when: 'tomorrow at 9', prompt: `feed cat ${n}`, project: 'home', untrusted: false });
  const jobs = await scheduler.list();
  expect(() => jobNamed(jobs, 'feed')).toThrow(/^"feed" may be any of 12: (?:[^;]+; ){10}and 2 more/u);
  expect(() => jobNamed(jobs.slice(0, 10), 'feed')).toThrow(/^"feed" may be any of 10: (?:[^;]+; ){9}[^;]+$/u);
  expect(() => jobNamed(jobs, 'feed')).toThrow(expect.objectContaining({ hint: 'Give more of its words, or its id.' }));
});
