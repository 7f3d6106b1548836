import { describe, expect, test } from 'vitest';
import { answered, list, outcome, told } from '../../../testing/built-in-outcome.ts';
import type { PriorMessage } from '../request.ts';

/** A list as the tool shows it; what begins with a star is ticked off. */
const holding = (name: string, ...items: readonly string[]) => ({
  list: name,
  items: items.map((item) => ({ text: item.replace('*', ''), done: item.startsWith('*') })),
});

describe('what became of a change', () => {
  test.each([
    [{ list: 'shopping', added: ['tea'] }, 'Added to your shopping list: tea.', 'Auf der Einkaufsliste: tea.'],
    [
      { added: ['tea', 'ham', 'oats'], there: ['rye'] },
      'Added to your shopping list: tea, ham and oats.\nAlready on your shopping list: rye.',
      'Auf der Einkaufsliste: tea, ham und oats.\nSchon auf der Einkaufsliste: rye.',
    ],
    [
      { ticked: ['tea'], removed: ['ham', 'oats'], missing: ['rye'] },
      'Ticked off on your shopping list: tea.\nRemoved from your shopping list: ham and oats.\nNot on your shopping list: rye.',
      'Abgehakt auf der Einkaufsliste: tea.\nVon der Einkaufsliste genommen: ham und oats.\nNicht auf der Einkaufsliste: rye.',
    ],
    [{ list: 'gift', added: ['tea'] }, 'Added to your gift list: tea.', 'Auf der Liste „gift“: tea.'],
    [{ list: 'shopping' }, 'Your shopping list is empty.', 'Die Einkaufsliste ist leer.'],
    ['The list is full.', 'The list is full.', 'The list is full.'],
  ])('%j', (value, en, de) => {
    expect(told('add tea to my shopping list', value)).toBe(en);
    expect(told('setz Tee auf die Einkaufsliste', value)).toBe(de);
  });
});

test.each([
  [[holding('shopping', 'tea')], '1 thing is open on your shopping list.', 'Auf der Einkaufsliste: 1 offen.'],
  [
    [holding('shopping', 'tea', 'ham', '*rye')],
    '2 things are open on your shopping list, and 1 ticked off.',
    'Auf der Einkaufsliste: 2 offen, dazu 1 abgehakt.',
  ],
  [[], '0 things are open on your shopping list.', 'Auf der Einkaufsliste: 0 offen.'],
])('how many are on %j', (value, en, de) => {
  expect(told('how many things are on my shopping list?', value)).toBe(en);
  expect(told('wie viele Sachen stehen auf der Einkaufsliste?', value)).toBe(de);
});

test.each([
  [
    [holding('shopping', 'green Tea')],
    'Yes, tea is on your shopping list.',
    'Nein, Tee steht nicht auf der Einkaufsliste.',
  ],
  [
    [holding('shopping', '*Tea', 'Tee')],
    'tea is ticked off on your shopping list.',
    'Ja, Tee steht auf der Einkaufsliste.',
  ],
  [[holding('shopping', '*Tee')], 'No, tea is not on your shopping list.', 'Tee ist auf der Einkaufsliste abgehakt.'],
])('whether it is on %j', (value, en, de) => {
  expect(told('is tea on my shopping list?', value)).toBe(en);
  expect(told('steht Tee auf der Einkaufsliste?', value)).toBe(de);
});

describe('what is to be bought', () => {
  const LISTS = [holding('shopping', 'Milk', '*tea'), holding('bakery', 'bread', '*rolls')];

  test('the list is read, and the notes in either language', () => {
    const notes = [
      ['list_notes', { query: 'buy' }],
      ['list_notes', { query: 'kaufen' }],
    ];
    expect(outcome('what do I need to buy?')).toEqual([['show_lists', { list: 'shopping' }], ...notes]);
    expect(outcome('what do I need to buy at the bakery?')).toEqual([['show_lists', {}], ...notes]);
  });

  test('notes that say no more than a thing to buy count, unless they are on the list', () => {
    const english = ['buy milk and eggs', 'to buy: oats.', `buy ${'x'.repeat(81)}`, 'buy', 'call Ben'];
    const notes = [[...english.map((text) => ({ text })), 'buy nothing'], [{ text: ' Hafer  kaufen! ' }]];
    expect(told('what do I need to buy?', LISTS, ...notes)).toBe(
      'Your shopping list:\n- Milk\n- eggs\n- oats\n- Hafer\nTicked off: tea',
    );
  });

  test.each([
    ['what do I need to buy at the bakery?', LISTS, 'Your bakery list:\n- bread\nTicked off: rolls'],
    ['what do I need to buy at the chemist?', LISTS, 'Your shopping list:\n- Milk\n- soap\nTicked off: tea'],
    ['was muss ich noch kaufen?', LISTS, 'Deine Einkaufsliste:\n- Milk\n- soap\nAbgehakt: tea'],
  ])('%s', (text, lists, said) => expect(told(text, lists, [{ text: 'buy soap' }], 'none')).toBe(said));
});

