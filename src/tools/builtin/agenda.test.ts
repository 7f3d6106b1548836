import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Documents, SourceInfo } from '../../rag/types.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { testScheduler } from '../../testing/scheduler.ts';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { Origins } from '../gate/origins.ts';
import type { Source } from '../tool.ts';
import { type AgendaSource, createAgendaTool } from './agenda.ts';

/** The agenda of a home with these files, and of plugins. */
async function agendaOf(files: Record<string, string>, options: { agenda?: AgendaSource; timeZone?: string } = {}) {
  const root = temporaryFolder();
  mkdirSync(root, { recursive: true });
  for (const [file, events] of Object.entries(files)) {
    const text = !events.startsWith('BEGIN:VEVENT')
      ? events
      : `BEGIN:VCALENDAR\nVERSION:2.0\n${events}\nEND:VCALENDAR\n`;
    writeFileSync(join(root, file), text.replaceAll('\n', '\r\n'));
  }
  const sources = Object.keys(files).map((file) => ({ file, root, state: 'indexed', sha256: '' }) as SourceInfo);
  const documents = { sources: async () => sources } as Partial<Documents> as Documents;
  const { scheduler } = await testScheduler();
  const scope = await testScope({ timeZone: options.timeZone ?? 'Europe/Oslo' });
  const services = (name: string) => (name === 'agenda' && options.agenda ? [options.agenda] : []);
  const labels = new Origins(scope.store, scope.context.now);
  for (const file of Object.keys(files).filter((name) => name.startsWith('theirs')))
    await labels.files.declare(join(root, file), { untrusted: true, folder: false });
  const judge = async (sources: readonly Source[]) => (await labels.labels(sources)).untrusted;
  const toolbox = testToolbox([createAgendaTool({ documents, scheduler, services }, judge)], scope);
  const call = (from?: string, to?: string) => toolbox.call('show_agenda', { from, to }, scope);
  const show = async (from: string, to = from) => {
    const result = await call(from, to);
    if (!result.ok) throw new Error(result.error);
    return result.value as { events: Row[]; problems?: string[]; untrusted?: true; more?: number };
  };
  const days = async (from: string, to: string) => (await show(from, to)).events.map(({ day }) => day);
  return { call, show, days, scheduler, scope };
}

interface Row {
  readonly day: string;
  readonly time?: string;
  readonly title: string;
}

const event = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\n');
const at = (start: string, ...lines: string[]) =>
  event('UID:u', `DTSTART;TZID=Europe/Oslo:${start}T090000`, 'SUMMARY:Class', ...lines);

test('calendars, calendar files and reminders are one agenda in order', async () => {
  const agenda: AgendaSource = async () => ({
    events: [
      {
        ...{ id: '1f', uid: 'lunch', title: 'Lunch', location: 'Café', allDay: false },
        ...{ start: new Date('2026-11-24T12:00:00Z'), end: new Date('2026-11-24T13:00:00Z') },
      },
    ],
    problems: [],
  });
  const fair = event('UID:f', 'DTSTART;VALUE=DATE:20261124', 'DTEND;VALUE=DATE:20261126', 'SUMMARY:Fair');
  const same = event('UID:lunch', 'DTSTART:20261124T120000Z', 'DTEND:20261124T130000Z', 'SUMMARY:Lunch');
  const { show, call, scheduler, scope } = await agendaOf({ 'a.ics': `${fair}\n${same}` }, { agenda });
  const zoned = { timeZone: 'Europe/Oslo', project: 'home', untrusted: false };
  const { id } = await scheduler.add({ ...zoned, when: '2026-11-24 15:30', prompt: 'water the tulips' });
  await scheduler.add({ ...zoned, when: '2026-11-25 15:30', prompt: 'later' });
  expect((await show('2026-11-24')).events).toEqual([
    { day: '2026-11-24', lastDay: '2026-11-25', title: 'Fair', source: 'file', file: 'a.ics' },
    { day: '2026-11-24', time: '13:00', end: '14:00', title: 'Lunch', where: 'Café', source: 'calendar', id: '1f' },
    { day: '2026-11-24', time: '15:30', title: 'water the tulips', source: 'reminder', id },
  ]);
  expect(scope.labels.untrusted).toBe(true);
  expect(await call('2026-11-24')).toMatchObject({ told: { code: 'agenda', values: { from: '2026-11-24' } } });
});

test('where nothing is, that is told, and what the owner wrote stays theirs', async () => {
  const { call, show, scheduler, scope } = await agendaOf({ 'mine.ics': at('20261123') });
  expect(await call()).toMatchObject({
    value: { from: '2026-01-15', to: '2026-01-15', events: [] },
    told: { code: 'agenda_empty' },
  });
  await scheduler.add({ when: 'every day at 8', prompt: 'stretch', project: 'home', untrusted: false });
  expect((await show('2026-11-23', '2026-11-25')).events).toHaveLength(4);
  expect(scope.labels.untrusted).toBe(false);
});

