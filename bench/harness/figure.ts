import { median, spread } from './statistics.ts';

/** What can disturb a figure: other programs disturb wall time most, counts not at all. */
export type Kind = 'wall' | 'cpu' | 'memory' | 'count';

/** Something that a suite measured. */
export interface Figure {
  readonly what: string;
  /** `ms`, `µs`, `s`, `MB`, `%`, or what is counted. */
  readonly unit: string;
  /** By the unit unless given. */
  readonly kind?: Kind;
  /** One for what can be measured once only. */
  readonly samples: readonly number[];
  /** Another figure of the same suite: this one is then also told as a multiple of it, and the target is of that. */
  readonly against?: string;
  readonly must?: number;
  readonly goal?: number;
  /** Less unless given. */
  readonly better?: 'less' | 'more';
  /** Why a target does not apply or is missed here, or what was counted, in a few words. */
  readonly note?: string;
}

export type Verdict = 'goal met' | 'met' | 'missed' | 'missed, too noisy to count' | '';

/** A figure as it is kept: without its samples. */
export interface Line {
  readonly what: string;
  readonly unit: string;
  readonly kind: Kind;
  readonly median: number;
  /** As a share of the median. */
  readonly spread?: number;
  readonly samples: number;
  readonly against?: string;
  readonly ratio?: number;
  readonly better: 'less' | 'more';
  readonly must?: number;
  readonly goal?: number;
  readonly verdict: Verdict;
  readonly noisy: boolean;
  readonly note?: string;
}

/** A spread from which on a figure counts as too noisy. */
const WIDEST: Readonly<Record<Kind, number>> = { wall: 0.3, cpu: 0.3, memory: 0.1, count: Number.POSITIVE_INFINITY };
/** Share of the machine's processors that others may take while wall times are measured. */
export const OTHERS_MOST = 0.15;

/** @param othersShare share of the processors that other programs took meanwhile; `undefined` where it is unknown. */
export function linesOf(figures: readonly Figure[], othersShare?: number): Line[] {
  const byName = new Map(figures.map((figure) => [figure.what, figure]));
  return figures.map((figure) => lineOf(figure, { reference: byName.get(figure.against ?? ''), othersShare }));
}

interface Circumstances {
  readonly reference: Figure | undefined;
  readonly othersShare: number | undefined;
}

function lineOf(figure: Figure, { reference, othersShare }: Circumstances): Line {
  const { what, unit, samples, against, must, goal, note, better = 'less' } = figure;
  if (against !== undefined && reference === undefined)
    throw new Error(`${what} is against ${against}: no such figure`);
  const kind = figure.kind ?? kindOf(unit);
  const [middle, width] = [median(samples), spread(samples)];
  const ratio = reference === undefined ? undefined : middle / median(reference.samples);
  // A ratio is as noisy as the noisier of the two.
  const noisy = isNoisy(figure, othersShare) || (reference !== undefined && isNoisy(reference, othersShare));
  return {
    ...{ what, unit, kind, median: middle, samples: samples.length, better, noisy },
    ...(width === undefined ? {} : { spread: width }),
    ...(ratio === undefined ? {} : { against: against ?? '', ratio }),
    ...(must === undefined ? {} : { must }),
    ...(goal === undefined ? {} : { goal }),
    ...(note === undefined ? {} : { note }),
    verdict: verdictOn(ratio ?? middle, { must, goal, better, noisy }),
  };
}

function isNoisy({ unit, kind = kindOf(unit), samples }: Figure, othersShare = 0): boolean {
  return (spread(samples) ?? 0) > WIDEST[kind] || (kind === 'wall' && othersShare > OTHERS_MOST);
}

interface Target {
  readonly must: number | undefined;
  readonly goal: number | undefined;
  readonly better: 'less' | 'more';
  readonly noisy: boolean;
}

function verdictOn(value: number, { must, goal, better, noisy }: Target): Verdict {
  const reaches = (bar: number | undefined) => bar !== undefined && (better === 'less' ? value <= bar : value >= bar);
  if (reaches(goal)) return 'goal met';
  if (must === undefined) return '';
  if (reaches(must)) return 'met';
  return noisy ? 'missed, too noisy to count' : 'missed';
}

function kindOf(unit: string): Kind {
  if (['ms', 'µs', 's'].includes(unit)) return 'wall';
  return unit === 'MB' ? 'memory' : 'count';
}
