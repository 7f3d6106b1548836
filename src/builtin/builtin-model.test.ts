import { AgentExecutor, createToolCallingAgent } from '@langchain/classic/agents';
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { ChatPromptTemplate } from '@langchain/core/prompts';
import { tool } from '@langchain/core/tools';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Feedback, withData } from '../models/message-data.ts';
import { FakeClock } from '../testing/clock.ts';
import { BuiltinChatModel } from './builtin-model.ts';

/** 11:25 in New York. */
const NOW = new Date('2026-11-20T16:25:00Z');
const model = new BuiltinChatModel({ now: () => NOW, timeZone: 'America/New_York' });

const functions = {
  write_note: 'writeNote',
  list_notes: 'listNotes',
  query_rag: 'queryRAG',
  list_schedules: 'listSchedules',
  list_notices: 'notices',
};
const codePrompt = new SystemMessage({ content: 'Write scripts.', ...withData({ functions }) });
const came = (feedback: Feedback) => new HumanMessage({ content: 'What it came to.', ...withData({ feedback }) });

function stubTool(name: string, result: unknown) {
  const run = async () => (typeof result === 'string' ? result : JSON.stringify(result));
  return tool(run, { name, description: name, schema: z.record(z.string(), z.unknown()) });
}

/** One turn through a real AgentExecutor with one tool that answers `result`. */
async function turn(text: string, name: string, result: unknown): Promise<string> {
  const tools = [stubTool(name, result)];
  const prompt = ChatPromptTemplate.fromMessages([
    ['system', 'Be brief'],
    ['human', '{input}'],
    ['placeholder', '{agent_scratchpad}'],
  ]);
  const agent = createToolCallingAgent({ llm: model, tools, prompt });
  const { output } = await new AgentExecutor({ agent, tools }).invoke({ input: text });
  return String(output);
}

describe('with tools', () => {
  test.each([
    ['note: buy milk', 'write_note', 'Noted in home.md.', /^Noted: buy milk$/u],
    ['show my notes', 'list_notes', [{ at: '2026-11-20 10:00', text: 'buy milk' }], /- 2026-11-20 10:00 buy milk/u],
    ['show my notes', 'list_notes', [], /no notes yet/u],
    [
      'in 1 minute say hello',
      'schedule',
      { id: 'job_1', next: NOW.toISOString(), description: '' },
      /^Scheduled: say hello\. It comes today, /u,
    ],
    [
      'where is the key?',
      'query_rag',
      { answer: 'Under the mat.', passages: [{ text: '', citation: '[a.md, lines 1-2]', score: 1 }] },
      /^Under the mat\.\n\nSources: \[a\.md, lines 1-2\]$/u,
    ],
    ['where is the key?', 'query_rag', { answer: '', passages: [] }, /found nothing/u],
    ['notify me that dinner is ready', 'notify', 'Not sent yet: queued for discord.', /^Not sent yet/u],
    ['read a.txt', 'read_file', 'the content', /^the content$/u],
    [
      'search the web for tides',
      'web_search',
      { results: [{ title: 'Tides', url: 'https://t.example', snippet: 'high and low' }] },
      /- Tides\n {2}high and low\n {2}https:\/\/t\.example/u,
    ],
  ] as const)('%s with %s answering %j', async (text, name, result, expected) => {
    expect(await turn(text, name, result)).toMatch(expected);
  });

  test('the time that is said is the time that was stored, however long the call took', async () => {
    const clock = new FakeClock(NOW);
    const now = () => {
      clock.advance(40_000);
      return clock.now();
    };
    const slow = new BuiltinChatModel({ now, timeZone: 'America/New_York' });
    const request = new HumanMessage('in 1 minute say hello');
    const bound = slow.bindTools([stubTool('schedule', '')]);
    const asked = await bound.invoke([request]);
    const when = new Date(String(asked.tool_calls?.[0]?.args.when));
    const result = new ToolMessage({ content: '{"id":"job_1"}', tool_call_id: asked.tool_calls?.[0]?.id ?? '' });
    const { text } = await bound.invoke([request, asked, result]);
    expect(when.toISOString()).toBe('2026-11-20T16:26:40.000Z');
    expect(text).toMatch(/^Scheduled: say hello\. It comes today, Friday .* at 11:26:40 /u);
  });

  test.each([
    [{ status: 'error' as const }, 'That did not work: x'],
    [{ artifact: { ok: false } }, 'That did not work: x'],
    [{ artifact: { ok: false, told: { code: 'no_file', values: { path: 'a' } } } }, /There is no a\.$/u],
    [{ artifact: { ok: true, value: 'Noted.' } }, 'Noted: buy milk'],
  ])('a result that says %j is told by that, whatever its text', async (data, said) => {
    const call = { id: '1', name: 'write_note', args: { text: 'buy milk' }, type: 'tool_call' as const };
    const messages = [
      new HumanMessage('note: buy milk'),
      new AIMessage({ content: '', tool_calls: [call] }),
      new ToolMessage({ content: 'x', tool_call_id: '1', ...data }),
    ];
    expect((await model.bindTools([stubTool('write_note', '')]).invoke(messages)).text).toMatch(said);
  });

  test('a scheduled job is not asked back', async () => {
    const request = [new HumanMessage('wibble wobble foo')];
    expect((await model.invoke(request, { due: true })).text).toBe('wibble wobble foo');
    expect((await model.invoke(request)).text).not.toBe('wibble wobble foo');
  });

  test('a tool that is not there is said to be missing, not called', async () => {
    expect(await turn('note: buy milk', 'query_rag', '')).toMatch(/write_note\) is not available/u);
  });

  test('tool_choice none gives words', async () => {
    const bound = model.bindTools([stubTool('write_note', '')], { tool_choice: 'none' });
    expect((await bound.invoke('note: buy milk')).tool_calls).toEqual([]);
  });
});

