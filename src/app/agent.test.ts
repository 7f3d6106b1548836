import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Answer, MODES, type Turn } from '../base/turn.ts';
import { evalsDir, saveResults } from '../evals/results.ts';
import { definePlugin } from '../plugins/plugin.ts';
import { testContext, testTurn } from '../testing/agent.ts';
import { type AppOptions, openApp } from '../testing/app.ts';
import { FaultServer, ok } from '../testing/fault-server.ts';
import type { Scripted } from '../testing/scripted-model.ts';
import { sqlAll } from '../testing/sql.ts';
import { mailTool, PLAIN_TOOL } from '../testing/tools.ts';
import { defineTool } from '../tools/tool.ts';

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** A program whose model replies from a script, and what it is asked in a turn. */
async function open(replies: readonly Scripted[], options: AppOptions = {}) {
  const opened = await openApp({ ...options, replies });
  const { app, model } = opened;
  const ask = async (text: string, turn: Partial<Turn> = {}, context = testContext()) => {
    const answer = await app.turns.run(testTurn(text, turn), context);
    const { messages = [], tools = [] } = model.requests.at(-1) ?? {};
    return { answer, context, tools, prompt: messages.map((message) => message.text).join('\n') };
  };
  return { ...opened, ask };
}

const LATER = defineTool({ ...PLAIN_TOOL, name: 'water_tulips', execute: () => 'watered' });

test('a turn in classic mode has the tools of the program, of plugins, one for scripts, and those that are given', async () => {
  const plugin = definePlugin({
    ...{ name: 'garden', version: '1.0.0', description: 'Gardens.' },
    getAgentTools: () => [LATER],
  });
  const additions = { tools: [mailTool([])], plugins: [plugin] };
  const { ask } = await open(['Hello.'], { additions });
  const { tools, answer } = await ask('water the tulips, mail Ann, note it and run code');
  expect(answer).toMatchObject({ text: 'Hello.', stop: 'answered' });
  expect(tools).toEqual(expect.arrayContaining(['write_note', 'water_tulips', 'send_mail', 'interpreter_run-code']));
  expect(new Set(tools).size).toBe(tools.length);
});

test('a turn in code mode has them as functions, none as tools, and leaves a record of its scripts', async () => {
  const { ask, home } = await open(['```js\nfinalAnswer(await sendMail({ to: "ann@example.com" }))\n```'], {
    additions: { tools: [{ ...mailTool([]) }] },
  });
  const { tools, prompt } = await ask('mail Ann', { mode: 'code_agent', id: 'turn_code' });
  expect(tools).toEqual([]);
  expect(prompt).toContain('sendMail');
  expect(prompt).toContain('writeNote');
  expect(prompt).not.toContain('runCode');
  expect(readdirSync(join(home, 'logs', 'scripts')).join()).toContain('turn_code');
});

test('a script that a turn in classic mode runs is recorded too', async () => {
  const run = { toolCalls: [{ name: 'interpreter_run-code', args: { code: 'finalAnswer(1 + 1)' } }] };
  const { ask, home } = await open([run, 'Two.']);
  await ask('add 1 and 1', { id: 'turn_classic' });
  expect(readdirSync(join(home, 'logs', 'scripts')).join()).toContain('turn_classic');
});

describe('the record of scripts', () => {
  const looksSecret = `sk-${'a1B2c3D4'.repeat(4)}`;
  const recorded = async (logging: Readonly<Record<string, boolean>>) => {
    const script = `\`\`\`js\nlog('${looksSecret}', 'known-secret-of-mine'); finalAnswer('ok')\n\`\`\``;
    const { ask, app, home } = await open([script], { config: { codeAgent: { logging } } });
    app.home.redactor.add('known-secret-of-mine');
    await ask('log it', { mode: 'code_agent', id: 'turn_code' });
    const file = join(home, 'logs', 'scripts', 'turn_code.jsonl');
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  };

  test('is left out by codeAgent.logging.enabled', async () => {
    expect(await recorded({ enabled: false })).toBeUndefined();
  });

  test.each([
    [true, false],
    [false, true],
  ])('with codeAgent.logging.redactions %s, what looks like a secret is in it: %s', async (redactions, isThere) => {
    const record = await recorded({ redactions });
    expect(record?.includes(looksSecret)).toBe(isThere);
    expect(record).not.toContain('known-secret-of-mine');
  });
});

