import { describe, expect, test } from 'vitest';
import { type Figure, type Line, linesOf } from './figure.ts';
import { noiseOf, resultsPage, table } from './page.ts';
import { regressions } from './regression.ts';
import { merged, type Results, type SuiteReport, thisMachine } from './results.ts';
import { interleave, median, quantile, spread } from './statistics.ts';

const QUIET = [10, 10.2, 9.9, 10.1, 10];

function suite(figures: readonly Figure[], othersShare = 0, name = 'one'): SuiteReport {
  return {
    name,
    at: '2026-11-22T00:00:00Z',
    commit: 'abc',
    seconds: 1,
    othersShare,
    lines: linesOf(figures, othersShare),
  };
}

function results(...suites: SuiteReport[]): Results {
  return { machine: thisMachine(), versions: {}, suites };
}

describe('statistics', () => {
  test('the median is the middle one, or between the two in the middle', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect(median([])).toBeNaN();
  });

  test('a quantile lies between two values by proportion', () => {
    expect(quantile([0, 10], 0.25)).toBe(2.5);
    expect(quantile([5], 0.99)).toBe(5);
  });

  test('the spread is that of the middle half: one disturbed run does not change it', () => {
    expect(spread([10, 10, 10, 10, 500])).toBe(0);
    expect(spread([8, 9, 10, 11, 12])).toBeCloseTo(0.2);
    expect(spread([1, 2])).toBeUndefined();
    expect(spread([0, 0, 0])).toBe(0);
  });

  test('ways are run in turn, and the warm rounds are not counted', async () => {
    const order: string[] = [];
    const way = (name: string) => () => order.push(name);
    const samples = await interleave({ a: way('a'), b: way('b') }, { rounds: 2, warm: 1 });
    expect(order.join('')).toBe('ababab');
    expect(samples).toEqual({ a: [3, 5], b: [4, 6] });
  });
});

describe('verdicts', () => {
  const verdict = (figure: Partial<Figure>, othersShare?: number) =>
    linesOf([{ what: 'x', unit: 'ms', samples: QUIET, ...figure }], othersShare)[0]?.verdict;

  test('goal, must, and neither', () => {
    expect(verdict({ must: 12, goal: 11 })).toBe('goal met');
    expect(verdict({ must: 12, goal: 9 })).toBe('met');
    expect(verdict({ must: 9 })).toBe('missed');
    expect(verdict({})).toBe('');
    expect(verdict({ must: 12, better: 'more' })).toBe('missed');
  });

  test('a target beside another figure is one of the ratio', () => {
    const lines = linesOf([
      { what: 'bare', unit: 'ms', samples: [50] },
      { what: 'ours', unit: 'ms', samples: [100], against: 'bare', must: 2 },
    ]);
    expect(lines[1]).toMatchObject({ ratio: 2, verdict: 'met' });
    expect(() => linesOf([{ what: 'ours', unit: 'ms', samples: [1], against: 'nothing' }])).toThrow('no such figure');
  });

  test('a ratio is as noisy as the noisier of the two', () => {
    const bare = { what: 'bare', unit: 'ms', kind: 'cpu', samples: [2, 4, 6, 8, 10] } as const;
    const ours = { what: 'ours', unit: 'ms', kind: 'cpu', samples: QUIET, against: 'bare', must: 1 } as const;
    expect(linesOf([bare, ours])[1]?.verdict).toBe('missed, too noisy to count');
    expect(linesOf([{ ...bare, samples: [6, 6, 6] }, ours])[1]?.verdict).toBe('missed');
  });

  test('a miss does not count when samples lie far apart, or others took the processors from a wall time', () => {
    expect(verdict({ samples: [5, 10, 20, 30, 40], must: 9 })).toBe('missed, too noisy to count');
    expect(verdict({ must: 9 }, 0.4)).toBe('missed, too noisy to count');
    expect(verdict({ must: 9, kind: 'cpu' }, 0.4)).toBe('missed');
    expect(verdict({ must: 9, unit: 'calls', samples: [5, 10, 20] }, 0.4)).toBe('missed');
  });
});

