import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCommands } from '../testing/commands.ts';
import { openLiveScreen } from '../testing/live-screen.ts';
import { mentionedFiles } from './mentioned-files.ts';
import { Repl } from './repl.ts';

const signal = new AbortController().signal;

test('a file that cannot be read ends the line, and nothing is said to be read any more', async () => {
  const { app, session } = await openCommands();
  const folder = app.knowledge.projects.folder('home');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'broken.docx'), 'no such document');
  const screen = openLiveScreen();
  const repl = new Repl(screen.terminal, Promise.resolve({ app, session }));
  const ended = repl.run();
  await screen.see('home | tools');
  screen.type('sum up @broken.docx\r');
  await screen.see('broken or encrypted archive');
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect((await screen.shown()).join('\n')).not.toContain('Ctrl-C stops');
  repl.leave();
  expect(await ended).toBe(0);
});

test('a pasted text with many words like file names is not looked through without end, and gets few notes', async () => {
  const { app } = await openCommands();
  const text = Array.from({ length: 50_000 }, (_, n) => `@scope/package-${n}`).join(' ');
  const { material, notes } = await mentionedFiles(text, 'home', { app, signal });
  expect(material).toEqual([]);
  expect(notes).toHaveLength(7);
  expect(notes[0]).toContain('There is no file scope/package-0 in the project');
  expect(notes.slice(5)).toEqual([expect.stringContaining('95 more'), expect.stringContaining('49900 further words')]);
});
