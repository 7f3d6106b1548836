import { describe, expect, test } from 'vitest';
import { outcome, told } from '../../../testing/built-in-outcome.ts';
import { recognizeIntent } from '../recognize.ts';
import { homeOf } from './memory.ts';

test.each([
  ['remember that I live in Galway.', 'I live in Galway'],
  ['I live near Galway', 'I live near Galway'],
  ['my name is Ada', 'my name is Ada'],
  ['merk dir, dass ich in Köln wohne', 'ich wohne in Köln'],
])('%s', (text, fact) => expect(outcome(text)).toEqual([['remember', { text: fact }]]));

test('what happened once is a note', () => {
  expect(outcome('remember that I parked on level 3')).toEqual([['write_note', { text: 'I parked on level 3' }]]);
});

const GALWAY = { remembered: 'I live in Galway' };
test.each([
  [GALWAY, 'I will remember: I live in Galway', 'Gemerkt: I live in Galway'],
  [{ ...GALWAY, known: true }, 'I know that already: I live in Galway', 'Das weiß ich schon: I live in Galway'],
  [
    { ...GALWAY, replaced: ['I live in Cork', 'more'] },
    'I will remember: I live in Galway (instead of: I live in Cork)',
    'Gemerkt: I live in Galway (statt: I live in Cork)',
  ],
  ['The memory is full.', 'The memory is full.', 'The memory is full.'],
])('told %j', (value, en, de) => {
  expect(told('remember that I live in Galway', value)).toBe(en);
  expect(told('merk dir, dass ich in Galway wohne', value)).toBe(de);
});

/** What is asked with these facts known, and what is said when the calls have answered. */
function asking(text: string, facts: readonly string[] = []) {
  const now = new Date('2026-11-22T16:00:00Z');
  const found = recognizeIntent({ text, facts, now, timeZone: 'UTC', can: () => true, earlier: [] });
  if (found.kind !== 'act') return { said: found };
  const tell = (...values: readonly unknown[]) => {
    const results = found.actions.map((_action, at) => ({ ok: true, text: '', value: values[at], input: {} }));
    return found.together?.(results) ?? found.actions[0]?.say({ ok: true, text: '', value: values[0], input: {} });
  };
  return { calls: found.actions.map(({ tool, input }) => [tool, input]), tell };
}

describe('taking back', () => {
  const FACTS = ['I live in Galway', 'my cat is called Tom', 'ich wohne in Köln'];

  test.each([
    ['forget that I live in Galway', 'i live in galway'],
    ['forget about my cat', 'my cat'],
    ['vergiss, dass ich in Köln wohne', 'ich in köln wohne'],
  ])('%s', (text, words) => {
    expect(asking(text, FACTS).calls).toEqual([['forget_memory', { text: words }]]);
  });

  test.each([['forget that I live in Cork'], ['forget my dog']])('%s: what is not known is no fact', (text) => {
    expect(asking(text, FACTS).calls ?? []).not.toContainEqual(['forget_memory', expect.anything()]);
  });

  test.each([
    [{ forgotten: ['my cat is called Tom'] }, 'Forgotten: my cat is called Tom', 'Vergessen: my cat is called Tom'],
    [
      { matches: ['my cat', 'my other cat'] },
      'Several facts fit; I forgot none:\n- my cat\n- my other cat',
      'Mehreres passt; vergessen habe ich nichts:\n- my cat\n- my other cat',
    ],
  ])('%j', (value, en, de) => {
    expect(asking('forget my cat', FACTS).tell?.(value)).toBe(en);
    expect(asking('vergiss, dass ich in Köln wohne', FACTS).tell?.(value)).toBe(de);
  });
});

describe('a question to the documents goes to the memory as well', () => {
  const near = { answer: '', confidence: 0, passages: [{ text: 'The boat is green.', citation: '[a.md]' }] };
  const answer = { answer: 'It is green [a.md].', confidence: 1, passages: [] };
  const nothing = { answer: '', passages: [] };
  const fact = (text: string, fit: number) => ({ text, fit });

  test('by the same words', () => {
    const query = { query: 'what is my boat called?' };
    expect(asking('what is my boat called?').calls).toEqual([
      ['search_memory', query],
      ['query_rag', query],
    ]);
    expect(asking(`what is my ${'x'.repeat(1000)}?`).calls).toHaveLength(1);
  });

  test.each([
    ['what is my boat called?', [fact('my boat is Nell.', 0.3)], nothing, 'You told me: my boat is Nell.'],
    ['wie heißt mein Boot?', [fact('my boat is Nell', 0.3)], nothing, 'Du hast mir gesagt: my boat is Nell.'],
    [
      'what is my boat called?',
      [fact('a', 0.5), fact('b', 0.7), fact('c', 0.56), fact('d', 0.6), fact('e', 0.6)],
      nothing,
      'You told me: b; d; e.',
    ],
    ['what is my boat called?', [fact('a', 0.74)], answer, 'You told me: a.\nIt is green [a.md].'],
    ['what is my boat called?', [fact('a', 0.75)], answer, 'You told me: a.'],
    ['what is my boat called?', [fact('a', 0.29)], answer, 'It is green [a.md].'],
    ['what is my boat called?', [fact('a', 0.29)], nothing, 'I am not sure. You told me: a.'],
    [
      'wie heißt mein Boot?',
      [fact('a', 0.15), fact('b', 0.2), fact('c', 0.2)],
      nothing,
      'Da bin ich nicht sicher. Du hast mir gesagt: a; b.',
    ],
    ['what is the boat called?', [fact('a', 0.7)], nothing, 'You told me: a.'],
    ['what is the boat called?', [fact('a', 0.9)], answer, 'It is green [a.md].'],
    ['what is the boat called?', [fact('a', 0.69)], nothing, 'I am not sure. You told me: a.'],
  ])('%s %j %j', (text, facts, found, said) => expect(asking(text).tell?.(facts, found)).toBe(said));

  test.each([
    ['what is my boat called?', [fact('a', 0.14)]],
    ['what is the boat called?', [fact('a', 0.29)]],
    ['what is the boat called?', 'none'],
  ])('%s %j: nothing near is told as near', (text, facts) => {
    expect(asking(text).tell?.(facts, nothing)).toMatch(/^I found nothing about that/u);
  });

  test('beside what comes near, the passages are shown that do', () => {
    expect(asking('what is my boat called?').tell?.([fact('a', 0.2)], near)).toMatch(/^I am not sure\. .* a\.\n./u);
  });
});

test.each([
  [['I live in Galway with my wife'], 'Galway'],
  [['my cat is Tom', 'we live near the sea, as you know'], 'sea'],
  [['I have moved to Cork'], 'Cork'],
  [['ich wohne jetzt in Köln seit Mai'], 'Köln'],
  [['ich bin nach Bonn umgezogen'], 'Bonn'],
  [['I like Galway'], undefined],
  [undefined, undefined],
])('home as told in %j is %s', (facts, home) => expect(homeOf({ facts })).toBe(home));
