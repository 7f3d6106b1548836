import { describe, expect, test } from 'vitest';
import { Catalog } from './catalog.ts';
import type { HealthReport } from './health.ts';
import { STRATEGIES } from './options.ts';
import { type RoutingCandidate, type RoutingRequest, rank } from './router.ts';
import { TASK_PROFILES } from './types.ts';

const catalog = new Catalog();
const fresh: HealthReport = {
  state: 'unknown',
  calls: 0,
  failures: 0,
  latencyMs: undefined,
  firstTokenMs: undefined,
  lastError: undefined,
};

function contender(provider: string, name: string, health: Partial<HealthReport> = {}): RoutingCandidate {
  const local = ['compatible', 'ollama', 'local'].includes(provider);
  const facts = catalog.facts({ provider, name, local });
  return { label: `${provider}:${name}`, provider, name, local, facts, health: { ...fresh, ...health } };
}

const mini = contender('openai', 'gpt-4o-mini');
const sonnet = contender('anthropic', 'claude-sonnet-4-5');
const small = contender('ollama', 'llama3.2:3b');
const strange = contender('openrouter', 'mystery-1');
const down = (each: RoutingCandidate): RoutingCandidate => ({
  ...each,
  health: { ...fresh, state: 'down', lastError: 'answered 500' },
});

const ask = (changes: Partial<RoutingRequest> = {}): RoutingRequest => ({
  profile: 'TOOL_EXECUTION',
  strategy: 'availability',
  localOnly: false,
  pinned: [],
  cheaper: false,
  ...changes,
});
const order = (contenders: readonly RoutingCandidate[], changes?: Partial<RoutingRequest>) =>
  rank(contenders, ask(changes)).order.map(({ name }) => name);

describe('who comes first', () => {
  test.each([
    ['availability keeps the configured order', {}, ['gpt-4o-mini', 'claude-sonnet-4-5', 'llama3.2:3b']],
    ['quality takes the best', { strategy: 'quality' }, ['claude-sonnet-4-5', 'gpt-4o-mini', 'llama3.2:3b']],
    ['cost takes the free one', { strategy: 'cost' }, ['llama3.2:3b', 'gpt-4o-mini', 'claude-sonnet-4-5']],
    [
      'privacy takes the one on this machine',
      { strategy: 'privacy', profile: 'COMPLEX_REASONING' },
      ['llama3.2:3b', 'claude-sonnet-4-5', 'gpt-4o-mini'],
    ],
    [
      'speed takes the one known to be quick',
      { strategy: 'speed' },
      ['llama3.2:3b', 'gpt-4o-mini', 'claude-sonnet-4-5'],
    ],
    [
      'a model that was asked for by name',
      { pinned: [{ name: 'claude-sonnet-4-5', by: 'you' }] },
      ['claude-sonnet-4-5', 'gpt-4o-mini', 'llama3.2:3b'],
    ],
    ['a local-only project', { localOnly: true }, ['llama3.2:3b']],
  ] as const)('%s', (_name, changes, expected) => {
    expect(order([mini, sonnet, small], changes)).toEqual(expected);
  });

  test('measured answers count more than reputation for speed', () => {
    const quick = { ...sonnet, health: { ...fresh, state: 'ready' as const, firstTokenMs: 90 } };
    const slow = { ...small, health: { ...fresh, state: 'ready' as const, firstTokenMs: 4000 } };
    expect(order([slow, quick, mini], { strategy: 'speed' })).toEqual([
      'claude-sonnet-4-5',
      'gpt-4o-mini',
      'llama3.2:3b',
    ]);
  });

  test('a background task goes to a healthy local model', () => {
    const ready = { ...small, health: { ...fresh, state: 'ready' as const } };
    expect(order([mini, ready], { profile: 'BACKGROUND_TASK' })).toEqual(['llama3.2:3b', 'gpt-4o-mini']);
    expect(order([mini, ready], { profile: 'TOOL_EXECUTION' })).toEqual(['gpt-4o-mini', 'llama3.2:3b']);
  });

  test('an unknown price is dearer than any known one', () => {
    expect(order([strange, sonnet], { strategy: 'cost' })).toEqual(['claude-sonnet-4-5', 'mystery-1']);
  });

  test('a budget that is used up leaves what is cheaper', () => {
    expect(order([sonnet, strange, mini, small], { cheaper: true })).toEqual(['llama3.2:3b', 'gpt-4o-mini']);
    expect(order([sonnet], { cheaper: true })).toEqual([]);
  });
});