test('a file of others makes the agenda one that others wrote, on the days that it has a part in', async () => {
  const { show } = await agendaOf({ 'theirs.ics': at('20261123') });
  expect(await show('2026-11-24')).not.toHaveProperty('untrusted');
  expect(await show('2026-11-23')).toMatchObject({ untrusted: true });
});

test.each([
  ['RRULE:FREQ=DAILY;INTERVAL=2;COUNT=3', ['2026-11-02', '2026-11-04', '2026-11-06']],
  ['RRULE:FREQ=WEEKLY;BYDAY=MO,TH;UNTIL=20261110T000000Z', ['2026-11-02', '2026-11-05', '2026-11-09']],
  ['RRULE:FREQ=MONTHLY;BYMONTHDAY=2;COUNT=2', ['2026-11-02', '2026-12-02']],
  ['RRULE:FREQ=MONTHLY;BYDAY=1MO;COUNT=2', ['2026-11-02', '2026-12-07']],
  ['RRULE:FREQ=YEARLY', ['2026-11-02', '2027-11-02']],
  ['RRULE:FREQ=WEEKLY;COUNT=4\nEXDATE;TZID=Europe/Oslo:20261109T090000,20261116T090000', ['2026-11-02', '2026-11-23']],
])('of a series every date is shown: %s', async (rule, expected) => {
  const { days } = await agendaOf({ 'a.ics': at('20261102', rule) });
  expect(await days('2026-11-01', '2027-11-30')).toEqual(expected);
});

test('a moved event of a series is shown where it was moved to, and only there', async () => {
  const moved = event(
    ...['UID:u', 'RECURRENCE-ID;TZID=Europe/Oslo:20261109T090000'],
    ...['DTSTART;TZID=Europe/Oslo:20261110T140000', 'SUMMARY:Class (moved)'],
  );
  const { show } = await agendaOf({ 'a.ics': `${at('20261102', 'RRULE:FREQ=WEEKLY;COUNT=3')}\n${moved}` });
  const { events } = await show('2026-11-01', '2026-11-30');
  expect(events.map(({ day, time, title }) => `${day} ${time} ${title}`)).toEqual([
    '2026-11-02 09:00 Class',
    '2026-11-10 14:00 Class (moved)',
    '2026-11-16 09:00 Class',
  ]);
});

test('times are those of the owner, also where the clocks change and on the day before', async () => {
  const weekly = at('20261019', 'RRULE:FREQ=WEEKLY;COUNT=2');
  const { show } = await agendaOf({ 'a.ics': weekly }, { timeZone: 'America/Los_Angeles' });
  expect((await show('2026-10-18', '2026-10-31')).events).toMatchObject([
    { day: '2026-10-19', time: '00:00' },
    { day: '2026-10-26', time: '01:00' },
  ]);
});

test('what is odd or hostile is named and hides nothing else', async () => {
  const good = at('20261124');
  const { show } = await agendaOf({
    'a.ics': [
      event('UID:1', 'DTSTART:20261124T000000Z', 'RRULE:FREQ=SECONDLY', 'SUMMARY:Flood'),
      event('UID:2', 'DTSTART:someday', 'SUMMARY:Never'),
      event('UID:3', 'DTSTART:20261124T100000Z', `SUMMARY:${'Long\\n'.repeat(1000)}`),
      event('UID:4', 'DTSTART;TZID=Atlantis:20261124T110000', 'RRULE:FREQ=DAILY;COUNT=1', 'DTEND:19990101T000000Z'),
      good,
    ].join('\n'),
    'b.ics': 'BEGIN:NONSENSE',
    'c.ics': '',
  });
  const { events, problems } = await show('2026-11-24');
  expect(events.map(({ time, title }) => `${time} ${title.slice(0, 9)}`)).toEqual([
    '09:00 Class',
    '11:00 Event wit',
    '11:00 Long Long',
  ]);
  expect(events.every(({ title }) => title.length <= 200 && !title.includes('\n'))).toBe(true);
  expect(problems).toEqual(expect.arrayContaining([expect.stringContaining('every minute or more often')]));
  expect(problems?.some((text) => text.startsWith('b.ics'))).toBe(true);
});

test('a calendar that cannot be reached does not hide the files', async () => {
  const agenda = () => Promise.reject(new Error('the server is away'));
  const { show } = await agendaOf({ 'a.ics': at('20261124') }, { agenda });
  expect(await show('2026-11-24')).toMatchObject({
    events: [{ title: 'Class' }],
    problems: ['calendar: the server is away'],
  });
});

test('many events are counted, and days are checked', async () => {
  const { call, show } = await agendaOf({ 'a.ics': at('20260101', 'RRULE:FREQ=DAILY') });
  expect(await show('2026-02-01', '2026-12-01')).toMatchObject({ more: 204 });
  for (const [from, to] of [
    ['2026-02-30', '2026-03-01'],
    ['2026-03-02', '2026-03-01'],
    ['2026-03-02', '2028-03-01'],
  ])
    expect(await call(from, to)).toMatchObject({ ok: false });
});
