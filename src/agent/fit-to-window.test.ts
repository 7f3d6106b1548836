import { ContextOverflowError } from '@langchain/core/errors';
import { type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { expect, test } from 'vitest';
import { AssistantError } from '../base/errors.ts';
import type { CompactOptions } from '../conversation/types.ts';
import type { ModelChoice } from '../models/types.ts';
import { callWithinWindow } from './fit-to-window.ts';

const CHOICE = { name: 'small' } as ModelChoice;
const MESSAGES = [new HumanMessage('one'), new HumanMessage('two'), new HumanMessage('three')];

/** Calls a server that fails in this way as often as told; each round of compaction drops the first message. */
async function called(failures: readonly Error[], overheadTokens?: number) {
  const rounds: { readonly texts: readonly string[]; readonly options: CompactOptions | undefined }[] = [];
  const sent: string[][] = [];
  const left = [...failures];
  const compact = async (messages: readonly BaseMessage[], choice: ModelChoice, options?: CompactOptions) => {
    expect(choice).toBe(CHOICE);
    rounds.push({ texts: messages.map(({ text }) => text), options });
    return messages.slice(1);
  };
  const request = { choice: CHOICE, messages: MESSAGES, ...(overheadTokens === undefined ? {} : { overheadTokens }) };
  const reply = await callWithinWindow({ compact }, request, async (messages) => {
    sent.push(messages.map(({ text }) => text));
    const failure = left.shift();
    if (failure) throw failure;
    return 'Hello.';
  }).catch((error: unknown) => error);
  return { reply, sent, rounds };
}

const overflow = new AssistantError('context_overflow', 'Too long.', { hint: 'Shorten it.' });
const down = new AssistantError('model_unreachable', 'Nobody answers.', { hint: 'Start it.' });

test('the request is compacted once and sent', async () => {
  expect(await called([], 30)).toEqual({
    reply: 'Hello.',
    sent: [['two', 'three']],
    rounds: [{ texts: ['one', 'two', 'three'], options: { overheadTokens: 30 } }],
  });
});

test.each<[string, Error]>([
  ['says so', overflow],
  ['says so in its own words', new ContextOverflowError('maximum context length is 8192 tokens')],
  [
    'says so below another error',
    new AssistantError('model_unreachable', 'x', { hint: 'x', cause: new ContextOverflowError('too long') }),
  ],
])('where the server %s, it is made shorter and sent once more', async (_how, failure) => {
  expect(await called([failure])).toEqual({
    reply: 'Hello.',
    sent: [['two', 'three'], ['three']],
    rounds: [
      { texts: ['one', 'two', 'three'], options: { overheadTokens: 0 } },
      { texts: ['two', 'three'], options: { overheadTokens: 0, force: true } },
    ],
  });
});

test('a second refusal is the answer', async () => {
  const { reply, sent } = await called([overflow, overflow]);
  expect(reply).toBe(overflow);
  expect(sent).toHaveLength(2);
});

test.each([
  ['a model that is down', down],
  ['an error of ours', new TypeError('x is not a function')],
])('nothing is sent again after %s', async (_what, failure) => {
  const { reply, sent, rounds } = await called([failure]);
  expect([reply, sent.length, rounds.length]).toEqual([failure, 1, 1]);
});
