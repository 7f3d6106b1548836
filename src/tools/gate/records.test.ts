import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { sqlRun, tamper } from '../../testing/sql.ts';
import { openTestStore } from '../../testing/stores.ts';
import { WRITE_NOTE } from '../../testing/tools.ts';
import { ApprovalRules } from './approvals.ts';
import { CutOffEffects } from './cut-off-effects.ts';
import { effectsOf, findEffect, hasEffects, inOrder } from './effect-rows.ts';
import { FileOrigins } from './file-origins.ts';
import { ObeyedFiles } from './obeyed-files.ts';
import { fileThing, Origins } from './origins.ts';
import { actAsOwner } from './owner-effect.ts';
import { classTable, policyTable } from './policy-table.ts';
import { hasReceipt, readReceipts } from './receipts.ts';
import { verifyReceipts } from './verify-receipts.ts';

function clock() {
  let second = 0;
  return () => new Date(Date.UTC(2026, 0, 15, 9, 0, second++));
}

test('a standing rule is of one tool and one destination, and can be taken back', async () => {
  const rules = new ApprovalRules(await openTestStore(), clock(), ['notify=signal:bob']);
  expect([await rules.allows('notify', 'signal:bob'), await rules.allows('notify', 'mail:bob')]).toEqual([true, false]);
  await rules.allow('send_mail', 'mail:bob');
  await rules.allow('send_mail', 'mail:anna');
  await rules.allow('send_mail', 'mail:bob');
  expect(await rules.list()).toEqual([
    {
      id: expect.stringMatching(/^rule_/u),
      tool: 'send_mail',
      destination: 'mail:bob',
      createdAt: '2026-01-15T09:00:00.000Z',
    },
    { id: expect.any(String), tool: 'send_mail', destination: 'mail:anna', createdAt: '2026-01-15T09:00:01.000Z' },
  ]);
  expect(await rules.allows('send_mail', 'mail:bob')).toBe(true);
  expect(await rules.allows('notify', 'mail:anna')).toBe(false);
  expect(await rules.forget('send_mail', 'mail:eve')).toBe(false);
  expect(await rules.forget('notify', 'mail:bob')).toBe(false);
  expect(await rules.forget('send_mail', 'mail:bob')).toBe(true);
  expect(await rules.allows('send_mail', 'mail:bob')).toBe(false);
  expect(await rules.allows('send_mail', 'mail:anna')).toBe(true);
});

test('what the owner does by a command is on record as theirs, also when it fails', async () => {
  const deps = { store: await openTestStore(), now: clock() };
  const call = { tool: 'write_note', input: { text: 'x' }, change: 'append' } as const;
  expect(await actAsOwner(deps, call, async (by) => ({ ...by, said: 'noted' }))).toMatchObject({
    ...{ turnId: expect.stringMatching(/^owner_/u), idempotencyKey: expect.any(String), said: 'noted' },
  });
  await expect(actAsOwner(deps, call, () => Promise.reject(new Error('disk full')))).rejects.toThrow('disk full');
  const effects = await inOrder(deps.store).execute();
  expect(effects).toMatchObject([
    { tool: 'write_note', effect: 'local', change: 'append', approved_by: 'owner', state: 'done', conversation_id: '' },
    { tool: 'write_note', approved_by: 'owner', state: 'failed', result: 'disk full' },
  ]);
  expect(JSON.parse(effects[0]?.result ?? '')).toMatchObject({ said: 'noted' });
  expect((await verifyReceipts(deps.store)).problems).toEqual([]);
});

test('effects are found by id, turn and run; a failed one of a run did not act', async () => {
  const scope = await testScope({ now: clock() });
  const toolbox = testToolbox([WRITE_NOTE], scope);
  for (const text of ['a', 'b']) await toolbox.call('write_note', { text }, scope);
  const [first, second] = await effectsOf(scope.store, 'turn_1');
  expect([first?.input, second?.input]).toEqual(['{"text":"a"}', '{"text":"b"}']);
  expect(await findEffect(scope.store, second?.id ?? '')).toEqual(second);
  expect(await findEffect(scope.store, 'eff_none')).toBeUndefined();
  expect(await effectsOf(scope.store, 'turn_2')).toEqual([]);
  await sqlRun(scope.store, "UPDATE effects SET run_id = 'run_1', state = 'failed' WHERE id = ?", first?.id ?? '');
  expect(await hasEffects(scope.store, 'run_1')).toBe(false);
  await sqlRun(scope.store, "UPDATE effects SET run_id = 'run_2', state = 'intent' WHERE id = ?", second?.id ?? '');
  expect(await hasEffects(scope.store, 'run_2')).toBe(true);
  expect(await hasEffects(scope.store, 'run_3')).toBe(false);
  const cutOff = new CutOffEffects({ ...scope, now: clock(), lookUp: async () => ({ state: 'undone' }) });
  expect(await cutOff.begun()).toHaveLength(1);
  expect(await cutOff.begun({ runId: 'run_2' })).toHaveLength(1);
  expect(await cutOff.begun({ runId: 'run_1' })).toEqual([]);
  expect(await cutOff.begun({ turnId: 'turn_1' })).toHaveLength(1);
  expect(await cutOff.begun({ turnId: 'turn_2' })).toEqual([]);
});

