import { expect, test } from 'vitest';
import { z } from 'zod';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { verifyReceipts } from '../../tools/gate/receipts.ts';
import { defineTool } from '../../tools/tool.ts';
import type { CommandCall } from '../command.ts';
import { log } from './log.ts';

const send = defineTool({
  name: 'send',
  description: '',
  input: z.object({ text: z.string() }),
  effect: 'outbound',
  reads: 'public',
  returns: 'trusted',
  timeoutMs: 1000,
  recipient: () => ({ channel: 'mail', address: 'bob', own: false }),
  execute: () => 'sent',
});

async function logged(flags: CommandCall['flags'] = {}, tamper = '') {
  const scope = testScope({ decide: { verdict: 'once', by: 'terminal' } });
  await testToolbox([send], scope).call('send', { text: 'hi' }, scope);
  const refused = testScope({ store: scope.store, turn: { id: 'turn_2' } });
  await testToolbox([send], refused).call('send', { text: 'ho' }, refused);
  const { head } = verifyReceipts(scope.store);
  if (tamper) scope.store.sql.exec(`DROP TRIGGER receipts_stay; DROP TRIGGER receipts_are_kept; ${tamper}`);
  const lines: string[] = [];
  const out = { line: (text: string) => lines.push(text), row: () => {} };
  const given = flags.head === 'HEAD' ? { ...flags, head } : flags;
  const code = await log.run({ flags: given, parts: { store: scope.store }, out } as unknown as CommandCall);
  return { code, lines, head };
}

test('shows what was done and refused, and on whose leave', async () => {
  const { code, lines } = await logged();
  expect(code).toBe(0);
  expect(lines).toEqual([
    '2026-01-15 09:00:00Z  done   send to mail:bob {"text":"hi"}  (allowed by terminal; turn_1)',
    '2026-01-15 09:00:00Z  denied send to mail:bob {"text":"ho"}  (refused by no approver; turn_2)',
  ]);
});

test('of one turn, and only so many', async () => {
  expect((await logged({ turn: 'turn_2' })).lines).toHaveLength(1);
  expect((await logged({ limit: '1' })).lines).toHaveLength(1);
  await expect(logged({ limit: 'x' })).rejects.toMatchObject({ code: 'bad_usage' });
});

test('a whole chain is whole, and its head is shown', async () => {
  const { code, lines, head } = await logged({ verify: true });
  expect([code, lines[0]]).toEqual([0, `3 receipts, the chain is whole. Head: ${head}`]);
});

test.each([
  [
    'a changed receipt',
    { verify: true },
    "UPDATE receipts SET destination = 'mail:eve' WHERE seq = 2",
    'receipt 2 was changed',
  ],
  [
    'an end that was cut off',
    { verify: true, head: 'HEAD' },
    'DELETE FROM receipts WHERE seq = 3',
    'is not there any more',
  ],
])('%s is found out', async (_, flags, tamper, problem) => {
  const { code, lines } = await logged(flags, tamper);
  expect(code).toBe(1);
  expect(lines.join('\n')).toContain(problem);
});
