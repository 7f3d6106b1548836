import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type TestScope, testScope, testToolbox } from '../../testing/scope.ts';
import { PLAIN_TOOL, WRITE_NOTE } from '../../testing/tools.ts';
import type { CallForm } from '../../tools/signature.ts';
import { defineTool } from '../../tools/tool.ts';
import type { WantedAnswer } from '../types.ts';
import { ReadTexts } from './read-texts.ts';
import { ANSWER_CAUSES, ReplyReview } from './review.ts';

const TIME = defineTool({ ...PLAIN_TOOL, name: 'current_time', execute: () => '09:00' });
const NOTE = '{"name": "write_note", "arguments": {"text": "buy milk"}}';
const CALLED = { kind: 'calls', calls: [{ tool: WRITE_NOTE, input: { text: 'buy milk' } }] };

let scope: TestScope;
beforeEach(async () => {
  scope = await testScope({ turn: { text: 'please do it' } });
});

interface Case {
  readonly form?: CallForm;
  readonly request?: string;
  readonly reads?: ReadTexts;
  readonly wanted?: WantedAnswer;
}

function review({ form = 'tool', request = 'please do it', reads = ReadTexts.of('', []), wanted }: Case = {}) {
  const toolbox = testToolbox([WRITE_NOTE, TIME], scope);
  const turn = { ...scope.turn, text: request };
  return new ReplyReview({ toolbox, scope: { ...scope, turn }, reads, form, wanted });
}

const answer = (text: string) => ({ kind: 'answer', text });
const quoted = (text: string) => ({ kind: 'answer', text, quotes: true });

const TOOL = 'Use a real tool call, or answer in plain text.';
const SCRIPT = 'Reply with one ```js block that calls the functions, or with the answer in plain text.';
const BAD = (what: string) =>
  `Your answer was not shown: ${what}. Look at the values that the calls gave, and answer again.`;

describe.each([
  ['tool', TOOL, 'Call a tool, or answer in plain text.'],
  ['function', SCRIPT, 'Reply with one ```js block, or with the answer in plain text.'],
] as const)('what the model is told where it calls by %s', (form, howToCall, wanted) => {
  test.each([
    ['nothing', ' \n', 'empty', 'the reply was empty', `Your last reply was empty. ${wanted}`],
    ['thinking alone', '<think>Hm.</think>', 'empty', 'the reply was empty', `Your last reply was empty. ${wanted}`],
    [
      'a call that breaks off',
      '{"name": "write_note", "arguments": {"text": "buy',
      'broken',
      'the reply was a call that cannot be read',
      `Your last reply was meant as a call, but could not be read. ${howToCall}`,
    ],
    [
      'an answer as a call with two texts',
      '{"name": "answer", "arguments": {"day": "Friday", "month": "May"}}',
      'broken',
      'the reply was a call that cannot be read',
      `Your last reply could not be read. ${wanted}`,
    ],
    [
      'a tool that nobody has',
      '{"name": "launch_rocket", "arguments": {"to": "moon"}}',
      'unknown',
      'the reply called a tool that does not exist',
      `Tool "launch_rocket" not found. Nothing was run. ${howToCall}`,
    ],
    [
      'a tool that nobody has beside one that is there',
      `[${NOTE}, {"name": "launch", "arguments": {}}]`,
      'unknown',
      'the reply called a tool that does not exist',
      `Tool "launch" not found. Nothing was run. ${howToCall}`,
    ],
  ])('after %s, as often as it takes', async (_name, reply, cause, why, reason) => {
    const judge = review({ form });
    expect(await judge.reply(reply)).toEqual({ kind: 'again', cause, why, reason });
    expect(await judge.reply(reply)).toEqual({ kind: 'stuck', why, reason });
  });

  test.each([
    [
      'words that may mean a call or quote it',
      `The person wants a note.\n${NOTE}`,
      'unsure',
      'the reply held a call as text',
      `Your last reply held a call as text, which was not run. If it is meant: ${howToCall}`,
      true,
    ],
    [
      'a program that nothing runs',
      '```python\nprint(1)\n```',
      'code',
      'the reply was a program that nothing runs',
      `Your reply was a program, and nothing runs python here. ${howToCall}`,
      false,
    ],
    ['no value', 'The total is NaN.', 'value', 'the answer held no usable value', BAD('it held NaN'), false],
    ['nothing but a value', 'undefined', 'value', 'the answer held no usable value', BAD('it held undefined'), false],
    [
      'a claim of what was not done',
      'I have saved the note. Bye.',
      'claim',
      'the answer claimed what was not done',
      'You wrote "I have saved the note.", but nothing was done: no call in this turn did that. ' +
        'Do it now, or say that it was not done.',
      false,
    ],
  ])('after %s, once', async (_name, reply, cause, why, reason, quotes) => {
    const judge = review({ form });
    expect(await judge.reply(reply)).toEqual({ kind: 'again', cause, why, reason });
    expect(await judge.reply(reply)).toEqual(quotes ? quoted(reply) : answer(reply));
  });
});

