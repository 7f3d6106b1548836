import { expect, test } from 'vitest';
import { openStore } from '../../store/store.ts';
import { ApprovalRules } from '../../tools/approvals.ts';
import type { CommandCall } from '../command.ts';
import { approvals } from './approvals.ts';

test('what was always allowed is listed and can be taken back', async () => {
  const store = openStore(':memory:');
  const rules = new ApprovalRules(store, () => new Date());
  rules.allow('send_mail', 'mail:bob');
  const said: string[] = [];
  const out = { line: (text: string) => said.push(text), row: () => {} };
  const run = (...args: string[]) => approvals.run({ args, parts: { store }, out } as unknown as CommandCall);
  expect(await run()).toBe(0);
  expect(await run('forget', 'send_mail', 'mail:eve')).toBe(1);
  expect(await run('forget', 'send_mail', 'mail:bob')).toBe(0);
  expect(await run('list')).toBe(0);
  expect(said).toEqual([
    'send_mail mail:bob',
    'There is no such rule.',
    'send_mail to mail:bob will be asked about again.',
    'Nothing is always allowed.',
  ]);
  expect(rules.allows('send_mail', 'mail:bob')).toBe(false);
  await expect(run('forget', 'send_mail')).rejects.toMatchObject({ code: 'bad_usage' });
});
