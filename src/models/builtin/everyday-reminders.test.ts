import { describe, expect, test } from 'vitest';
import { list, outcome, said } from '../../testing/built-in-outcome.ts';
import type { PriorMessage } from './request.ts';

test.each(['whats on next week', "what's coming up this week?", 'was steht nächste Woche an?'])('%s', (text) =>
  expect(outcome(text)).toMatchObject([
    ['list_schedules', {}],
    ['query_rag', { query: expect.stringContaining('November 2026') }],
  ]),
);

describe('reminders', () => {
  const made: PriorMessage[] = [
    { by: 'person', text: 'remind me tomorrow at 9 to water the orchids' },
    { by: 'assistant', text: 'Scheduled tomorrow at 09:00: water the orchids (job_1m81r1kx65bfnta7).' },
  ];
  test('"cancel it" is the one just made', () => {
    expect(outcome('no, cancel it', made)).toEqual([['cancel_schedule', { id: 'job_1m81r1kx65bfnta7' }]]);
    expect(outcome('cancel it', [...made, ...said('add milk to the list')])).toEqual([['list_schedules', {}]]);
  });
  test('one is moved and cancelled by words', () => {
    const id = 'job_1m81r1kx65bfnta7';
    expect(outcome('can you make that quarter to eleven instead', made)).toEqual([
      ['reschedule', { id, when: 'quarter to eleven' }],
    ]);
    expect(outcome('forget the vet one')).toEqual([['cancel_schedule', { id: 'vet' }]]);
  });
  test('a change is never saved as something new to be reminded of', () => {
    expect(outcome('make the stretch one half past six instead')).toEqual([
      ['reschedule', { id: 'stretch', when: 'half past six' }],
    ]);
    expect(JSON.stringify(outcome('switch everything to half past six instead'))).not.toContain('"schedule"');
  });
  test.each([
    ['It comes on Tuesday 24 November 2026 at 16:30 (UTC).', 'and remind me an hour before that to eat', 24, '15:30'],
    ['Vet on Friday 4 December 2026 at 10:15 until 11:00', 'set a reminder for half an hour before that', 4, '09:45'],
    ['The fair is on 5 December.', 'remind me on that day at 8 to bake', 5, '08:00'],
  ])('"%s", then "%s"', (text, then, day, time) => {
    const earlier: PriorMessage[] = [
      { by: 'person', text: 'when is it?' },
      { by: 'assistant', text },
    ];
    const answer = JSON.stringify([outcome(then, earlier)]);
    const at = new RegExp(`${day}T${time}|${day} (?:November|December) 2026 at ${time}`, 'u');
    expect(answer).toMatch(at);
  });
  test('a time of another zone is not reckoned with', () => {
    const text = 'Call on Friday 4 December 2026 at 10:15 (Asia/Tokyo) until 11:00';
    const earlier: PriorMessage[] = [
      { by: 'person', text: 'when is it?' },
      { by: 'assistant', text },
    ];
    expect(outcome('remind me an hour before that to dress', earlier)).toMatch(/^When should I remind you/u);
  });
  test.each([
    ['remind me tonight at 9 to brush my teeth', '2026-11-22T21:00:00.000Z', 'brush my teeth'],
    ['remind me tomorrow at 9 to pick the pears', '2026-11-23T09:00:00.000Z', 'pick the pears'],
  ])('%s: no slip of the pen', (said, when, text) => {
    expect(outcome(said)).toMatchObject([['schedule', { when, text }]]);
  });
  test.each([
    ['remind me to feed the fish', 'no, leave it', 'All right, I have done nothing.'],
    ['remind me to feed the fish', 'not now, forget it', 'All right, I have done nothing.'],
    ['remind me to feed the fish', 'new list: films', 'What should I put on your films list?'],
    ['remind me to feed the fish', 'can u remind me on friday to iron', expect.stringMatching(/Friday.* iron\?$/u)],
    ['remind me to feed the fish', 'begin a film list', 'What should I put on your film list?'],
    ['remind me to feed the fish', 'when is orchestra?', [['query_rag', { query: 'when is orchestra?' }]]],
    [
      'remind me to feed the fish',
      'how about tomorrow at 5pm?',
      [['schedule', expect.objectContaining({ text: 'feed the fish' })]],
    ],
    ['make a hiking list', 'stick a torch for the cave on it', list({ list: 'hiking', add: ['a torch for the cave'] })],
    ['remind me to feed the fish', 'get soap onto the shopping list', list({ list: 'shopping', add: ['soap'] })],
    ['remind me to feed the fish', 'hang on, first put jam on the list', list({ list: 'shopping', add: ['jam'] })],
    ['we need cat litter', 'yes', list({ list: 'shopping', add: ['cat litter'] })],
    ['I could do with a rest', 'no thanks', 'All right, I have done nothing.'],
    ['remind me tomorrow at 9', 'buy stamps', [['schedule', expect.objectContaining({ text: 'buy stamps' })]]],
    [
      "remind me about the gas bill two days before it's due",
      '4 december at noon',
      [['schedule', expect.objectContaining({ when: '2026-12-04T12:00:00.000Z' })]],
    ],
    ['remind me before the show to iron', 'friday at 9', [['schedule', expect.objectContaining({ text: 'iron' })]]],
  ])('"%s", then "%s"', (first, then, expected) => {
    const earlier = [
      { by: 'person' as const, text: first },
      { by: 'assistant' as const, text: String(outcome(first)) },
    ];
    expect(outcome(then, earlier)).toEqual(expected);
  });
  test.each([
    ['remind me to oil the gate', '9 in the morning', '2026-11-23T09:00:00.000Z', 'oil the gate'],
    ['remind me to oil the gate', 'tomorrow at 10am is fine', '2026-11-23T10:00:00.000Z', 'oil the gate'],
    ['remind me to oil the gate', 'tomorrow at noon works for me', '2026-11-23T12:00:00.000Z', 'oil the gate'],
    ['remind me to oil the gate', '7 tomorrow', '2026-11-23T07:00:00.000Z', 'oil the gate'],
  ])('"%s", then "%s"', (first, then, when, text) => {
    const earlier: PriorMessage[] = [
      { by: 'person', text: first },
      { by: 'assistant', text: String(outcome(first)) },
    ];
    expect(outcome(then, earlier)).toMatchObject([['schedule', { when, text }]]);
    expect(outcome('half 5', earlier)).toMatch(/^When should I remind you to oil the gate\?/u);
  });
  test('what was moved is what "it" means, and "say 5pm" moves it', () => {
    const moved = 'Moved: feed the hens now comes every evening at 21:00, next on Monday 23 November 2026 at 21:00.';
    const earlier: PriorMessage[] = [
      ...made,
      { by: 'person', text: 'move the hens to 9' },
      { by: 'assistant', text: moved },
    ];
    expect(outcome('no, put it back to 8', earlier)).toMatchObject([['reschedule', { id: 'feed the hens' }]]);
    const id = 'job_1m81r1kx65bfnta7';
    expect(outcome('say 5pm', made)).toEqual([['reschedule', { id, when: '5pm' }]]);
    expect(outcome('nah make it 5pm', made)).toEqual([['reschedule', { id, when: '5pm' }]]);
  });
  test('what comes before an event of no known day is no day by itself', () => {
    const first = 'remind me the night before the wedding to iron my shirt';
    expect(outcome(first)).toMatch(/^When should I remind you to iron my shirt\?/u);
    const earlier = [
      { by: 'person' as const, text: first },
      { by: 'assistant' as const, text: String(outcome(first)) },
    ];
    const [[, input]] = outcome('3 december at 8pm', earlier) as [[string, { when: string; text: string }]];
    expect(input).toMatchObject({ when: '2026-12-03T20:00:00.000Z', text: 'iron my shirt' });
  });
  test('a new one is never a move of one that is there', () => {
    expect(JSON.stringify(outcome('set a reminder every Monday at 5pm to plan my days'))).not.toContain('reschedule');
  });
  test('a last word that belongs to the task stays', () => {
    expect(outcome('remind me at 7pm tonight to put the oven on')).toMatchObject([
      ['schedule', { text: 'put the oven on' }],
    ]);
    expect(outcome('remind me to put the oven on at 7pm tonight')).toMatchObject([
      ['schedule', { text: 'put the oven on' }],
    ]);
  });
  test('a new one is not the answer to a question about another', () => {
    const question = outcome('erinnere mich an den Zahnarzt');
    const earlier = [
      { by: 'person' as const, text: 'erinnere mich an den Zahnarzt' },
      { by: 'assistant' as const, text: String(question) },
    ];
    expect(outcome('erinnere mich morgen daran, Blumen zu gießen', earlier)).toBe(
      'Um wie viel Uhr morgen soll ich dich daran erinnern, Blumen zu gießen?',
    );
  });
  test.each([
    ['erinnere mich daran, die Biotonne rauszustellen', /daran erinnern, die Biotonne rauszustellen\?/u],
    ['erinnere mich daran, Anna anzurufen', /daran erinnern, Anna anzurufen\?/u],
    ['erinnere mich daran, Ben zu antworten', /daran erinnern, Ben zu antworten\?/u],
    ['erinnere mich an den Zahnarzt', /an „Zahnarzt“ erinnern\?/u],
  ])('German questions are sentences: %s', (text, question) => expect(outcome(text)).toMatch(question));
  test('a time with two readings is asked for in the language of the request', () => {
    expect(outcome('verschieb das auf Viertel nach sechs', made)).toBe('Wann: 06:15 oder 18:15?');
  });
});

