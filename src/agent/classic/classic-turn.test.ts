import type { AIMessage } from '@langchain/core/messages';
import { describe, expect, test } from 'vitest';
import { AssistantError } from '../../base/errors.ts';
import type { TurnEvent } from '../../base/turn.ts';
import { ReplyError } from '../../models/failure.ts';
import { testAgent, testContext, testTurn } from '../../testing/agent.ts';
import type { Scripted } from '../../testing/scripted-model.ts';
import { PLAIN_TOOL, WRITE_NOTE } from '../../testing/tools.ts';
import { defineTool, type Tool } from '../../tools/tool.ts';
import type { TurnWishes } from '../types.ts';
import { createClassicEngine } from './engine.ts';

const note = (text: string) => ({ name: 'write_note', args: { text } });
const NOTE = { toolCalls: [note('milk')] };

interface Given {
  readonly tools?: readonly Tool[];
  readonly maxIterations?: number;
  readonly maxContinuations?: number;
  readonly wishes?: TurnWishes;
  readonly steering?: () => readonly string[];
  readonly signal?: AbortSignal;
}

/** One turn: its answer, what was shown of it, and the messages of each request as `type: text`. */
async function play(replies: readonly Scripted[], given: Given = {}) {
  const { tools = [WRITE_NOTE], maxIterations = 50, maxContinuations, signal } = given;
  const engine = createClassicEngine({ maxIterations, maxContinuations });
  const agent = await testAgent(replies, { tools, deps: { engines: { classic_tools: engine, code_agent: engine } } });
  const context = { ...testContext(signal ? { signal } : {}), ...(given.steering ? { steering: given.steering } : {}) };
  const answer = await agent.runTurn(testTurn('please do it'), context, given.wishes);
  const shown = context.events.filter(
    ({ type }) => !['turn', 'answer', 'token', 'call', 'tool', 'usage'].includes(type),
  );
  const tokens = context.events.flatMap((event) => (event.type === 'token' ? [event.text] : []));
  const requests = agent.model.requests.map(({ messages }) =>
    messages.slice(1).map((each) => `${each.type}: ${each.text}`),
  );
  const { stop, steps } = answer;
  return {
    answer: [answer.text, stop, steps],
    shown,
    tokens: tokens.join(''),
    requests,
    agent,
    events: context.events,
  };
}

const empty = new AssistantError('model_unreachable', 'Nothing came.', {
  hint: 'Ask again.',
  cause: new ReplyError('empty', 'nothing came'),
});
const emptyRetry: TurnEvent = { type: 'retry', reason: 'the reply was empty', waitMs: 0 };
const CUT_OFF: TurnEvent = {
  type: 'error',
  code: 'model_incomplete',
  message: 'The answer is incomplete: the model was cut off.',
  hint: 'Ask for the rest, or for a shorter answer.',
};

describe('a reply without anything', () => {
  const asked = [
    'human: please do it',
    'ai: (empty)',
    'human: Your last reply was empty. Call a tool, or answer in plain text.',
  ];

  test.each([
    ['no words', ''],
    ['an error that says so', { error: empty }],
  ])('is asked for again: %s', async (_what, reply) => {
    const { answer, shown, tokens, requests } = await play([reply, 'Hello.']);
    expect([answer, shown, tokens]).toEqual([['Hello.', 'answered', 2], [emptyRetry], 'Hello.']);
    expect(requests).toEqual([['human: please do it'], asked]);
  });

  test.each<[string, Scripted, TurnEvent]>([
    [
      'no words',
      '',
      {
        type: 'error',
        code: 'model_incomplete',
        message: 'The model gave no answer, although it was asked again: the reply was empty.',
        hint: 'Ask in other words, or switch with /model NAME.',
      },
    ],
    [
      'an error that says so',
      { error: empty },
      { type: 'error', code: 'model_unreachable', message: 'Nothing came.', hint: 'Ask again.' },
    ],
  ])('ends the turn the second time: %s', async (_what, reply, error) => {
    const { answer, shown } = await play([reply, reply]);
    expect([answer[1], shown]).toEqual(['failed', [emptyRetry, error]]);
  });
});

