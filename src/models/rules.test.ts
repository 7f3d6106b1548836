import { describe, expect, test } from 'vitest';
import { modelsOptions } from '../testing/models-options.ts';
import { type RuledRequest, rulingFor } from './rules.ts';

const request = (changes: Partial<RuledRequest>): RuledRequest => ({
  profile: 'TOOL_EXECUTION',
  purpose: 'turn',
  ...changes,
});

const CASES = [
  ['ruleSingleTool', {}, 'fast'],
  ['ruleMultiTool', { severalSteps: true }, 'thinking'],
  ['ruleCodeAgent', { profile: 'CODE_ASSISTANCE' }, 'thinking'],
  ['rulePlanning', { profile: 'COMPLEX_REASONING', severalSteps: true }, 'thinking'],
  ['ruleCreative', { profile: 'CREATIVE_WRITING' }, 'thinking'],
  ['ruleRagQuery', { profile: 'RAG_PROCESSING' }, 'fast'],
  ['ruleFactExtraction', { profile: 'COMPLEX_REASONING', purpose: 'compaction' }, 'fast'],
  ['ruleFactExtraction', { profile: 'CODE_ASSISTANCE', purpose: 'llm', jsonResponse: true }, 'fast'],
  ['ruleDefault', { profile: 'BACKGROUND_TASK' }, 'fast'],
] as const;

describe.each(CASES)('%s', (rule, changes, usual) => {
  test('is the one for its task, and only a preference until it is written out', () => {
    expect(rulingFor(modelsOptions(), request(changes))).toEqual({ tier: usual, pin: undefined });
    const other = usual === 'fast' ? 'thinking' : 'fast';
    const ruling = rulingFor(modelsOptions({ [rule]: other }), request(changes));
    expect(ruling).toMatchObject({ tier: other, pin: { tier: other, by: expect.stringMatching(/^ROUTING_RULE_/u) } });
  });

  test('may name a model, and without one of its own the default rule holds', () => {
    const own = rulingFor(modelsOptions({ [rule]: 'openai:gpt-4o', ruleDefault: 'fast' }), request(changes));
    if (rule !== 'ruleDefault') expect(own?.pin).toMatchObject({ name: 'openai:gpt-4o' });
    const general = rulingFor(modelsOptions({ ruleDefault: 'mine:m' }), request(changes));
    expect(general?.pin).toEqual({ name: 'mine:m', by: 'ROUTING_RULE_DEFAULT' });
  });
});

test('switched off, nothing is ruled', () => {
  const options = modelsOptions({ routingEnabled: false, rulePlanning: 'thinking' });
  expect(rulingFor(options, request({ profile: 'COMPLEX_REASONING' }))).toBeUndefined();
});
