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
    expect(guard.judge({ tool: 'a', input: { x: 1 } })).toBe(stuck ? 'halt' : 'run');
  });

  test('equal inputs are equal in any order of their fields', () => {
    const guard = new RepetitionGuard();
    for (const input of [
      { x: 1, y: 2 },
      { y: 2, x: 1 },
      { x: 1, y: 2 },
    ])
      guard.note({ tool: 'a', input }, false, 'no');
    expect(guard.judge({ tool: 'a', input: { y: 2, x: 1 } })).toBe('halt');
  });
});

describe('scripts', () => {
  const [first, second] = [{}, {}];
  const read = (script: object, guard: RepetitionGuard) => {
    const call = { tool: 'a', input: {}, script };
    const verdict = guard.judge(call);
    if (verdict === 'run') guard.note(call, true, 'same');
    return verdict;
  };
  const times = (n: number, script: object, guard: RepetitionGuard) =>
    Array.from({ length: n }, () => read(script, guard));

  test('the first one is refused, as often as it tries; the next one may read again, and ends the turn', () => {
    const guard = new RepetitionGuard();
    expect(times(5, first, guard)).toEqual(['run', 'run', 'run', 'refuse', 'refuse']);
    expect(times(4, second, guard)).toEqual(['run', 'run', 'run', 'halt']);
  });

  test('a call that failed three times is not tried by the next script either', () => {
    const guard = new RepetitionGuard();
    const call = { tool: 'a', input: {}, script: first };
    for (const outcome of ['x', 'y', 'z']) guard.note(call, false, outcome);
    expect(guard.judge(call)).toBe('refuse');
    expect(guard.judge({ ...call, script: second })).toBe('halt');
  });

  test('of two calls that failed three times the script is refused both', () => {
    const guard = new RepetitionGuard();
    const calls = ['a', 'b'].map((tool) => ({ tool, input: {}, script: first }));
    for (const call of calls) for (const outcome of ['x', 'y', 'z']) guard.note(call, false, outcome);
    expect(calls.reverse().map((call) => guard.judge(call))).toEqual(['refuse', 'refuse']);
  });

  test('a call that is refused does not hide what another one repeats', () => {
    const guard = new RepetitionGuard();
    const other = { tool: 'b', input: {}, script: first };
    const failing = { tool: 'a', input: {}, script: first };
    for (const outcome of ['x', 'y', 'z']) guard.note(failing, false, outcome);
    guard.note(other, true, 'same');
    guard.note(other, true, 'same');
    expect(guard.judge(failing)).toBe('refuse');
    guard.note(other, true, 'same');
    expect(guard.judge(other)).toBe('refuse');
  });

  test('what one script calls counts for the next', () => {
    const guard = new RepetitionGuard();
    expect([...times(2, first, guard), ...times(2, second, guard)]).toEqual(['run', 'run', 'run', 'refuse']);
  });
});
