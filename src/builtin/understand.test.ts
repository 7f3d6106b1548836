import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readExamples, taught } from '../base/examples.ts';
import { oneWay, waysOf } from './patterns.ts';
import { fillReply } from './reply.ts';
import { likeness } from './tokens.ts';
import { understand } from './understand.ts';

const PLUGINS = resolve(import.meta.dirname, '../../plugins');
const SPOKEN = { now: new Date('2026-11-24T10:00:00Z'), timeZone: 'Europe/London' };
const bundled = readdirSync(PLUGINS).flatMap((name) => {
  const path = resolve(PLUGINS, name, 'examples.jsonl');
  return existsSync(path) ? readExamples(readFileSync(path, 'utf8'), name).flatMap((each) => taught(each)) : [];
});
/** A tool of nobody in particular. */
const boat = taught({
  tool: 'book_boat',
  intent: 'book a boat',
  input: { name: '{name}', start: '{when}', note: 'for {name}', tags: ['{name}', '{tag}'] },
  ask: { when: { en: 'From when on?', de: 'Ab wann?' } },
  en: ['(book|reserve) the boat {name:name} {when}', '(book|reserve) the boat {name:name}'],
  de: ['(buch|reservier) das Boot {name:name} {when}'],
});
const said = (text: string, examples = boat) => understand(text, SPOKEN, examples);

describe('a sentence near an example', () => {
  test.each([
    ['book the boat Luna tomorrow at 9', 'Luna', '2026-11-25T09:00:00.000Z'],
    ['tomorrow at 9 reserve the boat "Luna"!', 'Luna', '2026-11-25T09:00:00.000Z'],
    ['Resevre the boat Luna on Friday at 3pm', 'Luna', '2026-11-27T15:00:00.000Z'],
    ['Reservier das Boot Luna morgen um 9', 'Luna', '2026-11-25T09:00:00.000Z'],
  ])('%s', (text, name, start) => {
    expect(said(text)).toMatchObject({ kind: 'act', input: { name, start, note: `for ${name}`, tags: [name] } });
  });

  test('what repeats stays in its words, for the tool to read', () => {
    expect(said('book the boat Luna every Friday at 3pm')).toMatchObject({ input: { start: 'every Friday at 3pm' } });
  });
});

test('a gap without which nothing can be done is asked for', () => {
  expect(said('book the boat Luna')).toMatchObject({ kind: 'ask', question: 'From when on?' });
});

test.each([
  'the boat was great',
  'what does a boat cost?',
  'I read a book about the boat Luna and her crew',
  'do not book anything',
  'asdf qwer',
  '',
  '?!',
  'réserve le bateau Luna demain à 9h',
  `book the boat ${'Luna '.repeat(80)}`,
])('nothing is done for "%s"', (text) => {
  expect(said(text).kind).toBe('none');
});

test('what is not understood comes with the examples that are near', () => {
  expect(said('how do I bake bread?')).toEqual({ kind: 'none', near: [], slips: [], best: 0 });
  const other = said('the boat Luna, do book it or reserve her or whatever one does with such things');
  expect(other).toMatchObject({ kind: 'none', near: [{ sentence: expect.stringContaining('the boat') }] });
});

test('of two that fit alike neither is chosen', () => {
  const twice = [...boat, ...taught({ ...(boat[0] as object), tool: 'buy_boat' } as never)];
  expect(said('book the boat Luna tomorrow at 9', twice).kind).toBe('unclear');
});

describe('every example is understood as itself', () => {
  /** Of typed gaps; any other takes a word. */
  const VALUES: Readonly<Record<string, string>> = {
    ...{ url: 'https://example.org/a', phone: '0171 234', number: '3', days: 'this week', hour: '8', span: '20 min' },
    when: 'am 3.12. um 18 Uhr',
  };
  const filled = (sentence: string) =>
    oneWay(sentence, (slot) => VALUES[slot.split(':').at(-1) ?? ''] ?? VALUES[slot] ?? 'Zebra');
  test.each(
    bundled.flatMap((each) => [...each.en, ...each.de].map((sentence) => [each.tool, sentence, each.intent] as const)),
  )('of a plugin: %s: %s (%s)', (tool, sentence, intent) => {
    const found = said(filled(sentence), bundled);
    expect(found.kind === 'act' || found.kind === 'ask' ? [found.taught.tool, found.taught.intent] : found).toEqual([
      tool,
      intent,
    ]);
  });
});

test('a line that is no example is named', () => {
  expect(() => readExamples('{"intent":"a","en":[],"de":[]}\n{"intent":""}', 'x.jsonl')).toThrow(/x\.jsonl, line 2/u);
});

test('a choice between single words is one element, other groups are ways of their own', () => {
  const said = waysOf('(show|list) [me] (a b|c) {it}').map((way) =>
    way.map((element) => ('words' in element ? element.words.join('/') : element.slot)).join(' '),
  );
  expect(said).toEqual(['show/list me a b it', 'show/list me c it']);
  expect(waysOf('[a b|c d] '.repeat(12)).length).toBeLessThanOrEqual(128);
});

test.each([
  ['actions', 'actions', 1],
  ['erinnere', 'erinner', 0.9],
  ['tomorow', 'tomorrow', 0.9],
  ['cahnge', 'change', 0.75],
  ['list', 'last', 0],
  ['boat', 'coat', 0],
  ['2026', '2025', 0],
])('%s and %s are one word by %d', (a, b, like) => {
  expect(likeness(a, b)).toBe(like);
});

test('a reply says values, days and rows', () => {
  const reader = { ...SPOKEN, language: 'en' as const };
  expect(fillReply('{a.b}, {at:near}: {none}.', { a: { b: 2 }, at: '2026-11-25T09:00:00Z' }, reader)).toBe(
    '2, tomorrow at 09:00: .',
  );
  expect(fillReply('Rows:{#}\n- {row}{/}', ['x', 'y'], reader)).toBe('Rows:\n- x\n- y');
  expect(fillReply('{a}{?b} and {b}{/?}{?c} and {c}{/?}', { a: 1, b: 2 }, reader)).toBe('1 and 2');
  expect(fillReply('{#rows}{day:day};{/}', { rows: [{ day: '2026-11-27' }] }, reader)).toBe('Friday 27 November 2026;');
});
