import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCommands } from '../../testing/commands.ts';
import { wooster } from '../../testing/wooster.ts';
import type { UndoReport } from '../../tools/undo/undo.ts';

// One after the other: calls of one reply run at once and end in any order.
const noteAndFile = [
  { toolCalls: [{ name: 'write_note', args: { text: 'milk' } }] },
  { toolCalls: [{ name: 'write_file', args: { path: 'shop.md', content: 'milk' } }] },
  'Noted.',
];

test('at the prompt, undo takes back the last exchange and what it changed', async () => {
  const { run, say, session, app } = await openCommands({ replies: noteAndFile });
  session.conversationId = 'conv_1';
  await say('note milk, and start a list');
  const file = join(app.knowledge.projects.folder('home'), 'shop.md');
  expect(readFileSync(file, 'utf8')).toBe('milk');
  const { lines, code } = await run(['undo']);
  expect(code).toBe(0);
  expect(lines).toEqual([
    'Undone: "note milk, and start a list".',
    '  shop.md is gone again; it had not been there before',
    '  the note is out of projects/home/home.md again',
  ]);
  expect(existsSync(file)).toBe(false);
  expect(app.knowledge.projects.journalEntries('home')).toEqual([]);
  expect((await run(['undo'])).lines).toEqual(['There is nothing to undo.']);
  expect(await app.turns.archive.messages('conv_1')).toEqual([]);
});

test('what was sent or changed since is named and left', async () => {
  const replies = [
    { toolCalls: [{ name: 'capture_item', args: { text: 'milk' } }] },
    { toolCalls: [{ name: 'write_file', args: { path: 'shop.md', content: 'milk' } }] },
    { toolCalls: [{ name: 'notify', args: { text: 'milk' } }] },
    'Noted.',
  ];
  const { run, say, app } = await openCommands({ replies, config: { plugins: { tasks: { enabled: true } } } });
  await say('note milk');
  writeFileSync(join(app.knowledge.projects.folder('home'), 'shop.md'), 'milk, eggs');
  const { lines } = await run(['sessions', 'undo', 'conv_1']);
  expect(lines[1]).toMatch(/^ {2}Left as it is, it was changed since: shop\.md \(undo eff_\w+ --force\)$/u);
  expect(lines[2]).toBe('  gtd/inbox.md is gone again; it had not been there before');
  expect(lines[3]).toBe('  Cannot be undone, it has already happened: notify {"text":"milk"}');
});

test('log shows what can be undone, undo does it by its id, and once', async () => {
  const { run, say } = await openCommands({ replies: noteAndFile });
  await say('note milk');
  const shown = await run(['log']);
  const note = /write_note .*; (eff_\w+)\*; turn_/u.exec(shown.lines.join('\n'))?.[1] ?? '';
  expect(shown.lines.at(-1)).toBe('`wooster undo EFFECT` brings back what an effect (eff_...) marked with * changed.');
  const { lines, rows } = await run(['undo', note]);
  const { by } = rows[0] as UndoReport;
  expect(lines).toEqual([
    'Undone: write_note {"text":"milk"}',
    '  the note is out of projects/home/home.md again',
    `To bring it forward again: wooster undo ${by}`,
  ]);
  expect(await run(['undo', note])).toMatchObject({ code: 1, lines: [`${note} was undone before, by ${by}.`] });
  expect((await run(['log'])).lines.join('\n')).toContain(`${note}, undone by ${by}; turn_`);
  await expect(run(['undo', 'eff_nowhere'])).rejects.toMatchObject({ code: 'bad_usage' });
});

test('on the command line, undo brings back the newest change of the project', async () => {
  const { home, app, say } = await openCommands({ replies: noteAndFile });
  await say('note milk');
  await app.close();
  const first = await wooster(['undo'], { home });
  expect(first.stdout).toContain('shop.md is gone again');
  expect((await wooster(['undo', '--json'], { home })).stdout).toContain('"tool":"write_note"');
}, 120_000);
