import { describe, expect, test } from 'vitest';
import { type Blob, CallAnswer, resultOf, textOf } from './call-result.ts';

const kept: Blob[] = [];
const keep = async (blob: Blob) => `[kept ${kept.push(blob)}: ${blob.kind}]`;
const said = (text: string) => ({ type: 'text', text });

test.each([
  ['nothing', {}, { content: [], isError: false }],
  ['what has the wrong form', { content: 'text', isError: 'yes' }, { content: [], isError: false }],
  [
    'what is there, also what nobody knows',
    { content: [1], structuredContent: { a: 1 }, isError: true, more: 2 },
    { content: [1], structuredContent: { a: 1 }, isError: true, more: 2 },
  ],
])('an answer with %s', (_what, given, read) => {
  expect(CallAnswer.parse(given)).toEqual(read);
});

describe('the text of a block', () => {
  test.each<[what: string, block: unknown, text: string, blob?: Blob]>([
    ['a text', said('hello'), 'hello'],
    [
      'a picture',
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
      '[kept 1: image]',
      { kind: 'image', mimeType: 'image/png', data: 'aGk=' },
    ],
    ['a sound', { type: 'audio', data: 'aGk=' }, '[kept 1: audio]', { kind: 'audio', mimeType: '', data: 'aGk=' }],
    ['a link with a name', { type: 'resource_link', uri: 'a://b', name: 'notes' }, '[notes: a://b]'],
    ['a link without one', { type: 'resource_link', uri: 'a://b' }, '[resource: a://b]'],
    ['a text that is embedded', { type: 'resource', resource: { uri: 'a://b', text: 'all of it' } }, 'all of it'],
    ['a text before a file', { type: 'resource', resource: { text: 'all', blob: 'aGk=' } }, 'all'],
    [
      'a file that is embedded',
      { type: 'resource', resource: { uri: 'a://b', blob: 'aGk=', mimeType: 'application/pdf' } },
      '[kept 1: file]',
      { kind: 'file', mimeType: 'application/pdf', data: 'aGk=' },
    ],
    [
      'a file of no kind',
      { type: 'resource', resource: { blob: 'aGk=' } },
      '[kept 1: file]',
      { kind: 'file', mimeType: 'application/octet-stream', data: 'aGk=' },
    ],
    [
      'a file of a strange kind',
      { type: 'resource', resource: { blob: 'aGk=', mimeType: 7 } },
      '[kept 1: file]',
      { kind: 'file', mimeType: 'application/octet-stream', data: 'aGk=' },
    ],
    ['an address alone', { type: 'resource', resource: { uri: 'a://b' } }, '[resource: a://b]'],
    ['a resource of nothing', { type: 'resource', resource: {} }, '[resource: ]'],
    ['something unknown', { type: 'hologram' }, '[something that cannot be shown]'],
    ['a text without text', { type: 'text' }, '[something that cannot be shown]'],
    ['a link without address', { type: 'resource_link' }, '[something that cannot be shown]'],
    ['a picture without data', { type: 'image', mimeType: 'image/png' }, '[something that cannot be shown]'],
    ['no object', 'hello', '[something that cannot be shown]'],
  ])('%s', async (_what, block, text, blob) => {
    kept.length = 0;
    expect(await textOf([block], keep)).toBe(text);
    expect(kept).toEqual(blob ? [blob] : []);
  });
});

describe('the text of many blocks', () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}`);

  test('is one line for each, without the empty ones', async () => {
    expect(await textOf([said('a'), said(''), said('b'), said('c d')], keep)).toBe('a\nb\nc d');
    expect(await textOf([], keep)).toBe('');
  });

  test('has two hundred of them', async () => {
    expect(await textOf(numbers(200).map(said), keep)).toBe(numbers(200).join('\n'));
    const more = '[2 more parts were left out]';
    expect(await textOf(numbers(202).map(said), keep)).toBe([...numbers(200), more].join('\n'));
  });

  test('has at most 200,000 characters of its own', async () => {
    expect(await textOf([said('x'.repeat(200_000))], keep)).toBe('x'.repeat(200_000));
    expect(await textOf([said('x'.repeat(200_001))], keep)).toContain('\n… 1 characters left out …\n');
  });
});

describe('the result of a call', () => {
  const result = (answer: unknown) => resultOf(CallAnswer.parse(answer), keep);

  test('is the structured content where there is any, else the text', async () => {
    const content = [said('in words')];
    expect(await result({ content, structuredContent: { a: [1] } })).toEqual({ a: [1] });
    expect(await result({ content, structuredContent: 0 })).toBe(0);
    expect(await result({ content, structuredContent: null })).toBe('in words');
    expect(await result({ content })).toBe('in words');
  });

  test('is an error where the structured content is too long: its type does not depend on its size', async () => {
    const of = (chars: number) => ({ structuredContent: 'x'.repeat(chars - '""'.length) });
    expect(await result(of(200_000))).toBe('x'.repeat(199_998));
    await expect(result(of(200_007))).rejects.toThrow('the answer has 200007 characters, more than 200000');
  });

  test.each([
    ['its text', [said('no such file'), said('try another')], 'no such file\ntry another'],
    ['words of ours when it has none', [], 'the tool failed without a word'],
  ])('that failed is an error with %s', async (_what, content, message) => {
    await expect(result({ content, isError: true, structuredContent: { a: 1 } })).rejects.toThrow(new Error(message));
  });
});
