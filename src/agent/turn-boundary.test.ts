import { describe, expect, test } from 'vitest';
import { Redactor } from '../base/redact.ts';
import {
  type Answer,
  type ApprovalRequest,
  NO_USAGE,
  type Turn,
  type TurnContext,
  type TurnEvent,
} from '../base/turn.ts';
import { testContext, testTurn } from '../testing/agent.ts';
import { type TestScope, testScope, testToolbox } from '../testing/scope.ts';
import { mailTool, PLAIN_TOOL, WRITE_NOTE } from '../testing/tools.ts';
import type { Proposal } from '../tools/gate/proposals.ts';
import { defineTool } from '../tools/tool.ts';
import { TurnGuard } from './turn-guard.ts';

const SECRET = 'hunter2 is it';

/** The boundary of a turn for which `hunter2 is it` is a secret and wiki.example may be linked to. */
function guarded(context: Partial<TurnContext> = {}, turn: Partial<Turn> & { readonly text?: string } = {}) {
  const outer = { ...testContext(), ...context };
  const deps = { redactor: new Redactor([SECRET]), linkHosts: ['wiki.example'] };
  const guard = new TurnGuard(testTurn(turn.text ?? 'go', turn), outer, deps);
  return { guard, shown: outer.events };
}

function wordsOf(shown: readonly TurnEvent[]): string {
  return shown.map((event) => (event.type === 'token' ? event.text : '')).join('');
}

function answered(text: string, stop: Answer['stop'] = 'answered'): Answer {
  return { text, stop, usage: NO_USAGE, steps: 1 };
}

describe('on the way in', () => {
  test('secrets are taken out of the request and of what is handed over with it', () => {
    const material = [{ name: `${SECRET}.md`, text: `it says ${SECRET}`, untrusted: true }];
    const { guard } = guarded({}, { text: `my word is ${SECRET}`, material });
    expect(guard.turn).toEqual({
      ...testTurn('my word is [secret]', { id: guard.turn.id }),
      material: [{ name: '[secret].md', text: 'it says [secret]', untrusted: true }],
    });
    expect('material' in guarded().guard.turn).toBe(false);
  });

  test('and out of what is said to the running turn', () => {
    const { guard } = guarded({ steering: () => [`not ${SECRET}`, 'and short'] });
    expect(guard.context.steering?.()).toEqual(['not [secret]', 'and short']);
    expect(guarded().guard.context.steering?.()).toEqual([]);
  });

  test('the rest of the context is that of the caller', async () => {
    const doing: string[] = [];
    const request = { tool: 'send_mail' } as ApprovalRequest;
    const { guard } = guarded({
      doing: (tool) => doing.push(tool),
      ask: async (question) => `${question} Yes.`,
      approve: async (given) => ({ verdict: given === request ? 'once' : 'denied', by: 'terminal' }),
    });
    const { context } = guard;
    expect([context.now(), context.timeZone]).toEqual([new Date('2026-01-15T09:00:00.000Z'), 'Europe/Oslo']);
    context.doing?.('send_mail');
    expect(doing).toEqual(['send_mail']);
    expect(await context.ask?.('Really?')).toBe('Really? Yes.');
    expect(await context.approve(request)).toEqual({ verdict: 'once', by: 'terminal' });
    const nobody = guarded().guard.context;
    expect(nobody.ask).toBeUndefined();
    expect(nobody.doing?.('send_mail')).toBeUndefined();
  });

  test('an end of the caller ends the turn', () => {
    const stop = new AbortController();
    const { guard } = guarded({ signal: stop.signal });
    expect(guard.context.signal.aborted).toBe(false);
    stop.abort();
    expect(guard.context.signal.aborted).toBe(true);
  });
});

