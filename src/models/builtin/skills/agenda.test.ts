import { expect, test } from 'vitest';
import { outcome, told } from '../../../testing/built-in-outcome.ts';

/** Passages of a calendar file, and one of a text that only looks like it. */
const found = (...lines: readonly string[]) => ({
  passages: [
    { citation: '[family.ics, line 1]', text: lines.join('\n') },
    { citation: '[notes.md]', text: 'Hike on Monday 23 November 2026 at 09:00.\nHoliday on Monday 23 November 2026.' },
  ],
});
const EVENTS = found(
  'Eye test on Monday 23 November 2026 at 10:15 until 10:45, at the station.',
  'Lunch on Monday 23 November 2026 at 09:15 (UTC).',
  'Trip on Sunday 22 November 2026 until Tuesday 24 November 2026.',
  'Lunch on Monday 23 November 2026 at 09:15 (UTC).',
  'Film on Tuesday 24 November 2026 at 20:00.',
  'Bad on Monday 45 Foovember 2026.',
  'an odd line',
);

test('reminders and events of the days are looked up', () => {
  const days = (query: string) => [
    ['list_schedules', {}],
    ['query_rag', { query, k: 20 }],
  ];
  expect(outcome("what's planned for tomorrow?")).toEqual(days('Monday 23 November 2026'));
  expect(outcome('was steht übermorgen an?')).toEqual(days('Tuesday 24 November 2026'));
  const week = ['Sunday 22', 'Monday 23', 'Tuesday 24', 'Wednesday 25', 'Thursday 26', 'Friday 27', 'Saturday 28'];
  expect(outcome('was steht diese Woche an?')).toEqual(days(week.map((day) => `${day} November 2026`).join(' ')));
});

const JOB = { id: 'job_a', text: 'call Ben', when: 'once at 19:00', next: '2026-11-23T19:00:00Z' };
test.each([
  [
    "what's planned for tomorrow?",
    [],
    EVENTS,
    '- Trip until Tuesday 24 November 2026\n- Lunch at 09:15\n- Eye test at 10:15 until 10:45, at the station',
  ],
  [
    "what's planned for this week?",
    [JOB],
    found('Film on Tuesday 24 November 2026 at 20:00.'),
    '- call Ben: tomorrow at 19:00 (job_a)\n- Tuesday 24 November 2026: Film at 20:00',
  ],
  [
    'was steht morgen an?',
    [JOB],
    found('Eye test on Monday 23 November 2026 at 10:15 until 10:45, at the station.'),
    [
      '- call Ben: morgen um 19:00 Uhr (job_a)',
      '- Eye test am Montag, 23. November 2026 um 10:15 Uhr bis 10:45 Uhr, Ort: the station.',
    ].join('\n'),
  ],
  ["what's planned for tomorrow?", [], found(), 'Nothing is planned: Monday 23 November 2026.'],
  ["what's planned for tomorrow?", 'none', 'none', 'Nothing is planned: Monday 23 November 2026.'],
  [
    'was steht diese Woche an?',
    [],
    found(),
    'Nichts geplant: Sonntag, 22. November 2026 bis Samstag, 28. November 2026.',
  ],
  [
    "what's planned for tomorrow?",
    [{ more: 3 }],
    found(),
    'I looked at the first 0 only; there are 3 more: wooster schedule list',
  ],
])('%s with %j', (text, jobs, events, said) => expect(told(text, jobs, events)).toBe(said));

const UNKNOWN = [
  'I know no public holidays: they differ by country. A calendar file (.ics) that has them, added with',
  '`wooster ingest`, tells me.',
].join(' ');

test.each([
  [
    found(
      'Easter holiday on Sunday 28 March 2027.',
      'Summer bank holiday on Monday 31 August 2026.',
      'Autumn holiday on Sunday 22 November 2026.',
      'Christmas holiday on Friday 25 December 2026.',
      'New Year holiday on Friday 1 January 2027.',
      'Eye test on Monday 23 November 2026 at 10:15.',
    ),
    [
      '- Sunday 22 November 2026: Autumn holiday',
      '- Friday 25 December 2026: Christmas holiday',
      '- Friday 1 January 2027: New Year holiday',
    ].join('\n'),
  ],
  [found('Summer bank holiday on Monday 31 August 2026.'), UNKNOWN],
  ['none', UNKNOWN],
])('public holidays in %j', (value, said) => {
  const text = 'when is the next bank holiday?';
  expect(outcome(text)).toEqual([['query_rag', { query: 'bank holiday public holiday', k: 20 }]]);
  expect(told(text, value)).toBe(said);
});
