import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Redactor } from '../../base/redact.ts';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { sqlAll, sqlRun, tamper } from '../../testing/sql.ts';
import { defineTool } from '../tool.ts';
import { readReceipts } from './receipts.ts';
import { verifyReceipts } from './verify-receipts.ts';

const note = defineTool({
  name: 'note',
  description: '',
  input: z.object({ text: z.string() }),
  policy: { effect: 'local', change: 'append' },
  provenance: { readsFrom: [] },
  timeoutMs: 1000,
  execute: ({ text }) => {
    if (text === 'bad') throw new Error('disk full');
    return `noted ${text}`;
  },
});

const BORROWED = `(id, turn_id, conversation_id, tool, effect, idempotency_key, input, state, result, created_at)
  SELECT 'eff_forged', turn_id, conversation_id, tool, effect, 'forged', input, state, result, created_at`;
const ADDED = `INSERT INTO receipts
  (seq, at, turn_id, conversation_id, tool, effect, input, input_sha, state, previous, hash)
  SELECT 7, at, turn_id, conversation_id, tool, effect, input, input_sha, state, previous, hash FROM receipts
  WHERE seq = 6`;
const SWAPPED = `UPDATE receipts SET seq = 99 WHERE seq = 2; UPDATE receipts SET seq = 2 WHERE seq = 4;
  UPDATE receipts SET seq = 4 WHERE seq = 99`;

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

test('the chain is whole although the clock goes on', async () => {
  let ms = Date.parse('2026-01-15T09:00:00.000Z');
  const scope = await testScope({ now: () => new Date(ms++) });
  const toolbox = testToolbox([note], scope);
  for (const text of ['one', 'bad', 'two']) await toolbox.call('note', { text }, scope);
  expect((await verifyReceipts(scope.store)).problems).toEqual([]);
});

describe('a chain that somebody touched is found out', () => {
  test.each([
    ['a changed field', "UPDATE receipts SET input = 'x' WHERE seq = 2", 'receipt 2 was changed'],
    ['a changed approver', "UPDATE receipts SET approved_by = 'terminal' WHERE seq = 3", 'receipt 3 was changed'],
    ['a missing one', 'DELETE FROM receipts WHERE seq = 3', 'receipts 3 to 3 are missing'],
    ['a forged hash', "UPDATE receipts SET hash = 'f' WHERE seq = 4", 'receipt 5 does not follow the one before it'],
    ['an outcome left out', "DELETE FROM receipts WHERE state = 'failed'", '(note, failed) is "intent" in receipt 3'],
    ['an effect without one', `INSERT INTO effects ${BORROWED} FROM effects WHERE state = 'failed'`, 'has no receipt'],
    ['a changed input', `UPDATE effects SET input = '{"text":"three"}' WHERE state = 'failed'`, 'receipt 4: input'],
    ['a changed result', `UPDATE effects SET result = '"noted 1"' WHERE result LIKE '%one%'`, 'receipt 2: result'],
    ['a changed state', "UPDATE effects SET state = 'done' WHERE state = 'failed'", 'is "failed" in receipt 4'],
    ['another time', "UPDATE effects SET created_at = '2020' WHERE state = 'failed'", 'receipt 4: created_at'],
    ['an approval made up', "UPDATE effects SET approved_by = 'you' WHERE state = 'failed'", 'receipt 4: approved_by'],
    ['another turn', "UPDATE effects SET turn_id = 'turn_9' WHERE state = 'failed'", 'has no receipt'],
    ['another conversation', "UPDATE effects SET conversation_id = 'c' WHERE state = 'failed'", ': conversation_id'],
    ['another tool', "UPDATE effects SET tool = 'send' WHERE state = 'failed'", 'receipt 4: tool'],
    ['another reach', "UPDATE effects SET effect = 'outbound' WHERE state = 'failed'", 'receipt 4: effect'],
    ['another place', "UPDATE effects SET destination = 'x' WHERE state = 'failed'", 'receipt 4: destination'],
    ['another end', "UPDATE effects SET finished_at = '2020' WHERE state = 'failed'", 'receipt 4: finished_at'],
    ['a receipt added to the end', ADDED, 'receipts 7 to 7 were added to the end'],
    ['another head', "UPDATE receipt_heads SET hash = 'f'", 'receipt 6 is not the one that the chain ended with'],
    ['several missing', 'DELETE FROM receipts WHERE seq IN (2, 3)', 'receipts 2 to 3 are missing'],
    ['a deleted effect', "DELETE FROM effects WHERE state = 'failed'", 'receipt 3 is of effect'],
    ['an emptied table', 'DELETE FROM receipts', 'all 6 receipts are missing'],
    ['both tables emptied', 'DELETE FROM receipts; DELETE FROM effects', 'all 6 receipts are missing'],
    [
      'a cut-off end',
      'DELETE FROM receipts WHERE seq > 4; DELETE FROM effects',
      'receipts 5 to 6 are missing from the end',
    ],
    ['a lost head', 'DELETE FROM receipt_heads', 'the head of the chain, which is kept apart, is gone'],
    ['two that changed places', SWAPPED, 'receipt 2 does not follow the one before it'],
  ])('%s', async (_, sql, problem) => {
    const { store } = await threeNotes();
    await tamper(store, sql);
    expect((await verifyReceipts(store)).problems.join('\n')).toContain(problem);
  });

  test('an end that was cut off together with its head shows only in a head noted elsewhere', async () => {
    const { store } = await threeNotes();
    const { head } = await verifyReceipts(store);
    await tamper(
      store,
      `DELETE FROM receipts WHERE seq > 4; DELETE FROM effects WHERE input LIKE '%two%';
      UPDATE receipt_heads SET seq = 4, hash = (SELECT hash FROM receipts WHERE seq = 4)`,
    );
    const cut = await verifyReceipts(store);
    expect(cut.problems).toEqual([]);
    expect(cut.head).not.toBe(head);
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
