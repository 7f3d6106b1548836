import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { AssistantError } from '../../base/errors.ts';
import type { Decision } from '../../base/turn.ts';
import type { Sandbox } from '../../sandbox/contract.ts';
import { createScriptExtensions } from '../../sandbox/script-extensions.ts';
import { testContext, testTurn } from '../../testing/agent.ts';
import { type CodeAgentOptions, codeAgent, testSandbox } from '../../testing/code-agent.ts';
import type { Scripted } from '../../testing/scripted-model.ts';
import { openTestStore } from '../../testing/stores.ts';
import { Artifacts, createArtifactTools } from '../../tools/builtin/artifacts.ts';
import { defineTool, type Tool } from '../../tools/tool.ts';
import { asSpoken } from '../../when/spoken.ts';
import { understand } from '../../when/understand.ts';

const sandbox = testSandbox();
afterAll(() => sandbox.close());

const js = (source: string) => `\`\`\`js\n${source}\n\`\`\``;
const turn = (id = 'turn_1') => testTurn('do it', { mode: 'code_agent', id });

interface PlayOptions extends CodeAgentOptions {
  readonly approve?: () => Promise<Decision>;
  readonly signal?: AbortSignal;
  readonly sandbox?: Sandbox;
}

async function play(replies: readonly Scripted[], options: PlayOptions = {}) {
  const agent = await codeAgent(options.sandbox ?? sandbox, replies, options);
  const context = {
    ...testContext(options.signal ? { signal: options.signal } : {}),
    ...(options.approve ? { approve: options.approve } : {}),
  };
  const answer = await agent.runTurn(turn(), context);
  return {
    agent,
    answer,
    events: context.events,
    lastRequest: () => agent.model.requests.at(-1)?.messages.at(-1)?.text ?? '',
  };
}

const plain = {
  description: 'A tool.',
  policy: { effect: 'none' },
  provenance: { readsFrom: [] },
  timeoutMs: 5000,
} as const;

function pageTool(): { tool: Tool; most: () => number } {
  let running = 0;
  let most = 0;
  const tool = defineTool({
    ...plain,
    name: 'fetch_page',
    positional: ['url'],
    input: z.object({ url: z.string() }),
    output: z.string(),
    policy: { ...plain.policy, network: true },
    execute: async ({ url }) => {
      most = Math.max(most, ++running);
      await delay(20);
      running -= 1;
      return `text of ${url}`;
    },
  });
  return { tool, most: () => most };
}

function named(name: string, answer: unknown, functionName?: string): Tool {
  return defineTool({
    ...plain,
    name,
    ...(functionName ? { functionName } : {}),
    input: z.object({}),
    execute: () => answer,
  });
}

function letter(sent: string[]): Tool {
  return defineTool({
    ...plain,
    name: 'letter',
    positional: ['to'],
    input: z.object({ to: z.string() }),
    policy: { ...plain.policy, effect: 'outbound' },
    execute: ({ to }) => {
      sent.push(to);
      return `sent to ${to}`;
    },
  });
}

test('twenty pages are fetched eight at a time and summarised by the model', async () => {
  const { tool, most } = pageTool();
  const { answer, agent } = await play(
    [
      js(
        "const urls = Array.from({ length: 20 }, (_, i) => 'https://example.org/' + i);\nconst pages = await Promise.all(urls.map(fetchPage));\nfinalAnswer(llm('Summarise: ' + pages.join('; ')) + ' (' + pages.length + ')')",
      ),
      (messages) => `in short: ${(messages.at(-1)?.text.match(/text of/gu) ?? []).length} texts`,
    ],
    { tools: [tool] },
  );
  expect(answer.text).toBe('in short: 20 texts (20)');
  expect(most()).toBe(8);
  expect(agent.picked.map(({ purpose }) => purpose)).toEqual(['turn', 'llm']);
});

