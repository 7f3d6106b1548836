import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Background } from '../../agent/background.ts';
import { Archive } from '../../conversation/archive.ts';
import { testAgent, testContext, testTurn } from '../../testing/agent.ts';
import { temporaryFolder } from '../../testing/home.ts';
import type { Scripted } from '../../testing/scripted-model.ts';
import { testSession } from '../../testing/session.ts';
import { WRITE_NOTE } from '../../testing/tools.ts';
import type { Command, CommandCall, Session } from '../command.ts';
import { bg } from './bg.ts';
import { branch } from './branch.ts';
import { compact } from './compact.ts';
import { context } from './context.ts';
import { exportCommand } from './export.ts';
import { jobs } from './jobs.ts';
import { newCommand } from './new.ts';
import { resume } from './resume.ts';
import { sessions } from './sessions.ts';
import { stop } from './stop.ts';
import { undo } from './undo.ts';

interface Said {
  readonly code: number;
  readonly text: string;
  readonly rows: readonly unknown[];
}

/** The commands over a real agent and archive; `answers` are typed when a command asks. */
function desk(replies: readonly Scripted[], given: Partial<Session> = {}) {
  const agent = testAgent(replies, { tools: [WRITE_NOTE] });
  const background = new Background({ runTurn: agent.runTurn, now: () => new Date() });
  const parts = { store: agent.store, archive: new Archive(agent.store), background, agent };
  const session = testSession(given);
  const asked: { text: string; turnId: string | undefined }[] = [];
  const run = async (
    command: Command,
    args: readonly string[] = [],
    more: Partial<CommandCall> & { answers?: string[] } = {},
  ): Promise<Said> => {
    const lines: string[] = [];
    const rows: unknown[] = [];
    const answers = [...(more.answers ?? [])];
    const out = {
      line: (text: string) => lines.push(text),
      note: (text: string) => lines.push(text),
      progress: () => {},
      row: (row: unknown) => rows.push(row),
      ask: async () => answers.shift(),
    };
    const ask = async (text: string, turnId?: string) => {
      asked.push({ text, turnId });
      return 0;
    };
    const call = {
      place: 'slash',
      args,
      flags: {},
      session,
      parts,
      out,
      ask,
      signal: new AbortController().signal,
      ...more,
    };
    const code = await command.run(call as unknown as CommandCall);
    return { code, text: lines.join('\n'), rows };
  };
  const say = (text: string, conversationId = 'conv_1') =>
    agent.runTurn(testTurn(text, { conversationId }), testContext());
  return { agent, session, asked, run, say, background };
}

test('sessions lists, searches and renames', async () => {
  const { run, say } = desk(['Noted the milk.', 'At nine.']);
  expect((await run(sessions)).text).toBe('No conversations yet.');
  await say('buy milk');
  await say('when is tea?', 'conv_2');
  await run(sessions, ['rename', 'conv_1', 'The', 'milk']);
  const { text, rows } = await run(sessions);
  expect(text).toContain('The milk (1 turn, home)');
  expect(rows).toHaveLength(2);
  expect((await run(sessions, ['search', 'nine'])).text).toContain('Wooster: At [nine].');
});

test.each([
  [['y'], 0, 0],
  [['n'], 1, 1],
  [[''], 1, 1],
])('deleting asks first: %j', async (answers, code, left) => {
  const { run, say, agent } = desk(['Yes.']);
  await say('hello');
  expect((await run(sessions, ['delete', 'conv_1'], { answers })).code).toBe(code);
  expect(agent.store.sql.prepare('SELECT count(*) AS n FROM conversations').get()).toMatchObject({ n: left });
});

test('where nobody can be asked, deleting needs --yes', async () => {
  const { run, say } = desk(['Yes.']);
  await say('hello');
  await expect(run(sessions, ['delete', 'conv_1'])).rejects.toMatchObject({ code: 'bad_usage', hint: 'Add --yes.' });
});

test('an unknown conversation is named with the nearest', async () => {
  const { run, say } = desk(['Yes.']);
  await say('hello');
  for (const command of [resume, undo, branch, exportCommand, compact]) {
    await expect(run(command, ['conv_2'])).rejects.toMatchObject({
      code: 'unknown_conversation',
      hint: 'Did you mean "conv_1"?',
    });
  }
});

