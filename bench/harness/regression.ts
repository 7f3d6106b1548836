import type { Kind, Line } from './figure.ts';
import type { Results, SuiteReport } from './results.ts';

/** What a figure may change by from run to run on a quiet machine, as a share; measured once only, twice that. */
const USUAL: Readonly<Record<Kind, number>> = { wall: 0.25, cpu: 0.15, memory: 0.1, count: 0.02 };
/** What is less than this is nothing, whatever share it is. */
const LEAST: Readonly<Record<string, number>> = { ms: 0.05, µs: 2, s: 0.05, MB: 2, '%': 0.5 };

export interface Finding {
  readonly what: string;
  /** `gone`: measured formerly and not now. `unsure`: worse in a run that was too noisy to tell. */
  readonly kind: 'worse' | 'gone' | 'unsure';
  readonly before: number;
  readonly after: number;
  /** Share by which it may change. */
  readonly band: number;
}

/** What became worse by more than noise. Times and memory are compared on the same machine only, ratios on any. */
export function regressions(before: Results, after: Results): Finding[] {
  const sameMachine = JSON.stringify(before.machine) === JSON.stringify(after.machine);
  return after.suites
    .filter(({ skipped }) => skipped === undefined)
    .flatMap((suite) => {
      const former = before.suites.find(({ name }) => name === suite.name);
      return former?.skipped === undefined ? compareSuite(former?.lines ?? [], suite, sameMachine) : [];
    });
}

function compareSuite(before: readonly Line[], suite: SuiteReport, sameMachine: boolean): Finding[] {
  return before.flatMap((former) => {
    const line = suite.lines.find(({ what }) => what === former.what);
    const what = `${suite.name}: ${former.what}`;
    if (!line) return [{ what, kind: 'gone', before: former.median, after: Number.NaN, band: 0 }];
    const compared = compare(former, line, sameMachine);
    return compared ? [{ what, ...compared }] : [];
  });
}

function compare(former: Line, line: Line, sameMachine: boolean): Omit<Finding, 'what'> | undefined {
  const isRatio = former.ratio !== undefined && line.ratio !== undefined;
  if (!isRatio && !sameMachine && line.kind !== 'count') return undefined;
  const [before, after] = isRatio ? [former.ratio ?? 0, line.ratio ?? 0] : [former.median, line.median];
  const band = bandOf(former, line);
  const worse = line.better === 'less' ? after - before : before - after;
  const least = isRatio ? 0 : (LEAST[line.unit] ?? 0);
  if (!(worse > Math.max(band * Math.abs(before), least))) return undefined;
  return { kind: line.noisy || former.noisy ? 'unsure' : 'worse', before, after, band };
}

function bandOf(former: Line, line: Line): number {
  const usual = USUAL[line.kind];
  if (line.kind === 'count') return usual;
  if (former.spread === undefined || line.spread === undefined) return 2 * usual;
  return Math.max(usual, former.spread + line.spread);
}