test('a call that cannot be read goes back to the model, as far as 4,000 characters', async () => {
  const broken = `{"name": "write_note", "arguments": {"text": "${'x'.repeat(5000)}`;
  const { shown, requests, tokens } = await play([broken, 'Hello.']);
  expect(shown).toEqual([{ type: 'retry', reason: 'the reply was a call that cannot be read', waitMs: 0 }]);
  expect(requests[1]?.[1]).toBe(`ai: ${broken.slice(0, 4000)}`);
  expect(tokens).toBe('Hello.');
});

describe('the words before a call', () => {
  const prose = 'I will write that down for you now, as you have asked me to do.\n';
  const call = '{"name": "write_note", "arguments": {"text": "milk"}}';

  test.each([
    ['<tool_call>', `<tool_call>${call}</tool_call>`],
    ['</tool_call>', `</tool_call><tool_call>${call}</tool_call>`],
    ['<function', '<function=write_note><parameter=text>milk</parameter></function>'],
    ['<invoke', '<invoke name="write_note"><parameter name="text">milk</parameter></invoke>'],
    ['JSON', call],
    ['JSON further in', `  \t{  ${call.slice(1)}`],
    ['Action:', 'Action: write_note\nAction Input: {"text": "milk"}'],
  ])('are shown without it, and taken back: %s', async (_form, written) => {
    const { events, answer, shown } = await play([`${prose}${written}`, 'Noted.']);
    const before = events.slice(
      0,
      events.findIndex(({ type }) => type === 'retry'),
    );
    const words = before.map((event) => (event.type === 'token' ? event.text : '')).join('');
    expect(words.trim()).toBe(prose.trim());
    expect(shown).toEqual([{ type: 'retry', reason: 'the reply was a call', waitMs: 0 }]);
    expect(events).toContainEqual(expect.objectContaining({ type: 'tool', input: { text: 'milk' }, ok: true }));
    expect(answer).toEqual(['Noted.', 'answered', 2]);
  });

  test('are not taken back where none were shown', async () => {
    const { shown, answer, tokens } = await play([call, 'Noted.']);
    expect([shown, answer[0], tokens]).toEqual([[], 'Noted.', 'Noted.']);
  });
});

test('a list as the arguments of a call stands for its fields in order', async () => {
  const list = (name: string) => ({ toolCalls: [{ name, args: {}, rawArgs: '["milk"]' }] });
  const { events, requests } = await play([list('write_note'), list('conjure'), 'Noted.']);
  const called = events.filter(({ type }) => type === 'tool');
  expect(called).toEqual([expect.objectContaining({ input: { text: 'milk' }, preview: 'noted: milk' })]);
  expect(requests[2]?.at(-1)).toMatch(/^tool: Error: .*conjure was not run/u);
});

test('a model sees a call that was refused as it made it, and the others as they are', async () => {
  const calls = [note('milk'), { name: 'conjure', args: { text: 'a' } }];
  const { agent } = await play([{ text: 'Hm.', toolCalls: calls }, 'Sorry.']);
  const sent = agent.model.requests[1]?.messages[2] as AIMessage;
  expect([sent.text, sent.tool_calls?.map(({ name, args }) => ({ name, args }))]).toEqual(['Hm.', calls]);
});

describe('a turn that runs out of steps', () => {
  const words = (steps: string) => `I stopped after ${steps} without finishing. Ask me to go on if you want the rest.`;

  test.each<[string, readonly Scripted[], Given, string]>([
    ['after one', [NOTE], { maxIterations: 1 }, words('1 step')],
    ['after two', [NOTE, { toolCalls: [note('eggs')] }], { maxIterations: 2 }, words('2 steps')],
    ['after those that the caller allows', [NOTE], { wishes: { maxSteps: 1 } }, words('1 step')],
    ['with words', [{ text: ' Writing. ', ...NOTE }], { maxIterations: 1 }, `Writing.\n\n${words('1 step')}`],
  ])('says so: %s', async (_when, replies, given, text) => {
    const { answer } = await play(replies, given);
    expect(answer).toEqual([text, 'step_limit', replies.length]);
  });
});

