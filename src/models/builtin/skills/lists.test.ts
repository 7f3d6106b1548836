import { describe, expect, test } from 'vitest';
import { answered, intent, list, outcome, told } from '../../../testing/built-in-outcome.ts';
import { recognizeIntent } from '../recognize.ts';
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

  test.each([
    ['buy soap', ['soap']],
    ['We need to buy: soap and tape!', ['soap', 'tape']],
    ['I need to get soap', ['soap']],
    ['kauf Seife', ['Seife']],
    ['kaufe Seife', ['Seife']],
    ['besorge Seife', ['Seife']],
    ['besorgen: Seife', ['Seife']],
    ['Seife einkaufen', ['Seife']],
    ['Seife besorgen!', ['Seife']],
    ['Seife   kaufen.', ['Seife']],
    ['buy\nsoap', []],
    ['do not buy soap', []],
    ['Seife kaufen oder leihen', []],
    ['Zettel:\nSeife kaufen', []],
    [`buy ${'x'.repeat(80)}`, ['x'.repeat(80)]],
    ['buy MILK', []],
  ])('a note "%s" is about %j', (text, items) => {
    const lines = ['Milk', 'ham', ...items].map((item) => `\n- ${item}`).join('');
    expect(told('what do I need to buy?', [holding('shopping', 'Milk', 'ham')], [{ text }], [])).toBe(
      `Your shopping list:${lines}`,
    );
  });

  test('without notes the list alone is read', () => {
    const found = recognizeIntent({
      ...{ text: 'what do I need to buy?', now: new Date(), timeZone: 'UTC', earlier: [] },
      can: (tool) => tool !== 'list_notes',
    });
    expect(found).toMatchObject({ kind: 'act', actions: [{ tool: 'show_lists', input: { list: 'shopping' } }] });
    if (found.kind !== 'act') throw new Error('no call');
    expect(
      found.actions.map(({ say }) => say({ ok: true, text: '', value: [holding('shopping', 'Milk')], input: {} })),
    ).toEqual(['Your shopping list:\n- Milk']);
  });

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
    ['what should I buy at a bakery?', LISTS, 'Your bakery list:\n- bread\nTicked off: rolls'],
    ['was brauchen wir vom Bäcker?', [holding('bäcker', 'Brot')], 'Liste „bäcker“:\n- Brot'],
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
  ['zeig meine Packliste', [], 'Die Packliste ist leer.'],
  ['what do I still have to do?', [holding('to-do', 'call Ben')], 'Your to-do list:\n- call Ben'],
  ['was muss ich noch einpacken?', [holding('packing', 'Hut')], 'Deine Packliste:\n- Hut'],
  ['show my gift list', [holding('gifts', 'scarf')], 'Your gift list:\n- scarf'],
  ['show my gift list', [holding('gift', 'hat'), holding('gifts', 'scarf')], 'Your gift list:\n- hat'],
  ['show my gift list', [holding('gifts', 'scarf'), holding('gifts of Ann', 'hat')], 'Your gift list is empty.'],
  ['show my gift list', [holding('christmas gift', 'scarf')], 'Your gift list:\n- scarf'],
  [
    'show my beach house list',
    [holding('house', 'mop'), holding('house beach', 'sand')],
    'Your beach house list:\n- sand',
  ],
  ['show my toy list', [holding('stoys', 'car')], 'Your toy list is empty.'],
  ['show my toys list', [holding('toy', 'car')], 'Your toys list:\n- car'],
  ['show my gift list', [{ list: 'gift', items: 'none' }], 'Your gift list is empty.'],
  ['show my gift list', ['none', holding('gift', 'hat')], 'Your gift list:\n- hat'],
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
  ['make a packing list for the beach', 'What should I put on your packing list?', 'towel', ['towel'], 'packing'],
  ['leg eine Packliste für den Urlaub an', 'Was soll auf die Packliste?', 'Hut', ['Hut'], 'packing'],
  ['leg eine Liste mit Geschenken an', 'Was soll auf die Liste „geschenke“?', 'Schal', ['Schal'], 'geschenke'],
  [
    'create a list called one two three',
    'What should I put on your one two three list?',
    'tea',
    ['tea'],
    'one two three',
  ],
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
  ['make a packing list for the beach with towel and hat', { list: 'packing', add: ['towel', 'hat'] }],
  ['make a packing list for Rome, towel, hat', { list: 'packing', add: ['towel', 'hat'] }],
  ['make a packing list: hat', { list: 'packing', add: ['hat'] }],
  ['make a packing list hat, towel', { list: 'packing', add: ['hat', 'towel'] }],
  ['mach eine Packliste für den Urlaub mit Hut und Schal', { list: 'packing', add: ['Hut', 'Schal'] }],
  ['mach eine Einkaufsliste für die Party: Milch, Brot', { list: 'shopping', add: ['Milch', 'Brot'] }],
  ['leg eine Packliste an mit Hut', { list: 'packing', add: ['Hut'] }],
  ['todo: call Ben,fix bike; and sweep the yard', { list: 'to-do', add: ['call Ben', 'fix bike', 'sweep the yard'] }],
  ['todo: one two three four five, six', { list: 'to-do', add: ['one two three four five', 'six'] }],
  ['todo: one two three four five six, seven', { list: 'to-do', add: ['one two three four five six, seven'] }],
  ['todo: call Ben,, fix bike', { list: 'to-do', add: ['call Ben,, fix bike'] }],
  ['add call Ben, and fix bike to my todos', { list: 'to-do', add: ['call Ben', 'fix bike'] }],
  ['aufgabe: Ben anrufen, Rad reparieren', { list: 'to-do', add: ['Ben anrufen', 'Rad reparieren'] }],
  ['add tea,rye;ham to my shopping list', { list: 'shopping', add: ['tea', 'rye', 'ham'] }],
  ['oh,  add " brown  bread " to my shopping list too', { list: 'shopping', add: ['brown bread'] }],
  [
    'buy one two three four five six seven eight',
    { list: 'shopping', add: ['one two three four five six seven eight'] },
  ],
  ['swap milk and tea for ham on my gift list', { list: 'gift', remove: ['milk', 'tea'], add: ['ham'] }],
  ['tick off milk', { tick: ['milk'] }],
  ['tick off milk on my shopping list', { list: 'shopping', tick: ['milk'] }],
])('%s', (text, input) => expect(outcome(text)).toEqual(list(input)));