test('a plugin adds to a turn what it has to say and to offer, and hears how it ended', async () => {
  const heard: [string, Answer['stop']][] = [];
  const plugin = definePlugin({
    ...{ name: 'garden', version: '1.0.0', description: 'Gardens.' },
    prepare: async ({ text }) => ({ context: [`The garden is dry (${text}).`], tools: [LATER] }),
    onTurn: (turn: Turn, answer: Answer) => void heard.push([turn.id, answer.stop]),
  });
  const { ask } = await open(['Hello.'], { additions: { plugins: [plugin] } });
  const { tools, prompt } = await ask('water it', { id: 'turn_dry' });
  expect(prompt).toContain('The garden is dry (water it).');
  expect(tools).toContain('water_tulips');
  await vi.waitFor(() => expect(heard).toEqual([['turn_dry', 'answered']]));
});

test('what is known about the owner is told, and the conversation has then read something private', async () => {
  const { ask, app, home } = await open(['Hello.', 'Hello.']);
  await ask('hello', { conversationId: 'conv_1' });
  write(home, { 'memory.md': '# Memory\n\n- My dentist is Dr Flannery\n' });
  const { prompt } = await ask('who is my dentist?', { conversationId: 'conv_2' });
  expect(prompt).toContain('My dentist is Dr Flannery');
  expect(await sqlAll(app.store, 'SELECT id, read_private FROM conversations ORDER BY id')).toEqual([
    { id: 'conv_1', read_private: 0 },
    { id: 'conv_2', read_private: 1 },
  ]);
});

test('files that somebody else may have written are not followed, as the owner is told', async () => {
  const { ask, app, home } = await open(['Hello.']);
  write(home, {
    'projects/home/prompt.txt': 'Speak like a pirate.',
    'prompts/base_system_prompt.txt': 'You are the gardener of Ann.',
    'memory.md': '# Memory\n\n- My dentist is Dr Flannery\n',
  });
  const paths = ['projects/home/prompt.txt', 'prompts/base_system_prompt.txt', 'memory.md'].map((each) =>
    join(home, each),
  );
  for (const path of paths) await app.knowledge.origins.files.declare(path, { untrusted: true, folder: false });
  const { context, prompt: said } = await ask('hello');
  const notices = context.events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
  const [prompt, base] = ['projects/home/prompt.txt', 'prompts/base_system_prompt.txt'];
  expect(notices).toEqual([
    `${prompt} is not followed, because you said so. If its text is right: wooster trust ${prompt}`,
    `${base} is not followed, because you said so. If its text is right: wooster trust ${base}`,
    'memory.md is not used: you said so; if its text is right: wooster trust memory.md.',
  ]);
  for (const words of ['pirate', 'gardener', 'Flannery']) expect(said).not.toContain(words);
});

test('a project says how to answer in it', async () => {
  const { ask, home } = await open(['Hello.']);
  write(home, { 'projects/home/prompt.txt': 'Speak like a pirate.' });
  const { prompt, context } = await ask('hello');
  expect(prompt).toContain('Speak like a pirate.');
  expect(context.events.filter(({ type }) => type === 'notice')).toEqual([]);
});

test('reminders that a conversation has made are told to its next turn', async () => {
  const call = { toolCalls: [{ name: 'schedule', args: { when: '2099-05-06 07:08', text: 'water the tulips' } }] };
  const { ask } = await open([call, 'It is set.', 'Yes.']);
  await ask('remind me on 6 May 2099 at 7:08 to water the tulips');
  const { prompt } = await ask('is it set?');
  expect(prompt).toContain('Reminders made in this conversation, by id:');
  expect(prompt).toMatch(/"water the tulips", .*2099/u);
});

