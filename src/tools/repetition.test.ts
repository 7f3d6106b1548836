import { describe, expect, test } from 'vitest';
import { RepetitionGuard } from './repetition.ts';

type Step = readonly [tool: string, input: unknown, ok: boolean, outcome: string];

const A: Step = ['a', { x: 1 }, true, 'same'];
const A_FAILS: Step = ['a', { x: 1 }, false, 'no'];
const B: Step = ['b', {}, true, 'other'];

describe('the fourth call is stopped', () => {
  test.each<[string, readonly Step[], boolean]>([
    ['after three equal results in a row', [A, A, A], true],
    ['not after two', [A, A], false],
    ['not when something else came between', [A, A, B, A], false],
    ['not when the results differ', [A, ['a', { x: 1 }, true, 'new'], A], false],
    ['not for another input', [['a', { x: 2 }, true, 'same'], A, A], false],
    ['after three failures, whatever came between', [A_FAILS, B, A_FAILS, B, A_FAILS], true],
    ['not after two failures', [A_FAILS, B, A_FAILS], false],
    [
      'whatever the order of the fields',
      [
        ['a', { y: 2, x: 1 }, false, 'no'],
        ['a', { x: 1, y: 2 }, false, 'no'],
        ['a', { y: 2, x: 1 }, false, 'no'],
      ],
      false,
    ],
  ])('%s', (_, steps, stuck) => {
    const guard = new RepetitionGuard();
    for (const [tool, input, ok, outcome] of steps) guard.note({ tool, input }, ok, outcome);
    expect(guard.isStuck('a', { x: 1 })).toBe(stuck);
  });

  test('equal inputs are equal in any order of their fields', () => {
    const guard = new RepetitionGuard();
    for (const input of [
      { x: 1, y: 2 },
      { y: 2, x: 1 },
      { x: 1, y: 2 },
    ])
      guard.note({ tool: 'a', input }, false, 'no');
    expect(guard.isStuck('a', { y: 2, x: 1 })).toBe(true);
  });
});