describe('an answer that broke off', () => {
  const long = 'Once upon a time there lived a fox';

  test.each<[string, Scripted]>([
    ['at the length limit', { text: long, finish: 'length' }],
    ['without an end', { text: long, finish: '' }],
  ])('is shown and said to be cut: %s', async (_how, reply) => {
    const { answer, shown, tokens } = await play([reply]);
    expect([answer, shown, tokens]).toEqual([[long, 'cut_off', 1], [CUT_OFF], long]);
  });

  test('is continued as often as may be', async () => {
    const replies = [' in a', ' wood', ' by', ' a'].map((text) => ({ text, finish: 'length' }));
    const { answer, shown, tokens, requests } = await play([{ text: long, finish: 'length' }, ...replies], {
      maxContinuations: 2,
    });
    expect([answer, shown, tokens]).toEqual([[`${long} in a wood`, 'cut_off', 3], [CUT_OFF], `${long} in a wood`]);
    expect(requests).toHaveLength(3);
  });

  test('stays where the rest cannot be had, which is said', async () => {
    const down = new AssistantError('model_unreachable', 'Nobody answers.', { hint: 'Start it.' });
    const { answer, shown } = await play([{ text: long, finish: 'length' }, { error: down }], { maxContinuations: 2 });
    const missing: TurnEvent = { type: 'notice', text: 'The rest of the answer is missing: Nobody answers.' };
    expect([answer, shown]).toEqual([
      [long, 'cut_off', 1],
      [missing, CUT_OFF],
    ]);
  });

  test('ends with the turn where that is stopped', async () => {
    const stop = new AbortController();
    const down = new AssistantError('model_unreachable', 'Nobody answers.', { hint: 'Start it.' });
    const stopping = () => {
      stop.abort(new Error('stopped'));
      return { error: down };
    };
    const replies = [{ text: long, finish: 'length' }, stopping];
    const { answer, shown } = await play(replies, { maxContinuations: 2, signal: stop.signal });
    expect([answer, shown]).toEqual([['', 'aborted', 0], []]);
  });
});

describe('an answer that comes with a call', () => {
  const tools = [{ ...WRITE_NOTE, presentation: { unremarkable: () => true } }];
  const noted = (answer: string): Scripted => {
    return { toolCalls: [{ name: 'write_note', args: { text: 'milk', answer } }] };
  };

  test('is the answer, unless the person has said something meanwhile', async () => {
    expect((await play([noted('Noted.')], { tools })).answer).toEqual(['Noted.', 'answered', 1]);
    const said = [[], ['in German, please']];
    const steered = await play([noted('Noted.'), 'Notiert.'], { tools, steering: () => said.shift() ?? [] });
    expect(steered.answer).toEqual(['Notiert.', 'answered', 2]);
    expect(steered.requests[1]?.at(-1)).toMatch(/^human: .*in German, please$/u);
  });

  test('is none where it is a call itself', async () => {
    const call = '{"name": "write_note", "arguments": {"text": "eggs"}}';
    expect((await play([noted(call), 'Noted.'], { tools })).answer).toEqual(['Noted.', 'answered', 2]);
  });

  test('is left aside where the answer is to be data, which a tool takes', async () => {
    let taken: string | undefined;
    const take = defineTool({
      ...PLAIN_TOOL,
      name: 'give_answer',
      execute: () => {
        taken = '{"milk":true}';
        return 'taken';
      },
    });
    const answer = {
      tool: take,
      lines: { classic_tools: 'Give data.', code_agent: '' },
      taken: () => taken,
      read: async () => ({ problem: 'That is no data.' }),
    };
    const replies = [noted('Noted.'), 'Noted.', { toolCalls: [{ name: 'give_answer', args: {} }] }];
    const { answer: given, requests, shown } = await play(replies, { tools, wishes: { answer } });
    expect(given).toEqual(['{"milk":true}', 'answered', 3]);
    expect(requests[2]?.at(-1)).toBe('human: That is no data. Call give_answer with the whole answer.');
    const reason = 'the answer did not have the form that was asked for';
    expect(shown).toEqual([{ type: 'retry', reason, waitMs: 0 }]);
  });
});
