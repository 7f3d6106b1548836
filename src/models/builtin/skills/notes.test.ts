import { describe, expect, test } from 'vitest';
import { answered, outcome, told } from '../../../testing/built-in-outcome.ts';
import { recognizeIntent } from '../recognize.ts';
import type { PriorMessage } from '../request.ts';

const shown = (lead: string, ...lines: readonly string[]): PriorMessage[] => [
  { by: 'person', text: 'show my notes' },
  { by: 'assistant', text: [lead, ...lines].join('\n') },
];
const MILK = '- 2026-11-20 10:00 buy milk';
const BEN = '- 2026-11-21 10:00 call Ben';

describe('another text for a note', () => {
  test.each([
    ['change the note about the gas meter to 4800', 'the gas meter', 'gas meter: 4800'],
    ['change the note about the gas meter to empty', 'the gas meter', 'gas meter: empty'],
    ['change the note about the Gas meter to 4800 METER', 'the Gas meter', '4800 METER'],
    ['change the note about the gas meter to quite empty', 'the gas meter', 'quite empty'],
    ['change the last note to 4800', 'last', '4800'],
    ['ändere die Notiz über die Gasuhr: 4800', 'Gasuhr', 'Gasuhr: 4800'],
    ['ändere die Notiz über die Gasuhr auf 4800', 'Gasuhr', 'Gasuhr: 4800'],
    ['ändere die letzte Notiz in 4800', 'last', '4800'],
  ])('%s', (text, about, written) => {
    expect(outcome(text)).toEqual([
      ['delete_note', { about }],
      ['write_note', { text: written }],
    ]);
  });

  test.each([
    ['change my note to oat milk', 'Which note is that? A word of it is enough.', 'groceries', 'oat milk'],
    [
      'ändere die Notiz in Hafermilch',
      'Welche Notiz ist das? Ein Wort daraus genügt.',
      'Einkauf',
      'Einkauf: Hafermilch',
    ],
  ])('%s: which one is asked', (text, question, about, written) => {
    expect(outcome(text)).toBe(question);
    expect(answered(text, about)).toEqual([
      ['delete_note', { about }],
      ['write_note', { text: written }],
    ]);
  });
});

describe('deleting "that note"', () => {
  test.each([
    ['delete that note', [], 'last'],
    ['delete that note', shown('Your notes:', MILK), 'buy milk'],
    ['delete it', shown('There is no such note. The nearest, still there:', BEN), 'call Ben'],
    ['delete that note', shown('Noted: x', MILK), 'last'],
    ['delete that note', shown('Your notes:', MILK).toReversed(), 'last'],
    ['lösche diese Notiz', shown('Deine Notizen:', MILK), 'buy milk'],
    ['lösche die letzte Notiz', shown('Deine Notizen:', MILK), 'last'],
  ])('%s after %j', (text, earlier, about) => {
    expect(outcome(text, earlier)).toEqual([['delete_note', { about }]]);
  });

  test.each([
    ['delete the last one', 'last'],
    ['delete the milk one', 'milk'],
    ['delete the one about the milk', 'milk'],
    ['lösche die letzte', 'last'],
  ])('%s means a note after one, and a reminder is left alone', (text, about) => {
    expect(outcome(text, shown('Noted: buy milk'))).toEqual([['delete_note', { about }]]);
    expect(outcome(text)).not.toMatchObject([['delete_note', {}]]);
  });

  test.each([
    ['delete that note', 'Your notes:', 'Which note should I delete?'],
    ['lösche diese Notiz', 'Deine Notizen:', 'Welche Notiz soll ich löschen?'],
  ])('%s: of several, which one is asked', (text, lead, question) => {
    const earlier = shown(lead, MILK, BEN);
    expect(outcome(text, earlier)).toBe(question);
    expect(answered(text, 'Ben', earlier)).toEqual([['delete_note', { about: 'Ben' }]]);
  });
});

test.each([
  [{ deleted: 'buy milk' }, 'Deleted the note: buy milk', 'Notiz gelöscht: buy milk'],
  [{ deleted: true }, 'There is no such note.', 'So eine Notiz gibt es nicht.'],
  ['gone', 'There is no such note.', 'So eine Notiz gibt es nicht.'],
  [{ matches: 'none' }, 'There is no such note.', 'So eine Notiz gibt es nicht.'],
  [
    { matches: [{ at: '2026-11-20 10:00', text: 'buy milk' }] },
    `There is no such note. The nearest, still there:\n${MILK}`,
    `So eine Notiz gibt es nicht. Am nächsten kommt, noch da:\n${MILK}`,
  ],
  [
    { matches: [{ at: '2026-11-20 10:00', text: 'buy milk' }, { text: 'more milk' }, 'milk'] },
    `Several notes fit; nothing was deleted:\n${MILK}\n- more milk`,
    `Mehrere Notizen passen; gelöscht habe ich keine:\n${MILK}\n- more milk`,
  ],
])('a deletion that answers %j', (value, en, de) => {
  expect(told('delete the note about milk', value)).toBe(en);
  expect(told('lösche die Notiz über Milch', value)).toBe(de);
});