describe('the check against former results', () => {
  const before = results(suite([{ what: 'x', unit: 'ms', samples: QUIET }]));
  const after = (figure: Partial<Figure>, othersShare = 0) =>
    results(suite([{ what: 'x', unit: 'ms', samples: QUIET, ...figure }], othersShare));
  const times = (by: number) => QUIET.map((value) => value * by);

  test('refuses what is worse by more than the band, and nothing within it or better', () => {
    expect(regressions(before, after({ samples: times(1.5) }))).toMatchObject([{ what: 'one: x', kind: 'worse' }]);
    expect(regressions(before, after({ samples: times(1.1) }))).toEqual([]);
    expect(regressions(before, after({ samples: times(0.2) }))).toEqual([]);
  });

  test('the band is as wide as both runs were spread', () => {
    const wide = results(suite([{ what: 'x', unit: 'ms', samples: [8.5, 9, 10, 11, 11.5] }]));
    expect(regressions(wide, after({ samples: [11, 12, 13, 14, 15] }))).toEqual([]);
    expect(regressions(wide, after({ samples: times(1.5) }))).toHaveLength(1);
  });

  test('a noisy run is told apart, and does not refuse', () => {
    expect(regressions(before, after({ samples: times(1.5) }, 0.5))).toMatchObject([{ kind: 'unsure' }]);
  });

  test('more is better where it is said so', () => {
    const recall = (value: number) => results(suite([{ what: 'r', unit: '', samples: [value], better: 'more' }]));
    expect(regressions(recall(0.98), recall(0.9))).toHaveLength(1);
    expect(regressions(recall(0.9), recall(0.98))).toEqual([]);
  });

  test('on another machine ratios and counts are compared, times are not', () => {
    const figures = (ms: number, calls: number): Figure[] => [
      { what: 'bare', unit: 'ms', samples: times(1) },
      { what: 'ours', unit: 'ms', samples: times(ms), against: 'bare' },
      { what: 'alone', unit: 'ms', samples: times(ms) },
      { what: 'calls', unit: 'calls', samples: [calls] },
    ];
    const elsewhere = { ...results(suite(figures(3, 5))), machine: { ...thisMachine(), cores: 999 } };
    const found = regressions(results(suite(figures(1, 4))), elsewhere).map(({ what }) => what);
    expect(found).toEqual(['one: ours', 'one: calls']);
  });

  test('a figure that is gone is refused, a suite that was skipped is not', () => {
    expect(regressions(before, results(suite([{ what: 'y', unit: 'ms', samples: QUIET }])))).toMatchObject([
      { what: 'one: x', kind: 'gone' },
    ]);
    const skipped = { ...suite([]), skipped: 'no server' };
    expect(regressions(before, results(skipped))).toEqual([]);
  });
});

describe('the page', () => {
  const [line] = linesOf([{ what: 'x', unit: 'ms', samples: QUIET, must: 12, goal: 9 }]) as [Line];

  test('shows median, spread, target and verdict', () => {
    expect(table([line])).toContain('| x | 10 ms | 1 % |  | <= 12 ms | <= 9 ms | met |');
  });

  test('says that a run was too noisy', () => {
    expect(noiseOf(suite([{ what: 'x', unit: 'ms', samples: QUIET }], 0.5))).toContain('**too noisy**');
    expect(noiseOf(suite([{ what: 'x', unit: 'ms', samples: QUIET }], 0.01))).toContain('Quiet');
  });

  test('says why a suite was not run', () => {
    expect(resultsPage(results({ ...suite([]), skipped: 'no server' }), {})).toContain('Not run: no server.');
  });

  test('renewing one suite keeps the others, in their order', () => {
    const former = results(suite([], 0, 'a'), suite([], 0, 'b'));
    const fresh = results({ ...suite([], 0, 'a'), commit: 'new' });
    const { suites } = merged(former, fresh, ['b', 'a']);
    expect(suites.map(({ name, commit }) => `${name} ${commit}`)).toEqual(['b abc', 'a new']);
  });
});
