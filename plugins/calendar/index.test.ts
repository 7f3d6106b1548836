import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { occurrencesOf } from '#plugin';
import { startPlugin } from '../../src/testing/plugin.ts';
import calendar from './index.ts';

function ics(...events: string[]): string {
  const parts = events.map((event) => `BEGIN:VEVENT\n${event.trim()}\nEND:VEVENT\n`);
  return `BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//Other//EN\n${parts.join('')}END:VCALENDAR\n`.replaceAll('\n', '\r\n');
}

const STANDUP = `UID:standup
DTSTART;TZID=Europe/Berlin:20000103T090000
DTEND;TZID=Europe/Berlin:20000103T093000
RRULE:FREQ=DAILY
EXDATE;TZID=Europe/Berlin:20260116T090000
SUMMARY:Standup`;
const MOVED = `UID:standup
RECURRENCE-ID;TZID=Europe/Berlin:20260117T090000
DTSTART;TZID=Europe/Berlin:20260117T140000
DTEND;TZID=Europe/Berlin:20260117T143000
SUMMARY:Standup (late)`;

/** The program on 15 January 2026, 10:00 in Oslo, with these files in the calendar's folder. */
async function withFiles(files: Record<string, string> = {}, timeZone = 'Europe/Oslo') {
  const started = await startPlugin(calendar, { timeZone, decide: { verdict: 'once', by: 'terminal' } });
  const folder = join(started.home, 'calendar');
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const list = async (from: string, to?: string) => {
    const found = (await started.call('calendar_events', { from, ...(to && { to }) })) as { events: Row[] };
    return found.events;
  };
  const text = (name: string) => readFileSync(join(folder, name), 'utf8');
  return { ...started, folder, list, text };
}

interface Row {
  readonly id: string;
  readonly title: string;
  readonly start: string;
}

describe('events of files', () => {
  test('of a series each repetition is shown, but what was cancelled, and moved ones at their new time', async () => {
    const { list } = await withFiles({ 'work.ics': ics(STANDUP, MOVED) });
    const rows = (await list('2026-01-15', '2026-01-18')).map(({ start, title }) => `${start} ${title}`);
    expect(rows).toEqual(['2026-01-15 09:00 Standup', '2026-01-17 14:00 Standup (late)', '2026-01-18 09:00 Standup']);
  });

  test('words say which day is meant, and text narrows them down', async () => {
    const dentist = 'UID:d\nDTSTART:20260116T130000Z\nDURATION:PT45M\nSUMMARY:Dentist\nLOCATION:Main St\\, 1';
    const { list, call } = await withFiles({ 'a.ics': ics(dentist, STANDUP) });
    expect(await list('tomorrow')).toEqual([
      {
        id: expect.any(String),
        title: 'Dentist',
        start: '2026-01-16 14:00',
        end: '2026-01-16 14:45',
        location: 'Main St, 1',
        calendar: 'a',
      },
    ]);
    const found = await call('calendar_events', { from: 'today', to: '2026-02-01', query: 'main st' });
    expect(found).toMatchObject({ events: [{ title: 'Dentist' }] });
  });

  test('whole days are days in the zone of their owner, wherever that is', async () => {
    const trip = 'UID:t\nDTSTART;VALUE=DATE:20260117\nDTEND;VALUE=DATE:20260119\nSUMMARY:Trip';
    const birthday = 'UID:b\nDTSTART;VALUE=DATE:19900118\nRRULE:FREQ=YEARLY\nSUMMARY:Birthday';
    for (const zone of ['Pacific/Auckland', 'America/Los_Angeles']) {
      const { list } = await withFiles({ 'a.ics': ics(trip, birthday) }, zone);
      expect(await list('2026-01-18')).toMatchObject([
        { title: 'Trip', day: '2026-01-17', until: '2026-01-18' },
        { title: 'Birthday', day: '2026-01-18' },
      ]);
      expect(await list('2026-01-19')).toEqual([]);
    }
  });

  test('a zone is known by the names that Outlook and Mozilla give it; one that nobody knows is the owner’s', async () => {
    const at = (zone: string) => `UID:${zone}\nDTSTART;TZID=${zone}:20260701T120000\nSUMMARY:${zone}`;
    const zones = ['Eastern Standard Time', '/mozilla.org/20050126_1/Asia/Tokyo', 'Atlantis'];
    const { list } = await withFiles({ 'a.ics': ics(...zones.map(at)) });
    expect((await list('2026-07-01')).map(({ start }) => start)).toEqual([
      '2026-07-01 05:00',
      '2026-07-01 12:00',
      '2026-07-01 18:00',
    ]);
  });

  test('a broken file is named and hides no other; a rule without end is refused', async () => {
    const hostile = 'UID:h\nDTSTART:20000101T000000Z\nRRULE:FREQ=SECONDLY\nSUMMARY:Flood';
    const files = { 'bad.ics': 'BEGIN:VCALENDAR\nnonsense', 'flood.ics': ics(hostile), 'ok.ics': ics(STANDUP) };
    const { call } = await withFiles(files);
    const found = await call('calendar_events', { from: '2026-01-20' });
    expect(found).toMatchObject({
      events: [{ title: 'Standup' }],
      problems: [expect.stringMatching(/^bad: /u), expect.stringMatching(/^flood: /u)],
    });
  });
});