test('resume offers the request that was cut off, under its own id', async () => {
  const { run, say, agent, session, asked } = desk(['Yes.']);
  await say('do all of it');
  agent.store.sql.exec(
    "UPDATE turns SET status = 'running', owner = '999999@gone#1'; DELETE FROM messages WHERE sequence > 1",
  );
  const { text } = await run(resume, ['conv_1'], { answers: ['y'] });
  expect(text).toContain('You: do all of it');
  expect(session.conversationId).toBe('conv_1');
  expect(asked).toEqual([{ text: 'do all of it', turnId: 'turn_do_all_of_it' }]);
  await run(resume, ['conv_1'], { answers: ['n'] });
  expect(asked).toHaveLength(1);
});

test('resume without an id lets one choose from the list', async () => {
  const { run, say, session } = desk(['One.', 'Two.']);
  await say('first');
  await say('second', 'conv_2');
  const listed = (await run(sessions)).rows as { id: string }[];
  await run(resume, [], { answers: ['2'] });
  expect(session.conversationId).toBe(listed[1]?.id);
});

test('undo names what it cannot undo; new and branch move on', async () => {
  const { run, say, session } = desk([{ toolCalls: [{ name: 'write_note', args: { text: 'milk' } }] }, 'Noted.']);
  session.conversationId = 'conv_1';
  await say('note milk');
  const { rows } = await run(branch);
  expect(session.conversationId).toBe((rows[0] as { id: string }).id);
  const { text } = await run(undo, ['conv_1']);
  expect(text).toContain('Cannot be undone, it has happened: write_note {"text":"milk"}');
  expect((await run(undo, ['conv_1'])).text).toBe('There is nothing to undo.');
  await run(newCommand);
  await expect(run(undo)).rejects.toMatchObject({ code: 'bad_usage' });
});

test('export writes Markdown and JSON and never over a file', async () => {
  const { run, say } = desk(['Yes.']);
  await say('hello');
  const out = join(temporaryFolder(), 'talk.md');
  await run(exportCommand, ['conv_1'], { flags: { out } });
  expect(readFileSync(out, 'utf8')).toContain('## Wooster');
  await expect(run(exportCommand, ['conv_1'], { flags: { out } })).rejects.toMatchObject({ code: 'path_refused' });
  const json = out.replace('.md', '.json');
  await run(exportCommand, ['conv_1'], { flags: { out: json } });
  expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({ id: 'conv_1', messages: [{ content: 'hello' }, {}] });
  expect(existsSync(out)).toBe(true);
});

test('context adds up, and compact makes it smaller', async () => {
  const { run, say } = desk(['a '.repeat(900), 'b '.repeat(900), 'c '.repeat(900), '## Task\nletters']);
  for (const letter of ['a', 'b', 'c']) await say(`give me ${letter}`);
  const before = (await run(context, ['conv_1'])).rows[0] as { total: number; parts: { tokens: number }[] };
  expect(before.parts.reduce((sum, part) => sum + part.tokens, 0)).toBe(before.total);
  const { text } = await run(compact, ['conv_1']);
  expect(text).toMatch(/^Summarised: \d+ tokens became \d+/u);
  const after = (await run(context, ['conv_1'])).rows[0] as { total: number };
  expect(after.total).toBeLessThan(before.total / 1.5);
  expect((await run(compact, ['conv_1'])).text).toBe('There is nothing to summarise yet.');
});

test('a background turn runs beside the prompt, is listed and can be stopped', async () => {
  const never: Scripted = () => {
    throw new Error('stopped');
  };
  const { run, background } = desk(['Done in the background.', never]);
  const begun = await run(bg, ['think', 'hard']);
  expect(begun.text).toContain('Job 1 has begun');
  await background.close();
  expect((await run(jobs)).text).toContain('1  ');
  expect((await run(stop)).text).toBe('Nothing runs in the background.');
  await expect(run(bg)).rejects.toMatchObject({ code: 'bad_usage' });
  await expect(run(stop, ['x'])).rejects.toMatchObject({ code: 'bad_usage' });
});
