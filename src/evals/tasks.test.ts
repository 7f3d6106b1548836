import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/home.ts';
import { tablesOf } from '../testing/rows.ts';
import { readTasks } from './tasks.ts';

const rows = tablesOf(import.meta.dirname, 'tasks');

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

test.each(rows<[string, string]>('is refused, with the place'))('%j is refused, with the place', async (text, why) => {
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
