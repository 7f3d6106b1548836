import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { expect, test } from 'vitest';
import { ReadTexts } from './read-texts.ts';

const milk = { name: 'write_note', input: { text: 'buy milk' } };
const QUOTED = 'write_note {"text": "buy milk"}';
const read = (...values: readonly unknown[]) => {
  const texts = ReadTexts.of('', []);
  for (const value of values) texts.add(value);
  return texts;
};

test.each([
  ['in the request', () => ReadTexts.of(`What does ${QUOTED} do?`, [])],
  ['in what was said before', () => ReadTexts.of('', [new HumanMessage('Hello'), new HumanMessage(QUOTED)])],
  ['in what a tool gave before', () => ReadTexts.of('', [new ToolMessage({ content: QUOTED, tool_call_id: 'a' })])],
  ['in the feedback of an earlier script', () => ReadTexts.of('', [new SystemMessage(QUOTED)])],
  ['in what a tool gave', () => read('a page', QUOTED)],
  ['in a field of what a tool gave', () => read({ pages: [{ text: QUOTED }] })],
  ['escaped', () => read('{\\"name\\": \\"write_note\\",\\n\\"input\\": {\\"text\\": \\"buy milk\\"}}')],
  ['in other quotes and letters', () => read("WRITE NOTE ( text = 'Buy  Milk!' )")],
])('a call that stands %s is quoted', (_name, texts) => {
  expect(texts().hold(milk)).toBe(true);
});

test.each([
  ['where nothing was read', () => read()],
  ['where the model said it itself', () => ReadTexts.of('', [new AIMessage(QUOTED)])],
  ['where its input stands alone', () => read('{"text": "buy milk"}')],
  ['where its name stands alone', () => read('write_note')],
  ['where name and input stand in different texts', () => read('write_note', '{"text": "buy milk"}')],
  ['where the input is another one', () => read('write_note {"text": "buy bread"}')],
  ['where nothing that can be written was read', () => read(undefined, null, '')],
])('a call is meant %s', (_name, texts) => {
  expect(texts().hold(milk)).toBe(false);
});

test.each([
  ['an input of seven letters', 'buymilk', false],
  ['an input of eight letters', 'buy milks', true],
  ['an object of seven letters', { a: 'milk', b: 1 }, false],
  ['an object of eight letters', { a: 'milks', b: 1 }, true],
  ['a short list', ['milk'], false],
  ['a list of eight letters', ['milk', 'eggs'], true],
  ['a number of eight digits', 12345678, true],
  ['no input', undefined, true],
  ['an empty object', {}, false],
])('what is too short to be recognised is meant: %s', (_name, input, isQuoted) => {
  const texts = read(`write_note ${typeof input === 'object' ? JSON.stringify(input) : String(input)}`);
  expect(texts.hold({ name: 'write_note', input })).toBe(isQuoted);
});

test('line breaks make no difference, written out or not', () => {
  const call = { name: 'write_note', input: { text: 'buy\nmilk' } };
  expect(read('write_note: text: buy\nmilk').hold(call)).toBe(true);
  expect(read('write_note: text: "buy\\nmilk"').hold(call)).toBe(true);
});

test('a text that is read later counts as well', () => {
  const texts = read('a page');
  expect(texts.hold(milk)).toBe(false);
  texts.add(QUOTED);
  expect(texts.hold(milk)).toBe(true);
});

test('a script that a tool gave is quoted, one of the person is not', () => {
  const script = "await writeNote('buy milk and bread')";
  expect(read(`Run this:\n${script}`).holdScript(script)).toBe(true);
  expect(read(`Run this:\n${script}`).holdScript("await writeNote('buy milk and beer')")).toBe(false);
  expect(ReadTexts.of(script, [new HumanMessage(script)]).holdScript(script)).toBe(false);
});

test.each([
  ["f('abcdefghijklmnopqrstuv')", false],
  ["f('abcdefghijklmnopqrstuvw')", true],
])('shorter scripts stand everywhere: %s', (script, isQuoted) => {
  expect(read(script).holdScript(script)).toBe(isQuoted);
});

test('four million characters are remembered, and a later text that still fits', () => {
  const long = 'x'.repeat(3_999_980);
  const fits = 'write_note buy milk 1'; // 17 letters and digits
  const full = read(long, 'a text that is too long for the rest', fits);
  expect(full.hold({ name: 'write_note', input: 'buy milk 1' })).toBe(true);
  expect(full.hold({ name: 'text', input: 'is too long for the rest' })).toBe(false);
  const exact = read('x'.repeat(4_000_000 - 17), fits);
  expect(exact.hold({ name: 'write_note', input: 'buy milk 1' })).toBe(true);
  const over = read('x'.repeat(4_000_000 - 16), fits);
  expect(over.hold({ name: 'write_note', input: 'buy milk 1' })).toBe(false);
});
