import { describe, expect, test } from 'vitest';
import { intent, list, outcome, said } from '../../testing/built-in-outcome.ts';
import type { PriorMessage } from './request.ts';

const onList = 'put eggs on the shopping list';

test.each([
  'Muss ich den Balkon streichen?',
  'Soll man die Fenster wieder streichen?',
  'Wann darf ich die Diele streichen?',
  'Bis wann kann ich die Fähre absagen?',
])('"%s" asks, and takes nothing off a list', (text) => expect(outcome(text)).toMatchObject([['query_rag', {}]]));

describe('a list that the request does not name is the one just talked about', () => {
  const shopping = ['put eggs on the shopping list', 'setz Mehl auf die Einkaufsliste', 'was muss ich noch kaufen?'];
  test.each([
    ['also cheddar', shopping[0], { list: 'shopping', add: ['cheddar'] }],
    ['and socks', 'start a packing list with a passport', { list: 'packing', add: ['socks'] }],
    ['add a scarf to it', 'make a list called presents: a jigsaw', { list: 'presents', add: ['a scarf'] }],
    ['take sunscreen off it', 'start a packing list with sunscreen', { list: 'packing', remove: ['sunscreen'] }],
    ["I've painted the fence", 'what do I have to do?', { list: 'to-do', tick: ['painted the fence'] }],
    ['Mehl habe ich schon', shopping[1], { list: 'shopping', tick: ['Mehl'] }],
    ['oh and toothpaste too', 'can you put eggs on my shopping list pls', { list: 'shopping', add: ['toothpaste'] }],
    ['scrap the eggs, found some in the cupboard', shopping[0], { list: 'shopping', remove: ['eggs'] }],
    ['Pinsel streichen', shopping[2], { tick: ['Pinsel'] }],
  ])('"%s"', (text, before = '', input) => expect(outcome(text, said(before))).toEqual(list(input)));

  test.each([
    ['what have i got on there so far?', 'put eggs on the garden list', 'garden'],
    ['whats left on it', 'start a packing list for Lisbon: passport', 'packing'],
    ['what else do I still need to pack?', 'hello', 'packing'],
    ['was steht drauf?', 'neue Liste Garten: Erde', 'garten'],
  ])('"%s" shows it', (text, before, name) =>
    expect(outcome(text, said(before))).toEqual([['show_lists', { list: name }]]),
  );

  test('with nothing but such requests between', () => {
    expect(outcome('also milk', said('put eggs on the garden list', 'also bread'))).toEqual(
      list({ list: 'garden', add: ['milk'] }),
    );
    expect(intent('also milk', said('put eggs on the garden list', 'what time is it?')).kind).toBe('say');
    expect(outcome('and what time is it?', said('put eggs on the garden list'))).toMatch(/^It is 16:00/u);
  });

  test.each([
    ['make a to-do list: paint the fence, fix the gate', { list: 'to-do', add: ['paint the fence', 'fix the gate'] }],
    ['start a packing list for Lisbon: passport, sun cream', { list: 'packing', add: ['passport', 'sun cream'] }],
    ['I need to get nappies, wipes and calpol', { list: 'shopping', add: ['nappies', 'wipes', 'calpol'] }],
    ['we need oat milk, onions and foil', { list: 'shopping', add: ['oat milk', 'onions', 'foil'] }],
    ['bung candles on the shopping list', { list: 'shopping', add: ['candles'] }],
    ['neue Liste Garten: Erde, Töpfe', { list: 'garten', add: ['Erde', 'Töpfe'] }],
    ['create a list called presents with: slippers, jam', { list: 'presents', add: ['slippers', 'jam'] }],
  ])('"%s" begins one', (text, input) => expect(outcome(text)).toEqual(list(input)));
});

