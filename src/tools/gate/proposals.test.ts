import { describe, expect, test } from 'vitest';
import { NOBODY_TO_ASK, ONLY_TRIED } from '../../base/turn.ts';
import { type ScopeOptions, testScope, testToolbox } from '../../testing/scope.ts';
import { openTestStore } from '../../testing/stores.ts';
import { PLAIN_TOOL } from '../../testing/tools.ts';
import { defineTool } from '../tool.ts';
import { aboutOf, Proposals, placeOf } from './proposals.ts';

const START = Date.parse('2026-01-15T09:00:00.000Z');
const HOUR = 3_600_000;

async function scene(options: ScopeOptions = {}) {
  const store = options.store ?? (await openTestStore());
  const clock = { at: START };
  const now = () => new Date(clock.at);
  const deps = { store, now, ttlHours: 24 };
  const proposals = new Proposals(deps);
  const send = defineTool({
    ...PLAIN_TOOL,
    name: 'send_mail',
    policy: {
      ...PLAIN_TOOL.policy,
      effect: 'outbound',
      recipient: () => ({ channel: 'mail', address: 'bob@home.example', own: false }),
    },
    execute: () => 'sent',
  });
  const scope = await testScope({ store, now, ...options });
  const toolbox = testToolbox([send], scope, { proposals });
  const call = (input: Record<string, unknown> = {}) => toolbox.call('send_mail', input, scope);
  return { store, clock, deps, proposals, scope, call };
}

describe('a call that nobody can be asked about', () => {
  test('waits: the model is told what was not done, why, the id, and to leave it', async () => {
    const { call, proposals, scope } = await scene();
    const result = await call();
    const [proposal] = await proposals.list();
    expect(proposal).toMatchObject({ tool: 'send_mail', state: 'waiting', target: 'mail:bob@home.example' });
    expect(result).toMatchObject({ ok: false, reason: 'denied', final: true });
    const text = result.ok ? '' : result.error;
    for (const part of ['not done', 'somebody other than the owner', proposal?.id ?? '?', 'Do not call it again'])
      expect(text).toContain(part);
    expect([...scope.approvals.proposed.keys()]).toEqual([proposal?.id]);
    expect(scope.events.at(-2)).toMatchObject({ type: 'approval', decision: 'denied', proposal: proposal?.id });
  });

  test('waits once, however often it is made, in whatever turn and program', async () => {
    const { call, proposals, store, deps } = await scene();
    await call();
    await call();
    const other = await scene({ store, turn: { id: 'turn_2', conversationId: 'conv_2' } });
    await other.call();
    await Promise.all([new Proposals(deps), new Proposals(deps)].map((each) => each.list()));
    expect(await proposals.list()).toHaveLength(1);
  });

  test('does not wait in a run that only tries things out, nor when a person said no', async () => {
    for (const decide of [ONLY_TRIED, { verdict: 'denied', by: 'terminal' } as const]) {
      const { call, proposals } = await scene({ decide });
      expect(await call()).toMatchObject({ reason: 'denied', final: true });
      expect(await proposals.list()).toEqual([]);
    }
  });

  test('after the owner has denied it, the model is told so, and nothing waits again', async () => {
    const { call, proposals, store } = await scene();
    await call();
    const [{ id = '' } = {}] = await proposals.list();
    expect(await proposals.deny(id, 'wooster deny')).toBe(true);
    expect(await proposals.deny(id, 'wooster deny')).toBe(false);
    const next = await scene({ store, turn: { id: 'turn_2' }, decide: NOBODY_TO_ASK });
    const result = await next.call();
    expect(result.ok ? '' : result.error).toContain('The owner has denied this call');
    expect(await proposals.list()).toMatchObject([{ id, state: 'denied' }]);
  });
});

