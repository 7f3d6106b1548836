import { AIMessage, AIMessageChunk, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { describe, expect, test } from 'vitest';
import { AssistantError } from '../../base/errors.ts';
import { askWhole, Seam } from './continue.ts';

const REQUEST = [new HumanMessage('tell me')];
const ended = (text: string, reason: string) =>
  new AIMessage({ content: text, response_metadata: { finish_reason: reason } });
const cut = (text: string) => ended(text, 'length');

/** Asks a model that replies with these, each in one piece; errors are thrown. */
async function asked(replies: readonly (AIMessage | AIMessageChunk | Error)[], max = 3) {
  const left = [...replies];
  const requests: (readonly BaseMessage[])[] = [];
  const [first, shown, failures]: [string[], string[], unknown[]] = [[], [], []];
  const result = await askWhole(
    async (messages, onText) => {
      requests.push(messages);
      const next = left.shift() ?? new Error('asked too often');
      if (next instanceof Error) throw next;
      onText(next.text);
      return next;
    },
    REQUEST,
    {
      max,
      clean: (text) => text.replaceAll('hunter2-is-the-word', '[secret]'),
      onText: (text) => first.push(text),
      show: (text) => shown.push(text),
      onFailure: (error) => failures.push(error),
    },
  ).catch((error: unknown) => ({ error }));
  const reply = 'reply' in result ? { text: result.reply.text, requests: result.requests } : result;
  return { reply, first, shown, failures, requests };
}

function goOn(quoted: string): string {
  return [
    'Your answer was cut off at the length limit. Continue where it stopped: start with its last words, exactly as ' +
      'quoted between the lines, then write the rest. Do not start over and do not say that you are continuing.',
    '---',
    quoted,
    '---',
  ].join('\n');
}

describe('an answer that was cut off', () => {
  test('goes back without secrets, whole or in part', async () => {
    const words = 'and so the story ends with the key that fits the door behind the clock in the hall of the house';
    const replies = [cut(`It is hunter2-is-the-word ${words}`), ended('of the house.', 'stop')];
    const { requests, reply } = await asked(replies);
    expect(JSON.stringify(requests)).not.toMatch(/hunter|the-word/u);
    expect(reply).toEqual({ text: `It is [secret] ${words}.`, requests: 2 });
  });

  test('is asked to go on with its last words, and told as one', async () => {
    const replies = [cut('Once upon a ti'), cut('upon a time there li'), ended('there lived a fox.', 'stop')];
    const { requests, ...seen } = await asked(replies);
    expect(seen).toEqual({
      reply: { text: 'Once upon a time there lived a fox.', requests: 3 },
      first: ['Once upon a ti'],
      shown: ['me there li', 'ved a fox.'],
      failures: [],
    });
    const sent = requests.map((messages) => messages.map(({ type, text }) => [type, text]));
    expect(sent).toEqual([
      [['human', 'tell me']],
      [
        ['human', 'tell me'],
        ['ai', 'Once upon a ti'],
        ['human', goOn('Once upon a ti')],
      ],
      [
        ['human', 'tell me'],
        ['ai', 'Once upon a time there li'],
        ['human', goOn('Once upon a time there li')],
      ],
    ]);
  });

  test.each([
    [0, 'one', 1],
    [1, 'one two', 2],
    [2, 'one two three', 3],
    [3, 'one two three.', 4],
  ])('is asked to go on %i times at most', async (max, text, requests) => {
    const replies = [cut('one'), cut(' two'), cut(' three'), ended('.', 'stop')];
    expect((await asked(replies, max)).reply).toEqual({ text, requests });
  });

  test.each([
    ['length', true],
    ['max_tokens', true],
    ['MAX_TOKENS', true],
    ['max_output_tokens', true],
    ['stop', false],
    ['incomplete', false],
  ])('is known by the end that it was given: %s', async (reason, goesOn) => {
    const { reply } = await asked([ended('one', reason), ended(' two', 'stop')]);
    expect(reply).toEqual(goesOn ? { text: 'one two', requests: 2 } : { text: 'one', requests: 1 });
  });

  const call = { id: 'c', name: 'write_note', args: {} };
  const response_metadata = { finish_reason: 'length' };
  const piece = { type: 'tool_call_chunk', index: 0, id: 'c', name: 'write_note', args: '{"text"' } as const;
  test.each([
    ['a call', new AIMessage({ content: 'one', tool_calls: [call], response_metadata })],
    [
      'an unreadable call',
      new AIMessage({ content: 'one', invalid_tool_calls: [{ ...call, args: '{' }], response_metadata }),
    ],
    ['pieces of a call', new AIMessageChunk({ content: 'one', tool_call_chunks: [piece], response_metadata })],
    [
      'a call and an unreadable one',
      new AIMessage({
        ...{ content: 'one', tool_calls: [call], response_metadata },
        invalid_tool_calls: [{ ...call, id: 'd', args: '{' }],
      }),
    ],
    ['only blanks', cut(' \n')],
    ['no known end', new AIMessage('one')],
  ])('is not continued where it is %s', async (_what, reply) => {
    const { requests, failures } = await asked([reply]);
    expect([requests.length, failures]).toEqual([1, []]);
  });

  test('stays as it is where the rest cannot be had', async () => {
    const down = new AssistantError('model_unreachable', 'Nobody answers.', { hint: 'Start it.' });
    const { reply, failures, requests } = await asked([cut('one'), cut(' two'), down, ended(' three', 'stop')]);
    expect([reply, failures, requests.length]).toEqual([{ text: 'one two', requests: 2 }, [down], 3]);
  });

  test('is lost where something unforeseen happens', async () => {
    const error = new TypeError('x is not a function');
    const { reply, failures } = await asked([cut('one'), error]);
    expect([reply, failures]).toEqual([{ error }, []]);
  });

  test.each([
    ['all of a short one', 'It was  \n', 'It was'],
    ['all of 120 characters', `${'a'.repeat(19)} ${'b'.repeat(100)}`, `${'a'.repeat(19)} ${'b'.repeat(100)}`],
    ['whole words of a longer one', `c${'a'.repeat(19)} ${'b'.repeat(100)}`, 'b'.repeat(100)],
    ['the end of a long word', 'a'.repeat(121), 'a'.repeat(120)],
  ])('is quoted by its end: %s', async (_what, text, quoted) => {
    const { requests } = await asked([cut(text), ended('.', 'stop')]);
    expect(requests[1]?.at(-1)?.text).toBe(goOn(quoted));
  });
});

describe('what is repeated of an answer', () => {
  /** What is added to `before`, and shown, in however many pieces it comes. */
  function joined(before: string, next: string): string {
    const results = [1, 7, 1000].map((size) => {
      const shown: string[] = [];
      const seam = new Seam(before, (text) => shown.push(text));
      for (let at = 0; at < next.length; at += size) seam.add(next.slice(at, at + size));
      const text = seam.end(next);
      expect(shown.join('')).toBe(text);
      expect(shown).not.toContain('');
      return text;
    });
    expect(new Set(results).size).toBe(1);
    return results[0] ?? '';
  }

  const long = Array.from({ length: 80 }, (_, index) => `w${index}`).join(' ');
  test.each([
    ['eight characters', 'It says abcdefgh', 'abcdefgh and more', ' and more'],
    ['seven, which may be chance', 'It says 1abcdefg', 'abcdefg and more', ' abcdefg and more'],
    ['all of a shorter answer', 'One two', 'One two three', ' three'],
    ['blanks at its end forgiven', 'It says abcdefgh  ', 'abcdefgh and more', ' and more'],
    ['and nothing added', 'It says abcdefgh', 'abcdefgh', ''],
    ['after a mark', 'It says abcdefgh', '… "abcdefgh and more', ' and more'],
    ['more than is held back, so that it stays', long, `${long} and more`, ` ${long} and more`],
    ['nothing, after a full stop', 'It says so.', 'And more', 'And more'],
    ['nothing, before a mark', 'It says so', '- more', '- more'],
  ])('is left out: %s', (_what, before, next, added) => {
    expect(joined(before, next)).toBe(added);
  });

  test('is looked for in the first 240 characters, which are held back', () => {
    const shown: string[] = [];
    const seam = new Seam('Once upon a time', (text) => shown.push(text));
    seam.add('x'.repeat(239));
    expect(shown).toEqual([]);
    seam.add('y');
    expect(shown).toEqual([` ${'x'.repeat(239)}y`]);
    seam.add('z');
    expect(shown).toEqual([` ${'x'.repeat(239)}y`, 'z']);
    expect(seam.end(`${'x'.repeat(239)}yz`)).toBe(` ${'x'.repeat(239)}yz`);
    expect(shown).toHaveLength(2);
  });
});
