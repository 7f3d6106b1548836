import { expect, test } from 'vitest';
import { list, outcome } from '../../../testing/built-in-outcome.ts';
import type { PriorMessage } from '../request.ts';

const after = (text: string): readonly PriorMessage[] => [
  { by: 'person', text: 'please' },
  { by: 'assistant', text },
];
const NOTED = 'Noted: buy oat milk';
const QUOTED = 'The bins go out on Friday. [a.md, line 1]';
const TOMORROW = '2026-11-23T09:00:00.000Z';

test.each([
  ['remind me of that tomorrow at 9', NOTED, TOMORROW, 'buy oat milk'],
  ['and remind me tomorrow at 9 about it', NOTED, TOMORROW, 'buy oat milk'],
  ['remind me of this tomorrow at 9', 'Noted: call Ben!', TOMORROW, 'call Ben'],
  ['remind me of that every day at 9', NOTED, 'every day at 9', 'buy oat milk'],
  ['remind me of that tomorrow at 9', QUOTED, TOMORROW, 'The bins go out on Friday'],
  ['erinner mich morgen um 9 daran', 'Notiert: Hafermilch kaufen', TOMORROW, 'Hafermilch kaufen'],
  ['erinnere mich daran jeden Tag um 9', 'Notiert: Hafermilch kaufen', 'jeden Tag um 9', 'Hafermilch kaufen'],
])('%s, after "%s"', (text, before, when, task) => {
  expect(outcome(text, after(before))).toEqual([['schedule', { when, text: task, as: 'reminder' }]]);
});

test.each([
  [
    'remind me of that',
    NOTED,
    'When should I remind you to buy oat milk? For example "tomorrow at 9" or "in 20 minutes".',
  ],
  [
    'remind me of that on Friday',
    NOTED,
    'At what time on Friday 27 November 2026 should I remind you to buy oat milk?',
  ],
  [
    'erinner mich daran',
    'Notiert: Hafermilch kaufen',
    'Wann soll ich dich daran erinnern, Hafermilch zu kaufen? Zum Beispiel „morgen um 9“ oder „in 20 Minuten“.',
  ],
  ['remind me of that', QUOTED, 'What should I remind you of, and when?'],
])('%s: the time is asked, and not taken from "%s"', (text, before, question) => {
  expect(outcome(text, after(before))).toBe(question);
});

test.each([
  ['put that on my to-do list', NOTED, 'to-do', 'buy oat milk'],
  ['put it on my todos', NOTED, 'to-do', 'buy oat milk'],
  ['now add it to the shopping list', NOTED, 'shopping', 'buy oat milk'],
  ['add that to my list', NOTED, 'shopping', 'buy oat milk'],
  ['put that on the christmas gift list', 'Noted: tea, a scarf', 'christmas gift', 'tea, a scarf'],
  ['put that on my to-do list', QUOTED, 'to-do', 'The bins go out on Friday'],
  ['setz das auf die Einkaufsliste', 'Notiert: Hafermilch', 'shopping', 'Hafermilch'],
  ['tu es noch auf die Umzugsliste', 'Notiert: Kisten', 'umzug', 'Kisten'],
])('%s, after "%s": one line of it', (text, before, name, item) => {
  expect(outcome(text, after(before))).toEqual(list({ list: name, add: [item] }));
});

test.each([
  ['put that on the tool list', NOTED],
  ['put that on my shelf', NOTED],
  ['put that on my to-do list', 'Your notes:\n- buy oat milk [a.md]'],
])('%s, after "%s": no list of ours, or no one text', (text, before) => {
  expect(outcome(text, after(before))).not.toMatchObject(list({}));
});

test('only what was said last is meant', () => {
  expect(outcome('remind me of that tomorrow at 9', [])).toBe('What should I remind you of tomorrow at 09:00?');
  expect(outcome('remind me of that tomorrow at 9', after(NOTED).toReversed())).toBe(
    'What should I remind you of tomorrow at 09:00?',
  );
});