const SERIES = [
  'DAILY;INTERVAL=9',
  'WEEKLY;BYDAY=MO,WE',
  'MONTHLY;BYDAY=-1SU',
  'MONTHLY;BYMONTHDAY=31',
  'YEARLY;BYMONTH=2;BYMONTHDAY=29',
];

test('a series is the same in three process zones, over 25 years with all changes of the clock', () => {
  const program = `
    const { occurrencesOf } = await import('./src/rag/read/calendar-times.ts');
    const all = [];
    for (const rule of ${JSON.stringify(SERIES)}) for (const zone of ['Europe/Berlin', 'America/New_York']) {
      const text = ${JSON.stringify(ics('UID:x\nDTSTART;TZID=#ZONE:20000130T023000\nRRULE:FREQ=#RULE\nSUMMARY:x'))}.replace('#ZONE', zone).replace('#RULE', rule);
      const stored = { calendar: 'a', ref: 'a', text };
      const found = await occurrencesOf(stored, { from: new Date('2000-01-01Z'), to: new Date('2025-01-01Z') }, 'Asia/Tokyo');
      all.push(...found.map(({ start }) => start.getTime()));
    }
    console.log(all.length, (await import('node:crypto')).createHash('sha256').update(all.join()).digest('hex'));`;
  const hook = `import { registerHooks } from 'node:module'; registerHooks({ resolve: (s, c, n) => s === '#plugin' ? { url: new URL('./src/plugins/plugin.ts', 'file://' + process.cwd() + '/').href, shortCircuit: true } : n(s, c) });`;
  const run = (TZ: string) =>
    execFileSync(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', hook + program],
      {
        env: { ...process.env, TZ },
        encoding: 'utf8',
      },
    );
  const results = ['UTC', 'America/New_York', 'Pacific/Auckland'].map(run);
  expect(new Set(results).size).toBe(1);
  expect(Number(results[0]?.split(' ')[0])).toBeGreaterThan(5_000);
});

test('a time that the clocks skip is left out, a time that comes twice is there once', async () => {
  const night = 'UID:n\nDTSTART;TZID=Europe/Berlin:20260101T023000\nRRULE:FREQ=DAILY\nSUMMARY:Night';
  const stored = { calendar: 'a', ref: 'a', text: ics(night) };
  const days = async (from: string, to: string) => {
    const found = await occurrencesOf(stored, { from: new Date(from), to: new Date(to) }, 'UTC');
    return found.map(({ start }) => start.toISOString());
  };
  expect(await days('2026-03-28T12:00Z', '2026-03-30T12:00Z')).toEqual(['2026-03-30T00:30:00.000Z']);
  expect(await days('2026-10-24T12:00Z', '2026-10-26T12:00Z')).toEqual([
    '2026-10-25T00:30:00.000Z',
    '2026-10-26T01:30:00.000Z',
  ]);
});

