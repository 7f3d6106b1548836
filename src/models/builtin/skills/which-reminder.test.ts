import { describe, expect, test } from 'vitest';
import { outcome, told } from '../../../testing/built-in-outcome.ts';
import type { PriorMessage } from '../request.ts';

const JOBS = [
  { id: 'job_b', text: 'Reminder: call the dentist', when: 'once at 18:30', next: '2026-11-24T18:30:00Z' },
  { id: 'job_a', text: 'water the ferns', when: 'every day at 9', next: '2026-11-23T09:00:00Z' },
];

test.each([
  ['cancel it', 'Nothing is scheduled.'],
  ['cancel my reminders', 'Nothing is scheduled.'],
  ['cancel everything', 'Nothing is scheduled.'],
  ['cancel all of them', 'Nothing is scheduled.'],
  ['storniere alle', 'Es ist nichts geplant.'],
  ['storniere alles davon', 'Es ist nichts geplant.'],
])('%s: which is asked, not guessed', (text, none) => {
  expect(outcome(text)).toEqual([['list_schedules', {}]]);
  expect(told(text, [])).toBe(none);
});

test.each([
  [
    'cancel it',
    [...JOBS, { more: 3 }],
    [
      '- water the ferns: tomorrow at 09:00, every day at 9 (job_a)',
      '- call the dentist: on Tuesday 24 November 2026 at 18:30 (job_b)',
      'I looked at the first 2 only; there are 3 more: wooster schedule list',
      'Which one? Say "cancel" and its words or its id.',
    ],
  ],
  [
    'storniere alle',
    JOBS,
    [
      '- water the ferns: morgen um 09:00 Uhr, every day at 9 (job_a)',
      '- call the dentist: übermorgen um 18:30 Uhr (job_b)',
      'Welche davon? Sag „storniere“ und ihre Worte oder ihre Nummer.',
    ],
  ],
])('%s', (text, jobs, lines) => expect(told(text, jobs)).toBe(lines.join('\n')));

describe('the answer to "Which one?"', () => {
  const listed = ['call the dentist (job_1)', 'water the ferns (job_2)', 'water the cat (job_3)', 'lunch (job_4)']
    .map((job) => `- ${job}`)
    .join('\n');
  const asked: readonly PriorMessage[] = [
    { by: 'person', text: 'cancel it' },
    { by: 'assistant', text: `${listed}\n- buy tea (job_5)\nWhich one? Say "cancel" and its words or its id.` },
  ];

  test.each([
    ['the first', 'job_1'],
    ['1', 'job_1'],
    ['second one', 'job_2'],
    ['die zweite', 'job_2'],
    ['Number 3', 'job_3'],
    ['die vierte', 'job_4'],
    ['the fifth', 'job_5'],
    ['last', 'job_5'],
    ['nur die letzte davon', 'job_5'],
    ['the FERNS, please', 'job_2'],
    ['dentist', 'job_1'],
    ['the one where I call somebody', 'job_1'],
    [`the one about the ferns ${'x'.repeat(36)}`, 'job_2'],
  ])('%s', (answer, id) => expect(outcome(answer, asked)).toEqual([['cancel_schedule', { id }]]));

  test.each(['all', 'both of them', 'ja, alle löschen'])('%s', (answer) => {
    const ids = ['job_1', 'job_2', 'job_3', 'job_4', 'job_5'];
    expect(outcome(answer, asked)).toEqual(ids.map((id) => ['cancel_schedule', { id }]));
  });

  test.each(['the sixth', 'water', 'tea', `the one about the ferns ${'and so on '.repeat(4)}`])(
    '%s fits none or several',
    (answer) => expect(outcome(answer, asked)).not.toMatchObject([['cancel_schedule', {}]]),
  );

  test('nothing is cancelled that was not asked about', () => {
    expect(outcome('the first', asked.toReversed())).not.toMatchObject([['cancel_schedule', {}]]);
    expect(outcome('the first', [])).not.toMatchObject([['cancel_schedule', {}]]);
  });
});
