import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openCommands } from '../../testing/commands.ts';
import { temporaryFolder } from '../../testing/home.ts';

/** Write files into a folder of their own. @returns the path of the first. */
function files(contents: Readonly<Record<string, string | Buffer>>): string {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(contents)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return join(folder, Object.keys(contents)[0] ?? '');
}

test('think check says what is wrong with files, by file, line and column', async () => {
  const { run } = await openCommands();
  const [good, bad] = [files({ 'a.tl': 'print 1\n' }), files({ 'b.tl': 'print 1\nlet = 2\n' })];
  expect(await run(['think', 'check', good])).toMatchObject({ code: 0, lines: ['No errors.'] });

  const both = await run(['think', 'check', '--syntax', good, bad]);
  expect(both.code).toBe(1);
  expect(both.lines[0]).toMatch(/b\.tl:2:5: error TL1001: expected a name, found `=`\n {2}2 \| let = 2\n/u);
  expect(both.rows).toMatchObject([
    { file: good, ok: true, errors: 0, warnings: 0 },
    { code: 'TL1001', file: bad, location: { start: { line: 2, column: 5 } } },
    { file: bad, ok: false, errors: 1, warnings: 0 },
  ]);

  const latin = files({ 'c.tl': Buffer.from('print "gr\xfcn"', 'latin1') });
  expect((await run(['think', 'check', latin])).lines[0]).toContain(':1:10: error TL1008');
  await expect(run(['think', 'check', `${good}x`])).rejects.toMatchObject({ code: 'file_not_found' });
  await expect(run(['think', 'chekc', good])).rejects.toMatchObject({ hint: 'Did you mean "think check"?' });
});

test('think fmt lays files out, and leaves one with errors alone', async () => {
  const { run } = await openCommands();
  const [file, bad] = [files({ 'a.tl': 'let  a=1 // one\n' }), files({ 'b.tl': 'let  = 2\n' })];
  expect(await run(['think', 'fmt', '--check', file])).toMatchObject({
    code: 1,
    lines: [file, '1 file would change.'],
  });
  expect(readFileSync(file, 'utf8')).toBe('let  a=1 // one\n');
  expect(await run(['think', 'fmt', file])).toMatchObject({ code: 0, rows: [{ file, changed: true }] });
  expect(readFileSync(file, 'utf8')).toBe('let a = 1 // one\n');
  expect(await run(['think', 'fmt', '--check', file])).toMatchObject({ code: 0, lines: ['Nothing to change.'] });
  expect(await run(['think', 'fmt', bad])).toMatchObject({ code: 1, rows: [{ code: 'TL1001' }] });
  expect(readFileSync(bad, 'utf8')).toBe('let  = 2\n');
});

test('think explain says what a code means', async () => {
  const { run } = await openCommands();
  const { code, lines } = await run(['think', 'explain', 'tl1010']);
  expect(code).toBe(0);
  expect(lines.join('\n')).toMatch(/A reserved word as a name.*Wrong:\n {2}let type = "a"/su);
  await expect(run(['think', 'explain', 'TL101'])).rejects.toMatchObject({ hint: expect.stringMatching(/TL10/u) });
});
