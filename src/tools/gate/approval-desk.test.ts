import { expect, test } from 'vitest';
import { silentLog } from '../../base/log.ts';
import { Redactor } from '../../base/redact.ts';
import type { ApprovalRequest, Decision, Verdict } from '../../base/turn.ts';
import { type TestScope, testScope } from '../../testing/scope.ts';
import { PLAIN_TOOL } from '../../testing/tools.ts';
import { defineTool } from '../tool.ts';
import { ApprovalDesk, type PendingCall } from './approval-desk.ts';
import { ApprovalRules } from './approvals.ts';
import { Proposals } from './proposals.ts';

const TOOL = defineTool({
  ...PLAIN_TOOL,
  name: 'send_mail',
  policy: { ...PLAIN_TOOL.policy, effect: 'outbound' },
  execute: () => 'sent',
});
const REASON = 'it reaches somebody outside';

const callTo = (target: string | undefined, input: Record<string, unknown> = { text: 'hi' }): PendingCall => ({
  ...{ tool: TOOL, input, target, reason: REASON },
});

/** A desk, and what the person was asked and the log was told. */
async function desk(answer: (request: ApprovalRequest) => Verdict, by = 'terminal') {
  const base = await testScope();
  const asked: ApprovalRequest[] = [];
  const logged: unknown[] = [];
  const approve = async (request: ApprovalRequest): Promise<Decision> => {
    asked.push(request);
    return { verdict: answer(request), by } as Decision;
  };
  const scope: TestScope = { ...base, context: { ...base.context, approve } };
  const rules = new ApprovalRules(scope.store, scope.context.now);
  const log = { ...silentLog, info: (...words: unknown[]) => void logged.push(words) };
  const redactor = new Redactor(['geheim-99']);
  const proposals = new Proposals({ store: scope.store, now: scope.context.now, ttlHours: 24 });
  const at = new ApprovalDesk({ rules, redactor, log, proposals });
  return { asked, logged, rules, scope, ask: (call: PendingCall) => at.ask(call, { ...scope, callId: 'call_1' }) };
}

test('the answer tells who allowed it, and for how long', async () => {
  const verdicts: Verdict[] = ['once', 'turn', 'always'];
  const { ask, asked, logged, scope } = await desk(() => verdicts[asked.length - 1] ?? 'denied');
  expect(await ask(callTo('mail:ann'))).toEqual({ granted: true, by: 'terminal' });
  expect(await ask(callTo('mail:bob'))).toEqual({ granted: true, by: 'terminal (turn)' });
  expect(await ask(callTo('mail:bob', { text: 'more' }))).toEqual({ granted: true, by: 'this turn' });
  expect(await ask(callTo('mail:eve'))).toEqual({ granted: true, by: 'terminal (always)' });
  expect(await ask(callTo('mail:eve', { text: 'more' }))).toEqual({ granted: true, by: 'rule' });
  expect(asked).toHaveLength(3);
  expect(logged.at(-1)).toEqual([
    'approval',
    { tool: 'send_mail', to: 'mail:eve', verdict: 'once', by: 'rule', hash: expect.stringMatching(/^[\da-f]{64}$/u) },
  ]);
  expect(scope.events.slice(0, 2)).toMatchObject([
    { type: 'approval', tool: 'send_mail', destination: 'mail:ann' },
    { type: 'approval', decision: 'once', by: 'terminal' },
  ]);
});

test('without a destination an answer covers these arguments alone', async () => {
  const { ask, asked } = await desk(() => (asked.length === 1 ? 'turn' : 'denied'));
  await ask(callTo(undefined));
  expect(await ask(callTo(undefined))).toEqual({ granted: true, by: 'this turn' });
  expect(await ask(callTo(undefined, { text: 'other' }))).toMatchObject({ granted: false, by: 'terminal' });
});

test('a refusal says what was not done, why, who refused, and what then; asked again, it stands', async () => {
  const { ask, asked } = await desk(() => 'denied');
  const refused = {
    ...{ granted: false, by: 'terminal' },
    reason:
      `send_mail was not done. It needs the owner's approval, because ${REASON}; refused by terminal. ` +
      'Do not try it again; say what you could not do.',
    told: {
      code: 'denied',
      values: {
        message: `send_mail was not done. It needs the owner's approval, because ${REASON}; refused by terminal.`,
        by: 'terminal',
      },
    },
  };
  expect(await ask(callTo('mail:ann'))).toEqual(refused);
  expect(await ask(callTo('mail:ann'))).toEqual(refused);
  expect(asked).toHaveLength(1);
});

test.each<Verdict>(['once', 'turn', 'always'])(
  'a call that changes while it is asked about is refused, and "%s" holds for nothing',
  async (verdict) => {
    const input = { text: 'hi' };
    const { ask, rules, scope } = await desk(() => {
      input.text = 'everything';
      return verdict;
    });
    const first = await ask(callTo('mail:ann', input));
    expect(first).toMatchObject({ granted: false, by: 'Wooster, as the call changed after you were asked' });
    expect(scope.approvals.allowed.size).toBe(0);
    expect(await rules.allows('send_mail', 'mail:ann')).toBe(false);
    // The one that was shown is not asked about again.
    expect(await ask(callTo('mail:ann', { text: 'hi' }))).toBe(first);
  },
);

test('the person sees no secret, and the change as it is', async () => {
  const { ask, asked } = await desk(() => 'once');
  await ask({ ...callTo('mail:ann', { text: 'it is geheim-99' }), control: { diff: '+geheim-99\n+open', stakes: [] } });
  await ask(callTo('mail:ann'));
  expect(asked[0]).toMatchObject({ input: { text: 'it is [secret]' }, diff: '+[secret]\n+open', reason: REASON });
  expect(asked[0]?.id).toMatch(/^apr_/u);
  expect(asked[1]?.diff).toBeUndefined();
});

test('with nobody to ask the call waits, and both the model and the log get its id', async () => {
  const { ask, logged, scope } = await desk(() => 'denied', 'no approver');
  const waiting = await ask(callTo('mail:ann'));
  const [id] = scope.approvals.proposed.keys();
  expect(waiting).toEqual({
    ...{ granted: false, by: 'no approver' },
    reason:
      `send_mail was not done. It needs the owner's approval, because ${REASON}, and nobody can be asked now. ` +
      `It waits as ${id}. Tell the owner: "wooster approve ${id}" does it, "wooster deny ${id}" drops it. ` +
      'Do not call it again; go on without it, or answer.',
    told: { code: 'denied', values: expect.objectContaining({ proposal: id }) },
  });
  expect(logged.at(-1)).toEqual(['approval', expect.objectContaining({ proposal: id, turn: 'turn_1' })]);
  expect(scope.events.at(-1)).toMatchObject({ decision: 'denied', proposal: id });
});
