import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { expect, test } from 'vitest';
import { openGoogle } from './google-model.ts';
import type { ProviderOptions } from './provider.ts';

const ANSWER = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'Still there.' }] }, finishReason: 'STOP' }],
};

/** The request to Gemini for a call with these options. */
async function asked(options: Partial<ProviderOptions>, messages: (AIMessage | HumanMessage | ToolMessage)[]) {
  const requests: Request[] = [];
  const fetch = async (input: string | URL | Request) => {
    requests.push((input as Request).clone());
    return Response.json(ANSWER);
  };
  const model = openGoogle({
    ...{ model: 'gemini-2.5-pro', contextWindow: 8192, now: () => new Date(), timeZone: 'UTC', fetch },
    ...options,
  });
  const { text } = await model.invoke(messages);
  const [request] = requests;
  const body = (await request?.json()) as { contents: unknown; generationConfig: unknown };
  return { text, url: request?.url, key: request?.headers.get('x-goog-api-key'), ...body };
}

const HELLO = [new HumanMessage('hello')];

test.each([
  [undefined, 'https://generativelanguage.googleapis.com'],
  ['http://127.0.0.1:9', 'http://127.0.0.1:9'],
])('at the address %s, with the key in a header', async (baseUrl, origin) => {
  const { text, url, key } = await asked({ apiKey: 'k1', baseUrl }, HELLO);
  expect([text, key]).toEqual(['Still there.', 'k1']);
  expect(url).toBe(`${origin}/v1beta/models/gemini-2.5-pro:generateContent`);
});

const schema = { type: 'object', properties: { city: { type: 'string' } } };

test.each<[Partial<ProviderOptions>, object]>([
  [{}, {}],
  [
    { temperature: 0, maxTokens: 300 },
    { temperature: 0, maxOutputTokens: 300 },
  ],
  [{ jsonResponse: true }, { responseMimeType: 'application/json' }],
  [
    { answer: { name: 'place', schema } as ProviderOptions['answer'] },
    { responseMimeType: 'application/json', responseJsonSchema: schema },
  ],
])('%j is asked for', async (options, config) => {
  const { generationConfig } = await asked({ apiKey: 'k1', ...options }, HELLO);
  expect(generationConfig).toEqual({ candidateCount: 1, ...config });
});

test.each([
  ['', []],
  ['One moment.', [{ text: 'One moment.' }]],
])('a saved reply "%s" is told with its call', async (content, words) => {
  const call = { id: 'c1', name: 'place', args: { city: 'Oslo' }, type: 'tool_call' as const };
  const { contents } = await asked({ apiKey: 'k1' }, [
    new HumanMessage('where?'),
    new AIMessage({ content, tool_calls: [call] }),
    new ToolMessage({ content: 'at sea', tool_call_id: 'c1', name: 'place' }),
  ]);
  expect(contents).toMatchObject([
    { role: 'user', parts: [{ text: 'where?' }] },
    { role: 'model', parts: [...words, { functionCall: { name: 'place', args: { city: 'Oslo' } } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'place' } }] },
  ]);
});
