import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { ApprovalRequest, Decision } from '../../base/turn.ts';
import { visible, visibleLine } from '../../base/visible-characters.ts';
import { type TestScope, testScope, testToolbox } from '../../testing/scope.ts';
import { defineTool } from '../tool.ts';
import { APPROVAL_EXPIRY_MS } from './approval-desk.ts';
import { approvalCode, describeApproval } from './approval-text.ts';
import { ApprovalRules } from './approvals.ts';
import { readReceipts } from './receipts.ts';

/** A scope in which `answer` decides, and a tool that sends to others; `sent` is what really went out. */
async function scene(answer: (request: ApprovalRequest) => Promise<Decision> | Decision, signal?: AbortSignal) {
  const sent: string[] = [];
  const asked: ApprovalRequest[] = [];
  const base = await testScope(signal ? { signal } : {});
  const approve = async (request: ApprovalRequest) => {
    asked.push(request);
    return answer(request);
  };
  const scope: TestScope = { ...base, context: { ...base.context, approve } };
  const send = defineTool({
    name: 'send',
    description: 'Send.',
    input: z.object({ text: z.string(), to: z.string().default('bob') }),
    policy: {
      effect: 'outbound',
      recipient: ({ to }) => ({ channel: 'mail', address: to, own: false }),
    },
    provenance: { readsFrom: [] },
    timeoutMs: 60_000,
    execute: ({ text }) => {
      sent.push(text);
      return `sent ${text}`;
    },
  });
  const wipe = defineTool({
    name: 'wipe',
    description: 'Delete.',
    input: z.object({ path: z.string() }),
    policy: { effect: 'local', change: 'delete' },
    provenance: { readsFrom: [] },
    timeoutMs: 60_000,
    execute: ({ path }) => {
      sent.push(path);
      return 'gone';
    },
  });
  const toolbox = testToolbox([send, wipe], scope);
  return {
    sent,
    asked,
    scope,
    toolbox,
    call: (text: string, to?: string) => toolbox.call('send', { text, to }, scope),
  };
}

const once: Decision = { verdict: 'once', by: 'terminal' };
const denied: Decision = { verdict: 'denied', by: 'terminal' };

