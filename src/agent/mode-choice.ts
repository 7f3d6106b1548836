import type { Mode } from '../base/turn.ts';

/** How a model did with tasks in one mode (`wooster eval`). */
export interface Tried {
  readonly mode: Mode;
  readonly runs: number;
  readonly ok: number;
  /** Of all runs. */
  readonly tokens: number;
}

/** How its scripts went in everyday use (`wooster usage --modes`). */
export interface ScriptUse {
  readonly turns: number;
  readonly replies: number;
  readonly cleanReplies: number;
  readonly fallbacks: number;
}

/** The mode in which a model starts, and why. */
export interface ModeChoice {
  readonly mode: Mode;
  readonly why: string;
}

/** Fewer runs or replies are chance. */
const ENOUGH_RUNS = 5;
const ENOUGH_REPLIES = 20;
const MIN_CLEAN = 0.9;
const MAX_FALLBACKS = 0.05;

/** The mode that works for a model: by tasks where both modes were tried, else by its scripts so far. */
export function chooseMode(tried: readonly Tried[], scripts: ScriptUse | undefined): ModeChoice {
  const enough = tried.filter(({ runs }) => runs >= ENOUGH_RUNS);
  const [best, other] = enough.toSorted((a, b) => share(b) - share(a) || a.tokens / a.runs - b.tokens / b.runs);
  if (best && other) {
    const done = ({ ok, runs }: Tried) => `${ok} of ${runs} tasks`;
    return { mode: best.mode, why: `it did ${done(best)}, and ${done(other)} in ${other.mode}` };
  }
  if (!scripts || scripts.replies < ENOUGH_REPLIES) {
    return { mode: 'classic_tools', why: 'too little is known of its scripts; "wooster eval" tries both modes' };
  }
  const { turns, replies, cleanReplies, fallbacks } = scripts;
  const isGood = cleanReplies / replies >= MIN_CLEAN && fallbacks / Math.max(1, turns) <= MAX_FALLBACKS;
  const seen = `${cleanReplies} of ${replies} scripts came as asked, ${fallbacks} of ${turns} turns fell back`;
  return { mode: isGood ? 'code_agent' : 'classic_tools', why: seen };
}

function share({ ok, runs }: Tried): number {
  return ok / runs;
}