test.each([
  ['buy one two three four five six seven eight nine'],
  ['swap it for milk on my gift list'],
  ['swap milk for it on my gift list'],
  ['swap milk for tea'],
  ['create a list called one two three four'],
  ['tick off milk tomorrow'],
  ['show my tool list'],
])('%s: no list is meant, or no thing', (text) => expect(intent(text)).toMatchObject({ kind: 'say' }));

describe('what is to be bought at a time is a reminder', () => {
  test.each([
    ['buy milk tomorrow at 5', '2026-11-23T17:00:00.000Z', 'buy milk'],
    ['buy milk every day', 'every day', 'buy milk'],
    ['swap tea for rye tomorrow at 5', '2026-11-23T17:00:00.000Z', 'swap tea for rye'],
  ])('%s', (text, when, task) => {
    expect(outcome(text)).toEqual([['schedule', { when, text: task, as: 'reminder' }]]);
  });

  test.each([
    ['buy milk on friday', 'At what time on Friday 27 November 2026 should I remind you to buy milk?', 'buy milk'],
    [
      'am Freitag Milch kaufen',
      'Um wie viel Uhr am Freitag, 27. November 2026 soll ich dich daran erinnern, Milch zu kaufen?',
      'Milch kaufen',
    ],
  ])('%s: the hour is asked for', (text, question, task) => {
    expect(outcome(text)).toBe(question);
    const when = '2026-11-27T17:00:00.000Z';
    expect(answered(text, '17:00')).toEqual([['schedule', { when, text: task, as: 'reminder' }]]);
  });
});

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

  test('a task puts the to-do list at hand', () => {
    const tasks: readonly PriorMessage[] = [
      { by: 'person', text: 'add call Ben to my todos' },
      { by: 'assistant', text: 'Added to your to-do list: call Ben.' },
    ];
    expect(outcome("what's left on it?", tasks)).toEqual([['show_lists', { list: 'to-do' }]]);
    expect(outcome('also call Anna', tasks)).toEqual(list({ list: 'to-do', add: ['call Anna'] }));
    expect(outcome('swap call Ben for call Anna', tasks)).toEqual(
      list({ list: 'to-do', remove: ['call Ben'], add: ['call Anna'] }),
    );
  });

  test('another list that is named counts more', () => {
    expect(outcome('also add rope to my packing list', after('gift'))).toEqual(
      list({ list: 'packing', add: ['rope'] }),
    );
    expect(outcome('take rope off my packing list', after('gift'))).toEqual(
      list({ list: 'packing', remove: ['rope'] }),
    );
  });

  test('what is left to buy is looked up in the notes as well', () => {
    expect(outcome("what's left on it?", after('shopping'))).toHaveLength(3);
  });

  test.each(['do we need to bring towels?', 'is the boat watertight?'])('%s asks the documents', (text) => {
    expect(outcome(text, after('packing'))).toEqual([['query_rag', { query: text }]]);
  });
});