test.each([
  ['if I was born on 17 august 1984, how old am I?', '42 years, born on Friday 17 August 1984.'],
  ['how old will someone born on 2 february 1999 be on 1 january 2030?', '30 years on Tuesday 1 January 2030.'],
  ['wenn ich am 30.11.1990 geboren bin, wie alt bin ich?', '35 Jahre, geboren am Freitag, 30. November 1990.'],
  ['how many working days are there between 1 and 18 december 2026?', /both counted, it is 14 working days/u],
  [
    'wie viele Arbeitstage sind zwischen dem 1. und dem 18. Dezember 2026?',
    /beide mitgezählt, sind es 14 Arbeitstage/u,
  ],
  ['how many days from march 3 to 17?', /it is 14 days/u],
  ['how many days between 3 March and 10 May 2027', /it is 68 days/u],
  ['how many days are left this year?', /39 days until Thursday 31 December 2026/u],
  ['wie viele Tage hat das Jahr noch?', /39 Tage/u],
  ['how many weekdays are there in december 2026?', /23 working days/u],
  ['is 25 december a friday this year?', 'Yes, that is Friday 25 December 2026.'],
  ["what's the time difference between London and New York?", 'London is 5 hours ahead of New York now.'],
  ["what time is it in Sydney when it's 9am in London?", /^In Sydney it is 20:00/u],
  ['third Thursday in January 2027', 'That is Thursday 21 January 2027.'],
  ['dritter Donnerstag im Januar 2027', 'Das ist Donnerstag, 21. Januar 2027.'],
  ['easter 2027', 'That is Sunday 28 March 2027.'],
  ['my nephew was born on 8 May 2019, how old is he?', /^7 years/u],
])('dates: %s', (text, answer) => expect(outcome(text)).toEqual(expect.stringMatching(answer)));

test.each([
  ['split 84.60 between 4 people with a 12.5% tip', /^23\.79 each: 95\.18/u],
  ['a jacket is 129 with 30% off, what do I pay?', /^90\.30 /u],
  ['eine Jacke kostet 129 Euro mit 30 % Rabatt, was zahle ich?', /^90,30 /u],
  ["what's 15% tip on 84.60 split by three?", /^32\.43 each: 97\.29/u],
  ['split 90 by 4 with a 10% tip', /^24\.75 each: 99 /u],
  ['the bill is £62.40, add a 15% tip', /^£71\.76 /u],
  ['dinner was 120 dollars, 20% tip, three of us, how much each?', /^48 each: 144 /u],
  ['what do I pay for 200 with 10% off and 20% vat?', /^216 /u],
  ['prices went from 80 to 92, how many percent is that?', /^\+15% from 80/u],
  ['40 off 260 is how many percent?', '40 is 15.38% of 260.'],
  ['12 monthly payments of 37.99, what is the total?', /^455\.88 /u],
  ['if 5 tickets cost 67.50, what do 8 cost?', /^108, /u],
  ['if 3 apples cost 2 euros, what do 6 apples cost?', /^4 euros, /u],
  ['if 3 apples cost 2 euros, what do 6 of them cost?', /^4 euros, /u],
  ['wenn 5 Karten 67,50 Euro kosten, was kosten 8?', /^108 Euro/u],
  ['I earn 34,500 a year, how much is that a month?', /^2875 a month/u],
  ['70 euros a week, how much is that a day?', /^10 euros a day/u],
  ["what time is it in Tokyo when it's 9 in London?", /^In Tokyo it is 18:00 on Sunday 22/u],
  ["when it's 12:30 in London, what time is it in Tokyo?", /^In Tokyo it is 21:30 on Sunday 22/u],
  ["what's 3/8 of 56?", '3/8 of 56 = 21'],
  ['how many millilitres are in 2 and a half cups?', /= 591\.\d+ millilitres$/u],
  ['how many miles is a 10k run?', /6\.21\d+ miles$/u],
  ['whats 18% of 245', '18% of 245 = 44.1'],
  ["what's 15 percent of 68 quid", /= 10\.2$/u],
  ["a ticket went up from 34 to 37.40, what's that in percent?", /^\+10% from 34 to 37\.4/u],
  ['£450 a week is how much a year?', /^£23400 a year/u],
  ["I earn 2,850 a month, what's that a year", /^34200 a year/u],
  ['if petrol is 1.46 a litre how much is 38 litres', /^55\.48 \(38 × 1\.46\)\.$/u],
  ['apples are 2 euros a kilo, what do 3 kilos cost?', /^6 euros \(3 × 2 euros\)\.$/u],
  ['price without 20% VAT if it is 279.60 with', /^233 /u],
  ["279.60 including 20% VAT, what's that without?", /^233 /u],
  ["I'm 5 foot 8, what's that in cm", '5 foot 8 = 172.72 cm'],
  ['11 stone 4 in kg', /^11 stone 4 = 71\.66/u],
  ['the baby weighs 7 lb 4 oz, what is that in kg?', /= 3\.2885\d+ kg$/u],
  ["what's 60 mph in kilometers an hour", /= 96\.56\d+ kilometers an hour$/u],
  ['wie viele Gramm sind zweieinhalb Pfund?', /1250 Gramm/u],
])('sums: %s', (text, answer) => expect(outcome(text)).toEqual(expect.stringMatching(answer)));

