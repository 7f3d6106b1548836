import { newId } from '../base/ids.ts';
import type { Redactor } from '../base/redact.ts';
import { ONLY_TRIED, type Turn } from '../base/turn.ts';
import type { Sandbox } from '../sandbox/contract.ts';
import type { ScriptExtensions } from '../sandbox/script-extensions.ts';
import type { ConditionResult, ScheduledJob } from '../scheduler/types.ts';
import type { Store } from '../store/store.ts';
import { EffectLedger } from '../tools/gate/effect-ledger.ts';
import { CLEAN, Labels } from '../tools/gate/labels.ts';
import type { Toolbox } from '../tools/gate/toolbox.ts';
import { startTurnState } from '../tools/gate/turn-state.ts';
import type { CallScope } from '../tools/gate/types.ts';
import { World } from './code/world.ts';

export interface ConditionDeps {
  /** The tools of the moment; those with effects are left out. */
  toolbox(): Toolbox;
  readonly sandbox: Sandbox;
  readonly registry: ScriptExtensions;
  readonly redactor: Redactor;
  readonly store: Store;
  readonly memoryLimitMb: number;
  readonly now: () => Date;
  readonly timeZone: string;
}

/** Beside the values of a job's memory: some of them may come from others. No script sees it. */
const UNTRUSTED = '(untrusted)';

/** How much of a condition's value is added to the job's request. */
const MAX_TEXT_CHARS = 4000;

/**
 * Run a job's condition: a script with read-only tools and no model. Its value decides whether the job's turn runs.
 * Nothing, `false`, `''`, `0` and an empty list mean no; `{ wake, text }` says it in full; anything else means yes, and
 * becomes the text.
 *
 * @throws Error when the script fails.
 */
export async function checkCondition(
  deps: ConditionDeps,
  job: ScheduledJob,
  signal: AbortSignal,
): Promise<ConditionResult> {
  const scope = scopeOf(deps, job, signal);
  const { [UNTRUSTED]: remembered, ...initial } = job.memory;
  const memory = new Map(Object.entries(initial));
  const world = new World({
    toolbox: deps.toolbox().only((tool) => tool.policy.effect === 'none'),
    scope,
    pick: () => Promise.reject(new Error('a condition cannot ask a model')),
    registry: deps.registry,
    redactor: deps.redactor,
  });
  const source = job.options.condition ?? '';
  const given = await deps.sandbox.run(source, {
    ...world.options(signal, source),
    memory: { initial, set: (key, value) => void memory.set(key, value) },
    limits: { memoryMb: deps.memoryLimitMb },
  });
  const result = world.clean(given);
  if (result.failed) {
    const { message, line } = result.failed;
    throw new Error(`its condition failed: ${message}${line === undefined ? '' : ` (line ${line})`}`);
  }
  // What it stored may come from what it read, also when the next check reads nothing.
  const untrusted = scope.labels.untrusted || (remembered === true && memory.size > 0);
  const kept = { ...Object.fromEntries(memory), ...(untrusted && memory.size > 0 ? { [UNTRUSTED]: true } : {}) };
  return { ...readValue(result.value), untrusted, memory: kept };
}

function readValue(value: unknown): Pick<ConditionResult, 'wake' | 'text'> {
  const full = value as { wake?: unknown; text?: unknown } | null | undefined;
  if (typeof full === 'object' && full !== null && 'wake' in full) {
    return { wake: Boolean(full.wake), text: textOf(full.text) };
  }
  const empty = !value || (Array.isArray(value) && value.length === 0);
  return { wake: !empty, text: empty || value === true ? '' : textOf(value) };
}

function textOf(value: unknown): string {
  if (value === undefined || value === null || value === false) return '';
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, MAX_TEXT_CHARS);
}

function scopeOf({ store, now, timeZone }: ConditionDeps, job: ScheduledJob, signal: AbortSignal): CallScope {
  const turn: Turn = {
    id: newId('turn', now()),
    conversationId: `condition_${job.id}`,
    text: '',
    origin: 'schedule',
    mode: 'code_agent',
    project: job.project,
  };
  const approve = async () => ONLY_TRIED;
  return {
    turn,
    context: { signal, now, timeZone, show: () => {}, approve },
    labels: new Labels({ ...CLEAN, untrusted: job.untrusted }),
    ledger: new EffectLedger({ store, turn, now }),
    said: [],
    ...startTurnState(),
    bornUntrusted: job.untrusted,
  };
}
