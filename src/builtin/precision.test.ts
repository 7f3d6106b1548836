import { join } from 'node:path';
import { expect, test } from 'vitest';
import { taughtIn } from '../base/examples.ts';
import { rowsOf } from '../testing/rows.ts';
import { isPast } from '../words/past.ts';
import { recognizeIntent } from './recognize.ts';
import { eachOnce } from './slots.ts';

const examples = taughtIn(join(import.meta.dirname, '../tools/builtin'));
const LOOKING = /^(?:query_rag|search_memory|show_\w+|list_\w+|summarise_document)$/u;

/** The calls with an effect that a sentence would lead to, all tools being there. */
function effectsOf(text: string): readonly string[] {
  const now = new Date('2026-11-26T10:00:00Z');
  const intent = recognizeIntent({ text, now, timeZone: 'Europe/Berlin', can: () => true, earlier: [], examples });
  const tools = intent.kind === 'act' ? intent.actions.map(({ tool }) => tool) : [];
  return tools.filter((tool) => !LOOKING.test(tool));
}

/** What asks for nothing: statements, questions, refusals, other languages, hostile text. */
test('nonsense has no effect', () => {
  const nonsense = rowsOf<{ readonly said: string }>(import.meta.dirname, 'nonsense').map(({ said }) => said);
  expect(nonsense.filter((said) => effectsOf(said).length > 0)).toEqual([]);
}, 300_000);

test.each(['never wake me on Saturday at 6', 'weck mich am Samstag nicht um 6', 'do not call Anna tomorrow at 5pm'])(
  '"%s" has none, although it has a time',
  (said) => expect(effectsOf(said)).toEqual([]),
);

test.each([
  ['add milk to my shopping list', 'change_list'],
  ['note that I never eat meat', 'write_note'],
  ['remind me not to be late tomorrow at 9', 'schedule'],
  ["don't forget to call Anna tomorrow at 9", 'schedule'],
  ['call Anna tomorrow at 5pm', 'schedule'],
  ['ich habe die Milch gekauft', 'change_list'],
])('"%s" has one', (said, tool) => expect(effectsOf(said)).toEqual([tool]));

test.each([
  ['the alarm went off', true],
  ['he called me', true],
  ['der Wecker hat geklingelt', true],
  ['wir waren im Kino', true],
  ['feed the cat', false],
  ['I need to call Ben', false],
  ['Anna vom Bahnhof holen', false],
])('"%s" tells what happened: %s', (text, past) => expect(isPast(text)).toBe(past));

test('no type of a gap takes the name of another', () => {
  const type = { read: (words: string) => words };
  expect(Object.keys(eachOnce({ day: type }, { hour: type }))).toEqual(['day', 'hour']);
  expect(() => eachOnce({ day: type }, { day: type })).toThrow('Two types of gaps are called day.');
});