describe('a claim', () => {
  test('is given to one caller alone', async () => {
    const { call, proposals, deps } = await scene();
    await call();
    const [{ id = '' } = {}] = await proposals.list();
    const callers = [proposals, ...Array.from({ length: 7 }, () => new Proposals(deps))];
    const claims = await Promise.all(callers.map((each) => each.claim(id, { by: 'x', withinMs: HOUR })));
    expect(claims.filter((claim) => claim === 'mine')).toHaveLength(1);
    expect(claims.filter((claim) => claim === 'busy')).toHaveLength(7);
  });

  test('is not given after a denial, after the end, or when it is too late', async () => {
    const { call, proposals, clock } = await scene();
    await call();
    const [{ id = '' } = {}] = await proposals.list();
    clock.at += 24 * HOUR;
    expect(await proposals.get(id)).toMatchObject({ state: 'expired' });
    expect(await proposals.claim(id, { by: 'x', withinMs: HOUR })).toBe('expired');
    expect(await proposals.deny(id, 'x')).toBe(false);
    await call();
  });

  test('of a machine that is gone passes on when its time is over, and not before', async () => {
    const { call, proposals, clock, deps } = await scene();
    await call();
    const [{ id = '' } = {}] = await proposals.list();
    expect(await proposals.claim(id, { by: 'x', withinMs: HOUR })).toBe('mine');
    const other = new Proposals(deps);
    expect(await other.claim(id, { by: 'y', withinMs: HOUR })).toBe('busy');
    clock.at += HOUR + 1;
    expect(await other.claim(id, { by: 'y', withinMs: HOUR })).toBe('mine');
    await proposals.finish(id, 'done', 'too late');
    expect(await other.get(id)).toMatchObject({ state: 'running' });
    await other.finish(id, 'done', 'sent');
    expect(await other.get(id)).toMatchObject({ state: 'done', result: 'sent' });
    expect(await proposals.claim(id, { by: 'x', withinMs: HOUR })).toBe('done');
  });

  test('of nothing is refused', async () => {
    const { proposals } = await scene();
    await expect(proposals.get('prop_none')).rejects.toMatchObject({ code: 'bad_usage' });
  });
});

test('what was decided a month ago is forgotten', async () => {
  const { call, proposals, clock, store } = await scene();
  await call();
  clock.at += 31 * 24 * HOUR;
  const next = await scene({ store, turn: { id: 'turn_2' } });
  next.clock.at = clock.at;
  await next.call();
  expect(await proposals.list()).toHaveLength(1);
});

test.each([
  [{ target: 'mail:bob', input: { path: 'x' } }, 'mail:bob'],
  [{ target: undefined, input: { path: 'prompt.txt', content: 'y' } }, 'prompt.txt'],
  [{ target: undefined, input: { url: 'https://a.example' } }, 'https://a.example'],
  [{ target: undefined, input: {} }, ''],
  [{ target: undefined, input: { path: 'a\nb\u202E' } }, 'a\\nb<U+202E>'],
])('the place of %j is "%s"', (call, place) => expect(placeOf(call)).toBe(place));

test.each([
  [{ target: undefined, input: { id: 'job_1' } }, 'job_1'],
  [{ target: undefined, input: { path: 7 } }, ''],
  [{ target: undefined, input: 'text' }, ''],
  [{ target: 'x'.repeat(200), input: {} }, 'x'.repeat(200)],
  [{ target: 'x'.repeat(201), input: {} }, `${'x'.repeat(200)}…`],
])('and of %j it is "%s"', (call, place) => expect(placeOf(call)).toBe(place));

test.each([
  [{ target: 'mail:bob', input: { text: 'hi' } }, 'mail:bob'],
  [{ target: undefined, input: { text: 'likes\ntea' } }, '"likes tea"'],
  [{ target: undefined, input: { text: '' } }, ''],
  [{ target: undefined, input: { text: 5 } }, ''],
])('what %j is about is %s', (call, about) => expect(aboutOf(call)).toBe(about));
