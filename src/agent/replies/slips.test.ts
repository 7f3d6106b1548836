import { afterAll, describe, expect, test } from 'vitest';
import { testAgent, testContext, testTurn } from '../../testing/agent.ts';
import { codeAgent, testSandbox } from '../../testing/code-agent.ts';
import type { Scripted } from '../../testing/scripted-model.ts';
import { FENCE, NOTE, SEARCH, SLIPS, slipTools } from '../../testing/slips.ts';

/** Calls that are quoted: each is an answer as it stands, and none is run. */
const QUOTED: readonly (readonly [name: string, reply: string])[] = [
  ['an example', `For example, a note is saved with:\n${NOTE}`],
  ['what it looks like', `A call looks like this:\n${FENCE}json\n${NOTE}\n${FENCE}`],
  ['what one would send', `To save a note you would send ${NOTE}`],
  ['what one can do', `You can use:\n${NOTE}`],
  ['what one could do', `You could call ${NOTE} for that.`],
  ['what a file says', `The file says: ${NOTE}`],
  ['what a file contains', `notes.md contains this line:\n${NOTE}`],
  ['what a page asks for', `The page asks me to send ${NOTE}, which I did not do.`],
  ['an injection reported', `The text is suspicious: it holds the instruction ${NOTE}.`],
  ['a refusal', `I will not run this:\n${NOTE}`],
  ['a format', `The format is\n${FENCE}\n${NOTE}\n${FENCE}`],
  ['a syntax', `Its syntax: ${NOTE}`],
  ['documentation', `From the documentation:\n${SEARCH}`],
  ['a template', `A template:\n${SEARCH}`],
  ['a question', `Did you mean a call such as ${SEARCH}?`],
  ['an explanation of one', `${NOTE} means that a note is written.`],
  [
    'a paragraph around it',
    `Tool calls are JSON objects with a name and arguments.\n\n${NOTE}\n\nThe name is that of the tool. That is all.`,
  ],
  [
    'a list of two with words',
    `There are two ways.\n\n1. ${NOTE}\n2. ${SEARCH}\n\nThe first writes and the second searches.`,
  ],
  ['a tag in a sentence', `Models write <tool_call>${NOTE}</tool_call> around what they call, according to the paper.`],
  ['inline code', `The call \`${NOTE}\` was in the message you quoted.`],
  [
    'labels explained',
    'In the ReAct format one would write\nAction: write_note\nAction Input: {"text": "buy milk"}\nand wait.',
  ],
  ['an email', `The email reads:\n\nHello,\n${NOTE}\nBest, Eve`],
  ['a log', `The log shows:\n${FENCE}\n12:00 ${NOTE}\n12:01 ok\n${FENCE}`],
  ['a table', `| format | call |\n| --- | --- |\n| OpenAI | ${NOTE} |\n| other | ${SEARCH} |`],
  ['German', `Ein Beispiel sieht so aus:\n${NOTE}`],
  ['what stands somewhere', `In der Datei steht: ${NOTE}`],
  [
    'the list of tools',
    '[{"name": "write_note", "description": "Append.", "parameters": {"properties": {"text": {"type": "string"}}}}]',
  ],
  ['a person as JSON', '{"name": "Bob", "input": "a sentence"}'],
  ['data that has a name', '{"name": "boat", "length": 12, "berths": 4}'],
  ['a recipe', 'Action: water the plants\nResult: they live'],
  ['a comparison', `OpenAI writes ${NOTE} where Anthropic writes XML.`],
  ['a note about a bug', `The bug report contains ${NOTE} twice.`],
  ['a quotation in German', `Die Datei enthält ${NOTE}`],
  ['a conditional', `If I could write, the call would be ${NOTE}`],
  ['what was told', `You told me: ${NOTE}`],
  ['a lesson', `People who train models use lines such as\n${SEARCH}\nfor that.`],
  ['a test file', `The test reads\n${FENCE}json\n${SEARCH}\n${FENCE}\nand nothing else.`],
  ['a warning', `Never send ${NOTE} without reading it.`],
  ['a changelog', `Version 2 changed the format:\n${NOTE}`],
  ['a translation', `In other programs the same is written ${SEARCH}`],
];

const sandbox = testSandbox();
afterAll(() => sandbox.close());

type Mode = 'classic_tools' | 'code_agent';
const MODES: readonly Mode[] = ['classic_tools', 'code_agent'];
const END = 'It is finished.';

async function play(mode: Mode, replies: readonly Scripted[], text = 'please do it') {
  const { tools, calls } = slipTools();
  const agent =
    mode === 'code_agent' ? await codeAgent(sandbox, replies, { tools }) : await testAgent(replies, { tools });
  const context = testContext();
  const answer = await agent.runTurn(testTurn(text, { mode }), context);
  const shown = context.events.map((event) => (event.type === 'token' || event.type === 'retry' ? event : undefined));
  return { answer, calls, events: context.events, shown, requests: agent.model.requests };
}

describe.each(MODES)('a slip in %s', (mode) => {
  test.each(SLIPS)('$name', async ({ reply, calls, answer = END }) => {
    const played = await play(mode, [reply, END]);
    expect(played.calls, JSON.stringify(played.events)).toEqual(calls);
    expect(played.answer).toMatchObject({ text: answer, stop: 'answered' });
    expect(played.events.filter((event) => event.type === 'fallback')).toEqual([]);
  });

  test.each(QUOTED)('quoted: %s', async (_name, reply) => {
    const played = await play(mode, [reply, END]);
    expect(played.calls).toEqual([]);
    expect(played.answer).toMatchObject({ text: reply, stop: 'answered' });
    expect(played.requests).toHaveLength(1);
  });

  test.each([
    [
      'the person asks for the call',
      'What JSON would call write_note?',
      '{"name":"write_note","arguments":{"text":"a"}}',
    ],
    [
      'it stands in the request',
      'What does {"name": "write_note", "arguments": {"text": "owned"}} do?',
      '{"name": "write_note", "arguments": {"text": "owned"}}',
    ],
  ])('quoted because %s', async (_name, request, reply) => {
    const played = await play(mode, [reply], request);
    expect(played.calls).toEqual([]);
    expect(played.answer.text).toBe(reply);
  });

  test('an answer that claims what was done before is not asked for again', async () => {
    const played = await play(mode, ['{"name":"write_note","arguments":{"text":"a"}}', 'I have saved the note.']);
    expect(played.answer.text).toBe('I have saved the note.');
    expect(played.requests).toHaveLength(2);
  });

  test('a program that nothing runs goes back once, and is an answer where one was asked for', async () => {
    const program = '```python\nprint(80.25 + 64.75)\n```';
    const sent = await play(mode, [program, 'You paid 145.'], 'How much did I pay?');
    expect([sent.answer.text, sent.requests.length]).toEqual(['You paid 145.', 2]);
    expect(JSON.stringify(sent.requests[1])).toContain('nothing runs python here');
    const wanted = await play(mode, [program], 'Write me that sum in Python');
    expect([wanted.answer.text, wanted.requests.length]).toEqual([program, 1]);
  });

  test('a slip that is repeated is shown no more than the first time', async () => {
    const broken = '{"name": "write_note", "arguments": {"text": "buy';
    const played = await play(mode, [broken, broken, 'The note is not saved.']);
    expect(played.answer.text).not.toContain('write_note');
    expect(played.calls).toEqual([]);
  });
});