test.each([
  ['does the 10% discount on groceries over 50 apply?'],
  ['is the 15% tip included in the 40 euro bill?'],
  ['what is 20% of the deposit of 1130?'],
  ['if 3 apples cost 2 euros what do 5 pears cost?'],
])('%s: what has words of its own is for the documents', (text) =>
  expect(outcome(text)).toMatchObject([['query_rag', {}]]),
);

test.each([
  ['720 a month divided by 4', /= 180$/u],
  ['38 a day for 3 days plus 15', /= 129$/u],
  ['what is 6 plates at 3.50 plus 2 bowls at 5?', /= 31$/u],
  ['four plates at 3.50 and 2 bowls at 5, how much is that?', /= 24$/u],
  ['how much is 12 a month over three years', /^432 /u],
  ['if we repay 150 a month how much is that in 2 years', /^3600 /u],
  ["that's all for today, thanks", /^You are welcome\.$/u],
  ['if I put away 60 a fortnight what do I have by the end of a year', /^1560 /u],
  ['1,300 a fortnight is how much a year', /^33800 a year/u],
])('rates in a sum: %s', (text, answer) => expect(outcome(text)).toEqual(expect.stringMatching(answer)));
test('rates of two kinds are not added up', () => {
  expect(outcome('90 a week plus 200 a month')).not.toMatch(/290/u);
});

test.each([
  ['if I set off at 10:20 and the walk takes 2 and a half hours when do I get there', '12:50'],
  ['what time is 6 hours before 5am?', '23:00 the day before'],
  ['the concert starts at 19:45 and lasts 100 minutes, when does it end?', '21:25'],
  ['the ferry goes at 7:30 and I need 40 minutes to the pier, when do I have to leave?', '06:50'],
  ["what's an hour and a half after noon", '13:30'],
  ['if I put the roast in at 20 to 5 for 2 hours when is it done', '06:40'],
  ['the bus got in at 12:10 and takes 1h 25, when did it leave', '10:45'],
  ['I begin at 9pm and work 8 hours, when am I done?', '05:00 the next day'],
])('a time of day and a length: %s', (text, time) => expect(outcome(text)).toContain(`is ${time}.`));
test.each([
  'what time does the pool open for 2 hours on Sunday?',
  'when is the 9:15 train?',
  'what is due at 8 in 2 weeks',
])('%s is no sum', (text) => expect(String(JSON.stringify(outcome(text)))).not.toMatch(/plus|minus/u));

test('a thing is on a list with its article or without', () => {
  const asked = intent('is the torch on the fete list?');
  const items = [{ text: 'torch', done: false }];
  const result = { ok: true, text: '', value: [{ list: 'fete', items }], input: {} };
  const answer = asked.kind === 'act' ? asked.actions.map((action) => action.say(result)) : [];
  expect(answer).toEqual(['Yes, torch is on your fete list.']);
});

