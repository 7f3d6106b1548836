import { afterAll, describe, expect, test } from 'vitest';
import { testAgent, testContext, testTurn } from '../../testing/agent.ts';
import { codeAgent, testSandbox } from '../../testing/code-agent.ts';
import { QUOTED } from '../../testing/quoted-calls.ts';
import type { Scripted } from '../../testing/scripted-model.ts';
import { SLIPS, slipTools } from '../../testing/slips.ts';

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
