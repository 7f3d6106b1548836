import { readFileSync } from 'node:fs';
import { AgentExecutor, createToolCallingAgent } from '@langchain/classic/agents';
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { ChatPromptTemplate } from '@langchain/core/prompts';
import { tool } from '@langchain/core/tools';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { FakeClock } from '../../testing/clock.ts';
import { BuiltinChatModel } from './builtin-model.ts';
import { CODE_MARKER } from './model-input.ts';

/** 11:25 in New York. */
const NOW = new Date('2026-11-20T16:25:00Z');
const model = new BuiltinChatModel({ now: () => NOW, timeZone: 'America/New_York' });

const FUNCTIONS =
  'writeNote listNotes queryRAG schedule notify readFile writeFile webSearch fetchText listSchedules cancelSchedule listDirectory';
const codePrompt = new SystemMessage(`${CODE_MARKER}. Functions: ${FUNCTIONS}`);

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
    ['note: buy milk', 'write_note', 'write_note failed: the disk is full', /^That did not work: .*disk is full/u],
    ['show my notes', 'list_notes', [{ at: '2026-11-20 10:00', text: 'buy milk' }], /- 2026-11-20 10:00 buy milk/u],
    ['show my notes', 'list_notes', [], /no notes yet/u],
    [
      "what's on my packing list?",
      'show_lists',
      [{ list: 'packing', items: [{ text: 'socks', done: false }] }],
      /^Your packing list:\n- socks$/u,
    ],
    [
      'in 1 minute say hello',
      'schedule',
      { id: 'job_1', next: NOW.toISOString(), description: '' },
      /^Scheduled today at 11:26: say hello \(job_1/u,
    ],
    [
      'in 1 minute say hello',
      'schedule',
      'Error: schedule was not run: there was nobody to ask.',
      /^That did not work: schedule was not run/u,
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
    expect(text).toMatch(/^Scheduled today at 11:26:40: say hello \(job_1\)\. It comes on Friday .* at 11:26:40 /u);
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
    const back = new HumanMessage(`The script ran. Value:\n[{"value":${value}}]\nCalls: x ok`);
    expect((await model.invoke([...asked, new AIMessage(reply), back])).text).toBe(answer);
  });

  test('what a script threw is passed on as a failure', async () => {
    const messages = [
      codePrompt,
      new HumanMessage('note: buy milk'),
      new AIMessage('```js\nawait writeNote("buy milk");\n```'),
      new HumanMessage('The script failed: ToolError: the disk is full (line 1, column 7)\nCalls: writeNote failed'),
    ];
    expect((await model.invoke(messages)).text).toBe('That did not work: the disk is full');
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
      new HumanMessage(
        'The messages to replace:\n[human] note: buy milk\n[ai] Noted: buy milk\n[result] Error: the disk is full',
      ),
    ];
    expect((await model.invoke(messages)).text).toBe(
      '## Task\n- note: buy milk\n## Work done\n- Noted: buy milk\n## Errors\n- Error: the disk is full',
    );
  });

  test('the code prompt of the program is recognised', () => {
    const prompt = readFileSync(new URL('../../../prompts/internal/code_agent.txt', import.meta.url), 'utf8');
    expect(prompt).toContain(CODE_MARKER);
  });

  test('what was not understood is explained once in a conversation', async () => {
    const said = [codePrompt, new HumanMessage('wibble wobble foo')];
    const first = await model.invoke(said);
    expect(first.text).toContain('OPENAI_BASE_URL');
    const second = await model.invoke([...said, new AIMessage(first.text), new HumanMessage('wobble bar')]);
    expect(second.text).toMatch(/^I did not understand that\. Nearest that I know: "[^"]+"\.$/u);
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