test('each cause is told once, whatever else was told before', async () => {
  const judge = review();
  const kinds = [];
  for (const reply of ['', 'The total is NaN.', 'I have saved the note.', '', 'NaN', 'I have sent it.'])
    kinds.push((await judge.reply(reply)).kind);
  expect(kinds).toEqual(['again', 'again', 'again', 'stuck', 'answer', 'answer']);
  expect(judge.empty()).toMatchObject({ kind: 'stuck' });
});

test('only what is wrong with the answer itself is no slip of form', () => {
  expect([...ANSWER_CAUSES]).toEqual(['value', 'claim', 'named', 'figure', 'data']);
});

test.each([
  ['plain text', 'It is Friday.', answer('It is Friday.')],
  ['text around its thinking', '<think>Hm.</think> It is Friday. \n', answer('It is Friday.')],
  ['a call', NOTE, CALLED],
  ['a call by another name', NOTE.replace('write_note', 'writeNotes'), CALLED],
  ['a call beside an answer', `[${NOTE}, {"name": "answer", "arguments": {"text": "Noted."}}]`, CALLED],
  ['an answer beside a call', `[{"name": "answer", "arguments": {"text": "Noted."}}, ${NOTE}]`, CALLED],
  ['a call of a function', 'write_note("buy milk")', { ...CALLED, calls: [{ tool: WRITE_NOTE, input: 'buy milk' }] }],
  ['a call that is quoted', `For example:\n${NOTE}`, quoted(`For example:\n${NOTE}`)],
  ['an answer in a frame', 'Thought: easy\nFinal Answer: It is Friday.', answer('It is Friday.')],
  ['an answer as a call', '{"name": "final_answer", "arguments": {"text": "Friday", "sure": true}}', answer('Friday')],
  ['an answer as a call with one text', '{"name": "answer", "input": "Friday"}', answer('Friday')],
  ['a program with words', '```python\nprint(1)\n``` is one', answer('```python\nprint(1)\n``` is one')],
  ['a shell line', '```sh\nls\n```', answer('```sh\nls\n```')],
])('a reply is %s', async (_name, reply, verdict) => {
  expect(await review().reply(reply)).toEqual(verdict);
});

test('where scripts call, a call of a function is none', async () => {
  expect(await review({ form: 'function' }).reply('write_note("buy milk")')).toEqual(answer('write_note("buy milk")'));
});

test('a tool may be called like an answer', async () => {
  const reply = defineTool({ ...PLAIN_TOOL, name: 'reply', input: z.object({}), execute: () => null });
  const toolbox = testToolbox([reply], scope);
  const judge = new ReplyReview({ toolbox, scope, reads: ReadTexts.of('', []), form: 'tool' });
  const input = { to: 'Ann', text: 'Yes.' };
  expect(await judge.reply(JSON.stringify({ name: 'reply', arguments: input }))).toEqual({
    kind: 'calls',
    calls: [{ tool: reply, input }],
  });
});

