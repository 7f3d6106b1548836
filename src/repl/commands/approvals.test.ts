import { expect, test } from 'vitest';
import { testScheduler } from '../../testing/scheduler.ts';
import { ApprovalRules } from '../../tools/gate/approvals.ts';
import type { CommandCall } from '../command.ts';
import { approvals } from './approvals.ts';

test('what was always allowed is listed and can be taken back', async () => {
  const { store, scheduler } = testScheduler();
  const rules = new ApprovalRules(store, () => new Date());
  rules.allow('send_mail', 'mail:bob');
  const said: string[] = [];
  const out = { line: (text: string) => said.push(text), row: () => {} };
  const run = (...args: string[]) =>
    approvals.run({ args, parts: { store, scheduler }, out } as unknown as CommandCall);
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

test('what was pinned for a job is listed as well, and can be taken back', async () => {
  const calls = ['send_mail', 'read_mail'].map((tool) => ({
    ...({ tool, input: {}, effect: 'outbound', stubbed: true } as const),
    destination: tool === 'send_mail' ? 'mail:bob' : undefined,
  }));
  const onRehearse = async () => ({ outcome: { state: 'succeeded', output: '' }, calls }) as const;
  const { store, scheduler } = testScheduler({ onRehearse });
  const { id } = await scheduler.add({ when: '@daily', prompt: 'mail Bob', project: 'home', untrusted: false });
  await scheduler.rehearse(id, { pin: true, signal: new AbortController().signal });
  const said: string[] = [];
  const rows: unknown[] = [];
  const out = { line: (text: string) => said.push(text), row: (row: unknown) => rows.push(row) };
  const run = (...args: string[]) =>
    approvals.run({ args, parts: { store, scheduler }, out } as unknown as CommandCall);
  expect([await run(), await run('forget', id), await run('forget', id), await run()]).toEqual([0, 0, 1, 0]);
  expect(said).toEqual([
    `${id} "mail Bob" and nothing else: send_mail, read_mail, to mail:bob`,
    `${id} may do nothing any more that has to be asked for.`,
    `Nothing was pinned for ${id}.`,
    'Nothing is always allowed.',
  ]);
  expect(rows[0]).toEqual({
    job: id,
    prompt: 'mail Bob',
    tools: ['send_mail', 'read_mail'],
    destinations: ['mail:bob'],
  });
  expect((await scheduler.show(id)).job.pin).toBeUndefined();
});