describe.each(STRATEGIES)('under %s', (strategy) => {
  test.each(TASK_PROFILES)('%s passes over a model that is down, but keeps it as the last resort', (profile) => {
    const contenders = [down(mini), down(small), sonnet];
    expect(order(contenders, { strategy, profile })[0]).toBe('claude-sonnet-4-5');
    expect(order(contenders, { strategy, profile })).toHaveLength(3);
  });

  test.each(TASK_PROFILES)('%s explains the decision and every other candidate', (profile) => {
    const { why, order: ranked } = rank([mini, down(small), sonnet], ask({ strategy, profile }));
    expect(why[0]).toContain(ranked[0]?.label);
    expect(why.join('\n')).toMatch(/ollama:llama3\.2:3b: .*skipped: answered 500/u);
    expect(why).toHaveLength(4);
  });
});

describe('the servers that are set up for one kind of task', () => {
  const tier = (name: string, kind: 'fast' | 'thinking'): RoutingCandidate => ({
    ...contender('compatible', name),
    tier: kind,
  });
  const [fast, thinking] = [tier('quick', 'fast'), tier('deep', 'thinking')];
  const names = (contenders: readonly RoutingCandidate[], changes: Partial<RoutingRequest>) =>
    rank(contenders, ask(changes)).order.map(({ name }) => name);

  test('change places among themselves, and with nobody else', () => {
    expect(names([mini, fast, sonnet, thinking], { tier: 'thinking' })).toEqual([
      'gpt-4o-mini',
      'deep',
      'claude-sonnet-4-5',
      'quick',
    ]);
    expect(names([mini, fast, thinking], { tier: 'fast' })).toEqual(['gpt-4o-mini', 'quick', 'deep']);
    expect(names([fast, thinking], {})).toEqual(['quick', 'deep']);
  });

  test('come first when a rule says so, after what was asked for by name', () => {
    const rule = { tier: 'thinking', by: 'ROUTING_RULE_PLANNING' } as const;
    expect(names([mini, fast, thinking], { pinned: [rule] })[0]).toBe('deep');
    expect(names([mini, fast, thinking], { pinned: [{ name: 'gpt-4o-mini', by: 'you' }, rule] })).toEqual([
      'gpt-4o-mini',
      'deep',
      'quick',
    ]);
    expect(rank([mini, thinking], ask({ pinned: [rule] })).why[0]).toContain('requested by ROUTING_RULE_PLANNING');
  });

  test('are skipped when they are down, rule or not', () => {
    const rule = { tier: 'thinking', by: 'ROUTING_RULE_PLANNING' } as const;
    expect(names([mini, down(thinking)], { pinned: [rule] })[0]).toBe('gpt-4o-mini');
  });
});

describe('an installed model', () => {
  const installed = contender('local', 'qwen3.5-4b');
  const both = [mini, installed];

  test.each([
    ['comes last for what somebody waits for', {}, ['gpt-4o-mini', 'qwen3.5-4b']],
    ['takes background work, so that it costs nothing', { profile: 'BACKGROUND_TASK' }, ['qwen3.5-4b', 'gpt-4o-mini']],
    ['takes everyday work where cost counts', { strategy: 'cost' }, ['qwen3.5-4b', 'gpt-4o-mini']],
    [
      'is no choice for hard work where cost counts',
      { strategy: 'cost', profile: 'COMPLEX_REASONING' },
      ['gpt-4o-mini', 'qwen3.5-4b'],
    ],
    [
      'takes hard work where privacy counts',
      { strategy: 'privacy', profile: 'CODE_ASSISTANCE' },
      ['qwen3.5-4b', 'gpt-4o-mini'],
    ],
    [
      'takes all of it where nothing may leave the machine',
      { localOnly: true, profile: 'CREATIVE_WRITING' },
      ['qwen3.5-4b'],
    ],
    [
      'takes what it is asked for by name',
      { profile: 'COMPLEX_REASONING', pinned: [{ name: 'local:qwen3.5-4b', by: 'you' }] },
      ['qwen3.5-4b', 'gpt-4o-mini'],
    ],
  ] as const)('%s', (_what, changes, names) => expect(order(both, changes as Partial<RoutingRequest>)).toEqual(names));

  test('says why it was passed over', () => {
    const { why } = rank(both, ask({ strategy: 'cost', profile: 'COMPLEX_REASONING' }));
    expect(why.at(-1)).toContain('too small for this kind of task');
  });
});