test.each([
  ['JSON', "llmJson('a list')", '[1, 2]', [1, 2]],
  ['fenced JSON', "llmJson('a list')", '```json\n{"a": 1}\n```', { a: 1 }],
  ['no JSON, as text', "llmJson('a list')", 'one and two', 'one and two'],
  [
    'JSON that fits a schema',
    "llmJson('n', { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] })",
    '{"n": 4}',
    { n: 4 },
  ],
])('llmJson gives %s', async (_name, call, reply, value) => {
  const { answer, agent } = await play([js(`finalAnswer(JSON.stringify(${call}))`), reply]);
  expect(JSON.parse(answer.text)).toEqual(value);
  expect(agent.picked[1]).toMatchObject({ purpose: 'llm', jsonResponse: true });
});

test('llmJson throws when a schema was given and the reply does not fit', async () => {
  const { answer } = await play([
    js(
      "let r; try { r = llmJson('n', { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }) } catch (e) { r = e.name + ': ' + e.message }\nfinalAnswer(r)",
    ),
    'no JSON',
  ]);
  expect(answer.text).toMatch(/^ToolError: llmJson: the model's reply does not fit the schema/u);
});

describe('what a script cannot put right', () => {
  const oslo = { timeZone: 'Europe/Oslo' };
  const now = new Date('2026-01-15T09:00:00Z');
  const book = defineTool({
    ...plain,
    name: 'book',
    positional: ['when'],
    input: z.object({ when: z.string() }),
    execute: ({ when }) => understand(asSpoken(when, { ...oslo, now }), { ...oslo, from: now }).description,
  });

  test.each([
    ['a time that nobody can know', 'soonish'],
    ['no time', ' '],
    ['a time that may be two', 'at 5 or 6'],
  ])('%s: the model is told to ask', async (_name, when) => {
    const { lastRequest } = await play([js(`finalAnswer(book('${when}'))`), 'When?'], { tools: [book] });
    expect(lastRequest()).toContain('Ask the user which time is meant');
  });

  test('a time that has passed can be put right', async () => {
    const { lastRequest } = await play([js("finalAnswer(book('2020-01-01 09:00'))"), 'When?'], { tools: [book] });
    expect(lastRequest()).toContain('is in the past');
    expect(lastRequest()).toContain('Write the whole script again');
  });

  test('a refusal stays one, although the script says it in its own words', async () => {
    const source = "try { letter('bob') } catch (e) { throw new Error('no letter: ' + e.message) }";
    const { lastRequest } = await play([js(source), 'It was refused.'], { tools: [letter([])] });
    expect(lastRequest()).toContain('Do not try that again');
  });
});

describe('approvals', () => {
  test('nothing is sent without approval, and the refusal can be caught', async () => {
    const sent: string[] = [];
    const { answer } = await play(
      [
        js(
          "let r; try { r = letter('bob') } catch (e) { r = e.name }\nconst all = parallel([{ tool: 'letter', input: { to: 'eve' } }]);\nfinalAnswer(r + ' ' + all[0].error)",
        ),
      ],
      { tools: [letter(sent)] },
    );
    expect(answer.text).toMatch(/^ToolError letter was not done/u);
    expect(sent).toEqual([]);
  });

  test('the time that a person takes to decide does not count', async () => {
    const sent: string[] = [];
    const approve = async (): Promise<Decision> => {
      await delay(900);
      return { verdict: 'once', by: 'terminal' };
    };
    const { answer } = await play([js("finalAnswer(letter('bob'))")], {
      tools: [letter(sent)],
      approve,
      code: { stepTimeoutMs: 600, totalTimeoutMs: 600 },
    });
    expect(answer.text).toBe('sent to bob');
    expect(sent).toEqual(['bob']);
  });
});

describe('names', () => {
  test.each([
    ['a failed call', "readFile('gone.md')", 'gone.md is not there. Look with listDirectory.'],
    ['a made-up name', "addWater('fern')", 'Did you mean changeWater(plant)?'],
  ])('after %s a model reads the names of functions, not of tools', async (_name, source, told) => {
    const failing = defineTool({
      ...plain,
      name: 'read_file',
      positional: ['path'],
      input: z.object({ path: z.string() }),
      execute: () => {
        throw new Error('gone.md is not there. Look with list_directory.');
      },
    });
    const water = defineTool({
      ...plain,
      name: 'change_water',
      positional: ['plant'],
      input: z.object({ plant: z.string() }),
      output: z.string(),
      execute: () => 'ok',
    });
    const { lastRequest } = await play([js(source), 'It is not there.'], {
      tools: [failing, named('list_directory', ''), water],
    });
    expect(lastRequest()).toContain(told);
  });

  test('two tools of one name are reached by their ids, and built-in names stay', async () => {
    const { answer, events } = await play(
      [
        js(
          "log('x'); finalAnswer([typeof mailSend === 'function', tools['mail.send']({}), tools['mail-send']({}), tools['log']({}), typeof log].join())",
        ),
      ],
      { tools: [named('mail.send', 'first'), named('mail-send', 'second'), named('log', 'a tool called log')] },
    );
    expect(answer, JSON.stringify(events)).toMatchObject({ stop: 'answered' });
    expect(answer.text).toBe('false,first,second,a tool called log,function');
  });

  test('discoverTools and toolSchema describe what is there', async () => {
    const { tool } = pageTool();
    const { answer } = await play(
      [
        js(
          "const [t] = discoverTools();\nlet e; try { toolSchema('ftch_pag') } catch (error) { e = error.message }\nfinalAnswer(JSON.stringify([t.id, t.name, toolSchema('fetchPage').required, e]))",
        ),
      ],
      { tools: [tool] },
    );
    expect(JSON.parse(answer.text)).toEqual([
      'fetch_page',
      'fetchPage',
      ['url'],
      'Tool "ftch_pag" not found. Did you mean "fetch_page"?',
    ]);
  });

  test('modules and functions of plugins work and are told to the model', async () => {
    const registry = createScriptExtensions();
    registry.addModule('units', 'export const km = (m) => m / 1000;');
    registry.addFunction('shout', (text) => `${String(text).toUpperCase()}!`);
    const { answer, agent } = await play([js("import { km } from 'units';\nfinalAnswer(shout('go') + km(5000))")], {
      registry,
    });
    expect(answer.text).toBe('GO!5');
    const prompt = agent.model.requests[0]?.messages[0]?.text ?? '';
    expect(prompt).toContain('units');
    expect(prompt).toContain('shout');
  });
});

test('an artifact of one turn is there in the next', async () => {
  const store = await openTestStore();
  const tools = createArtifactTools(new Artifacts(store, () => new Date('2026-01-15T09:00:00.000Z')));
  const first = await play([js("const id = storeArtifact({ rows: [1, 2] }, 'two rows');\nfinalAnswer(id)")], {
    store,
    tools,
  });
  const read = js(
    'const [one] = await listArtifacts();\nfinalAnswer(JSON.stringify([one.id, one.description, getArtifact(one.id)]))',
  );
  const later = await codeAgent(sandbox, [read], { store, tools });
  const answer = await later.runTurn(turn('turn_2'), testContext());
  expect(JSON.parse(answer.text)).toEqual([first.answer.text, 'two rows', { rows: [1, 2] }]);
});

describe('what the model reads after a failure', () => {
  test.each([
    [
      'an unknown name, with the nearest one',
      'ftchPag("x")',
      /ftchPag is not defined \(line 1, column 1\)[\s\S]*Did you mean fetchPage\?/u,
    ],
    ['a wrong field', 'fetchPage({ uri: 5, link: 1 })', /fetchPage: url: missing/u],
    [
      'a syntax error with its line',
      'const a = 1;\nconst b = ;',
      /SyntaxError: Unexpected token \(line 2, column 11\)\n {2}const b = ;/u,
    ],
    ['an unknown module', "import x from 'fs';", /module "fs" is not available/u],
    ['smart quotes', 'log(“hi”)', /Use plain quotes/u],
    ['TypeScript with code behind it', 'enum A { B }', /only types that can be erased are allowed/u],
    ['an empty run', 'const a = 1;', /ran without errors and returned no value/u],
    [
      'a long list, cut by items',
      "Array.from({ length: 5000 }, (_, i) => 'row ' + i)",
      /\d+ of 5000 items left out; store\(\) the value/u,
    ],
  ])('%s', async (_name, source, expected) => {
    const { tool } = pageTool();
    const { lastRequest } = await play([js(source), 'stop'], { tools: [tool] });
    expect(lastRequest()).toMatch(expected);
    expect(lastRequest()).not.toMatch(/node_modules|prelude|isolated-vm/u);
  });
});

describe('the turn ends', () => {
  test.each([
    ['in a loop', 'for (;;);'],
    ['in a call', 'await hang({})'],
    ['in a blocking call', '[1].map(() => hang({}))'],
  ])('at once when it is cancelled %s', async (_name, source) => {
    const hang = defineTool({ ...plain, name: 'hang', input: z.object({}), execute: () => new Promise(() => {}) });
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error('cancelled')), 400);
    const { answer } = await play([js(source)], { tools: [hang], signal: stop.signal });
    expect(answer).toMatchObject({ stop: 'aborted', text: '' });
  });

  test('in the fallback when all scripts together took too long', async () => {
    const slow = defineTool({ ...plain, name: 'slow', input: z.object({}), execute: () => new Promise(() => {}) });
    const { answer, events } = await play([js('slow({})'), 'from tools'], {
      tools: [slow],
      code: { totalTimeoutMs: 200 },
    });
    expect(answer.text).toBe('from tools');
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'fallback', reason: 'the time for scripts is used up' }),
    );
  });

  test('in the fallback, with a clear error, where no script can run', async () => {
    const run = () =>
      Promise.reject(
        new AssistantError('sandbox_unavailable', 'Scripts cannot run here: no addon.', { hint: 'Use classic mode.' }),
      );
    const forTurn = () => ({ run, warm: () => {}, close: () => {} });
    const missing: Sandbox = { ...sandbox, warm: async () => {}, run, forTurn };
    const { answer, events } = await play([js('1'), 'from tools'], { sandbox: missing });
    expect(answer).toMatchObject({ text: 'from tools', stop: 'answered' });
    expect(events).toContainEqual(expect.objectContaining({ type: 'error', code: 'sandbox_unavailable' }));
  });

  test('with its answer when the script fails after giving it', async () => {
    expect((await play([js("finalAnswer('given'); null.x")])).answer).toMatchObject({
      text: 'given',
      stop: 'answered',
    });
  });
});

