import { describe, expect, test } from 'vitest';
import { Confident, confidentSchema } from './confident.ts';
import { ConfidenceTooLow } from './errors.ts';

describe('a value is taken', () => {
  test.each([
    [0.7, true],
    [0.71, true],
    [0.69, false],
  ])('at %d: %s', (confidence, sure) => {
    const value = new Confident('x', confidence);
    expect(value.isConfident()).toBe(sure);
    expect(value.or('y')).toBe(sure ? 'x' : 'y');
    expect(value.unwrap()).toBe('x');
    if (sure) expect(value.expect()).toBe('x');
    else expect(() => value.expect()).toThrow(new ConfidenceTooLow(0.7, confidence));
  });

  test('from the least confidence that is asked for', () => {
    const value = new Confident(5, 0.5);
    expect([value.isConfident(0.5), value.isConfident(0.51)]).toEqual([true, false]);
    expect([value.expect(0.5), value.unwrap(0.5)]).toEqual([5, 5]);
    expect(() => value.unwrap(0.51)).toThrow('The confidence is 0.5, and 0.51 is wanted.');
  });
});

test('another value is as sure, for the same reason', () => {
  expect(new Confident(2, 0.4, 'seen').map((n) => `${n}!`)).toEqual(new Confident('2!', 0.4, 'seen'));
});

test('all of them are as sure as the least sure one, with all reasons', () => {
  const all = [new Confident(1, 0.9, 'a'), new Confident(2, 0.3), new Confident(3, 0.5, 'c')];
  expect(Confident.combine(all)).toEqual(new Confident([1, 2, 3], 0.3, 'a; c'));
  expect(Confident.combine([])).toEqual(new Confident([], 1, ''));
});

test('it is shown with its confidence, and kept with its reasoning', () => {
  expect(String(new Confident('x', 0.5))).toBe('x (confidence 0.5)');
  expect(String(new Confident({ a: 1 }, 1))).toBe('{"a":1} (confidence 1)');
  expect(JSON.parse(JSON.stringify(new Confident('x', 0.5, 'why')))).toEqual({
    value: 'x',
    confidence: 0.5,
    reasoning: 'why',
  });
});

test('a model is asked for all three', () => {
  expect(confidentSchema({ type: 'integer' })).toEqual({
    type: 'object',
    properties: {
      value: { type: 'integer' },
      confidence: { type: 'number', minimum: 0, maximum: 1, description: 'how sure you are, from 0 to 1' },
      reasoning: { type: 'string', description: 'why, in one sentence' },
    },
    required: ['value', 'confidence', 'reasoning'],
    additionalProperties: false,
  });
});
