import { expect, test } from 'vitest';
import { openCommands } from '../../testing/commands.ts';
import { ApprovalRules } from '../../tools/gate/approvals.ts';

test('standing approvals are listed and can be withdrawn', async () => {
  const { run, app } = await openCommands();
  const rules = new ApprovalRules(app.store, () => new Date());
  await rules.allow('send_mail', 'mail:bob');
  const said = async (...words: string[]) => {
    const { code, lines } = await run(['approvals', ...words]);
    return [code, ...lines];
  };
  expect(await said()).toEqual([0, 'send_mail mail:bob']);
  expect(await said('forget', 'send_mail', 'mail:eve')).toEqual([1, 'There is no such approval.']);
  expect(await said('forget', 'send_mail', 'mail:bob')).toEqual([0, 'send_mail to mail:bob needs approval again.']);
  expect(await said('list')).toEqual([0, 'Nothing waits, and there are no standing approvals.']);
  expect(await rules.allows('send_mail', 'mail:bob')).toBe(false);
  await expect(run(['approvals', 'forget', 'send_mail'])).rejects.toMatchObject({ code: 'bad_usage' });
});

test('what was approved for a job is listed as well, and can be withdrawn', async () => {
  const call = { name: 'notify', args: { text: 'hello', to: 'terminal' } };
  const { run, app } = await openCommands({ replies: [{ toolCalls: [call] }, 'Told.'] });
  const { id } = await app.schedule.jobs.add({ when: '@daily', prompt: 'tell me', project: 'home', untrusted: false });
  await run(['schedule', 'rehearse', id, '--pin']);
  const list = await run(['approvals']);
  expect(list.lines).toEqual([`${id} "tell me" may use notify, to here:owner; nothing else`]);
  expect(list.rows).toMatchObject([
    { id, kind: 'pin', job: id, prompt: 'tell me', tools: ['notify'], destinations: ['here:owner'] },
  ]);
  expect(await run(['approvals', 'forget', id])).toMatchObject({
    ...{ code: 0, lines: [`${id} has no standing approvals any more.`] },
  });
  expect(await run(['approvals', 'forget', id])).toMatchObject({
    ...{ code: 1, lines: [`${id} has no standing approvals.`] },
  });
  expect((await run(['approvals'])).lines).toEqual(['Nothing waits, and there are no standing approvals.']);
  expect((await app.schedule.jobs.show(id)).job.pin).toBeUndefined();
});
