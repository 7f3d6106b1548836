import { describe, expect, test } from 'vitest';
import { answered, outcome, told } from '../../../testing/built-in-outcome.ts';

const DENTIST = {
  id: 'job_b',
  text: 'Reminder: call the dentist',
  when: 'once at 18:30',
  next: '2026-11-24T18:30:00Z',
};
const FERNS = {
  ...{ id: 'job_a', text: 'Reminder: water the ferns', next: '2026-11-23T09:00:00Z' },
  when: 'every Monday at 9 [0 9 * * 1] (UTC)',
};
const ENDED = { id: 'job_c', text: 'feed the cat', when: 'once', next: 'never' };
const JOBS = [DENTIST, FERNS, ENDED];
const SAID_DENTIST = '- call the dentist: on Tuesday 24 November 2026 at 18:30 (job_b)';
const SAID_FERNS = '- water the ferns: tomorrow at 09:00, every Monday at 9 (job_a)';

describe('what is scheduled', () => {
  test.each([
    ['list my reminders', JOBS, `${SAID_FERNS}\n${SAID_DENTIST}`],
    [
      "show me everything you're going to remind me about",
      [DENTIST, { more: 3 }],
      `${SAID_DENTIST}\nI looked at the first 1 only; there are 3 more: wooster schedule list`,
    ],
    [
      'zeig meine Erinnerungen',
      [DENTIST, { more: 3 }],
      [
        '- call the dentist: übermorgen um 18:30 Uhr (job_b)',
        'Ich habe nur die ersten 1 angesehen; es gibt noch 3: wooster schedule list',
      ].join('\n'),
    ],
    ['list my reminders', [], 'Nothing is scheduled.'],
    ['zeig meine Erinnerungen', [ENDED], 'Es ist nichts geplant.'],
    ['what is my next reminder?', JOBS, SAID_FERNS],
    ['when is my dentist reminder?', JOBS, SAID_DENTIST],
    ['when will you remind me to water the plants?', JOBS, SAID_FERNS],
    ['when will you remind me to call the ferns?', JOBS, `${SAID_FERNS}\n${SAID_DENTIST}`],
    ['when is my boiler reminder?', JOBS, 'Nothing like that is scheduled.'],
    ['wann klingelt mein Wecker?', JOBS, 'Nichts dergleichen ist geplant.'],
    ['when is my boiler reminder?', [], 'Nothing is scheduled.'],
    [
      'when is my boiler reminder?',
      [DENTIST, { more: 2 }],
      'I looked at the first 1 only; there are 2 more: wooster schedule list',
    ],
  ])('%s %j', (text, jobs, said) => {
    expect(outcome(text)).toEqual([['list_schedules', {}]]);
    expect(told(text, jobs)).toBe(said);
  });

  test.each(["what's planned on it?", "what's planned on the christmas list?"])('%s names no day', (text) => {
    expect(outcome(text)).toEqual([['query_rag', { query: text }]]);
  });
});

test.each([
  ['how long until the ferns timer?', `17 hours: ${SAID_FERNS.slice(2)}`],
  ['how long until the cake?', 'Bake it for an hour.'],
  ['how much longer for my call the dentist', `50 hours and 30 minutes: ${SAID_DENTIST.slice(2)}`],
  ['how much longer for my call the cat', 'Bake it for an hour.'],
  ['how long until the reminder?', 'Bake it for an hour.'],
])('%s: a reminder that has all the words, else the documents', (text, said) => {
  expect(outcome(text)).toEqual([
    ['list_schedules', {}],
    ['query_rag', { query: text }],
  ]);
  expect(told(text, JOBS, { answer: 'Bake it for an hour.', passages: [] })).toBe(said);
});

describe('renaming', () => {
  const EN = 'rename the dentist reminder to call Dr Ode';
  const DE = 'benenne die Erinnerung an den Zahnarzt in Dr. Ode anrufen um';

  test('which one, and what to', () => {
    expect(outcome(EN)).toEqual([['rename_schedule', { id: 'dentist', text: 'call Dr Ode' }]]);
    expect(outcome(DE)).toEqual([['rename_schedule', { id: 'Zahnarzt', text: 'Dr. Ode anrufen' }]]);
  });

  test.each([
    ['There is no such job.', 'There is no such job.', 'There is no such job.'],
    [
      { was: 'Reminder: tooth', text: 'Reminder: Dr Ode', next: FERNS.next },
      'Renamed: tooth is now Dr Ode. It comes on Monday 23 November 2026 at 09:00 (UTC).',
      'Umbenannt: tooth heißt jetzt Dr Ode. Das kommt am Montag, 23. November 2026 um 09:00 Uhr (UTC).',
    ],
    [{ was: 'tooth', text: 'Dr Ode' }, 'Renamed: tooth is now Dr Ode.', 'Umbenannt: tooth heißt jetzt Dr Ode.'],
  ])('that answers %j', (value, en, de) => {
    expect(told(EN, value)).toBe(en);
    expect(told(DE, value)).toBe(de);
  });
});

