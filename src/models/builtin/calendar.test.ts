import { expect, test } from 'vitest';
import { recognizeIntent } from './recognize.ts';

/** A Friday. */
const NOW = new Date('2026-11-20T10:25:00Z');

function asked(text: string, tools: readonly string[] = ['calendar_events']) {
  const raw = { text, facts: [], now: NOW, timeZone: 'UTC', can: (tool: string) => tools.includes(tool), earlier: [] };
  const intent = recognizeIntent(raw);
  const [action] = intent.kind === 'act' ? intent.actions : [];
  return {
    tool: action?.tool,
    input: action?.input,
    say: (value: unknown) => action?.say({ ok: true, text: '', value, input: {} }),
  };
}

test.each([
  ["what's on my calendar tomorrow?", '2026-11-21', '2026-11-21'],
  ['show me my calendar', '2026-11-20', '2026-11-20'],
  ['do I have any meetings on Monday?', '2026-11-23', '2026-11-23'],
  ["what's on my calendar this week?", '2026-11-20', '2026-11-26'],
  ['Welche Termine habe ich morgen?', '2026-11-21', '2026-11-21'],
])('%s', (text, from, to) => expect(asked(text)).toMatchObject({ tool: 'calendar_events', input: { from, to } }));

test('events are told by their time, a day without any as such', () => {
  const { say } = asked("what's on my calendar tomorrow?");
  const events = [
    { title: 'Fair', day: '2026-11-21' },
    { title: 'Dentist', start: '2026-11-21 14:00', location: 'Main St' },
  ];
  expect(say({ events })).toBe('2026-11-21:\n- 2026-11-21 Fair\n- 14:00 Dentist (Main St)');
  expect(say({ events: [] })).toBe('There is nothing on 2026-11-21.');
});

test('over several days each is told with its day', () => {
  const events = [{ title: 'Dentist', start: '2026-11-23 14:00' }];
  const english = asked("what's on my calendar this week?");
  expect(english.say({ events })).toBe('2026-11-20 to 2026-11-26:\n- 2026-11-23 14:00 Dentist');
  expect(english.say({ events: 'none' })).toBe('There is nothing on 2026-11-20 to 2026-11-26.');
  const german = asked('Welche Termine habe ich diese Woche?');
  expect(german.say({ events })).toMatch(/^2026-11-\d\d bis 2026-11-\d\d:\n- 2026-11-23 14:00 Dentist$/u);
});

test('without a calendar the question is not for one', () => {
  expect(asked("what's on my calendar tomorrow?", ['list_schedules']).tool).not.toBe('calendar_events');
});