test.each([
  ['delete the note about the plan of the garden', 'plan of the garden'],
  ['lösche die Notiz über den Plan für den Garten', 'Plan für den Garten'],
])('%s: an article in the middle stays', (text, about) => expect(outcome(text)).toEqual([['delete_note', { about }]]));

test.each([
  ['what did I note about a plan of the garden?', 'plan of the garden'],
  ['what did I note about my cat?', 'cat'],
  ['was habe ich über meine Katze notiert?', 'Katze'],
  ['was habe ich über meinen Hund notiert?', 'Hund'],
  ['was habe ich über mein Auto notiert?', 'Auto'],
])('%s', (text, query) => expect(outcome(text)).toEqual([['list_notes', { query }]]));

test.each([
  ['what did I note today?', '2026-11-22', '2026-11-22'],
  ['what did I note on sunday?', '2026-11-22', '2026-11-22'],
  ['what did I note on monday?', '2026-11-16', '2026-11-16'],
  ['was habe ich am Samstag notiert?', '2026-11-21', '2026-11-21'],
  ['show my notes from last week', '2026-11-09', '2026-11-15'],
])('%s: a day that lies behind', (text, from, to) => {
  expect(outcome(text)).toEqual([['list_notes', { from, to }]]);
});

test.each([
  [
    'show my notes',
    [{ text: 'buy milk' }, 'x', { at: '2026-11-20 10:00', text: 'y' }],
    'Your notes:\n- buy milk\n- 2026-11-20 10:00 y',
  ],
  ['zeig meine Notizen', [{ at: '2026-11-20 10:00', text: 'Milch' }], 'Deine Notizen:\n- 2026-11-20 10:00 Milch'],
  ['show my notes', 'nothing', 'There are no notes yet.'],
  ['zeig meine Notizen', [], 'Es gibt noch keine Notizen.'],
  ['what did I note yesterday?', [], 'There are no notes of that time.'],
  ['was habe ich gestern notiert?', [], 'Aus dieser Zeit gibt es keine Notizen.'],
  ['what did I note about the milk?', [], 'No note mentions milk.'],
  ['was habe ich über Milch notiert?', [], 'Keine Notiz erwähnt Milch.'],
])('%s answered with %j', (text, value, said) => expect(told(text, value)).toBe(said));

test.each([
  ['what did I note about oat milk?', 'No note, but you told me:\n- I drink Oat Milk\n- my cat likes oat milk'],
  [
    'was habe ich über oat milk notiert?',
    'Keine Notiz, aber du hast mir gesagt:\n- I drink Oat Milk\n- my cat likes oat milk',
  ],
  ['what did I note about tea?', 'No note mentions tea.'],
])('%s: what was told is found as well', (text, said) => {
  const facts = ['I drink Oat Milk', 'I live in Galway', 'my cat likes oat milk'];
  const raw = { text, facts, now: new Date('2026-11-22T16:00:00Z'), timeZone: 'UTC', can: () => true, earlier: [] };
  const found = recognizeIntent(raw);
  const say = (value: unknown) =>
    found.kind === 'act' ? found.actions.map((action) => action.say({ ok: true, text: '', value, input: {} })) : [];
  expect(say([])).toEqual([said]);
});

test.each([
  ['take a note', 'What should I note?', 'buy milk'],
  ['note: a note', 'What should I note?', 'buy milk'],
  ['Notiz:', 'Was soll ich notieren?', 'Milch kaufen'],
])('%s: what is asked, and the answer is noted', (text, question, answer) => {
  expect(outcome(text)).toBe(question);
  expect(answered(text, answer)).toEqual([['write_note', { text: answer }]]);
});

test.each([
  ['Note:milk', 'milk'],
  ['note: ta: da', 'ta: da'],
  ['note to self: buy milk', 'buy milk'],
  ['note that: buy milk', 'buy milk'],
  ['note that- milk', 'milk'],
  ['note that the key: it is gone', 'the key: it is gone'],
  ['note: so that it is done', 'so that it is done'],
  ['note: the painting is done', 'the painting is done'],
  ['note to self: the painting is done', 'the painting is done'],
  ['notiere: Milch ist alle', 'Milch ist alle'],
  ['note: take the note with you', 'take the note with you'],
  ['the key is gone, note that!!', 'the key is gone'],
  ['Milch kaufen, notier das. ', 'Milch kaufen'],
  ['notiz an mich: Milch', 'Milch'],
  ['notiere, dass der Hund krank ist', 'der Hund ist krank'],
])('%s', (text, written) => expect(outcome(text)).toEqual([['write_note', { text: written }]]));

test.each([
  [
    'note: the door code is [secret]',
    [
      'Noted: the door code is [secret]',
      'I left out what looks like a password: I keep none. A password manager does.',
    ],
  ],
  [
    'notiere: der Code ist [secret]',
    [
      'Notiert: der Code ist [secret]',
      'Was wie ein Passwort aussieht, habe ich weggelassen: Ich bewahre keine auf. Ein Passwort-Manager kann das.',
    ],
  ],
])('%s: that a password is not kept is said', (text, lines) => expect(told(text, 'Noted.')).toBe(lines.join('\n')));