describe('moving', () => {
  test.each([
    ['move the dentist reminder to 3pm', 'dentist', '3pm'],
    ['move the dentist reminder to 3pm instead', 'dentist', '3pm'],
    ['make the dentist one 3pm', 'dentist', '3pm'],
    ['move the dentist to nine', 'dentist', 'at 9'],
    ['verschieb den Zahnarzt auf neun', 'Zahnarzt', 'um 9 Uhr'],
    ['move the dentist to tuesday at the same time', 'dentist', 'tuesday'],
    ['move my alarm to 7am', 'wake up', '7am'],
    ['verschieb den Wecker auf 7 Uhr', 'aufstehen', '7 Uhr'],
    ['move the dentist reminder back by an hour', 'dentist', 'an hour later'],
    ['move the dentist reminder an hour earlier', 'dentist', 'an hour earlier'],
    ['verschieb den Zahnarzt um eine Stunde nach vorne', 'Zahnarzt', 'eine Stunde früher'],
  ])('%s', (text, id, when) => expect(outcome(text)).toEqual([['reschedule', { id, when }]]));

  test.each([
    ['earlier', 'an hour earlier'],
    ['later', 'an hour later'],
  ])('"forward" may mean either, which is asked: %s', (answer, when) => {
    const text = 'move the dentist reminder forward by an hour';
    expect(outcome(text)).toBe('Earlier or later?');
    expect(answered(text, answer)).toEqual([['reschedule', { id: 'dentist', when }]]);
  });

  test('no note is moved', () => {
    expect(outcome('move my note to monday')).toMatch(/^I did not understand that\./u);
  });

  test.each([
    ['There is no such job.', 'There is no such job.', 'There is no such job.'],
    [
      { text: 'Reminder: tooth', next: FERNS.next, description: 'once' },
      'Moved: tooth now comes on Monday 23 November 2026 at 09:00 (UTC).',
      'Verschoben: tooth kommt jetzt am Montag, 23. November 2026 um 09:00 Uhr (UTC).',
    ],
    [
      { id: 'job_b', next: FERNS.next },
      'Moved: job_b now comes on Monday 23 November 2026 at 09:00 (UTC).',
      'Verschoben: job_b kommt jetzt am Montag, 23. November 2026 um 09:00 Uhr (UTC).',
    ],
    [
      { text: 'Reminder: ferns', next: FERNS.next, description: FERNS.when },
      [
        'Moved: ferns now comes every Monday at 9, next on Monday 23 November 2026 at 09:00,',
        'then Monday 30 November 2026 at 09:00, then Monday 7 December 2026 at 09:00 (UTC).',
      ].join(' '),
      [
        'Verschoben: ferns kommt jetzt every Monday at 9, als Nächstes am Montag, 23. November 2026 um 09:00 Uhr,',
        'dann Montag, 30. November 2026 um 09:00 Uhr, dann Montag, 7. Dezember 2026 um 09:00 Uhr (UTC).',
      ].join(' '),
    ],
  ])('that answers %j', (value, en, de) => {
    expect(told('move the dentist reminder to 3pm', value)).toBe(en);
    expect(told('verschieb den Zahnarzt auf 15 Uhr', value)).toBe(de);
  });
});

test.each([
  ['cancel the dentist reminder', 'dentist'],
  ['cancel the 7am alarm', 'wake up'],
  ['lösche den Wecker um 7 Uhr', 'aufstehen'],
  ['cancel everything about the boiler', 'all boiler'],
  ['delete all the gym reminders', 'all gym'],
  ['lösche alle Erinnerungen an den Zahnarzt', 'all Zahnarzt'],
])('%s', (text, id) => expect(outcome(text)).toEqual([['cancel_schedule', { id }]]));

test('what was cancelled is said in the language of the request', () => {
  const text = 'Cancelled "call the dentist" (job_b). It will not come.';
  expect(told('cancel the dentist reminder', text)).toBe(text);
  expect(told('lösche die Erinnerung an den Zahnarzt', text)).toBe('Abgesagt: call the dentist (job_b).');
});