test.each([
  [['- 2026-11-20 09:00 the gate squeaks'], [['delete_note', { about: 'the gate squeaks' }]]],
  [['- 2026-11-20 09:00 tea', '- 2026-11-21 09:00 rice'], 'Which note should I delete?'],
])('"delete that note" is about what was shown: %j', (lines, expected) => {
  const shown: PriorMessage = { by: 'assistant', text: ['Your notes:', ...lines].join('\n') };
  expect(outcome('delete that note', [{ by: 'person', text: 'show my notes' }, shown])).toEqual(expected);
});

const NOTED = 'Noted: bring Tom his ladder';
const QUOTED = 'The meter is read every March. [meter.md, line 3]';

test.each([
  [NOTED, 'remind me of that tomorrow at 8am', 'schedule', { text: 'bring Tom his ladder' }],
  [NOTED, 'and remind me every friday at 9 about it', 'schedule', { text: 'bring Tom his ladder' }],
  [NOTED, 'put that on my garage list', 'change_list', { list: 'garage', add: ['bring Tom his ladder'] }],
  [QUOTED, 'remind me of that on 1 march 2027 at 9', 'schedule', { text: 'The meter is read every March' }],
  [
    'Notiert: Leiter zurückbringen',
    'erinnere mich morgen um 8 Uhr daran',
    'schedule',
    { text: 'Leiter zurückbringen' },
  ],
])('"%s", then "%s"', (text, then, tool, input) => {
  const earlier = [
    { by: 'person' as const, text: 'something' },
    { by: 'assistant' as const, text },
  ];
  expect(outcome(then, earlier)).toEqual([[tool, expect.objectContaining(input)]]);
});
