import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Redactor } from '../../base/redact.ts';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { sqlAll, sqlRun, tamper } from '../../testing/sql.ts';
import { defineTool } from '../tool.ts';
import { readReceipts, verifyReceipts } from './receipts.ts';

const note = defineTool({
  name: 'note',
  description: '',
  input: z.object({ text: z.string() }),
  effect: 'local',
  change: 'append',
  reads: 'public',
  returns: 'trusted',
  timeoutMs: 1000,
  execute: ({ text }) => {
    if (text === 'bad') throw new Error('disk full');
    return `noted ${text}`;
  },
});

async function threeNotes() {
  const scope = await testScope();
  const toolbox = testToolbox([note], scope);
  for (const text of ['one', 'bad', 'two']) await toolbox.call('note', { text }, scope);
  return scope;
}

test('every effect leaves an intent and an outcome', async () => {
  const { store } = await threeNotes();
  expect((await readReceipts(store, { limit: 99 })).map(({ state, input, result }) => [state, input, result])).toEqual([
    ['intent', '{"text":"one"}', null],
    ['done', '{"text":"one"}', '"noted one"'],
    ['intent', '{"text":"bad"}', null],
    ['failed', '{"text":"bad"}', 'note failed: disk full'],
    ['intent', '{"text":"two"}', null],
    ['done', '{"text":"two"}', '"noted two"'],
  ]);
  expect(await verifyReceipts(store)).toMatchObject({ receipts: 6, problems: [] });
});

describe('a chain that somebody touched is found out', () => {
  test.each([
    ['a changed field', "UPDATE receipts SET input = 'x' WHERE seq = 2", 'receipt 2 was changed'],
    ['a changed approver', "UPDATE receipts SET approved_by = 'terminal' WHERE seq = 3", 'receipt 3 was changed'],
    ['a missing one', 'DELETE FROM receipts WHERE seq = 3', 'receipts 3 to 3 are missing'],
    ['a forged hash', "UPDATE receipts SET hash = 'f' WHERE seq = 4", 'receipt 5 does not follow the one before it'],
    ['an effect without one', "DELETE FROM receipts WHERE state = 'failed'", '(note, failed) has no receipt'],
  ])('%s', async (_, sql, problem) => {
    const { store } = await threeNotes();
    await tamper(store, sql);
    expect((await verifyReceipts(store)).problems.join('\n')).toContain(problem);
  });

  test('a cut-off end shows in the head', async () => {
    const { store } = await threeNotes();
    const { head } = await verifyReceipts(store);
    await tamper(store, 'DELETE FROM receipts WHERE seq > 4');
    expect((await verifyReceipts(store)).head).not.toBe(head);
  });

  test('the database itself refuses to change or delete one', async () => {
    const { store } = await threeNotes();
    await expect(() => sqlRun(store, "UPDATE receipts SET input = ''")).rejects.toThrow('never changed');
    await expect(() => sqlRun(store, 'DELETE FROM receipts')).rejects.toThrow('never deleted');
  });
});

test('no secret gets into a receipt or an effect', async () => {
  const scope = await testScope();
  const toolbox = testToolbox([note], scope, { redactor: new Redactor(['hunter2!']) });
  const token = ['sk-', 'a1b2'.repeat(8)].join('');
  await toolbox.call('note', { text: `my word is hunter2! and ${token}` }, scope);
  const rows = JSON.stringify([
    await sqlAll(scope.store, 'SELECT * FROM effects'),
    await readReceipts(scope.store, { limit: 9 }),
  ]);
  expect(rows).toContain('[secret]');
  expect(rows).not.toContain('hunter2!');
  expect(rows).not.toContain(token);
});