describe('words on the way out', () => {
  const token = (text: string): TurnEvent => ({ type: 'token', text });
  const usage: TurnEvent = { type: 'usage', model: 'm', inputTokens: 1, outputTokens: 1 };
  const tool: TurnEvent = { type: 'tool', callId: 'call_1', name: 't', input: {}, ok: true, ms: 1, preview: '' };
  const answer: TurnEvent = { type: 'answer', text: 'x', stop: 'answered' };
  const error: TurnEvent = { type: 'error', code: 'x', message: 'x', hint: 'x' };
  const approval: TurnEvent = {
    ...{ type: 'approval', callId: 'call_1', id: 'a', tool: 't', input: {} },
    provenance: { untrusted: false, private: false, sources: [] },
  };
  const retry: TurnEvent = { type: 'retry', reason: 'busy', waitMs: 0 };
  const fallback: TurnEvent = { type: 'fallback', from: 'a', to: 'b', reason: 'down' };
  const said = 'The word is hunter';
  const shownSoFar = 'The word is ';

  test.each<[string, TurnEvent, string, string]>([
    ['an answer', answer, said, said],
    ['a call', tool, said, said],
    ['an approval', approval, said, said],
    ['a script', { type: 'code', attempt: 1, source: 'x' }, said, said],
    ['an output', { type: 'output', text: 'x' }, said, said],
    ['an error', error, said, said],
    ['a retry, which drops them', retry, shownSoFar, shownSoFar],
    ['a fallback, which drops them', fallback, shownSoFar, shownSoFar],
    ['a notice, which waits for their end', { type: 'notice', text: 'x' }, shownSoFar, said],
    ['a count, which waits for their end', usage, shownSoFar, said],
  ])('are held back while they may become a secret, until %s', (_what, event, now, atLast) => {
    const { guard, shown } = guarded();
    guard.context.show(token(said));
    expect(wordsOf(shown)).toBe(shownSoFar);
    guard.context.show(event);
    expect(wordsOf(shown)).toBe(now);
    expect(shown.at(-1)).toEqual(event);
    guard.context.show(answer);
    expect(wordsOf(shown)).toBe(atLast);
  });

  test('are shown without the secret', () => {
    const { guard, shown } = guarded();
    for (const word of ['The word', ' is hunter2', ' is it', ', is it not?']) guard.context.show(token(word));
    guard.context.show(answer);
    expect(wordsOf(shown)).toBe('The word is [secret], is it not?');
    expect(shown.some((each) => each.type === 'token' && each.text === '')).toBe(false);
  });

  test('and so is every other event; the links of an output are written out', () => {
    const { guard, shown } = guarded();
    guard.context.show({ type: 'notice', text: `${SECRET} [a](https://evil.example/)` });
    guard.context.show({ type: 'output', text: `${SECRET} [a](https://evil.example/)` });
    expect(shown).toEqual([
      { type: 'notice', text: '[secret] [a](https://evil.example/)' },
      { type: 'output', text: '[secret] a (https://evil.example/)' },
    ]);
  });
});

describe('links that stay', () => {
  async function link(address: string, watched?: (scope: TestScope) => Partial<TestScope>): Promise<string> {
    const { guard } = guarded();
    if (watched) {
      const scope = await testScope();
      guard.watch({ ...scope, ...watched(scope) });
    }
    return guard.settle(answered(`[a](${address})`)).text;
  }

  test.each([
    ['to an allowed host', 'https://wiki.example/x', true],
    ['to a host below it', 'https://img.wiki.example/x', true],
    ['not to one that only ends like it', 'https://notwiki.example/x', false],
    ['not to another', 'https://evil.example/x', false],
    ['not to what is no address', 'javascript:alert(1)', false],
  ])('%s', async (_what, address, stays) => {
    expect((await link(address)).startsWith('[a](')).toBe(stays);
  });

  test.each<[string, (scope: TestScope) => Partial<TestScope>, string]>([
    ['that the person named', () => ({ said: ['see https://said.example/x'] }), '[a](https://said.example/x)'],
    [
      'but not what others wrote into a job',
      () => ({ said: ['see https://said.example/x'], bornUntrusted: true }),
      'a (https://said.example/x)',
    ],
    [
      'that a search found',
      () => ({ destinations: new Set(['https://said.example/x']) }),
      '[a](https://said.example/x)',
    ],
    ['but not others', () => ({}), 'a (https://said.example/x)'],
  ])('to a page %s', async (_what, watched, text) => {
    expect(await link('https://said.example/x', watched)).toBe(text);
  });
});

describe('a turn that is ended from within', () => {
  test('has the first reason as its answer, and is stopped', () => {
    const { guard } = guarded();
    guard.halt('It goes in circles.');
    guard.halt('Again.');
    expect(guard.context.signal.aborted).toBe(true);
    expect(guard.context.signal.reason).toEqual(new Error('It goes in circles.'));
    expect(guard.settle(answered('', 'aborted'))).toEqual(answered('It goes in circles.', 'step_limit'));
    expect(guard.settle(answered('So far: 3.', 'aborted'))).toEqual(answered('So far: 3.', 'step_limit'));
  });

  test('is stopped all the same where the person stopped it too', () => {
    const stop = new AbortController();
    const { guard } = guarded({ signal: stop.signal });
    stop.abort();
    guard.halt('It goes in circles.');
    expect(guard.settle(answered('', 'aborted'))).toEqual(answered('', 'aborted'));
  });

  test('a turn that was not has its own answer', () => {
    expect(guarded().guard.settle(answered(`It is ${SECRET}.`))).toEqual(answered('It is [secret].'));
  });
});