test.each([
  ['show my packing list', [holding('packing')], 'Your packing list is empty.'],
  ['show my packing list', [holding('packing', '*socks')], 'Nothing is left on your packing list.\nTicked off: socks'],
  [
    'zeig meine Packliste',
    [holding('packing', '*Schal', '*Hut')],
    'Auf der Packliste ist nichts mehr offen.\nAbgehakt: Schal, Hut',
  ],
  ['show my gift list', [holding('gifts', 'scarf')], 'Your gift list:\n- scarf'],
  ['zeig meine Umzugsliste', [holding('umzug', 'Kisten')], 'Liste „umzug“:\n- Kisten'],
  ['what lists do I have?', [], 'You have no lists yet.'],
  ['welche Listen habe ich?', 'none', 'Es gibt noch keine Listen.'],
  [
    'what lists do I have?',
    [holding('shopping', 'milk', '*tea'), holding('gift')],
    'Your lists:\n- shopping list (1 open)\n- gift list (0 open)',
  ],
  [
    'welche Listen habe ich?',
    [holding('shopping', 'milk', '*tea'), holding('gift')],
    'Deine Listen:\n- Einkaufsliste (1 offen)\n- Liste „gift“ (0 offen)',
  ],
])('%s showing %j', (text, value, said) => expect(told(text, value)).toBe(said));

test.each([
  [
    'make a packing list',
    'What should I put on your packing list?',
    'passport and charger',
    ['passport', 'charger'],
    'packing',
  ],
  ['make a packing list', 'What should I put on your packing list?', 'put a scarf on it', ['a scarf'], 'packing'],
  ['mach eine Einkaufsliste', 'Was soll auf die Einkaufsliste?', 'Milch', ['Milch'], 'shopping'],
  ['mach eine Umzugsliste', 'Was soll auf die Liste „umzug“?', 'Kisten', ['Kisten'], 'umzug'],
])('%s: %s %s', (text, question, answer, add, name) => {
  expect(outcome(text)).toBe(question);
  expect(answered(text, answer)).toEqual(list({ list: name, add }));
});

test.each([
  ['make a packing list with passport and charger', { list: 'packing', add: ['passport', 'charger'] }],
  ['make a packing list for the forest: boots and hat', { list: 'packing', add: ['boots', 'hat'] }],
  ['add "bread and butter" and "jam" to my shopping list', { list: 'shopping', add: ['bread and butter', 'jam'] }],
  ['add War and Peace, Emma to my reading list', { list: 'reading', add: ['War and Peace', 'Emma'] }],
  ['swap milk for tea on my gift list', { list: 'gift', remove: ['milk'], add: ['tea'] }],
  ['clear my shopping list', { list: 'shopping', clear: true }],
  ['tick off milk', { tick: ['milk'] }],
  ['tick off milk on my shopping list', { list: 'shopping', tick: ['milk'] }],
])('%s', (text, input) => expect(outcome(text)).toEqual(list(input)));

describe('after a change of a list, "it" is that list', () => {
  const after = (name: string): readonly PriorMessage[] => [
    { by: 'person', text: `add socks to my ${name} list` },
    { by: 'assistant', text: `Added to your ${name} list: socks.` },
  ];

  test.each(['to-do', 'packing'])('%s', (name) => {
    expect(outcome("what's left on it?", after(name))).toEqual([['show_lists', { list: name }]]);
    expect(outcome('and how many things are on it?', after(name))).toEqual([['show_lists', { list: name }]]);
    expect(outcome('also cheddar', after(name))).toEqual(list({ list: name, add: ['cheddar'] }));
    expect(outcome('take socks off it', after(name))).toEqual(list({ list: name, remove: ['socks'] }));
    expect(outcome('swap the socks for tea', after(name))).toEqual(
      list({ list: name, remove: ['socks'], add: ['tea'] }),
    );
  });

  test('what is left to buy is looked up in the notes as well', () => {
    expect(outcome("what's left on it?", after('shopping'))).toHaveLength(3);
  });

  test.each(['do we need to bring towels?', 'is the boat watertight?'])('%s asks the documents', (text) => {
    expect(outcome(text, after('packing'))).toEqual([['query_rag', { query: text }]]);
  });
});
