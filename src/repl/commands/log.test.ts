import { expect, test } from 'vitest';
import { z } from 'zod';
import { openCommands } from '../../testing/commands.ts';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { tamper } from '../../testing/sql.ts';
import { readReceipts } from '../../tools/gate/receipts.ts';
import { verifyReceipts } from '../../tools/gate/verify-receipts.ts';
import { defineTool } from '../../tools/tool.ts';

const send = defineTool({
  name: 'send',
  description: '',
  input: z.object({ text: z.string() }),
  policy: { effect: 'outbound', recipient: () => ({ channel: 'mail', address: 'bob', own: false }) },
  provenance: { readsFrom: [] },
  timeoutMs: 1000,
  execute: () => 'sent',
});

/** The program after one message that was approved and one that was denied. */
async function afterTwoCalls() {
  const { run, app } = await openCommands();
  const { store } = app;
  const scope = await testScope({ store, decide: { verdict: 'once', by: 'terminal' } });
  await testToolbox([send], scope).call('send', { text: 'hi' }, scope);
  const denied = await testScope({ store, turn: { id: 'turn_2' } });
  await testToolbox([send], denied).call('send', { text: 'ho' }, denied);
  return { log: (...words: string[]) => run(['log', ...words]), store, head: (await verifyReceipts(store)).head };
}

test('shows what was done and what was denied, and who approved it', async () => {
  const { log } = await afterTwoCalls();
  expect(await log()).toMatchObject({
    code: 0,
    lines: [
      expect.stringMatching(
        /^2026-01-15 09:00:00Z {2}done {3}send to mail:bob \{"text":"hi"\} {2}\(approved: terminal; eff_\w+; turn_1\)$/u,
      ),
      '2026-01-15 09:00:00Z  denied send to mail:bob {"text":"ho"}  (denied: nobody to ask; turn_2)',
    ],
  });
});

test('that there was nobody to ask is stored as it always was', async () => {
  const { store } = await afterTwoCalls();
  expect((await readReceipts(store, { limit: 1 })).at(-1)).toMatchObject({
    state: 'denied',
    approved_by: 'no approver',
  });
});

test('of one turn, and only so many', async () => {
  const { log } = await afterTwoCalls();
  expect((await log('--turn', 'turn_2')).lines).toHaveLength(1);
  expect((await log('--limit', '1')).lines).toHaveLength(1);
  await expect(log('--limit', 'x')).rejects.toMatchObject({ code: 'bad_usage' });
});

test('an intact chain is said to be, and its head is shown', async () => {
  const { log, head } = await afterTwoCalls();
  expect(await log('--verify')).toMatchObject({
    code: 0,
    lines: [`3 receipts, the chain is intact. Head: ${head}`, expect.stringContaining('--verify --head HASH')],
  });
  expect((await log('--verify', '--head', head)).code).toBe(0);
});

test.each([
  ['a changed receipt', "UPDATE receipts SET destination = 'mail:eve' WHERE seq = 2", 'receipt 2 was changed'],
  ['an end that was cut off', 'DELETE FROM receipts WHERE seq = 3', 'is missing'],
])('%s is found out', async (_, change, problem) => {
  const { log, store, head } = await afterTwoCalls();
  await tamper(store, change);
  const { code, lines } = await log('--verify', '--head', head);
  expect(code).toBe(1);
  expect(lines.join('\n')).toContain(problem);
});
