import { expect, test } from 'vitest';
import type { z } from 'zod';
import { AssistantError } from '../../base/errors.ts';
import type { ListedPrompt } from './listed-tools.ts';
import { promptText } from './prompts.ts';
import type { McpServer } from './server.ts';

const argument = (name: string, required = false) => ({ name, required });
const WEATHER = { name: 'Weather', description: '', arguments: [argument('city', true), argument('repo.day')] };
const HELLO = { name: 'hello', description: '', arguments: [] };

/** A server with these prompts and messages, and the requests it got. */
function notes(prompts: readonly ListedPrompt[], messages: unknown = []) {
  const requests: unknown[] = [];
  const client = {
    request: async (request: unknown, schema: z.ZodType, options: unknown) => {
      requests.push([request, options]);
      if (messages instanceof Error) throw messages;
      return schema.parse({ messages });
    },
  };
  const server = { name: 'notes', catalog: { prompts }, link: async () => ({ client }) };
  return { server: server as unknown as McpServer, requests };
}

async function refusal(work: Promise<unknown>) {
  const error = await work.catch((thrown: unknown) => thrown);
  if (!(error instanceof AssistantError)) throw new Error('it was not refused');
  return { code: error.code, message: error.message, hint: error.hint };
}

test('a prompt is asked for by the name that its server has for it, within half a minute', async () => {
  const { server, requests } = notes([HELLO, WEATHER]);
  await promptText(server, 'weather', ['Oslo']);
  await promptText(server, 'Weather', ['Oslo']);
  await promptText(server, 'hello', []);
  const asked = (name: string, given: object) => [
    { method: 'prompts/get', params: { name, arguments: given } },
    { timeout: 30_000 },
  ];
  expect(requests).toEqual([
    asked('Weather', { city: 'Oslo' }),
    asked('Weather', { city: 'Oslo' }),
    asked('hello', {}),
  ]);
});

test('of two names that differ in their capitals the one that was written counts', async () => {
  const { server, requests } = notes([{ ...HELLO, name: 'HELLO' }, HELLO]);
  await promptText(server, 'hello', []);
  expect(requests).toMatchObject([[{ params: { name: 'hello' } }, {}]]);
});

test.each<[words: readonly string[], given: object]>([
  [['Oslo'], { city: 'Oslo' }],
  [['Oslo', 'today'], { city: 'Oslo', 'repo.day': 'today' }],
  [['Oslo', 'early', 'in', 'May'], { city: 'Oslo', 'repo.day': 'early in May' }],
  [['city=New York', 'early', 'in', 'May'], { city: 'New York', 'repo.day': 'early in May' }],
  [['repo.day=today', 'New', 'York'], { city: 'New York', 'repo.day': 'today' }],
  [['early', 'city=Oslo'], { city: 'Oslo', 'repo.day': 'early' }],
  [['city=a=b'], { city: 'a=b' }],
  [['city='], { city: '' }],
  [['city=one\nline more'], { city: 'one\nline more' }],
  [['city=Rome', 'city=Oslo'], { city: 'Oslo' }],
  [['country=Norway'], { city: 'country=Norway' }],
])('%j are given as %j', async (words, given) => {
  const { server, requests } = notes([WEATHER]);
  await promptText(server, 'weather', words);
  expect(requests).toMatchObject([[{ params: { name: 'Weather', arguments: given } }, {}]]);
});

test.each([[[]], [['repo.day=today']], [['', 'today']]])(
  'without what it needs, as in %j, it is not asked for',
  async (words) => {
    const { server, requests } = notes([WEATHER]);
    expect(await refusal(promptText(server, 'weather', words))).toEqual({
      ...{ code: 'bad_usage', message: 'city is missing.' },
      hint: 'Usage: /notes:weather city=… [repo.day=…]',
    });
    expect(requests).toEqual([]);
  },
);

test('one that is not there is told with those that are', async () => {
  const message = 'The MCP server notes has no prompt bye.';
  expect(await refusal(promptText(notes([HELLO, WEATHER]).server, 'bye', []))).toEqual({
    ...{ code: 'bad_usage', message },
    hint: 'It has: hello, Weather.',
  });
  const none = await refusal(promptText(notes([]).server, 'bye', []));
  expect(none).toEqual({ code: 'bad_usage', message, hint: 'It has none at all.' });
});

test('its messages are one text, and what is no text is named', async () => {
  const messages = [
    { role: 'user', content: { type: 'text', text: ' Look at this:' } },
    {
      content: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ],
    },
    { role: 'assistant', content: { type: 'image', mimeType: 'image/png', data: 'aGk=' } },
    { content: { type: 'text', text: 'Well? ' } },
  ];
  const text = await promptText(notes([HELLO], messages).server, 'hello', []);
  expect(text).toBe('Look at this:\n\none\ntwo\n\n[image image/png left out]\n\nWell?');
});

test.each<[what: string, messages: unknown, why: string]>([
  ['refuses', new Error('outer', { cause: new Error('no such city') }), 'no such city'],
  ['answers with what is no message', 'hello', ''],
  ['answers with a book', Array(51).fill({ content: [] }), ''],
])('a server that %s is told of, and how to go on', async (_what, messages, why) => {
  const told = await refusal(promptText(notes([HELLO], messages).server, 'hello', []));
  expect(told).toMatchObject({ code: 'bad_usage', hint: '"wooster mcp test notes" asks it again.' });
  expect(told.message).toContain(`notes does not give its prompt hello: ${why}`);
  expect(told.message.at(-1)).toBe('.');
});

test('fifty messages are no book', async () => {
  const messages = Array(50).fill({ content: { type: 'text', text: 'a' } });
  expect(await promptText(notes([HELLO], messages).server, 'hello', [])).toHaveLength(50 + 49 * 2);
});