describe('in code style', () => {
  test.each([
    ['note: buy milk', '[writeNote, {"text":"buy milk"}]', '"Noted in home.md."', 'Noted: buy milk'],
    ['where is the key?', '[queryRAG, {"query":"where is the key?"}]', '{"answer":"Under the mat."}', 'Under the mat.'],
    ['list my reminders', '[listSchedules, {}]', '[]', 'Nothing is scheduled.'],
  ])('%s', async (text, call, value, answer) => {
    const asked = [codePrompt, new HumanMessage(text)];
    const { text: reply } = await model.invoke(asked);
    const block = /^```js\n([\s\S]+)\n```$/u.exec(reply)?.[1] ?? '';
    expect(block).toContain(call);
    expect(() => new Function(`return async () => {${block}}`)).not.toThrow();
    const outcome = { input: {}, ok: true, text: value, value: JSON.parse(value) };
    const back = came({ outcomes: [outcome] });
    expect((await model.invoke([...asked, new AIMessage(reply), back])).text).toBe(answer);
    // A script that was cut off is written again.
    expect((await model.invoke([...asked, new AIMessage(reply), came({})])).text).toBe(reply);
  });

  test('what a call failed with, or else the script, is passed on as a failure', async () => {
    const asked = [codePrompt, new HumanMessage('note: buy milk'), new AIMessage('x')];
    const told = { code: 'failed', values: { message: 'the disk is full' } };
    const outcomes = [{ input: {}, ok: false, text: 'write_note failed: the disk is full', told }];
    const failed = 'ToolError: write_note failed: the disk is full';
    expect((await model.invoke([...asked, came({ outcomes, failed })])).text).toBe(
      'That did not work: the disk is full',
    );
    expect((await model.invoke([...asked, came({ outcomes: [], failed: 'too slow' })])).text).toBe(
      'That did not work: too slow',
    );
  });

  test('a greeting needs no script', async () => {
    expect((await model.invoke([codePrompt, new HumanMessage('hello')])).text).toMatch(/^Hello/u);
  });
});

describe('as a chat model', () => {
  test('streams the same words that it answers at once', async () => {
    let streamed = '';
    let chunks = 0;
    for await (const chunk of await model.stream('help')) {
      streamed += chunk.text;
      chunks++;
    }
    expect(chunks).toBeGreaterThan(20);
    expect(streamed).toBe((await model.invoke('help')).text);
  });

  test('streamed calls carry raw arguments and an end marker', async () => {
    const bound = model.bindTools([stubTool('write_note', '')]);
    let whole: Awaited<ReturnType<typeof bound.invoke>> | undefined;
    for await (const chunk of await bound.stream('note: buy milk')) whole = whole?.concat(chunk) ?? chunk;
    expect(whole?.tool_call_chunks?.[0]?.args).toBe('{"text":"buy milk"}');
    expect(whole?.response_metadata.finish_reason).toBe('tool_calls');
    expect(whole?.usage_metadata).toMatchObject({ output_tokens: expect.any(Number) });
  });

  test('ends at a stop sequence and at an abort', async () => {
    expect((await model.invoke('help', { stop: ['remind'] })).text).not.toContain('remind');
    const controller = new AbortController();
    controller.abort(new Error('cancelled'));
    await expect(model.invoke('help', { signal: controller.signal })).rejects.toThrow();
  });

  test('a summary is an extract under the headings that were asked for', async () => {
    const messages = [
      new SystemMessage('Write a summary. Headings:\n## Task\nWhat was asked.\n## Work done\nA table.\n## Errors'),
      new HumanMessage({
        content: 'The messages to replace',
        ...withData({
          transcript: [
            { by: 'person', text: 'note: buy milk', ok: true },
            { by: 'assistant', text: 'Noted: buy milk', ok: true },
            { by: 'result', text: 'The disk is full', ok: false },
          ],
        }),
      }),
    ];
    expect((await model.invoke(messages, { purpose: 'compaction' })).text).toBe(
      '## Task\n- note: buy milk\n## Work done\n- Noted: buy milk\n## Errors\n- The disk is full',
    );
  });

  test('what was not understood is said in three lines, with two examples that are near', async () => {
    const { text } = await model.invoke([codePrompt, new HumanMessage('wibble wobble remind')]);
    expect(text.split('\n')).toEqual([
      'I did not understand that.',
      expect.stringMatching(/^Nearest that I know: "[^"]*remind[^"]*" or "[^"]+"\.$/u),
      expect.stringContaining('"connect a model"'),
    ]);
    expect((await model.invoke([codePrompt, new HumanMessage('connect a model')])).text).toContain('OPENAI_BASE_URL');
    const german = [codePrompt, new HumanMessage('wie verbinde ich ein Modell')];
    expect((await model.invoke(german)).text).toContain('OPENAI_BASE_URL');
  });

  test('the same request gives the same reply', async () => {
    const messages = [
      new SystemMessage('Be brief'),
      new HumanMessage('note: x'),
      new ToolMessage({ content: 'ok', tool_call_id: 'a' }),
    ];
    expect((await model.invoke(messages)).content).toEqual((await model.invoke(messages)).content);
  });
});