describe('what is said under an answer', () => {
  const CLAIM = 'I saved it in your journal.';
  const claim = { type: 'claim', text: CLAIM, supported: false };

  /** A turn that has written notes with these texts, after it read text of others or not. */
  async function wrote(texts: readonly string[], untrusted: boolean) {
    let second = 0;
    const scope = await testScope({ now: () => new Date(Date.UTC(2026, 0, 15, 9, 0, second++)) });
    if (untrusted) await scope.labels.read({ untrusted, private: false }, 'a page');
    const toolbox = testToolbox([WRITE_NOTE], scope);
    for (const text of texts) await toolbox.call('write_note', { text }, scope);
    const { guard } = guarded();
    guard.watch(scope);
    return guard;
  }

  const changed = (what: string) => ({
    type: 'notice',
    text: `Somebody else's text was read before and may have led to this: ${what}. /undo takes it back.`,
  });
  const notes = (count: number) => Array.from({ length: count }, (_, index) => `write_note “n${index}”`).join(', ');
  const many = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);
  const long = 'x'.repeat(81);

  test.each<[string, readonly string[], boolean, Answer, readonly object[]]>([
    ['nothing', [], true, answered('Hello.'), []],
    ['nothing of what was changed by the words of the person', ['a'], false, answered('Done.'), []],
    ['a claim of what was not done', [], false, answered(CLAIM), [claim]],
    ['no claim of an answer that is not whole', [], false, answered(CLAIM, 'cut_off'), []],
    ['what was changed after text of others was read', many(1), true, answered('Done.'), [changed(notes(1))]],
    ['five changes', many(5), true, answered('Done.'), [changed(notes(5))]],
    ['how many more there were', many(7), true, answered('Done.'), [changed(`${notes(5)} and 2 more`)]],
    [
      'the start of a long one',
      [long],
      true,
      answered('Done.', 'failed'),
      [changed(`write_note “${long.slice(0, 79)}…”`)],
    ],
  ])('%s', async (_what, texts, untrusted, answer, events) => {
    expect(await (await wrote(texts, untrusted)).afterwards(answer, { steerable: true })).toEqual(events);
  });

  test('nothing of what a model did that obeys the person alone', async () => {
    expect(await (await wrote(['a'], true)).afterwards(answered('Done.'), { steerable: false })).toEqual([]);
  });

  test('nothing of what was sent, or came to nothing', async () => {
    const scope = await testScope({ decide: { verdict: 'once', by: 'terminal' } });
    await scope.labels.read({ untrusted: true, private: false }, 'a page');
    const broken = defineTool({
      ...PLAIN_TOOL,
      name: 'broken',
      policy: { ...PLAIN_TOOL.policy, effect: 'local' },
      execute: () => Promise.reject(new Error('no paper')),
    });
    const sent: string[] = [];
    const toolbox = testToolbox([mailTool(sent), broken], scope);
    await toolbox.call('send_mail', { to: 'bob' }, scope);
    await toolbox.call('broken', {}, scope);
    const states = (await scope.ledger.list()).map(({ tool, state }) => `${tool} ${state}`);
    expect(states.toSorted()).toEqual(['broken failed', 'send_mail done']);
    const { guard } = guarded();
    guard.watch(scope);
    expect(await guard.afterwards(answered('Done.'), { steerable: true })).toEqual([]);
  });

  test('nothing of a turn that never began', async () => {
    expect(await guarded().guard.afterwards(answered(CLAIM), { steerable: true })).toEqual([]);
  });
});

test('the calls of the turn that wait are known', async () => {
  const { guard } = guarded();
  expect(guard.proposed()).toEqual([]);
  const scope = await testScope();
  const proposal = { id: 'p_1' } as Proposal;
  scope.approvals.proposed.set('x', proposal);
  guard.watch(scope);
  expect(guard.proposed()).toEqual([proposal]);
});
