import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { LLMock } from '@copilotkit/aimock';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, type LanguageModel, streamText } from 'ai';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allOf } from './testing/all-of.ts';
import { lastingFolder } from './testing/home.ts';
import { type OpenServe, openServe } from './testing/serve.ts';
import { freePort } from './testing/server-process.ts';
import { rows, wooster } from './testing/wooster.ts';

const MODEL = 'wooster/home';
const SAID = 'I take notes, keep the time, and find what your documents say.';
const mock = new LLMock({ port: 0, chunkSize: 7 });
const folder = lastingFolder();
let served: OpenServe;
let to: { readonly apiKey: string; readonly baseURL: string };

/** Several starts of the program, one after the other. */
const START_MS = 120_000;

beforeAll(async () => {
  mock.on({ userMessage: 'what can you do' }, { content: SAID });
  mock.on({ userMessage: 'break' }, { error: { message: 'no such model', type: 'not_found' }, status: 404 });
  await mock.start();
  const env = { OPENAI_BASE_URL: `${mock.url}/v1`, OPENAI_MODEL_NAME: 'test-model' };
  const port = await freePort();
  served = openServe({ home: folder.dir, env }, '--http', `127.0.0.1:${port}`);
  await served.see('The door is at');
  const paired = await wooster(['pair', '--token', '--name', 'readers', '--scopes', 'openai', '--json'], {
    home: folder.dir,
  });
  const [row] = rows(paired.stdout) as { token?: string }[];
  to = { apiKey: row?.token ?? '', baseURL: `http://127.0.0.1:${port}/v1` };
}, START_MS);

afterAll(async () => {
  await served.end();
  await mock.stop();
  folder.remove();
});

/** A reader of one endpoint: each of its ways to ask. */
interface Reader {
  whole(text: string): Promise<string>;
  streamed(text: string): Promise<string>;
}

const messagesOf = (content: string) => [{ role: 'user' as const, content }];

const READERS: Readonly<Record<string, () => Reader>> = {
  'openai, chat, raw': () => ({
    whole: async (text) => {
      const reply = await client().chat.completions.create({ model: MODEL, messages: messagesOf(text) });
      return reply.choices[0]?.message.content ?? '';
    },
    streamed: async (text) => {
      const stream = await client().chat.completions.create({ model: MODEL, messages: messagesOf(text), stream: true });
      return (await allOf(stream)).map(({ choices }) => choices[0]?.delta.content ?? '').join('');
    },
  }),
  'openai, chat, .stream()': () => ({
    whole: async (text) => {
      const stream = client().chat.completions.stream({ model: MODEL, messages: messagesOf(text) });
      return (await stream.finalContent()) ?? '';
    },
    streamed: async (text) => {
      const options = { stream_options: { include_usage: true } };
      const stream = client().chat.completions.stream({ model: MODEL, messages: messagesOf(text), ...options });
      const { choices, usage } = await stream.finalChatCompletion();
      expect(usage?.total_tokens).toBeGreaterThan(0);
      return choices[0]?.message.content ?? '';
    },
  }),
  'openai, responses': () => ({
    whole: async (text) => (await client().responses.create({ model: MODEL, input: text })).output_text,
    streamed: async (text) => {
      const stream = client().responses.stream({ model: MODEL, input: text });
      return (await stream.finalResponse()).output_text;
    },
  }),
  'LangChain, chat': () => langChain({}),
  'LangChain, responses': () => langChain({ useResponsesApi: true }),
  'AI SDK by @ai-sdk/openai, chat': () => aiSdk(createOpenAI(to).chat(MODEL)),
  'AI SDK by @ai-sdk/openai, responses': () => aiSdk(createOpenAI(to).responses(MODEL)),
  'AI SDK by openai-compatible': () => aiSdk(createOpenAICompatible({ name: 'wooster', ...to })(MODEL)),
};

const client = () => new OpenAI(to);

function langChain(more: { readonly useResponsesApi?: boolean }): Reader {
  const { apiKey, baseURL } = to;
  const model = new ChatOpenAI({ model: MODEL, apiKey, configuration: { baseURL }, ...more });
  return {
    whole: async (text) => (await model.invoke(text)).text,
    streamed: async (text) => (await allOf(await model.stream(text))).map((chunk) => chunk.text).join(''),
  };
}

function aiSdk(model: LanguageModel): Reader {
  return {
    whole: async (prompt) => (await generateText({ model, prompt })).text,
    streamed: async (prompt) => {
      const failed: unknown[] = [];
      const { textStream } = streamText({ model, prompt, onError: ({ error }) => void failed.push(error) });
      const parts = await allOf(textStream);
      if (failed.length > 0) throw failed[0];
      return parts.join('');
    },
  };
}

describe.each(Object.keys(READERS))('%s', (name) => {
  const reader = () => READERS[name]?.() as Reader;

  test('reads an answer, whole and streamed', async () => {
    expect(await reader().whole('what can you do?')).toBe(SAID);
    expect(await reader().streamed('what can you do?')).toBe(SAID);
  });

  // Repeated, it would do again what was done before it failed.
  test.each(['whole', 'streamed'] as const)('learns of an error once (%s)', async (way) => {
    mock.clearRequests();
    await expect(reader()[way]('break')).rejects.toThrow();
    expect(mock.getRequests()).toHaveLength(1);
  });
});