test('a model that is set up by its address is asked there', async () => {
  const server = new FaultServer();
  await server.start();
  onTestFinished(() => server.stop());
  server.play(ok('From afar.'));
  const env = { OPENAI_BASE_URL: server.url, OPENAI_MODEL_NAME: 'far', OPENAI_API_KEY: 'sk-1' };
  const { app } = await openApp({ env });
  expect(await app.turns.run(testTurn('hello there, who are you?'), testContext())).toMatchObject({
    text: 'From afar.',
  });
  expect(server.requests[0]?.body.model).toBe('far');
});

test('a conversation that works in a workspace can run commands there', async () => {
  const { ask } = await open(['Hello.'], { env: { WORKSPACE_ENABLED: 'true' } });
  const { tools, prompt } = await ask('list the files and run a command in the workspace');
  expect(tools).toContain('execute_command');
  expect(prompt).toContain('You have a workspace: a separate Linux environment');
});

test('programs and skills of the owner are there for a turn', async () => {
  const { ask, app, home } = await open(['```js\nfinalAnswer("Hello.")\n```']);
  const source = '/// The price of a share.\ntool price(ticker: string): float {\n  return 12.5\n}\n';
  write(home, { 'programs/shop.tl': source });
  await app.tools.programs.trust(
    await app.tools.programs.load(join(home, 'programs', 'shop.tl'), { ...app.tools, project: 'home' }),
    'home',
  );
  const { prompt } = await ask('take the minutes of the meeting', { mode: 'code_agent' });
  expect(prompt).toContain('meeting-minutes');
  const names = (await app.turns.agent.tools(testTurn('x'), testContext())).map(({ name }) => name);
  expect(names).toContain('price');
});

test('a turn in auto is in the mode that its model did best in', async () => {
  const { ask, home } = await open(['```js\nfinalAnswer("a")\n```']);
  const run = {
    task: 'a',
    model: 'test',
    failed: [],
    requests: 1,
    inputTokens: 9,
    outputTokens: 1,
    costUsd: 0,
    ms: 1,
    retries: 0,
  };
  const runs = MODES.flatMap((mode) => Array.from({ length: 5 }, () => ({ ...run, mode, ok: mode === 'code_agent' })));
  await saveResults(evalsDir(home), { at: '2026-11-01T10:00:00.000Z', runs });
  const { context } = await ask('hello', { autoMode: true });
  expect(context.events).toContainEqual(expect.objectContaining({ type: 'turn', mode: 'code_agent' }));
});

test('a call that nobody could be asked about is kept, and made once its owner agrees', async () => {
  const sent: string[] = [];
  const call = { toolCalls: [{ name: 'send_mail', args: { to: 'ann@example.com' } }] };
  const { ask, app } = await open([call, 'It waits.'], { additions: { tools: [mailTool(sent)] } });
  await ask('mail Ann', { origin: 'schedule' as never });
  const [proposal] = await app.tools.proposals.list();
  expect([proposal?.tool, sent]).toEqual(['send_mail', []]);
  const approver = { by: 'ann', signal: new AbortController().signal };
  expect(await app.tools.approve(proposal?.id ?? '', approver)).toMatchObject({
    ...{ outcome: 'ran', text: 'sent to ann@example.com' },
  });
  expect(sent).toEqual(['ann@example.com']);
});

test('instructions of the home come before those of the program', async () => {
  const { ask, home } = await open(['Hello.', 'Hello.']);
  const first = await ask('hello');
  write(home, { 'prompts/base_system_prompt.txt': 'You are the gardener of Ann.' });
  const second = await ask('hello');
  expect(first.prompt).not.toContain('gardener');
  expect(second.prompt).toContain('You are the gardener of Ann.');
  expect(existsSync(join(home, 'prompts'))).toBe(true);
});
