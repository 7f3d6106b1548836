import { expect, test } from 'vitest';
import { AssistantError } from '../../base/errors.ts';
import { ReplyError } from '../../models/failure.ts';
import { asThinkError } from './ask.ts';
import * as errors from './errors.ts';

const cause = new Error('why');
const long = 'x'.repeat(119);

test.each([
  [
    new errors.SchemaViolation({ path: '', expected: 'a number', got: 'x' }),
    {
      name: 'SchemaViolation',
      message: 'The answer does not fit: a number; got "x".',
      path: '',
      expected: 'a number',
      got: 'x',
    },
  ],
  [
    new errors.SchemaViolation({ path: 'a[0].b', expected: 'a number', got: { c: undefined } }),
    { message: "The answer's field a[0].b does not fit: a number; got {}.", path: 'a[0].b' },
  ],
  [
    new errors.SchemaViolation({ path: '', expected: 'an answer', got: undefined }),
    { message: 'The answer does not fit: an answer; got undefined.' },
  ],
  [
    new errors.ConfidenceTooLow(0.7, 0.5),
    { name: 'ConfidenceTooLow', message: 'The confidence is 0.5, and 0.7 is wanted.', threshold: 0.7, actual: 0.5 },
  ],
  [
    new errors.GuardFailed('g', long.slice(1), { a: 1 }),
    {
      ...{ name: 'GuardFailed', message: `The guard g failed: wanted {"a":1}, got "${long.slice(1)}".` },
      ...{ guardName: 'g', guardValue: long.slice(1), constraint: { a: 1 } },
    },
  ],
  [new errors.GuardFailed('g', long, 'less'), { message: `The guard g failed: wanted less, got "${long}….` }],
  [
    new errors.TokenBudgetExceeded('Too long.', { budget: 5, required: 6, cause }),
    { name: 'TokenBudgetExceeded', message: 'Too long.', budget: 5, required: 6, cause },
  ],
  [new errors.TokenBudgetExceeded('Too long.', {}), { budget: 0, required: 0, cause: undefined }],
  [
    new errors.ModelUnavailable('Down.', { model: 'm', code: 'c', hint: 'h', cause }),
    { name: 'ModelUnavailable', message: 'Down.', model: 'm', code: 'c', hint: 'h', cause },
  ],
  [new errors.ModelUnavailable('Down.', { code: 'c', hint: 'h' }), { model: 'any' }],
  [new errors.Timeout('Late.', 5, cause), { name: 'Timeout', message: 'Late.', durationMs: 5, cause }],
  [
    new errors.AgentMaxTurnsError(3, 4),
    { name: 'AgentMaxTurnsError', message: 'The agent did not finish within 3 turns.', maxTurns: 3, actualTurns: 4 },
  ],
  [
    new errors.ToolExecutionError('price', 'closed', cause),
    { name: 'ToolExecutionError', message: 'The tool price failed: closed', toolName: 'price', cause },
  ],
  [
    new errors.BatchCostBudgetExceeded(0.5, 0.51234),
    {
      ...{ name: 'BatchCostBudgetExceeded', message: 'The budget of the batch is used up: 0.5123 of 0.5 USD.' },
      ...{ budgetUsd: 0.5, spentUsd: 0.51234 },
    },
  ],
  [new errors.BatchAbortedError(cause), { name: 'BatchAbortedError', message: 'The batch was stopped.', cause }],
])('%s', (error, fields) => {
  expect(error).toBeInstanceOf(errors.ThinkError);
  expect(error).toMatchObject(fields);
});

test('a failure of a model is one that programs can catch', () => {
  const known = (code: AssistantError['code'], inner?: unknown) =>
    new AssistantError(code, 'It failed.', { hint: 'Do it.', cause: inner });
  const as = (error: unknown, model?: string) => asThinkError(error, { model, ms: 12.6 });
  const overflow = known('context_overflow');
  expect(as(overflow)).toEqual(new errors.TokenBudgetExceeded('It failed.', { cause: overflow }));
  const late = known('model_unreachable', new ReplyError('deadline', 'took too long'));
  expect(as(late)).toEqual(new errors.Timeout('It failed.', 13, late));
  const down = known('model_unreachable');
  expect(as(down, 'm')).toEqual(
    new errors.ModelUnavailable('It failed.', { model: 'm', code: 'model_unreachable', hint: 'Do it.', cause: down }),
  );
  const own = new errors.ThinkError('Own.');
  expect([as(own), as(cause)]).toEqual([own, cause]);
});
