import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Mode } from '../base/turn.ts';
import { testContext, testTurn } from '../testing/agent.ts';
import { openCommands } from '../testing/commands.ts';
import { temporaryFolder } from '../testing/home.ts';

const HOW = /\/plugins enable (?<name>\S+)$/u;

test.each([
  ['put call Bob into my inbox', 'tasks'],
  ['Worauf warte ich?', 'tasks'],
  ['how much disk space is left?', 'system-info'],
  ['Wie viel Speicherplatz habe ich noch?', 'system-info'],
])('without a model, "%s" is answered with what switches %s on', async (text, plugin) => {
  const { app, say } = await openCommands();
  expect((await say(text)).text).toMatch(HOW);
  const mode: Mode = 'code_agent';
  const answer = await app.turns.run(testTurn(text, { conversationId: 'conv_2', mode }), testContext());
  expect(HOW.exec(answer.text)?.groups?.name).toBe(plugin);
});

test('what the program does without a plugin, and what documents are asked, goes there', async () => {
  const { say } = await openCommands();
  expect((await say('add a task: buy milk')).text).toMatch(/to-do list/u);
  expect((await say('what does the lease say about an inbox?')).text).not.toMatch(HOW);
});

test('a home with the files of a plugin, or with its settings, has it on', async () => {
  const stateIn = async (options: object) =>
    (await openCommands(options)).app.tools.plugins.list().find(({ name }) => name === 'tasks')?.state;
  expect(await stateIn({})).toBe('off');
  const home = temporaryFolder();
  mkdirSync(join(home, 'gtd'));
  expect(await stateIn({ home })).toBe('on');
  expect(await stateIn({ config: { plugins: { tasks: { basePath: 'mine' } } } })).toBe('on');
  expect(await stateIn({ home, config: { plugins: { tasks: { enabled: false } } } })).toBe('off');
});