test.each(['python', 'python3', 'py', 'tool_code', 'JavaScript', 'js', 'typescript', 'ts'])(
  'a program in %s goes back, also one that is never closed',
  async (language) => {
    const program = `\`\`\`${language}\nprint(1)`;
    const reason = `Your reply was a program, and nothing runs ${language} here. ${TOOL}`;
    const again = { kind: 'again', cause: 'code', why: 'the reply was a program that nothing runs', reason };
    expect(await review().reply(program)).toEqual(again);
    expect(await review().reply(`${program}\n\`\`\``)).toEqual(again);
  },
);

test.each([
  ...[
    'Write me that sum',
    'a script for it',
    'some Python',
    'an example',
    'Show me how',
    'Schreib das',
    'ein Beispiel',
  ],
  ...['implement it', 'the algorithm', 'a JavaScript one', 'a skript'],
])('a program is the answer where one was asked for: %s', async (request) => {
  const program = '```python\nprint(1)\n```';
  expect(await review({ request }).reply(program)).toEqual(answer(program));
});

test.each([
  ['Which JSON saves a note?', quoted(NOTE)],
  ['Show me the tool call for it', quoted(NOTE)],
  ['Give me the syntax of it', quoted(NOTE)],
  ['Explain the call to write_note', quoted(NOTE)],
  ['Save it as JSON', CALLED],
  ['Call write_note', CALLED],
  [`What is it? ${'x'.repeat(90)} json`, CALLED],
])('a call is the answer where the person asks for one: %s', async (request, verdict) => {
  expect(await review({ request }).reply(NOTE)).toEqual(verdict);
});

test('a call that stands in what was read is quoted', async () => {
  const reads = ReadTexts.of(`What does ${NOTE} do?`, []);
  expect(await review({ reads }).reply(NOTE)).toEqual(quoted(NOTE));
  expect(await review({ reads }).reply(`I'll do both:\n${NOTE}\n{"name": "current_time"}`)).toEqual(
    quoted(`I'll do both:\n${NOTE}\n{"name": "current_time"}`),
  );
});

test('where JSON is asked for, calls of no tool are that JSON', async () => {
  const person = '{"name": "Bob", "arguments": {"age": 3}}';
  expect(await review({ request: 'Bob as JSON' }).reply(person)).toEqual(quoted(person));
  expect(await review({ request: 'Bob as Jsonnet' }).reply(person)).toMatchObject({ cause: 'unknown' });
  const both = `[${person}, ${NOTE}]`;
  expect(await review({ request: 'Bob as JSON' }).reply(both)).toMatchObject({ cause: 'unknown' });
});

test('a long claim is told in its first words', async () => {
  const claim = `I have saved ${'x'.repeat(300)}`;
  const verdict = await review().reply(`${claim}.`);
  expect(verdict).toMatchObject({
    reason: `You wrote "${claim.slice(0, 200)}", but nothing was done: no call in this turn did that. Do it now, or say that it was not done.`,
  });
});

