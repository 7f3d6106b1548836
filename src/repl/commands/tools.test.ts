import { expect, test } from 'vitest';
import { openCommands } from '../../testing/commands.ts';

test('a tool is shown with the types of its fields, and which it needs', async () => {
  const { run } = await openCommands({ replies: [] });
  const { lines, rows } = await run(['tools', 'schedule']);
  expect(lines).toContain('  when: string or number, required');
  expect(lines).toContain('  text: string, required');
  expect(lines.find((line) => line.startsWith('  in scripts: '))).toMatch(
    /schedule\(when, .*\): .* \/\/ Remind the user .*`when`: "2026/u,
  );
  expect(lines.find((line) => line.startsWith('  schema: '))).toContain('"required":["when","text"]');
  expect(rows).toMatchObject([{ name: 'schedule', input: { type: 'object', required: ['when', 'text'] } }]);
});

test('what a turn adds is listed as well', async () => {
  const { run } = await openCommands({ replies: [] });
  const { rows } = await run(['tools']);
  expect(rows).toContainEqual(expect.objectContaining({ name: 'interpreter.run-code', effect: expect.any(String) }));
  expect((await run(['tools', 'interpreter.run-code'])).lines).toContain('  code: string, required');
});

test('channels are listed where several are set up', async () => {
  const { run } = await openCommands({ replies: [] });
  const listed = (await run(['tools'])).rows.map((row) => (row as { readonly name: string }).name);
  expect(listed).toContain('notify');
  expect(listed.filter((name) => /_notify$/u.test(name))).toEqual([]);
  // It is still explained when asked for by name.
  expect((await run(['tools', 'signal_notify'])).code).toBe(0);
});
