import { describe, expect, test } from 'vitest';
import { acceptUnstreamedReplies } from './unstreamed-replies.ts';

const COMPLETION = {
  ...{ id: 'c1', object: 'chat.completion', model: 'm', usage: { total_tokens: 5 } },
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hello.' } }],
};
const STREAMED = JSON.stringify({ stream: true, messages: [] });

/** What a caller gets when the server gives this answer. */
async function fetched(answer: unknown, { type = 'application/json', status = 200, body = STREAMED as unknown } = {}) {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  const server = async () => new Response(text, { status, headers: { 'content-type': type, 'x-id': '7' } });
  const response = await acceptUnstreamedReplies(server as typeof fetch)('http://127.0.0.1/v1/chat', {
    method: 'POST',
    body: body as string,
  });
  const { headers } = response;
  return {
    status: response.status,
    type: headers.get('content-type'),
    id: headers.get('x-id'),
    text: await response.text(),
  };
}

/** The one chunk of a stream. */
function chunkOf(text: string): unknown {
  const [, chunk = ''] = /^data: (.*)\n\ndata: \[DONE\]\n\n$/u.exec(text) ?? [];
  return JSON.parse(chunk);
}

describe('a whole completion becomes a stream of one piece', () => {
  test.each(['application/json', 'Application/JSON; charset=utf-8', 'text/json'])('as %s', async (type) => {
    const { text, ...rest } = await fetched(COMPLETION, { type });
    expect(rest).toEqual({ status: 200, type: 'text/event-stream', id: null });
    expect(chunkOf(text)).toEqual({
      ...{ id: 'c1', object: 'chat.completion.chunk', model: 'm', usage: { total_tokens: 5 } },
      choices: [{ index: 0, finish_reason: 'stop', delta: { role: 'assistant', content: 'Hello.' } }],
    });
  });

  test('with its calls numbered, and what is no choice as it is', async () => {
    const tool_calls = [{ id: 'a', function: { name: 'x' } }, 'odd', { id: 'b' }];
    const choices = [{ index: 0, message: { tool_calls } }, { index: 1, text: 'old' }, 7];
    expect(chunkOf((await fetched({ choices })).text)).toEqual({
      object: 'chat.completion.chunk',
      choices: [
        {
          index: 0,
          delta: { tool_calls: [{ id: 'a', function: { name: 'x' }, index: 0 }, 'odd', { id: 'b', index: 2 }] },
        },
        { index: 1, text: 'old' },
        7,
      ],
    });
  });
});

test.each([
  ['a refusal', COMPLETION, { status: 400 }],
  ['a stream', 'data: {}\n\n', { type: 'text/event-stream' }],
  ['another format', COMPLETION, { type: 'application/jsonl' }],
  ['no completion', { models: [] }, {}],
  ['nothing readable', '{"choices":', {}],
  ['a list', [COMPLETION], {}],
  ['what was not to be streamed', COMPLETION, { body: JSON.stringify({ stream: false, messages: [] }) }],
  ['what is no chat', COMPLETION, { body: JSON.stringify({ stream: true, input: 'x' }) }],
  ['a request that cannot be read', COMPLETION, { body: '{' }],
  ['a request that is no text', COMPLETION, { body: new TextEncoder().encode(STREAMED) }],
])('%s is passed on as it is', async (_what, answer, options: { type?: string; status?: number; body?: unknown }) => {
  expect(await fetched(answer, options)).toEqual({
    status: options.status ?? 200,
    type: options.type ?? 'application/json',
    id: '7',
    text: typeof answer === 'string' ? answer : JSON.stringify(answer),
  });
});