test('what a script gives as its answer is judged as a value', async () => {
  const given = (text: string, request?: string) => review(request === undefined ? {} : { request }).final(text);
  const again = { kind: 'again', cause: 'value', why: 'the answer held no usable value' };
  expect(await given('You have 3 notes.')).toEqual(answer('You have 3 notes.'));
  expect(await given('You have undefined notes.')).toStrictEqual({ ...again, reason: BAD('it held undefined') });
  expect(await given(' ')).toEqual({ ...again, reason: BAD('it was empty') });
  expect(await given('[\n  {\n    "text": "milk",\n    "day": 1\n  }\n]')).toEqual(answer('- milk, day: 1'));
  expect(await given('```python\nprint(1)\n```')).toEqual(answer('```python\nprint(1)\n```'));
  expect(await given(NOTE)).toEqual(CALLED);
  expect(await given(`  ${NOTE}`)).toEqual(CALLED);
  expect(await given(`<tool_call>${NOTE}</tool_call>`)).toEqual(CALLED);
  expect(await given(`[${NOTE}]`)).toEqual(CALLED);
  expect(await given(`I'll note it: ${NOTE}`)).toEqual(answer(`I'll note it: ${NOTE}`));
  expect(await given(NOTE, 'Show me the JSON of it')).toEqual(quoted(NOTE));
  expect(await given('{"name": "answer", "input": "Friday"}')).toEqual(answer('Friday'));
});

test('an empty answer of a script is asked for as often as it takes, another one without a value once', async () => {
  const judge = review();
  expect([(await judge.final('')).kind, (await judge.final(' \n')).kind]).toEqual(['again', 'stuck']);
  const other = review();
  expect([(await other.final('NaN')).kind, await other.final('NaN')]).toEqual(['again', answer('NaN')]);
});

describe('an answer that is to be data', () => {
  const tool = defineTool({ ...PLAIN_TOOL, name: 'final_answer', input: z.unknown(), execute: () => null });
  const read = async (text: string) => {
    const day = /^(?:On day |\{"day":)(\d+)\}?$/u.exec(text)?.[1];
    return day === undefined ? { problem: 'Your answer has no number.' } : { json: `{"day":${day}}` };
  };
  const wanted = { tool, read, lines: { classic_tools: 'a', code_agent: 'b' } } as WantedAnswer;
  const data = (day: number) => ({ kind: 'answer', text: `{"day":${day}}`, quotes: true });

  test('is given as it was asked for', async () => {
    expect(await review({ wanted }).reply('On day 3')).toEqual(data(3));
    expect(await review({ wanted }).final('On day 3')).toEqual(data(3));
    expect(await review({ wanted }).reply('Thought: easy\nFinal Answer: On day 3')).toEqual(answer('{"day":3}'));
    expect(await review({ wanted }).reply('{"name": "answer", "arguments": {"day": 3}}')).toEqual(answer('{"day":3}'));
  });

  test.each([
    ['tool', 'Your answer has no number. Call final_answer with the whole answer.'],
    ['function', 'Your answer has no number. Call finalAnswer(value) again.'],
  ] as const)('goes back once where it is not, by %s', async (form, reason) => {
    const judge = review({ form, wanted });
    const why = 'the answer did not have the form that was asked for';
    expect(await judge.reply('Soon')).toEqual({ kind: 'again', cause: 'data', why, reason });
    expect(await judge.reply('Soon')).toEqual(answer('Soon'));
    expect(await judge.final('undefined')).toEqual(answer('undefined'));
  });

  test('stays data, where words would be made of it otherwise', async () => {
    const list = JSON.stringify([{ day: 'Friday' }], null, 2);
    const asItIs = { ...wanted, read: async (text: string) => ({ json: text }) };
    expect(await review({ wanted: asItIs }).final(list)).toEqual(quoted(list));
    expect(await review().final(list)).toEqual(answer('- Friday'));
  });

  test('stands in what was sent as a call, whole', async () => {
    const seen: string[] = [];
    const note = async (text: string) => {
      seen.push(text);
      return { problem: 'No.' };
    };
    const spy = { ...wanted, read: note };
    await review({ wanted: spy }).reply('{"name": "answer", "arguments": {"a": "x", "b": ["y"]}}');
    await review({ wanted: spy }).reply('{"name": "answer", "arguments": null}');
    expect(seen).toEqual([
      '{"name": "answer", "arguments": {"a": "x", "b": ["y"]}}',
      '{"a":"x","b":["y"]}',
      '{"name": "answer", "arguments": null}',
      '{}',
    ]);
  });
});
