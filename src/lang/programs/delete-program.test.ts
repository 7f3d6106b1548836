import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCommands } from '../../testing/commands.ts';

async function world() {
  const commands = await openCommands({ session: { yes: true } });
  const folder = join(commands.home, 'programs');
  mkdirSync(folder);
  writeFileSync(join(folder, 'tea-time.tl'), '// Says that it is time for tea.\nprint "tea"\n');
  writeFileSync(join(folder, 'tea-time.test.tl'), 'test "x" { assert 1 == 1 }\n');
  writeFileSync(join(folder, 'tea-time-2.tl'), 'print "more tea"\n');
  await commands.run(['think', 'trust', 'tea-time']);
  const states = async () => {
    const { rows } = await commands.run(['programs']);
    return (rows as { file: string; state: string }[]).map(({ file, state }) => `${file} ${state}`);
  };
  return { ...commands, folder, states };
}

test('a program is deleted in words, with its test; undo brings both back, and it is on as before', async () => {
  const { say, folder, states } = await world();
  expect((await say('delete the program tea time')).text).toBe('Deleted the program tea-time; "undo" brings it back.');
  expect(readdirSync(folder)).toEqual(['tea-time-2.tl']);
  expect((await say('undo that')).text).toContain('Taken back');
  expect(readdirSync(folder)).toEqual(['tea-time-2.tl', 'tea-time.test.tl', 'tea-time.tl']);
  expect(await states()).toEqual(['tea-time-2.tl off', 'tea-time.tl on']);
});

test('a command does the same, and names the jobs that will fail', async () => {
  const { app, run, folder } = await world();
  await run(['schedule', 'add', '--when', 'every day at 16:00', '--program', 'tea-time']);
  const { code, lines } = await run(['program', 'remove', 'tea-time']);
  expect(code).toBe(0);
  expect(lines).toEqual([
    'Deleted tea-time. "wooster undo" brings it back.',
    expect.stringMatching(/^ {2}still scheduled, and will fail: .*\(job_\w+\)$/u),
  ]);
  expect(await app.tools.undo.newest('home')).toMatchObject({ tool: 'delete_program', outcome: 'undone' });
  expect(existsSync(join(folder, 'tea-time.tl'))).toBe(true);
});

test('an unknown name, and a file that is no program of theirs, are refused', async () => {
  const { run, home } = await world();
  await expect(run(['program', 'remove', 'tee-time'])).rejects.toMatchObject({
    message: expect.stringContaining('Did you mean "tea time"?'),
  });
  const own = join(home, 'mine.tl');
  writeFileSync(own, 'print 1\n');
  await expect(run(['program', 'remove', own])).rejects.toMatchObject({ code: 'bad_usage' });
  expect(existsSync(own)).toBe(true);
});
