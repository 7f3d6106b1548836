import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Redactor } from '../../base/redact.ts';
import type { ScriptResult } from '../../sandbox/contract.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { readTrace, type ScriptStart, Trace } from './trace.ts';

const START: ScriptStart = {
  source: 'a()',
  at: new Date('2026-01-15T09:00:00Z'),
  seed: 7,
  memory: { list: [1] },
  globals: { input: null },
  modules: { units: 'export const km = 1;' },
  functions: [
    { name: 'llm', kind: 'value', network: true },
    { name: 'write_note', kind: 'value', tool: true, global: false },
  ],
};
const result = (more: Partial<ScriptResult>): ScriptResult => ({
  logs: [],
  droppedLogs: 0,
  calls: [],
  ms: 1.6,
  ...more,
});

const SCRIPT = {
  type: 'script',
  at: '2026-01-15T09:00:00.000Z',
  script: 1,
  hash: 'a95a430608fb6e9ab984c01c1a9dc039cefd2776356781efc924f02ab583a32e',
  source: 'a()',
  seed: 7,
  memory: { list: [1] },
  globals: { input: null },
  modules: { units: 'export const km = 1;' },
  functions: [
    { name: 'llm', kind: 'value' },
    { name: 'write_note', kind: 'value', tool: true, global: false },
  ],
};

test('a trace holds scripts, calls and results in their order', () => {
  const dir = join(temporaryFolder(), 'scripts');
  const trace = new Trace(dir, 'turn_1', undefined);
  trace.script(START);
  trace.call({ name: 'a', args: [1, 'b'], reply: { ok: true, value: { n: 1 } } });
  trace.call({ name: 'a', args: [], reply: { ok: true, value: undefined } });
  trace.call({ name: 'b', args: [], reply: { ok: false, error: 'no' } });
  trace.result(result({ value: 3, logs: ['one'] }));
  trace.script(START);
  trace.result(result({ failed: { reason: 'exception', message: 'it broke', line: 2, column: 3 } }));
  trace.result(result({ failed: { reason: 'timeout', message: 'too long' } }));
  const [first, ...rest] = readTrace(dir, 'turn_1');
  expect(first).toEqual(SCRIPT);
  expect(rest).toEqual([
    { type: 'call', script: 1, name: 'a', args: [1, 'b'], ok: true, value: { n: 1 } },
    { type: 'call', script: 1, name: 'a', args: [], ok: true, value: null },
    { type: 'call', script: 1, name: 'b', args: [], ok: false, value: null, error: 'no' },
    { type: 'result', script: 1, value: 3, logs: ['one'], ms: 2 },
    { ...first, script: 2 },
    {
      type: 'result',
      script: 2,
      value: null,
      failed: { reason: 'exception', message: 'it broke', line: 2 },
      logs: [],
      ms: 2,
    },
    { type: 'result', script: 2, value: null, failed: { reason: 'timeout', message: 'too long' }, logs: [], ms: 2 },
  ]);
});

test('a trace is one line of JSON per event, without secrets', () => {
  const dir = temporaryFolder();
  const trace = new Trace(dir, 'turn_1', new Redactor(['hunter2-is-the-word']));
  trace.result(result({ value: 'hunter2-is-the-word', logs: ['hunter2-is-the-word'] }));
  expect(readFileSync(join(dir, 'turn_1.jsonl'), 'utf8')).toBe(
    '{"type":"result","script":0,"value":"[secret]","logs":["[secret]"],"ms":2}\n',
  );
});

test('no turn writes outside of its folder', () => {
  const dir = temporaryFolder();
  new Trace(dir, '../turn/1 b', undefined).result(result({}));
  expect(readdirSync(dir)).toEqual(['.._turn_1_b.jsonl']);
  expect(readTrace(dir, '../turn/1 b')).toHaveLength(1);
});

test('without a folder nothing is written, and one that cannot be written to ends no turn', () => {
  new Trace(undefined, 'turn_1', undefined).script(START);
  const dir = temporaryFolder();
  writeFileSync(join(dir, 'file'), '');
  const trace = new Trace(join(dir, 'file', 'scripts'), 'turn_1', undefined);
  expect(() => trace.script(START)).not.toThrow();
  expect(readdirSync(dir)).toEqual(['file']);
});

test('after a line that could not be written, no part of a trace is', () => {
  const dir = temporaryFolder();
  const path = join(dir, 'turn_1.jsonl');
  mkdirSync(path);
  const trace = new Trace(dir, 'turn_1', undefined);
  trace.script(START);
  rmdirSync(path);
  trace.script(START);
  expect(readdirSync(dir)).toEqual([]);
});

test('a turn that ran no script has none', () => {
  expect(() => readTrace(temporaryFolder(), 'turn_9')).toThrow(
    expect.objectContaining({
      code: 'file_not_found',
      message: 'There is no trace of turn "turn_9".',
      hint: 'Only turns that ran scripts have one. Their ids are the file names in logs/scripts/.',
    }),
  );
});
