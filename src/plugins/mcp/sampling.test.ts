import { expect, test } from 'vitest';
import { answerSampling, type SampleRequest } from './sampling.ts';

/** What our model was asked, and what the server got. */
async function sampled(params: unknown, text = 'Aye.') {
  const asked: SampleRequest[] = [];
  const answer = await answerSampling(params, async (request) => {
    asked.push(request);
    return { text, model: 'ours' };
  });
  return { asked, answer };
}

const said = (text: string) => ({ type: 'text', text });
const ONE = { role: 'user', content: said('Sails?') };

test('a model is asked in its own words, and the server gets the answer in its', async () => {
  const content = [said('How'), said('many?')];
  const { asked, answer } = await sampled({
    systemPrompt: 'Be short.',
    messages: [ONE, { role: 'assistant', content: said('Yes.') }, { role: 'user', content }],
    maxTokens: 100,
  });
  expect(asked).toEqual([
    {
      system: 'Be short.',
      messages: [
        { role: 'user', text: 'Sails?' },
        { role: 'assistant', text: 'Yes.' },
        { role: 'user', text: 'How\nmany?' },
      ],
    },
  ]);
  expect(answer).toEqual({ role: 'assistant', model: 'ours', content: said('Aye.'), stopReason: 'endTurn' });
});

test.each([
  [undefined, 'abcdefghi', 'abcdefghi', 'endTurn'],
  [2, 'abcdefgh', 'abcdefgh', 'endTurn'],
  [2, 'abcdefghi', 'abcdefgh', 'maxTokens'],
  [0, 'a', '', 'maxTokens'],
])('of %j tokens at most, %s is %j', async (maxTokens, text, content, stopReason) => {
  const { answer } = await sampled({ messages: [ONE], ...(maxTokens !== undefined && { maxTokens }) }, text);
  expect(answer).toMatchObject({ content: said(content), stopReason });
});

test.each<[what: string, params: object]>([
  ['a text of 100,000 characters', { messages: [{ role: 'user', content: said('x'.repeat(100_000)) }] }],
  ['a system prompt of 20,000', { messages: [ONE], systemPrompt: 'x'.repeat(20_000) }],
  ['a hundred messages', { messages: Array(100).fill(ONE) }],
  ['no parts', { messages: [{ role: 'user', content: [] }] }],
])('%s is answered', async (_what, params) => {
  expect((await sampled(params)).asked).toHaveLength(1);
});

test.each<[what: string, params: unknown]>([
  ['nothing', undefined],
  ['no message', { messages: [] }],
  ['a picture', { messages: [{ role: 'user', content: { type: 'image', data: '' } }] }],
  ['a picture beside a text', { messages: [{ role: 'user', content: [said('a'), { type: 'image' }] }] }],
  ['a message of ours', { messages: [{ role: 'system', content: said('a') }] }],
  ['a book', { messages: [{ role: 'user', content: said('x'.repeat(100_001)) }] }],
  ['a book in parts', { messages: [{ role: 'user', content: [said('x'.repeat(100_001))] }] }],
  ['a book for the system', { messages: [ONE], systemPrompt: 'x'.repeat(20_001) }],
  ['101 messages', { messages: Array(101).fill(ONE) }],
  ['a number that is none', { messages: [ONE], maxTokens: 'all' }],
])('%s is not, and no model is asked', async (_what, params) => {
  const never = async () => Promise.reject(new Error('asked'));
  await expect(answerSampling(params, never)).rejects.toThrow(new Error('only requests with texts are answered'));
});