describe('one answer, one call', () => {
  test('yes once runs it once; the same again is asked again', async () => {
    const { call, sent, asked } = await scene(() => once);
    await call('a');
    await call('a');
    expect([sent, asked.length]).toEqual([['a', 'a'], 2]);
  });

  test('no runs nothing and the model is told who refused', async () => {
    const { call, sent } = await scene(() => denied);
    expect(await call('a')).toMatchObject({ ok: false, reason: 'denied', error: expect.stringContaining('terminal') });
    expect(sent).toEqual([]);
  });

  test('no holds for the turn: repeated prompts cannot wear a person down', async () => {
    const { call, asked } = await scene(() => denied);
    for (let times = 0; times < 3; times++) await call('a');
    expect(asked).toHaveLength(1);
  });

  test('no to one text is no answer to another', async () => {
    const { call, sent, asked } = await scene(({ input }) => (JSON.stringify(input).includes('b') ? once : denied));
    await call('a', 'eve');
    await call('b', 'eve');
    expect([sent, asked.length]).toEqual([['b'], 2]);
  });

  test('this turn covers the tool and its destination, and no other destination', async () => {
    const { call, sent, asked } = await scene(({ destination }) =>
      destination === 'mail:bob' ? { verdict: 'turn', by: 'terminal' } : denied,
    );
    await call('a', 'bob');
    await call('b', 'bob');
    await call('c', 'eve');
    expect([sent, asked.length]).toEqual([['a', 'b'], 2]);
  });

  test('this turn ends with the turn', async () => {
    const { call, toolbox, scope, sent } = await scene(() => ({ verdict: 'turn', by: 'terminal' }));
    await call('a');
    const next = await testScope({ store: scope.store });
    expect(await toolbox.call('send', { text: 'b' }, next)).toMatchObject({ reason: 'denied' });
    expect(sent).toEqual(['a']);
  });

  test('always is remembered for the tool and its destination, exactly', async () => {
    const { call, scope, toolbox } = await scene(() => ({ verdict: 'always', by: 'terminal' }));
    await call('a', 'bob');
    const later = await testScope({ store: scope.store, turn: { id: 'turn_2' } });
    expect(await toolbox.call('send', { text: 'b', to: 'bob' }, later)).toMatchObject({ ok: true });
    expect(await toolbox.call('send', { text: 'b', to: 'bobby' }, later)).toMatchObject({ reason: 'denied' });
    expect(await toolbox.call('send', { text: 'b', to: 'bo' }, later)).toMatchObject({ reason: 'denied' });
  });

  test('always without a destination is remembered for these arguments alone', async () => {
    const { scope, toolbox } = await scene(() => ({ verdict: 'always', by: 'terminal' }));
    await scope.labels.read({ untrusted: true, private: false }, 'page');
    await toolbox.call('wipe', { path: 'a.md' }, scope);
    const later = await testScope({ store: scope.store, turn: { id: 'turn_2' } });
    await later.labels.read({ untrusted: true, private: false }, 'page');
    expect(await toolbox.call('wipe', { path: 'a.md' }, later)).toMatchObject({ ok: true });
    expect(await toolbox.call('wipe', { path: 'b.md' }, later)).toMatchObject({ reason: 'denied' });
  });

  test('a rule of the settings allows one tool and one destination', async () => {
    const { scope } = await scene(() => denied);
    const rules = new ApprovalRules(scope.store, scope.context.now, ['send=mail:bob']);
    expect([
      await rules.allows('send', 'mail:bob'),
      await rules.allows('send', 'mail:bobby'),
      await rules.allows('sender', 'mail:bob'),
    ]).toEqual([true, false, false]);
  });

  test('identical calls under way share one question', async () => {
    // Nobody answers before all of them have asked.
    const { call, sent, asked } = await scene(() => sleep(300, once));
    await Promise.all([call('a'), call('a'), call('a'), call('b')]);
    expect([sent.sort(), asked.length]).toEqual([['a', 'a', 'a', 'b'], 2]);
  });

  test('a retry of what was done is answered from the record without a question', async () => {
    const { call, scope, sent, asked } = await scene(() => once);
    await call('a');
    scope.ledger.rewind();
    expect(await call('a')).toMatchObject({ ok: true, cached: true });
    expect([sent, asked.length]).toEqual([['a'], 1]);
  });
});

describe('what is approved is what runs', () => {
  test('what changes while the question is open is not what runs', async () => {
    const input = { body: { text: 'a' } };
    const loose = defineTool({
      name: 'loose',
      description: '',
      input: z.object({ body: z.custom<{ text: string }>(() => true) }),
      policy: { effect: 'outbound' },
      provenance: { readsFrom: [] },
      timeoutMs: 60_000,
      execute: ({ body }) => body.text,
    });
    const scope = await testScope();
    const approve = async () => {
      input.body.text = 'everything';
      return once;
    };
    const result = await testToolbox([loose], scope).call('loose', input, {
      ...scope,
      context: { ...scope.context, approve },
    });
    expect(result).toMatchObject({ ok: true, value: 'a' });
  });

  test.each([
    [{ text: 'a ' }, 'a space more'],
    [{ text: 'A' }, 'another case'],
    [{ text: 'a\u200B' }, 'a zero-width space'],
    [{ text: 'а' }, 'a Cyrillic letter'],
    [{ text: 'a', to: 'eve' }, 'another recipient'],
  ])('%j has another hash (%s)', async (input, _why) => {
    const { asked, scope, toolbox } = await scene(() => once);
    await toolbox.call('send', { text: 'a' }, scope);
    await toolbox.call('send', input, scope);
    expect(asked[0]?.hash).not.toBe(asked[1]?.hash);
  });

  test('the order of the arguments is not part of the hash', async () => {
    const { asked, scope, toolbox } = await scene(() => once);
    await toolbox.call('send', { text: 'a', to: 'bob' }, scope);
    await toolbox.call('send', { to: 'bob', text: 'a' }, scope);
    expect(asked[0]?.hash).toBe(asked[1]?.hash);
  });
});

