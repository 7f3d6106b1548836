import { expect, test } from 'vitest';
import { listName, listOf, thingsIn, titleOf } from './things.ts';

test.each([
  ['my shopping list', 'shopping'],
  ['the groceries', 'groceries', 'shopping'],
  ['die Einkaufsliste', 'shopping'],
  ['den Einkaufszettel', 'shopping'],
  ['my to-do list', 'to-do'],
  ['todos', 'to-do'],
  ['Umzugsliste', 'umzug'],
  ['the garden fete list', 'garden fete'],
  ['gift ideas', 'gift ideas'],
  ['my list of films', 'films'],
  ['the list', undefined],
  ['everything from the list', undefined],
  ['my reminders list', undefined],
  ['my books', undefined],
  ['the table', undefined],
])('"%s" is the list %s', (words, ...ids) => {
  expect(listOf(words)).toBe(ids.at(-1));
});

test.each([
  [': Garden', 'garden'],
  ['the move', 'move'],
  ['a list of very many words', undefined],
  ['it', undefined],
])('"%s" names a new list: %s', (words, name) => expect(titleOf(words)).toBe(name));

test('a list is called what its owner calls it', () => {
  expect([listName('shopping', 'de'), listName('gift', 'en'), listName('umzug', 'de')]).toEqual([
    'Einkaufsliste',
    'gift list',
    'Liste „umzug“',
  ]);
});

test.each([
  ['milk, eggs and two loaves of bread', 'shopping', ['milk', 'eggs', 'two loaves of bread']],
  ['Milch und noch Eier', 'shopping', ['Milch', 'Eier']],
  ['"bread and butter" and "jam"', 'shopping', ['bread and butter', 'jam']],
  ['bread and butter" and "jam', 'shopping', ['bread and butter', 'jam']],
  ['War and Peace, Emma', 'reading', ['War and Peace', 'Emma']],
  ['call Ben and Anna, fix the bike', 'to-do', ['call Ben and Anna', 'fix the bike']],
  [': boots, map', 'packing', ['boots', 'map']],
  ['it', 'shopping', []],
  ['what is on it?', 'shopping', []],
  ['rope to my packing list', 'shopping', []],
  ['here', 'shopping', []],
  ['one two three four five six seven eight nine', 'shopping', []],
])('%s, for the list "%s": %j', (words, list, things) => expect(thingsIn(words, list)).toEqual(things));