test('receipts are read the newest first to last, of one turn or all, and known by their hash', async () => {
  const scope = await testScope();
  const other = await testScope({ store: scope.store, turn: { id: 'turn_2' } });
  for (const each of [scope, other, scope])
    await testToolbox([WRITE_NOTE], each).call('write_note', { text: 'x' }, each);
  const all = await readReceipts(scope.store, { limit: 99 });
  expect(all.map(({ seq, turn_id }) => [seq, turn_id])).toEqual([
    ...[
      [1, 'turn_1'],
      [2, 'turn_1'],
      [3, 'turn_2'],
      [4, 'turn_2'],
      [5, 'turn_1'],
      [6, 'turn_1'],
    ],
  ]);
  expect((await readReceipts(scope.store, { limit: 2 })).map(({ seq }) => seq)).toEqual([5, 6]);
  expect((await readReceipts(scope.store, { turnId: 'turn_2', limit: 9 })).map(({ seq }) => seq)).toEqual([3, 4]);
  expect(await hasReceipt(scope.store, all[2]?.hash ?? '')).toBe(true);
  expect(await hasReceipt(scope.store, 'f')).toBe(false);
});

test('receipts of older versions tell that a call was made, and keep their hash', async () => {
  const scope = await testScope();
  await testToolbox([WRITE_NOTE], scope).call('write_note', { text: 'x' }, scope);
  await tamper(scope.store, 'UPDATE receipts SET effect_id = NULL, result_sha = NULL; DELETE FROM receipt_heads');
  const { problems } = await verifyReceipts(scope.store);
  expect(problems.filter((problem) => problem.includes('effect'))).toEqual([]);
  expect(problems.filter((problem) => problem.includes('head'))).toEqual([]);
  await sqlRun(scope.store, "UPDATE effects SET tool = 'send'");
  expect((await verifyReceipts(scope.store)).problems.join()).toContain('has no receipt');
});

test('what is marked is remembered by its name, files by what they hold', async () => {
  const store = await openTestStore();
  const origins = new Origins(store, clock());
  const page = { untrusted: true, private: false, sources: ['page'] };
  await origins.mark('gtd:inbox', { ...page, untrusted: false });
  expect(await origins.of('gtd:inbox')).toBeUndefined();
  await origins.mark('gtd:inbox', page);
  expect(await origins.of('gtd:inbox')).toEqual(page);
  await origins.mark('gtd:inbox', { untrusted: true, private: true, sources: ['mail'] });
  await origins.mark('gtd:inbox', page);
  expect(await origins.of('gtd:inbox')).toEqual({ ...page, private: true });
  await sqlRun(store, 'UPDATE origins SET untrusted = 0');
  expect(await origins.of('gtd:inbox')).toEqual({ ...page, untrusted: false, private: true });
  const path = join(temporaryFolder(), 'a.md');
  writeFileSync(path, 'x');
  expect(fileThing(path)).toBe(`file:${path}`);
  await origins.mark(fileThing(path), page, true);
  expect(await origins.of(fileThing(path))).toMatchObject({ untrusted: true, private: true, sources: ['page'] });
  await origins.mark(fileThing(path), { ...page, untrusted: false });
  expect(await origins.of(fileThing(path))).toMatchObject({ untrusted: true });
});

test('a file is told by its absolute path, on Windows as well; everything else is a name', async () => {
  const origins = new Origins(await openTestStore(), clock());
  const page = { untrusted: true, private: false, sources: ['page'] };
  for (const thing of ['file:notes', 'file:c:notes', 'profile:c:/notes', 'file:1:/notes', 'gtd:/inbox']) {
    await origins.mark(thing, page);
    expect(await origins.of(thing), thing).toEqual(page);
  }
  for (const thing of ['file:/nowhere/notes', 'file:c:/nowhere/notes', 'file:D:\\nowhere\\notes']) {
    await origins.mark(thing, page);
    expect(await origins.of(thing), thing).toBeUndefined();
  }
});

test('a mark made ahead goes when nothing was written, and stays when something was', async () => {
  const origins = new Origins(await openTestStore(), clock());
  const path = join(temporaryFolder(), 'a.md');
  writeFileSync(path, 'x');
  const page = { untrusted: true, private: false, sources: ['page'] };
  const unmark = await origins.begin(fileThing(path), page);
  expect((await origins.of(fileThing(path)))?.untrusted).toBe(true);
  await unmark();
  expect(await origins.of(fileThing(path))).toBeUndefined();
  await (await origins.begin(fileThing(path), { ...page, untrusted: false }))();
  expect(await origins.of(fileThing(path))).toBeUndefined();
});

test('a file that others wrote is not obeyed until it is judged anew', async () => {
  const origins = new FileOrigins(await openTestStore(), clock());
  const obeyed = new ObeyedFiles(origins);
  const folder = temporaryFolder();
  const [mine, theirs, none] = ['mine.txt', 'theirs.txt', 'none.txt'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [mine, theirs]) writeFileSync(path, path);
  await origins.written(theirs, { untrusted: true, sources: ['page'] }, true);
  expect(await obeyed.judge([mine, none])).toEqual([]);
  expect(await obeyed.judge([mine, theirs, none])).toEqual([{ path: theirs, why: expect.any(String) }]);
  expect([mine, theirs, none].map((path) => obeyed.isObeyed(path))).toEqual([true, false, true]);
  writeFileSync(theirs, 'my own words');
  await origins.declare(theirs, { untrusted: false, folder: false });
  expect(await obeyed.judge([theirs])).toEqual([]);
  expect(obeyed.isObeyed(theirs)).toBe(true);
  await origins.declare(folder, { untrusted: true, folder: true });
  expect(await obeyed.judge([mine, none])).toEqual([{ path: mine, why: 'you said so' }]);
});

test('the page about security has the policy, worked out by the policy itself', () => {
  const page = readFileSync(resolve('docs/security.md'), 'utf8');
  expect(page).toContain(`\n<!-- policy -->\n${policyTable()}\n<!-- /policy -->\n`);
  expect(page).toContain(`\n<!-- classes -->\n${classTable()}\n<!-- /classes -->\n`);
});
