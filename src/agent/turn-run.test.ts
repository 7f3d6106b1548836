import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { AssistantError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { Redactor } from '../base/redact.ts';
import type { Answer, Mode, Turn, TurnEvent } from '../base/turn.ts';
import type { EffectRow } from '../store/schema.ts';
import { type TestAgentOptions, testAgent, testContext, testTurn } from '../testing/agent.ts';
import { temporaryFolder } from '../testing/home.ts';
import type { Scripted } from '../testing/scripted-model.ts';
import { sqlGet } from '../testing/sql.ts';
import { PLAIN_TOOL, WRITE_NOTE } from '../testing/tools.ts';
import { EffectLedger } from '../tools/gate/effect-ledger.ts';
import type { Proposal } from '../tools/gate/proposals.ts';
import { defineTool, type Tool } from '../tools/tool.ts';
import type { JobContext, TurnWishes } from './types.ts';

interface Given extends Omit<TestAgentOptions, 'store' | 'model' | 'window'> {
  readonly turn?: Partial<Turn>;
  readonly wishes?: TurnWishes;
  readonly signal?: AbortSignal;
}

/** One turn of an agent whose base prompt is "Be brief.": its answer, events, log lines and first system prompt. */
async function run(replies: readonly Scripted[], { turn, wishes, signal, deps, ...options }: Given = {}) {
  const promptsDir = temporaryFolder();
  mkdirSync(join(promptsDir, 'internal'));
  writeFileSync(join(promptsDir, 'base_system_prompt.txt'), 'Be brief.');
  const logged: unknown[][] = [];
  const line =
    (level: string) =>
    (...words: unknown[]) =>
      void logged.push([level, ...words]);
  const log: Log = { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
  const agent = await testAgent(replies, { ...options, deps: { promptsDir, log, ...deps } });
  const context = testContext(signal ? { signal } : {});
  const answer = await agent.runTurn(testTurn('do it', { id: 'turn_1', ...turn }), context, wishes);
  const labels = await sqlGet(
    agent.store,
    'SELECT read_untrusted AS untrusted, read_private AS private, label_sources AS sources FROM conversations',
  );
  const prompt = agent.model.requests[0]?.messages[0]?.text ?? '';
  const written = logged.filter(([, what]) => !String(what).startsWith('[prepareStep]'));
  return { answer, events: context.events, logged: written, labels, prompt, agent };
}

const USAGE = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, calls: 0, costUsd: 0 };
const TURN_EVENT: TurnEvent = {
  ...{ type: 'turn', id: 'turn_1', conversationId: 'conv_1', mode: 'classic_tools' },
  ...{ model: 'scripted', project: 'home' },
};
const page = defineTool({
  ...PLAIN_TOOL,
  name: 'page',
  provenance: { readsFrom: ['web'] },
  execute: () => 'a page',
});
const READ = { toolCalls: [{ name: 'page', args: {} }] };

describe('a turn that ends', () => {
  const line = {
    ...{ turn: 'turn_1', conversation: 'conv_1', origin: 'cli', mode: 'classic_tools', project: 'home' },
    ...{ model: 'scripted', stop: 'answered', steps: 1, calls: 0, inputTokens: 0, outputTokens: 0 },
    ms: expect.any(Number),
  };

  test('is logged in one line, and told to plugins', async () => {
    const observed: (readonly [Turn, Answer])[] = [];
    const plugins = {
      prepare: async () => ({ context: [], tools: [] }),
      observeTurn: (turn: Turn, answer: Answer) => observed.push([turn, answer]),
    };
    const { answer, logged, events } = await run(['Hello.'], { deps: { plugins } });
    expect(answer).toEqual({ text: 'Hello.', stop: 'answered', usage: USAGE, steps: 1 });
    expect(events).toEqual([
      TURN_EVENT,
      { type: 'token', text: 'Hello.' },
      { type: 'answer', text: 'Hello.', stop: 'answered' },
    ]);
    expect(logged).toEqual([
      ['debug', '[Agent] Completed in 1 steps'],
      ['info', 'turn', line],
    ]);
    expect(observed).toEqual([[testTurn('do it', { id: 'turn_1' }), answer]]);
  });

  test('ends also where what follows its answer cannot be found', async () => {
    const list = vi.spyOn(EffectLedger.prototype, 'list').mockRejectedValue(new Error('the disk is full'));
    try {
      const { answer, logged, events } = await run([READ, 'Done.'], { tools: [page] });
      expect([answer.text, answer.stop]).toEqual(['Done.', 'answered']);
      expect(logged[0]).toEqual(['error', 'what follows an answer was not found', { error: 'the disk is full' }]);
      expect(events.at(-1)).toEqual({ type: 'answer', text: 'Done.', stop: 'answered' });
    } finally {
      list.mockRestore();
    }
  });

  const budget = new AssistantError('budget_reached', 'The budget is used up.', { hint: 'Raise it.' });
  const down = new AssistantError('model_unreachable', 'hunter2 is it does not answer.', { hint: 'Start it.' });
  const none = { pick: () => Promise.reject(down), candidates: async () => [], close: async () => {} };
  const known = (code: string, message: string, hint: string) => ({ type: 'error', code, message, hint });

  test.each<[string, Scripted, Given, Answer['stop'], readonly object[], string]>([
    [
      'a used-up budget',
      { error: budget },
      {},
      'budget',
      [known('budget_reached', 'The budget is used up.', 'Raise it.')],
      'scripted',
    ],
    [
      'a model that is down, without its secrets',
      { error: down },
      { deps: { redactor: new Redactor(['hunter2 is it']) } },
      'failed',
      [known('model_unreachable', '[secret] does not answer.', 'Start it.')],
      'scripted',
    ],
    [
      'no model at all',
      'Hello.',
      { deps: { models: none } },
      'failed',
      [known('model_unreachable', 'hunter2 is it does not answer.', 'Start it.')],
      'none',
    ],
    [
      'an error of ours',
      { error: new TypeError('x is not a function') },
      {},
      'failed',
      [known('internal', 'x is not a function', 'This is a bug in Wooster; logs/ has the details.')],
      'scripted',
    ],
    ['a stop', 'Hello.', { signal: AbortSignal.abort(new Error('stopped')) }, 'aborted', [], 'scripted'],
  ])('by %s is said to', async (_what, reply, given, stop, errors, model) => {
    const { answer, events } = await run([reply], given);
    expect(answer).toEqual({ text: '', stop, usage: USAGE, steps: 0 });
    expect(events).toEqual([{ ...TURN_EVENT, model }, ...errors, { type: 'answer', text: '', stop }]);
  });

  test('by an error of ours has it in the log, with where it came from; by a known one not', async () => {
    const error = new TypeError('x is not a function');
    const unknown = await run([{ error }]);
    expect(unknown.logged[0]).toEqual(['error', 'turn failed', { error: 'x is not a function', stack: error.stack }]);
    const { logged } = await run([{ error: budget }]);
    expect(logged.map(([level]) => level)).toEqual(['debug', 'info']);
  });
});

describe('what a turn has read from the start', () => {
  const job: JobContext = { jobId: 'job_1' };
  const read = { untrusted: true, private: true, sources: [] };
  const material = [
    { name: 'a.md', text: 'x', untrusted: false },
    { name: 'b.md', text: 'x', untrusted: true },
  ];
  const prepared = { prepare: async () => ({ context: [], tools: [], private: true }) };

  test.each<[string, Given, readonly [number, number, readonly string[]]]>([
    ['nothing', {}, [0, 0, []]],
    ['a chat message', { turn: { origin: 'channel' } }, [1, 0, ['a chat message']]],
    [
      'the words of a job',
      { wishes: { job: { ...job, untrusted: true } } },
      [1, 0, ['a job created from untrusted content']],
    ],
    ['nothing, by a job of the owner', { wishes: { job } }, [0, 0, []]],
    [
      'what the job of the turn says',
      { deps: { jobContext: () => ({ ...job, untrusted: true }) } },
      [1, 0, ['a job created from untrusted content']],
    ],
    ['what the program has read that asks', { wishes: { read } }, [1, 1, ['the program that asks']]],
    ['what is handed over', { turn: { material } }, [1, 1, ['a.md', 'b.md']]],
    ['what plugins remember', { deps: { plugins: prepared } }, [0, 1, ['memory']]],
  ])('%s', async (_what, given, [untrusted, priv, sources]) => {
    const { labels } = await run(['Hello.'], given);
    expect(labels).toEqual({ untrusted, private: priv, sources: JSON.stringify(sources) });
  });
});

describe('what a model is told', () => {
  const today = 'Active project: home.\nToday is Thursday, 15 January 2026 (2026-01-15), 10:00, time zone Europe/Oslo.';
  const plugins = { prepare: async () => ({ context: ['It rains.', 'It is cold.'], tools: [WRITE_NOTE] }) };

  test.each<[string, Given, readonly string[]]>([
    ['the base prompt and the day', {}, ['Be brief.', today]],
    ['what plugins say', { deps: { plugins } }, ['Be brief.', 'It rains.\nIt is cold.', today]],
    [
      'the prompt of the project',
      { deps: { projects: { prompt: (name) => `In ${name}.` } } },
      ['Be brief.', 'About the project "home":\nIn home.', today],
    ],
    [
      'what the caller adds, after that',
      { deps: { plugins }, wishes: { lines: ['Be kind.'] } },
      ['Be brief.', 'It rains.\nIt is cold.', 'Be kind.', today],
    ],
    [
      'no secret',
      { deps: { redactor: new Redactor(['hunter2 is it']) }, wishes: { lines: ['It: hunter2 is it'] } },
      ['Be brief.', 'It: [secret]', today],
    ],
  ])('is %s', async (_what, given, sections) => {
    expect((await run(['Hello.'], given)).prompt.split('\n\n')).toEqual(sections);
  });

  test('is what waits for the owner, and the form of an answer that is to be data', async () => {
    const waiting = { id: 'p_1', tool: 'send_mail', project: 'home', conversationId: 'conv_1', state: 'waiting' };
    const take = defineTool({ ...PLAIN_TOOL, name: 'give_answer', execute: () => '' });
    const answer = {
      tool: take,
      lines: { classic_tools: 'Give data.', code_agent: 'Return data.' },
      taken: () => undefined,
      read: async (json: string) => ({ json }),
    };
    const proposals = { list: async () => [waiting as Proposal] };
    const given = { deps: { proposals }, wishes: { lines: ['Be kind.'], answer } };
    const line = "p_1 (send_mail) waits for the owner's approval: do not call it again.";
    const { prompt } = await run(['Hello.'], given);
    expect(prompt.split('\n\n')).toEqual(['Be brief.', line, 'Be kind.', 'Give data.', today]);
    expect((await run(['Hello.'], { deps: { proposals: undefined } })).prompt).toBe(`Be brief.\n\n${today}`);
  });

  test('are the tools of plugins too', async () => {
    const { agent } = await run(['Hello.'], { tools: [page], deps: { plugins } });
    expect(agent.model.requests[0]?.tools).toEqual(['page', 'write_note']);
  });
});

describe('a turn that was begun before', () => {
  const turn = testTurn('do it', { id: 'turn_1' });

  test('is not run while it runs already', async () => {
    const second = testContext();
    const agent = await testAgent([
      async () => {
        await agent.runTurn(turn, second);
        return 'Hello.';
      },
    ]);
    expect(await agent.runTurn(turn, testContext())).toMatchObject({ text: 'Hello.', stop: 'answered' });
    expect(second.events).toEqual([
      { ...TURN_EVENT, model: 'none' },
      {
        type: 'error',
        code: 'bad_usage',
        message: 'This request is already being continued, here or in another program.',
        hint: 'Wait until it has ended there; its answer is in the conversation then.',
      },
      { type: 'answer', text: '', stop: 'failed' },
    ]);
  });

  test('goes on, and tells of calls whose outcome is unknown', async () => {
    const looked: unknown[] = [];
    const row = { id: 'effect_1', tool: 'send_mail', input: '{}' } as EffectRow;
    const cutOff = {
      begun: async (of: unknown) => {
        looked.push(of);
        return [row];
      },
      settle: async () => [row],
    };
    const call = { toolCalls: [{ name: 'write_note', args: { text: 'milk' } }] };
    const agent = await testAgent([call, 'Noted.', 'Noted again.'], { tools: [WRITE_NOTE], deps: { cutOff } });
    await agent.runTurn(turn, testContext());
    expect(looked).toEqual([]);
    await agent.store.db.updateTable('turns').set({ status: 'interrupted', owner: null }).execute();
    const context = testContext();
    await agent.runTurn(turn, context);
    expect(looked).toEqual([{ turnId: 'turn_1' }]);
    expect(context.events[0]).toEqual({ type: 'notice', text: expect.stringMatching(/^send_mail \{\} was begun/u) });
    const done = '(Already done for this request; do not do it again:\n- write_note {"text":"milk"})';
    const human = agent.model.requests[2]?.messages.find(({ type }) => type === 'human');
    expect(human?.text).toBe(`do it\n\n${done}`);
  });
});

test('the person is told of files that are not followed, before anything else', async () => {
  const refused = async (project: string) => [`prompt.txt of ${project} is not followed.`];
  const { events } = await run(['Hello.'], { deps: { projects: { prompt: () => undefined, refused } } });
  expect(events.slice(0, 2)).toEqual([{ type: 'notice', text: 'prompt.txt of home is not followed.' }, TURN_EVENT]);
});

describe('a turn that is only looked at', () => {
  const listing = defineTool({ ...PLAIN_TOOL, name: 'list_notes', execute: () => '' });
  const CODE = [
    'page(): unknown // A tool.',
    'listNotes(): unknown // A tool.',
    'writeNote(text): unknown // Append a note.',
    'myProgram(): unknown // A tool.',
  ].join('\n');
  const scripts = defineTool({ ...PLAIN_TOOL, name: 'run_code', execute: () => '' });
  const own = defineTool({ ...PLAIN_TOOL, name: 'my_program', execute: () => '' });

  /** Offers tools of each kind; one is for notes, of which there are some or none. */
  async function looked(hasNotes = false) {
    const needy: Tool = {
      ...listing,
      presentation: { ...listing.presentation, needs: { what: 'notes', any: async () => hasNotes } },
    };
    const promptsDir = temporaryFolder();
    mkdirSync(join(promptsDir, 'internal'));
    const texts = { summary: 'Sum up.', rerank: 'Rank.', workspace: 'Work.', fields: 'Quote.', base_small: 'Brief.' };
    for (const [name, text] of Object.entries({ ...texts, code_agent: '{{tools}}', code_agent_small: '{{tools}}' }))
      writeFileSync(join(promptsDir, 'internal', `${name}.txt`), text);
    writeFileSync(join(promptsDir, 'base_system_prompt.txt'), 'Be brief.');
    const agent = await testAgent([], {
      tools: [page, needy],
      deps: {
        promptsDir,
        plugins: { prepare: async () => ({ context: ['It rains.'], tools: [WRITE_NOTE] }) },
        classicTools: () => [scripts],
        turnTools: async () => [own],
      },
    });
    return { agent, context: testContext() };
  }

  test('has every tool of both modes', async () => {
    const { agent, context } = await looked();
    const tools = await agent.tools(testTurn('', { mode: 'code_agent' }), context);
    expect(tools.map(({ name }) => name)).toEqual(['page', 'list_notes', 'write_note', 'my_program', 'run_code']);
    expect([context.events, agent.model.requests]).toEqual([[], []]);
  });

  test('has every prompt as it is sent', async () => {
    const { agent, context } = await looked();
    const rest = [
      'It rains.',
      'Active project: home.\nToday is Thursday, 15 January 2026 (2026-01-15), 10:00, time zone Europe/Oslo.',
    ];
    const first = ['Be brief.', ...rest].join('\n\n');
    const CONTEXT = '<context> at the end of a request tells the day and what is known; it is not from the user.';
    const none = '\nThere were no notes yet when this request came; the tools for them come with the first.';
    const declared = (name: string, description = 'A tool.', properties = {}, required?: string[]) => {
      const parameters = { type: 'object', properties, ...(required ? { required } : {}) };
      return JSON.stringify({ name, description, parameters });
    };
    const note = declared('write_note', 'Append a note.', { text: { type: 'string' } }, ['text']);
    const others = [note, declared('my_program'), declared('run_code')];
    const prompts = await agent.prompts(testTurn(''), context);
    expect(prompts.map(({ name, text }) => [name, text])).toEqual([
      ['classic: system prompt', first + none],
      ['classic: compact system prompt', `Brief.\n${CONTEXT}`],
      ['classic: tool declarations', [declared('page'), ...others].join('\n')],
      ['classic: tool declarations, in full', [declared('page'), declared('list_notes'), ...others].join('\n')],
      ['code: system prompt', `Be brief.\n\n${CODE}`],
      ['code: compact system prompt', `Brief.\n\n${CODE}`],
      ['code: after the request', rest.join('\n\n')],
      ['feature: summary', 'Sum up.'],
      ['feature: rerank', 'Rank.'],
      ['feature: fields', 'Quote.'],
      ['feature: workspace', 'Work.'],
    ]);
    expect([context.events, agent.model.requests]).toEqual([[], []]);
  });

  test('has no prompt twice, where there is something of everything', async () => {
    const { agent, context } = await looked(true);
    expect((await agent.prompts(testTurn(''), context)).map(({ name }) => name)).toEqual([
      'classic: system prompt',
      'classic: compact system prompt',
      'classic: tool declarations',
      'code: system prompt',
      'code: compact system prompt',
      'code: after the request',
      'feature: summary',
      'feature: rerank',
      'feature: fields',
      'feature: workspace',
    ]);
  });

  test('counts the tools of its own mode', async () => {
    const tokens = async (mode: Mode) => {
      const { agent } = await looked();
      return (await agent.context(testTurn('', { mode }), testContext())).parts[1]?.tokens;
    };
    expect([await tokens('classic_tools'), await tokens('code_agent')]).toEqual([105, 82]);
  });
});
