import { expect, test } from 'vitest';
import { openCommands } from '../../testing/commands.ts';

/** Both lists together stay readable, and the model's list fits the size of a tool's result. */
const MANY = 70;

test('of many jobs the first are listed, the rest is counted, and --all, --limit and rows give them', async () => {
  const { app, session, run, say } = await openCommands({ session: { conversationId: undefined } });
  const { jobs } = app.schedule;
  const text = (at: number) => `water the plant with the number ${at} ${'and its neighbours '.repeat(8)}`;
  await app.store.transaction(async () => {
    for (let at = 0; at < MANY; at++)
      await jobs.add({ when: `in ${at + 60} minutes`, prompt: text(at), project: 'home', untrusted: false });
  });
  const some = await run(['schedule', 'list']);
  expect(some.lines.filter((line) => line.startsWith('job_'))).toHaveLength(50);
  expect(some.lines.at(-1)).toBe(`(${MANY - 50} more; --limit N shows more of them, --all every one)`);
  const few = await run(['schedule', 'list', '--limit', '2']);
  expect(few.lines.filter((line) => line.startsWith('job_'))).toHaveLength(2);
  const all = await run(['schedule', 'list', '--all']);
  expect(all.lines.filter((line) => line.startsWith('job_'))).toHaveLength(MANY);
  expect(all.lines.join('\n')).not.toContain('more;');
  const rows = await run(['schedule', 'list', '--json']);
  expect(session.json).toBe(false);
  expect(rows.rows).toHaveLength(50);
  Object.assign(session, { json: true });
  expect((await run(['schedule', 'list'])).rows).toHaveLength(MANY);
  Object.assign(session, { json: false });

  // The built-in model gets a list that fits a tool's result, and says that there is more.
  const answer = await say('what reminders do I have?');
  expect(answer.text).toContain('number 0 and');
  const [, looked, more] = /I looked at the first (\d+) only; there are (\d+) more/u.exec(answer.text) ?? [];
  expect(Number(looked) + Number(more)).toBe(MANY);
  expect(Number(looked)).toBeGreaterThan(10);
}, 30_000);

test('notes that are too long for one result are told as far as they fit', async () => {
  const { say } = await openCommands();
  for (let at = 0; at < 12; at++) await say(`note: ${at} ${'something long to remember '.repeat(50)}`);
  const answer = await say('list my notes');
  expect(answer.text).toMatch(/^Your notes:/u);
  expect(answer.text).toContain('11 something');
  expect(answer.text).toMatch(/There is more than fits here/u);
}, 60_000);
