import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/home.ts';
import { readTasks } from './tasks.ts';

function fileWith(text: string): string {
  const path = join(temporaryFolder(), 'tasks.yaml');
  writeFileSync(path, text);
  return path;
}

test('ten tasks ship', async () => {
  expect(await readTasks(resolve('evals/everyday.yaml'))).toHaveLength(10);
});

test('the task on the page about them is one', async () => {
  const page = readFileSync('docs/eval.md', 'utf8');
  const example = /```yaml\n(?<yaml>[\s\S]*?)```/u.exec(page)?.groups?.yaml ?? '';
  expect(await readTasks(fileWith(example))).toMatchObject([{ id: 'orchids' }]);
});

test('one request and one word need no list', async () => {
  const [task] = await readTasks(fileWith('- {id: a, requests: hello, checks: {answer: {contains: hi}}}'));
  expect(task).toEqual({ id: 'a', files: {}, requests: ['hello'], checks: { answer: { contains: ['hi'] } } });
});

test.each([
  ['[', 'tasks.yaml is not valid: Flow sequence must end with a ] at line 1, column 2.'],
  ['', 'tasks.yaml is not valid: Invalid input: expected array, received null.'],
  ['[]', 'tasks.yaml is not valid: there is no task in it.'],
  ['- 7', 'tasks.yaml is not valid: task 1, as a whole: Invalid input: expected object, received number.'],
  [
    '- {id: a, requests: x, checks: {}}\n- null',
    ': task 2, as a whole: Invalid input: expected object, received null.',
  ],
  ['- {id: a, requests: x, checks: {}}\n- {requests: x, checks: {}}', ': task 2, id: Invalid input: '],
  ['- {id: -a, requests: x, checks: {}}', 'task -a, id: use small letters, digits and hyphens'],
  ['- {id: a, requests: x, checks: {schedules: {some: {days: 1.5}}}}', 'task a, checks.schedules.some.days: '],
  ['- {id: a, requests: x, checks: {}, files: {a/../../b.md: x}}', 'task a, files: use paths below the project'],
  ['- {id: a, requests: x, checks: {}, files: {"a\\\\..\\\\b.md": x}}', 'task a, files: use paths below the project'],
  ['- {id: A B, requests: x, checks: {}}', 'task A B, id: use small letters, digits and hyphens'],
  ['- {id: a, requests: [], checks: {}}', 'task a, requests: say at least one thing'],
  ['- {id: a, requests: x, checks: {anwser: {}}}', 'task a, checks: Unrecognized key: "anwser"'],
  ['- {id: a, requests: x}', 'task a, checks'],
  ['- {id: a, requests: x, checks: {}, files: {../b.md: x}}', 'task a, files: use paths below the project'],
  ['- {id: a, requests: x, checks: {}, files: {/etc/x: x}}', 'task a, files: use paths below the project'],
  ['- {id: a, requests: x, checks: {}}\n- {id: a, requests: x, checks: {}}', 'the id a is used twice'],
])('%j is refused, with the place', async (text, why) => {
  await expect(readTasks(fileWith(text))).rejects.toMatchObject({
    code: 'bad_usage',
    message: expect.stringContaining(why),
    hint: 'docs/eval.md lists the fields of a task.',
  });
});

test('a file that is not there is named', async () => {
  await expect(readTasks('/no/tasks.yaml')).rejects.toMatchObject({
    code: 'file_not_found',
    message: '/no/tasks.yaml cannot be read.',
    hint: 'Give the path of a YAML file with tasks; docs/eval.md shows one.',
    cause: { code: 'ENOENT' },
  });
});
