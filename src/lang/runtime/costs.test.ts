import { expect, test } from 'vitest';
import { Costs } from './costs.ts';

test('a call of unknown price is counted, and is not taken for free', () => {
  const costs = new Costs();
  const call = { operation: 'think', model: 'm', inputTokens: 10, outputTokens: 5 } as const;
  costs.record({ ...call, costUsd: 0.25 });
  costs.record(call);
  expect(costs.getSummary()).toMatchObject({ calls: 2, costUsd: 0.25, unpricedCalls: 1 });
  expect(costs.getSummary().byModel.m).toMatchObject({ inputTokens: 20, unpricedCalls: 1 });
});