test('an equal call in a later script is a new one; in the same or a corrected script it is not', async () => {
  const sent: string[] = [];
  const approve = async (): Promise<Decision> => ({ verdict: 'turn', by: 'terminal' });
  await play([js("letter('a')"), js("letter('a'); null.x"), js("letter('a'); letter('a'); finalAnswer('ok')")], {
    tools: [letter(sent)],
    approve,
  });
  expect(sent).toEqual(['a', 'a']);
});

test('a turn whose program was killed goes on, and what it had done is not done again', async () => {
  const sent: string[] = [];
  const approve = async (): Promise<Decision> => ({ verdict: 'turn', by: 'terminal' });
  const killed: Scripted = { error: new Error('the lights went out') };
  const { agent } = await play([js("letter('a'); store('n', 1); 'half'"), killed], { tools: [letter(sent)], approve });
  const again = js("letter('a'); finalAnswer('whole')");
  const later = await codeAgent(sandbox, [again], { store: agent.store, tools: [letter(sent)] });
  const context = { ...testContext(), approve };
  expect(await later.runTurn(turn(), context)).toMatchObject({ text: 'whole' });
  expect(sent).toEqual(['a']);
  const seen = later.model.requests[0]?.messages.map((message) => message.text) ?? [];
  expect(seen.some((text) => text.includes("'half'"))).toBe(true);
  expect(seen.at(-1)).toContain('Value:\nhalf');
});

test('a continued conversation sees the code of the last turn', async () => {
  const { tool } = pageTool();
  const { agent } = await play([js("finalAnswer(fetchPage('x').length + ' characters')")], { tools: [tool] });
  const later = await codeAgent(sandbox, ['second'], { store: agent.store });
  await later.runTurn(turn('turn_2'), testContext());
  const texts = later.model.requests[0]?.messages.map((message) => message.text) ?? [];
  expect(texts.slice(1)).toEqual([
    'do it',
    "```js\nfinalAnswer(fetchPage('x').length + ' characters')\n```",
    'The script ran. Its calls gave:\n- fetchPage("x"): text of x',
    '9 characters',
    expect.stringMatching(/^do it\n\n<context>\nActive project: home\./u),
  ]);
});