describe('a question that nobody answers', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('counts as no after ten minutes, and a late yes is too late', async () => {
    const late = Promise.withResolvers<Decision>();
    const { call, sent, asked } = await scene(() => late.promise);
    const result = call('a');
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(APPROVAL_EXPIRY_MS);
    expect(await result).toMatchObject({ reason: 'denied', error: expect.stringContaining('10 minutes') });
    late.resolve(once);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toEqual([]);
  });

  test('is withdrawn when the turn ends', async () => {
    const stop = new AbortController();
    const { call, sent } = await scene(() => new Promise(() => {}), stop.signal);
    const result = call('a');
    await vi.advanceTimersByTimeAsync(10);
    stop.abort();
    expect(await result).toMatchObject({ reason: 'denied' });
    expect(sent).toEqual([]);
  });

  test('an error while asking is a no', async () => {
    const { call, sent } = await scene(() => Promise.reject(new Error('the terminal is gone')));
    expect(await call('a')).toMatchObject({ reason: 'denied' });
    expect(sent).toEqual([]);
  });
});

describe('what the person sees', () => {
  const request = (input: unknown, rest: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
    id: 'apr_1',
    tool: 'send',
    input,
    reason: 'it reaches somebody outside your own channels',
    provenance: { untrusted: true, private: false, sources: ['fetch_text https://evil.example/\u202Egpj'] },
    hash: 'abcdef0123456789',
    ...rest,
  });

  test('shows arguments, destination, reason, sources and code', () => {
    expect(describeApproval(request({ text: 'hi', n: 2 }, { destination: 'mail:bob' }))).toBe(
      [
        'Wooster wants to use send:',
        '  text = hi',
        '  n = 2',
        '  to: mail:bob',
        '  why you are asked: it reaches somebody outside your own channels',
        '  this conversation has read untrusted content: fetch_text https://evil.example/<U+202E>gpj',
        '  code: abcdef, the same wherever this call is asked about',
      ].join('\n'),
    );
    expect(approvalCode('abcdef0123456789')).toBe('abcdef');
  });

  test.each([
    ['\u001B[2K\u001B[1A', '<U+001B>[2K<U+001B>[1A'],
    ['a\rb', 'a<U+000D>b'],
    ['\u202Eevil', '<U+202E>evil'],
    ['a\u200Bb\u2066c', 'a<U+200B>b<U+2066>c'],
    ['x\u{E0041}y', 'x<U+E0041>y'],
    ['soft\u00ADhyphen', 'soft<U+00AD>hyphen'],
    ['line\n  to: mail:bob', 'line\\n  to: mail:bob'],
    ['back\\nslash', 'back\\\\nslash'],
  ])('%j is shown as %s', (raw, shown) => {
    expect(describeApproval(request({ text: raw })).split('\n')[1]).toBe(`  text = ${shown}`);
  });

  test('what is cut is named with its length', () => {
    expect(describeApproval(request({ text: 'x'.repeat(5000) }))).toContain(
      '… 3000 of 5000 characters are not shown …',
    );
  });

  test('words of two alphabets are pointed out', () => {
    expect(describeApproval(request({ to: 'p\u0430ypal' }))).toContain(
      'careful, words that mix alphabets: p\u0430ypal',
    );
  });

  test('ordinary text of any script is left alone', () => {
    for (const text of ['Grüße, 東京 😀', 'Привет', 'naïve café\n\ttab']) expect(visible(text)).toBe(text);
    expect(visibleLine('a\tb')).toBe('a\\tb');
  });

  test('a refusal leaves a receipt with who refused', async () => {
    const { call, scope } = await scene(() => denied);
    await call('a');
    expect(await readReceipts(scope.store, { limit: 9 })).toMatchObject([
      { state: 'denied', approved_by: 'terminal', tool: 'send' },
    ]);
  });
});
