import { expect, test } from 'vitest';
import { Redactor } from '../../base/redact.ts';
import { type TestScope, testScope, testToolbox } from '../../testing/scope.ts';
import { PLAIN_TOOL, WRITE_NOTE } from '../../testing/tools.ts';
import type { Artifacts } from '../../tools/builtin/artifacts.ts';
import { defineTool, type Tool } from '../../tools/tool.ts';
import { keepWhole } from './keep-whole.ts';

const GET = defineTool({ ...PLAIN_TOOL, name: 'artifact.get', execute: () => null });

function open(scope: TestScope, { tools = [GET], error }: { tools?: readonly Tool[]; error?: Error } = {}) {
  const kept: unknown[] = [];
  const keep = async (...args: unknown[]) => {
    if (error) throw error;
    kept.push(args);
    return 'a1';
  };
  const redactor = new Redactor(['hunter2-is-the-word']);
  const run = { turn: scope.turn, scope, redactor, toolbox: testToolbox(tools, scope) };
  return { kept, run, artifacts: { keep } as unknown as Artifacts };
}

test('a value is kept with where it comes from, without secrets', async () => {
  const scope = await testScope();
  const { kept, run, artifacts } = open(scope);
  const made = { value: ['it is hunter2-is-the-word'], script: 3 };
  expect(await keepWhole({ artifacts }, run, made)).toBe('a1');
  await scope.labels.read({ untrusted: true, private: false }, 'https://example.org');
  expect(await keepWhole({ artifacts }, run, made)).toBe('a1');
  const about = { description: 'value of script 3', untrusted: false };
  expect(kept).toEqual([
    [scope.turn, ['it is [secret]'], about],
    [scope.turn, ['it is [secret]'], { ...about, untrusted: true }],
  ]);
});

test('a value is not kept where it could not be read again, or where there is no place', async () => {
  const scope = await testScope();
  const { kept, run, artifacts } = open(scope, { tools: [WRITE_NOTE] });
  expect(await keepWhole({ artifacts }, run, { value: 1, script: 1 })).toBeUndefined();
  expect(await keepWhole({}, open(scope).run, { value: 1, script: 1 })).toBeUndefined();
  expect(kept).toEqual([]);
});

test('a value that is too long is not kept, and any other failure is one', async () => {
  const scope = await testScope();
  const long = open(scope, { error: new RangeError('too long') });
  expect(await keepWhole(long, long.run, { value: 1, script: 1 })).toBeUndefined();
  const full = open(scope, { error: new Error('the disk is full') });
  await expect(keepWhole(full, full.run, { value: 1, script: 1 })).rejects.toThrow('the disk is full');
});
