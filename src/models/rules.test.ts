import { describe, expect, test } from 'vitest';
import { modelsOptions } from '../testing/models-options.ts';
import { type RoutableRequest, routingRuleFor } from './rules.ts';

const request = (changes: Partial<RoutableRequest>): RoutableRequest => ({
  profile: 'TOOL_EXECUTION',
  purpose: 'turn',
  ...changes,
});

const CASES = [
  ['singleToolCall', {}, 'fast'],
  ['multiToolCall', { severalSteps: true }, 'thinking'],
  ['codeAgent', { profile: 'CODE_ASSISTANCE' }, 'thinking'],
  ['planning', { profile: 'COMPLEX_REASONING', severalSteps: true }, 'thinking'],
  ['creative', { profile: 'CREATIVE_WRITING' }, 'thinking'],
  ['ragQuery', { profile: 'RAG_PROCESSING' }, 'fast'],
  ['factExtraction', { profile: 'COMPLEX_REASONING', purpose: 'compaction' }, 'fast'],
  ['factExtraction', { profile: 'CODE_ASSISTANCE', purpose: 'llm', jsonResponse: true }, 'fast'],
  ['default', { profile: 'BACKGROUND_TASK' }, 'fast'],
] as const;

describe.each(CASES)('%s', (rule, changes, usual) => {
  test('is the one for its task, and only a preference until it is set', () => {
    expect(routingRuleFor(modelsOptions(), request(changes))).toEqual({ tier: usual, pin: undefined });
    const other = usual === 'fast' ? 'thinking' : 'fast';
    const found = routingRuleFor(modelsOptions({ rules: { [rule]: other } }), request(changes));
    expect(found).toMatchObject({ tier: other, pin: { tier: other, by: expect.stringMatching(/^ROUTING_RULE_/u) } });
  });

  test('may name a model; unset, the default rule applies', () => {
    const own = routingRuleFor(
      modelsOptions({ rules: { default: 'fast', [rule]: 'openai:gpt-4o' } }),
      request(changes),
    );
    if (rule !== 'default') expect(own?.pin).toMatchObject({ name: 'openai:gpt-4o' });
    const general = routingRuleFor(modelsOptions({ rules: { default: 'mine:m' } }), request(changes));
    expect(general?.pin).toEqual({ name: 'mine:m', by: 'ROUTING_RULE_DEFAULT' });
  });
});

test('switched off, no rule applies', () => {
  const options = modelsOptions({ routingEnabled: false, rules: { planning: 'thinking' } });
  expect(routingRuleFor(options, request({ profile: 'COMPLEX_REASONING' }))).toBeUndefined();
});
