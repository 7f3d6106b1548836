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
