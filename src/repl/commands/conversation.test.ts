import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCommands } from '../../testing/commands.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { sqlRun } from '../../testing/sql.ts';

test('sessions lists, searches and renames', async () => {
  const { run, say } = await openCommands({ replies: ['Noted the milk.', 'At nine.'] });
  expect((await run(['sessions'])).lines).toEqual(['No conversations yet.']);
  await say('buy milk');
  await say('when is tea?', 'conv_2');
  await run(['sessions', 'rename', 'conv_1', 'The', 'milk']);
  const { lines, rows } = await run(['sessions']);
  expect(lines.join('\n')).toContain('The milk (1 turn, home)');
  expect(rows).toHaveLength(2);
  expect((await run(['sessions', 'search', 'nine'])).lines.join('\n')).toContain('Wooster: At [nine].');
});

test.each([
  [['y'], 0, 0],
  [['n'], 1, 1],
  [[''], 1, 1],
])('deleting asks first: %j', async (answers, code, left) => {
  const { run, say, app } = await openCommands({ replies: ['Yes.'] });
  await say('hello');
  expect((await run(['sessions', 'delete', 'conv_1'], answers)).code).toBe(code);
  expect(await app.turns.archive.list({ limit: 9 })).toHaveLength(left);
});

test('where there is nobody to ask, deleting needs --yes', async () => {
  const { run, say } = await openCommands({ replies: ['Yes.'] });
  await say('hello');
  await expect(run(['sessions', 'delete', 'conv_1'])).rejects.toMatchObject({
    code: 'bad_usage',
    message: 'Deleting needs confirmation; use --yes.',
  });
  expect((await run(['sessions', 'delete', 'conv_1', '--yes'])).code).toBe(0);
});

test('an unknown conversation is named with the nearest', async () => {
  const { run, say } = await openCommands({ replies: ['Yes.'] });
  await say('hello');
  for (const command of [['resume'], ['sessions', 'undo'], ['branch'], ['export'], ['compact']]) {
    await expect(run([...command, 'conv_2'])).rejects.toMatchObject({
      code: 'unknown_conversation',
      hint: 'Did you mean "conv_1"?',
    });
  }
});

test('resume continues the request that was cut off, under its own id, without further words', async () => {
  const { run, say, app, session, turns } = await openCommands({ replies: ['Yes.'] });
  await say('do all of it');
  await sqlRun(
    app.store,
    "UPDATE turns SET status = 'running', owner = '999999@gone#1'; DELETE FROM messages WHERE sequence > 1",
  );
  expect((await run(['resume', 'conv_1'])).lines.join('\n')).toContain('You: do all of it');
  expect(session.conversationId).toBe('conv_1');
  expect(turns).toEqual([{ text: 'do all of it', turnId: 'turn_do_all_of_it' }]);
  await run(['resume', 'conv_1']);
  expect(turns).toHaveLength(2);
  // Only who names none is asked.
  await run(['resume'], ['n']);
  expect(turns).toHaveLength(2);
  await run(['resume']);
  expect(turns).toHaveLength(3);
});

test('resume without an id lets one choose from the list', async () => {
  const { run, say, session } = await openCommands({ replies: ['One.', 'Two.'] });
  await say('first');
  await say('second', 'conv_2');
  const listed = (await run(['sessions'])).rows as { id: string }[];
  await run(['resume'], ['2']);
  expect(session.conversationId).toBe(listed[1]?.id);
});

test('new and branch move on', async () => {
  const { run, say, session } = await openCommands({ replies: ['Noted.'] });
  session.conversationId = 'conv_1';
  await say('note milk');
  const { rows } = await run(['branch']);
  expect(session.conversationId).toBe((rows[0] as { id: string }).id);
  await run(['new']);
  await expect(run(['undo'])).rejects.toMatchObject({ code: 'bad_usage' });
});

test('export writes Markdown and JSON and never over a file', async () => {
  const { run, say } = await openCommands({ replies: ['Yes.'] });
  await say('hello');
  const out = join(temporaryFolder(), 'talk.md');
  await run(['export', 'conv_1', '--out', out]);
  expect(readFileSync(out, 'utf8')).toContain('## Wooster');
  await expect(run(['export', 'conv_1', '--out', out])).rejects.toMatchObject({ code: 'path_refused' });
  const json = out.replace('.md', '.json');
  await run(['export', 'conv_1', '--out', json]);
  expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({ id: 'conv_1', messages: [{ content: 'hello' }, {}] });
  expect(existsSync(out)).toBe(true);
});

test('a file that a conversation is exported to has its labels', async () => {
  const { run, say, app } = await openCommands({ replies: ['Yes.', 'Yes.'] });
  await say('hello');
  await say('hello', 'conv_2');
  await sqlRun(app.store, "UPDATE conversations SET read_untrusted = 1 WHERE id = 'conv_2'");
  const { files } = app.knowledge.origins;
  const isForeign = async (path: string) => (await files.judge(await files.look(path))).untrusted;
  for (const [id, untrusted] of [
    ['conv_1', false],
    ['conv_2', true],
  ] as const) {
    const out = join(temporaryFolder(), 'talk.md');
    await run(['export', id, '--out', out]);
    expect([id, await isForeign(out)]).toEqual([id, untrusted]);
    await expect(run(['export', 'conv_2', '--out', out])).rejects.toMatchObject({ code: 'path_refused' });
    expect([id, await isForeign(out)]).toEqual([id, untrusted]);
  }
});

test('context adds up, and compact makes it smaller', async () => {
  const replies = ['a '.repeat(900), 'b '.repeat(900), 'c '.repeat(900), '## Task\nletters'];
  const { run, say } = await openCommands({ replies });
  for (const letter of ['a', 'b', 'c']) await say(`give me ${letter}`);
  type Report = { total: number; parts: { name: string; tokens: number }[] };
  const report = async () => (await run(['context', 'conv_1'])).rows[0] as Report;
  const before = await report();
  expect(before.parts.reduce((sum, part) => sum + part.tokens, 0)).toBe(before.total);
  const { lines } = await run(['compact', 'conv_1']);
  expect(lines.join('\n')).toMatch(/^Summarised: \d+ tokens became \d+/u);
  const after = await report();
  const messages = ({ parts, total }: Report) =>
    total - parts.filter(({ name }) => /prompt|tools/u.test(name)).reduce((sum, part) => sum + part.tokens, 0);
  expect(messages(after)).toBeLessThan(messages(before) / 1.5);
  expect((await run(['compact', 'conv_1'])).lines).toEqual(['There is nothing to summarise yet.']);
});

test('a background turn runs beside the prompt, is listed and can be stopped', async () => {
  const { run, app } = await openCommands({ replies: ['Done in the background.'] });
  expect((await run(['bg', 'think', 'hard'])).lines[0]).toContain('Job 1 has started');
  await app.turns.background.close();
  expect((await run(['jobs'])).lines[0]).toMatch(/^1 {2}.*think hard/u);
  expect((await run(['stop'])).lines).toEqual(['Nothing is running in the background.']);
  await expect(run(['bg'])).rejects.toMatchObject({ code: 'bad_usage' });
  await expect(run(['stop', 'x'])).rejects.toMatchObject({ code: 'bad_usage' });
});