describe('what a sentence says besides', () => {
  test.each([
    ['strike the ham off, dad brought some', onList, { tick: ['ham'] }],
    ['pop the candles on it as well', onList, { list: 'shopping', add: ['candles'] }],
    ['how about a cake as well', onList, { list: 'shopping', add: ['a cake'] }],
    ["I'm out of luck, put two leeks on as well", onList, { list: 'shopping', add: ['two leeks'] }],
    ['ok add a jar of honey', 'is there rice on my shopping list?', { list: 'shopping', add: ['a jar of honey'] }],
    ['groceries: flour, yeast', 'hello', { list: 'shopping', add: ['flour', 'yeast'] }],
    ['put a lamp on the garden fete list too', 'hello', { list: 'garden fete', add: ['a lamp'] }],
    ['start a list for the garden fete: bunting, jugs', 'hello', { list: 'garden fete', add: ['bunting', 'jugs'] }],
  ])('"%s"', (text, before, input) => expect(outcome(text, said(before))).toMatchObject(list(input)));

  test('"that one" is the note that was shown, never a reminder', () => {
    const before = (text: string): PriorMessage[] => [
      { by: 'person', text: 'hello' },
      { by: 'assistant', text },
    ];
    const gone = [['delete_note', { about: 'tea' }]];
    expect(outcome('you can delete that one', before('Your notes:\n- 2026-11-20 09:00 tea'))).toEqual(gone);
    expect(outcome('delete that one', before('It is 16:00.'))).toMatchObject([['list_schedules', {}]]);
    expect(outcome('and one that the gate squeaks', before('Noted: tea'))).toEqual([
      ['write_note', { text: 'the gate squeaks' }],
    ]);
    expect(outcome('find the one about tea', before('Noted: tea'))).toEqual([['list_notes', { query: 'tea' }]]);
  });
  test.each([
    ['ring the bank on Thursday at 10 remind me', 'schedule', { text: 'ring the bank' }],
    ["the piano reminder isn't needed any more", 'cancel_schedule', { id: 'piano' }],
    ['show me all that you are going to remind me of', 'list_schedules', {}],
    ['what reminders did I make?', 'list_schedules', {}],
    ['when am I meant to ring Bo?', 'list_schedules', {}],
    ['what have you got down for me', 'list_schedules', {}],
    ['are there any notes left?', 'list_notes', {}],
    ['put plasters on a list for the chemist', 'change_list', { list: 'chemist', add: ['plasters'] }],
    ['start a shopping list please: leeks, rice', 'change_list', { list: 'shopping', add: ['leeks', 'rice'] }],
    ['what still needs packing?', 'show_lists', { list: 'packing' }],
    ['another note: the hens are vegetarian', 'write_note', { text: 'the hens are vegetarian' }],
    ['start a packing list for the fells: boots, map', 'change_list', { list: 'packing', add: ['boots', 'map'] }],
    ["oh and I'm out of tea", 'change_list', { add: ['tea'] }],
    ['no need for leeks, Jo has some', 'change_list', { remove: ['leeks'] }],
    ["empty the garden list, I'm done", 'change_list', { list: 'garden', clear: true }],
  ])('%s', (text, tool, input) => expect(outcome(text)).toMatchObject([[tool, input]]));
  test('a figure may be named', () => {
    const earlier: PriorMessage[] = [
      { by: 'person', text: 'what are 4 nights at 80?' },
      { by: 'assistant', text: '320 (4 × 80).' },
    ];
    expect(outcome('and minus the 50 deposit', earlier)).toBe('320 minus 50 = 270');
  });
});

test.each([
  'am I free on Wednesday?',
  'when do I work next week',
  'do I work on Saturday?',
  'what time do I start tomorrow',
])('%s', (text) =>
  expect(outcome(text)).toMatchObject([
    ['list_schedules', {}],
    ['query_rag', {}],
  ]),
);

test.each([
  ['do we need to bring cushions?', [['query_rag', { query: 'do we need to bring cushions?' }]]],
  [
    'change the note about the water meter to 512',
    [
      ['delete_note', { about: 'the water meter' }],
      ['write_note', { text: 'water meter: 512' }],
    ],
  ],
  [
    "don't forget to remind me tomorrow at 8am to wave",
    [['schedule', expect.objectContaining({ text: 'wave', when: '2026-11-23T08:00:00.000Z' })]],
  ],
  [
    'vergiss nicht, mich morgen um 8 Uhr an den Sperrmüll zu erinnern',
    [['schedule', expect.objectContaining({ text: 'Sperrmüll' })]],
  ],
  ['ditch the note about the hedge', [['delete_note', { about: 'hedge' }]]],
  ['let me see the packing list', [['show_lists', { list: 'packing' }]]],
  ['bump the piano reminder to 7pm', [['reschedule', { id: 'piano', when: '7pm' }]]],
  ['put swimming back half an hour', [['reschedule', { id: 'swimming', when: 'half an hour later' }]]],
  ['snooze the laundry until saturday', [['reschedule', { id: 'laundry', when: 'saturday' }]]],
  ['is there anything left to pack?', [['show_lists', { list: 'packing' }]]],
])('%s: other words for it', (text, expected) => expect(outcome(text)).toEqual(expected));

test.each([
  ["rappelle-moi demain à 9h d'appeler le médecin", "Je ne comprends que l'anglais et l'allemand."],
  ['aggiungi latte alla lista della spesa', "Capisco solo l'inglese e il tedesco."],
  ['påminn mig imorgon kl 8 att ringa mamma', 'Jag förstår bara engelska och tyska.'],
  ['今何時ですか', '英語とドイツ語だけわかります。'],
])('%s: one line in its language', (text, line) => expect(outcome(text)).toBe(line));
