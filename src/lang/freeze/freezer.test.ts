import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { openCommands } from '../../testing/commands.ts';
import type { Scripted } from '../../testing/scripted-model.ts';

const calls = (name: string, args: Record<string, unknown>): Scripted => ({ toolCalls: [{ name, args }] });

/** A daily job over a file, run by hand. */
async function world(replies: readonly Scripted[]) {
  const commands = await openCommands({ session: { yes: true }, replies });
  const { home, app, run } = commands;
  const project = join(home, 'projects', 'home');
  mkdirSync(project, { recursive: true });
  await run(['schedule', 'add', '--when', 'every day at 8', '--prompt', 'note what todo.md says is open']);
  const [job] = await app.schedule.jobs.list();
  const id = job?.id ?? '';
  const day = async (todo: string) => {
    writeFileSync(join(project, 'todo.md'), todo);
    return (await run(['schedule', 'run', id])).rows[0];
  };
  const days = async (todos: readonly string[]) => {
    for (const todo of todos) await day(todo);
  };
  const show = async () => (await run(['schedule', 'show', id])).lines.join('\n');
  const journal = join(project, 'home.md');
  const notes = () => (existsSync(journal) ? readFileSync(journal, 'utf8') : '');
  return { ...commands, id, day, days, show, notes };
}

const run = (todo: string): Scripted[] => [
  calls('read_file', { path: 'todo.md' }),
  calls('write_note', { text: `open: ${todo}` }),
  'Noted what is open.',
];
/** A model that does the job, whatever the file says. */
const rightly: Scripted[] = [
  calls('read_file', { path: 'todo.md' }),
  (messages) => ({ toolCalls: [{ name: 'write_note', args: { text: `open: ${String(messages.at(-1)?.text)}` } }] }),
  'Noted what is open.',
];
const DAYS = ['paint the fence', 'mow the lawn', 'call Anna', 'pay the rent', 'fix the bike'];

vi.setConfig({ testTimeout: 120_000 });

test('five runs of one shape are offered; frozen, the job asks no model, and says what that saved', async () => {
  const { id, day, days, show, notes, run: command } = await world([...DAYS.flatMap(run), ...rightly, ...rightly]);
  await days(DAYS.slice(0, 4));
  expect(await show()).toContain('not frozen: it has run 4 of 5 times the same way');
  await days(DAYS.slice(4));
  expect(await show()).toContain(`5 runs went the same way: \`wooster schedule freeze ${id}\``);
  expect((await command(['approvals'])).rows).toEqual([expect.objectContaining({ kind: 'freeze', id })]);
  const { lines } = await command(['schedule', 'freeze', id]);
  expect(lines).toEqual(expect.arrayContaining(['  it acts by: writeNote', '+ writeNote(`open: ${file}`)']));
  expect(notes()).not.toContain('painu');
  expect(await day('wash the car')).toMatchObject({ state: 'succeeded', output: 'Noted what is open.', costUsd: 0 });
  expect(notes()).toContain('open: wash the car');
  expect(await show()).toContain('1 run by its program, about 45 tokens and an unknown sum saved');
  expect((await command(['approvals'])).rows).toEqual([]);
});

test('a value that was always the same is not taken for a constant', async () => {
  const same = DAYS.map(() => 'water the orchids');
  const { id, days, notes, day, run: command } = await world([...same.flatMap(run), ...rightly, ...rightly]);
  await days(same);
  expect((await command(['schedule', 'freeze', id])).lines).toContain('+ writeNote(`open: ${file}`)');
  await day('rest');
  expect(notes()).toContain('open: rest');
});

test('a model that does otherwise with other values keeps the job', async () => {
  const always: Scripted[] = run('paint the fence');
  const { id, days, run: command } = await world([...DAYS.flatMap(run), ...always, ...always]);
  await days(DAYS);
  await expect(command(['schedule', 'freeze', id])).rejects.toMatchObject({
    code: 'bad_usage',
    message: expect.stringContaining('when it was given other values'),
  });
});

test('runs that differ are not offered, and why is said', async () => {
  const other: Scripted[] = [calls('write_note', { text: 'nothing' }), 'Noted what is open.'];
  const { days, show } = await world([...DAYS.slice(1).flatMap(run), ...other]);
  await days(DAYS);
  expect(await show()).toMatch(/not frozen: (it would call|a run)/u);
});

test('a job that is edited goes back to the model, and so does one that is thawed', async () => {
  const {
    id,
    days,
    day,
    show,
    run: command,
  } = await world([...DAYS.flatMap(run), ...rightly, ...rightly, ...run('x')]);
  await days(DAYS);
  await command(['schedule', 'freeze', id]);
  await command(['schedule', 'rename', id, 'note what todo.md says is open, briefly']);
  await day('write');
  expect(await show()).toContain('thawed: the job was changed; 0 runs by its program');
  expect((await command(['schedule', 'thaw', id])).code).toBe(1);
});