describe('changes', () => {
  test('what is added is found again at its time, in a file that other programs read', async () => {
    const { call, list, folder, text } = await withFiles();
    expect(
      await call('add_event', { title: 'Lunch, with Ann', start: 'tomorrow 12:30', location: 'Mat; & co' }),
    ).toEqual({
      added: 'Lunch, with Ann',
      id: expect.any(String),
      ...{ start: '2026-01-16 12:30', end: '2026-01-16 13:30' },
    });
    expect(await list('tomorrow')).toMatchObject([
      { title: 'Lunch, with Ann', location: 'Mat; & co', calendar: 'own' },
    ]);
    expect(text(readdirSync(folder)[0] ?? '')).toContain('DTSTART:20260116T113000Z\r\n');
    await call('add_event', { title: 'Fair', start: '2026-01-20', end: '2026-01-21' });
    expect(await list('2026-01-21')).toMatchObject([{ title: 'Fair', day: '2026-01-20', until: '2026-01-21' }]);
    await expect(call('add_event', { title: 'x', start: 'tomorrow 12:00', end: '11:00' })).rejects.toThrow(
      'before it begins',
    );
    await expect(call('add_event', { title: 'x', start: 'blursday' })).rejects.toThrow('2026-12-24 18:00');
  });

  test('what is asked for twice is in the calendar once, and what was added can be moved by its id', async () => {
    const { call, list, folder } = await withFiles({ 'work.ics': ics(STANDUP) });
    const lunch = { title: 'Lunch', start: '2026-01-16 13:00' };
    const { id } = (await call('add_event', lunch)) as { id: string };
    expect(await call('add_event', { ...lunch, title: 'lunch' })).toMatchObject({ there: 'lunch', start: lunch.start });
    expect(await call('add_event', { ...lunch, minutes: 30 })).toMatchObject({ added: 'Lunch' });
    expect(readdirSync(folder)).toHaveLength(3);
    await call('move_event', { id, start: lunch.start, to: '2026-01-17' });
    expect((await list('2026-01-17')).map(({ start }) => start)).toContain('2026-01-17 13:00');
  });

  test('an odd event is named, and the others of its file are shown', async () => {
    const flood = 'UID:f\nDTSTART:20260115T100000Z\nRRULE:FREQ=SECONDLY\nSUMMARY:Flood';
    const { call } = await withFiles({ 'work.ics': ics(flood, STANDUP) });
    expect(await call('calendar_events', { from: 'today' })).toMatchObject({
      events: [{ title: 'Standup' }],
      problems: ['work: an event repeats every minute or more often'],
    });
  });

  test('a series that was added keeps its time of day when the clocks change, and ends', async () => {
    const { call, list } = await withFiles();
    await call('add_event', { title: 'Gym', start: '2026-03-23 18:00', repeats: 'weekly', until: '2026-04-06' });
    const rows = await list('2026-03-01', '2026-05-01');
    expect(rows.map(({ start }) => start)).toEqual(['2026-03-23 18:00', '2026-03-30 18:00', '2026-04-06 18:00']);
  });

  test('one of a series is moved, moved again and removed; the others and the other events stay', async () => {
    const other = 'UID:o\nDTSTART:20260116T100000Z\nSUMMARY:Other\nX-OWN;X-P=1:kept';
    const { call, list, text } = await withFiles({ 'work.ics': ics(STANDUP, other) });
    const [event] = await list('2026-01-15');
    const id = event?.id;
    await call('move_event', { id, start: '2026-01-15 09:00', to: '2026-01-15 11:00' });
    await call('move_event', { id, start: '2026-01-15 11:00', to: '2026-01-19' });
    const rows = async () => (await list('2026-01-15', '2026-01-19')).map(({ start, title }) => `${start} ${title}`);
    const rest = [
      '2026-01-16 11:00 Other',
      '2026-01-17 09:00 Standup',
      '2026-01-18 09:00 Standup',
      '2026-01-19 09:00 Standup',
    ];
    expect(await rows()).toEqual([...rest, '2026-01-19 11:00 Standup']);
    await call('remove_event', { id, start: '2026-01-19 11:00' });
    await call('remove_event', { id, start: '2026-01-17 09:00' });
    expect(await rows()).toEqual(rest.filter((row) => !row.startsWith('2026-01-17')));
    expect(text('work.ics')).toContain('X-OWN;X-P=1:kept');
  });

  test('a whole series is moved and removed, and its file goes with the last event', async () => {
    const { call, list, folder } = await withFiles({ 'work.ics': ics(STANDUP) });
    const id = (await list('2026-01-15'))[0]?.id;
    await call('move_event', { id, start: '2026-01-15 09:00', to: '2026-01-15 10:00', series: true });
    expect((await list('2026-07-01', '2026-07-02')).map(({ start }) => start)).toEqual([
      '2026-07-01 10:00',
      '2026-07-02 10:00',
    ]);
    await call('remove_event', { id, start: '2026-07-01 10:00', series: true });
    expect(readdirSync(folder)).toEqual([]);
    await expect(call('remove_event', { id, start: '2026-07-01 10:00' })).rejects.toThrow('no such event');
  });
});

test('free time lies between the events, within working hours, and never in the past', async () => {
  const events = [
    'UID:a\nDTSTART:20260115T110000Z\nDTEND:20260115T130000Z\nSUMMARY:a',
    'UID:b\nDTSTART:20260115T120000Z\nDTEND:20260115T123000Z\nSUMMARY:b',
    'UID:c\nDTSTART;VALUE=DATE:20260116\nSUMMARY:Ann has a birthday',
  ];
  const { call } = await withFiles({ 'a.ics': ics(...events) });
  const { free } = (await call('find_free_time', { minutes: 60, to: '2026-01-19' })) as { free: unknown };
  expect(free).toEqual([
    { start: '2026-01-15 10:00', end: '2026-01-15 12:00' },
    { start: '2026-01-15 14:00', end: '2026-01-15 18:00' },
    { start: '2026-01-16 09:00', end: '2026-01-16 18:00' },
    { start: '2026-01-19 09:00', end: '2026-01-19 18:00' },
  ]);
});
