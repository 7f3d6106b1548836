import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { expect, test } from 'vitest';
import { createCounters, MessageCounter, rememberEstimate } from './tokens.ts';

const TEXT = 'hello world, how are you today?';

test.each([
  ['gpt-4o-mini', 8],
  ['openai/gpt-4.1', 8],
  ['gpt-3.5-turbo', 8],
  ['llama3.2', 8],
  ['', 8],
])('tokens of a sentence for %s', async (model, tokens) => {
  expect((await createCounters()(model)).text(TEXT)).toBe(tokens);
});

test('a known tokenizer and the estimate part where words are rare', async () => {
  const counters = createCounters();
  const text = 'Überraschungsgäste 漢字かな交じり文';
  expect((await counters('gpt-4o')).text(text)).not.toBe((await counters('unknown')).text(text));
});

test('a word of a megabyte is counted at once, and not as nothing', async () => {
  const counter = await createCounters()('gpt-4o');
  expect(counter.text('a'.repeat(1_000_000))).toBeGreaterThan(100_000);
});

test('words that mean something to a tokenizer are plain text here', async () => {
  expect((await createCounters()('gpt-4o')).text('<|endoftext|>')).toBeGreaterThan(1);
});

test('a message costs two tokens more than its text, and its calls cost too', () => {
  const counter = new MessageCounter();
  expect(counter.of(new HumanMessage('12345678'))).toBe(4);
  const call = { id: 'c', name: 'look', args: { field: 1 }, type: 'tool_call' as const };
  expect(counter.of(new AIMessage({ content: '', tool_calls: [call] }))).toBe(
    2 + Math.ceil('look{"field":1}'.length / 4),
  );
});

test('what a message was estimated at when it was stored is taken by estimates, not by a tokenizer', async () => {
  const message = new HumanMessage('some words');
  const other = new HumanMessage('some words');
  rememberEstimate(message, 40);
  const estimate = new MessageCounter();
  expect([estimate.of(message), estimate.of(other)]).toEqual([42, new MessageCounter().of(other)]);
  expect(estimate.of(other)).toBeLessThan(42);
  const exact = await createCounters()('gpt-4o');
  expect(exact.of(message)).toBe(exact.of(other));
});

test.each([
  ...['gpt-4o', 'GPT-4.1-mini', 'gpt-4.5-preview', 'gpt-5', 'chatgpt-4o-latest', 'o1', 'o3-mini', 'x/y/gpt-oss:20b'],
])('%s counts as the newer models do', async (model) => {
  const counters = createCounters();
  expect(await counters(model)).toBe(await counters('gpt-4o'));
});

test.each(['gpt-4', 'gpt-4-turbo', 'gpt-3.5-turbo', 'text-embedding-3-small'])(
  '%s counts as the older',
  async (model) => {
    const counters = createCounters();
    expect(await counters(model)).toBe(await counters('gpt-4'));
    expect(await counters(model)).not.toBe(await counters('gpt-4o'));
  },
);

test.each(['o1x', 'my-gpt-4o', 'o2', 'text-davinci', 'qwen3'])('%s is estimated', async (model) => {
  const counters = createCounters();
  expect(await counters(model)).toBe(await counters(''));
});

test('what the tokenizer would not split is counted by its length, half a token per character', async () => {
  const counter = await createCounters()('gpt-4o');
  const blank = counter.text(' ');
  expect(counter.text('ab'.repeat(32))).toBe(32 + blank);
  expect(counter.text('é'.repeat(65))).toBe(33 + blank);
  expect(counter.text('-=-='.repeat(20))).toBe(40 + blank);
  expect(counter.text(`${' '.repeat(64)}`)).toBe(32 + blank);
  expect(counter.text('a'.repeat(63))).toBeLessThan(32);
});

test('all messages cost what each of them does', () => {
  const counter = new MessageCounter((text) => text.length);
  const messages = [new HumanMessage('abc'), new AIMessage('abcdef')];
  expect([counter.all(messages), counter.all([]), counter.text('abcd')]).toEqual([13, 0, 4]);
  // Remembered with the message: it is counted once.
  let counts = 0;
  const counting = new MessageCounter(() => ++counts);
  counting.all([...messages, ...messages]);
  expect(counts).toBe(2);
});
