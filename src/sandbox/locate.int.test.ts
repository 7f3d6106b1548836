import { afterAll, expect, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { tablesOf } from '../testing/rows.ts';
import { playScript } from '../testing/script-world.ts';
import { createSandbox } from './sandbox.ts';

const sandbox = createSandbox({ log: silentLog, poolSize: 2 });
afterAll(() => sandbox.close());

/** Broken programs; `§` stands where the error is. */
const PROGRAMS = tablesOf(import.meta.dirname, 'locate.int')<[string, string, string]>('programs');

test.each(PROGRAMS)('%s is found where it stands', async (_name, marked, message) => {
  const before = marked.slice(0, marked.indexOf('§'));
  const source = marked.replace('§', '');
  const { result } = await playScript(sandbox, source, { modules: { m: 'export const x = {};' } });
  const line = before.split('\n').length;
  expect(result.failed).toMatchObject({
    message: expect.stringMatching(new RegExp(message, 'u')),
    line,
    column: before.length - before.lastIndexOf('\n'),
    context: source.split('\n')[line - 1]?.trim(),
  });
});
