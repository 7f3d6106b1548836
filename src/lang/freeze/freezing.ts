import type { JobTurns } from '../../agent/job-turns.ts';
import { AssistantError, messageOf } from '../../base/errors.ts';
import { canonicalJson, sha256 } from '../../base/json.ts';
import type { ModelControl } from '../../models/types.ts';
import type { TurnCost } from '../../models/usage-table.ts';
import type { Scheduler } from '../../scheduler/contract.ts';
import { pinOf } from '../../scheduler/job-edits.ts';
import type { ScheduledJob } from '../../scheduler/types.ts';
import type { Toolbox } from '../../tools/gate/toolbox.ts';
import { toSchema } from '../../tools/signature.ts';
import type { Tool } from '../../tools/tool.ts';
import { type LoadedProgram, loadSource } from '../programs/load-program.ts';
import { type Draft, draftProgram } from '../save/draft.ts';
import { aboutLines, rehearse } from '../save/proposed.ts';
import { type RecordedTurn, recordedTurn } from '../save/recorded-turn.ts';
import type { Saving } from '../save/save-tool.ts';
import { neverFrozen, readEvidence } from './evidence.ts';
import type { Frozen } from './frozen-table.ts';
import { type Replayed, readsIn, replay } from './replay.ts';
import { isHandedOn, type Read, seenIn } from './seen.ts';
import { type Direction, varied } from './vary.ts';

export interface FreezingParts extends Omit<Saving, 'hasModel' | 'models'> {
  readonly models: Saving['models'] & Pick<ModelControl, 'costOf'>;
  readonly timeZone: string;
  readonly scheduler: () => Pick<Scheduler, 'show' | 'ids'>;
  readonly jobs: Pick<JobTurns, 'rehearse'>;
}

/** A program that does what some runs of a job did. */
export interface Explained {
  readonly draft: Draft;
  readonly program: LoadedProgram;
  /** How it went on the record of each. */
  readonly replays: readonly Replayed[];
}

/** A job that can be frozen. */
export interface Offer extends Explained {
  readonly turns: readonly RecordedTurn[];
  readonly perRun: TurnCost;
}

/** What the owner agrees to. */
export interface Proposal {
  readonly frozen: Frozen;
  /** For the owner, line by line. */
  readonly lines: readonly string[];
}

interface Looking {
  readonly signal: AbortSignal;
  /** Older runs do not count. */
  readonly since: Date | undefined;
}

/** Runs that are looked at, of which some may have been skipped. */
const LOOKED_AT = 30;

/** Finds the program in the runs of a job, and tries it. */
export class Freezing {
  readonly #parts: FreezingParts;

  constructor(parts: FreezingParts) {
    this.#parts = parts;
  }

  /** Whether the last runs of a job went the same way, or why not. Asks no model. */
  async offer(id: string, { signal, since }: Looking): Promise<Offer | { readonly not: string }> {
    const { job, history } = await this.#parts.scheduler().show(id, LOOKED_AT);
    const never = neverFrozen(job);
    if (never !== undefined) return { not: never };
    const callable = await this.#callable(job);
    const evidence = await readEvidence(job, history, { ...this.#reader(), callable: new Set(callable), since });
    if ('not' in evidence) return evidence;
    const explained = await this.#explain(job, evidence.turns, signal);
    return 'not' in explained ? explained : { ...explained, ...evidence };
  }

  /**
   * Try it: a model does the job on other values, with its effects withheld, and the program has to do the same; then
   * the program alone, as things are now.
   *
   * @throws AssistantError `bad_usage` with why the job cannot be frozen.
   */
  async propose(id: string, { signal, since }: Looking): Promise<Proposal> {
    const offer = await this.offer(id, { signal, since });
    if ('not' in offer) throw cannot(id, offer.not);
    const { job } = await this.#parts.scheduler().show(id, 1);
    const shadows = await this.#shadows(job, offer, signal);
    const explained = await this.#explain(job, [...offer.turns, ...shadows], signal);
    if ('not' in explained)
      throw cannot(id, `a model did it otherwise when it was given other values: ${explained.not}`);
    const { draft, program, replays } = explained;
    const asking = { project: job.project, mode: 'classic_tools' } as const;
    const { calls, problem } = await rehearse(this.#parts, program, { signal, asking });
    if (problem !== undefined) throw cannot(id, `its program does not run as things are now: ${problem}`);
    const frozen: Frozen = {
      source: draft.source,
      basis: basisOf(job),
      tools: Object.fromEntries(draft.tools.map((tool) => [tool.name, declarationOf(tool)])),
      allowed: { tools: draft.tools.map(({ name }) => name), destinations: [...pinOf({ calls }).destinations] },
      mostEffects: Math.max(...replays.map(({ effects }) => effects)),
      seen: seenIn(replays),
      perRun: offer.perRun,
    };
    return { frozen, lines: proposalLines({ draft, turns: offer.turns, shadows, frozen }) };
  }

  /** The program of a frozen job. */
  async load(
    job: Pick<ScheduledJob, 'id' | 'project'>,
    source: string,
  ): Promise<LoadedProgram | { readonly why: string }> {
    return loadSource(source, `${job.id}.tl`, await this.#callable(job));
  }

  /** Whether a run by a model went as the program would have; undefined: it did. */
  async differs(
    program: LoadedProgram,
    run: { conversationId: string; turnId: string },
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const turn = await recordedTurn(this.#reader(), run.conversationId, run.turnId);
    return (await replay(program, turn, { ...this.#replaying(), signal })).differs ?? turn.left[0];
  }

  /** What has changed about a job or its tools since it was frozen. */
  changed(job: ScheduledJob, { basis, tools }: Frozen): string | undefined {
    if (basis !== basisOf(job)) return 'the job was changed';
    const toolbox = this.#parts.toolbox();
    const other = Object.keys(tools).find((name) => {
      const tool = toolbox.find(name);
      return !tool || declarationOf(tool) !== tools[name];
    });
    return other && `the tool ${other} is not what it was`;
  }

  #reader() {
    const { archive, traceDir, models, toolbox } = this.#parts;
    return { archive, traceDir, models, toolbox: toolbox() };
  }

  #replaying() {
    const { programs, timeZone, toolbox } = this.#parts;
    return { sandbox: programs.deps.sandbox, timeZone, toolbox: toolbox() };
  }

  #callable({ project }: Pick<ScheduledJob, 'project'>): Promise<readonly string[]> {
    return this.#parts.programs.names({ toolbox: this.#parts.toolbox(), project });
  }

  /** The one program, drafted from any of these runs, that does what all of them did. */
  async #explain(
    job: ScheduledJob,
    turns: readonly RecordedTurn[],
    signal: AbortSignal,
  ): Promise<Explained | { readonly not: string }> {
    const callable = await this.#callable(job);
    const tried = new Set<string>();
    let not: string | undefined;
    // Words that vary for no reason that the program knows are asked for.
    for (const asksAnswer of [false, true])
      for (const turn of turns) {
        const draft = drafted(turn, { name: job.id, callable, timeZone: this.#parts.timeZone, asksAnswer });
        if ('not' in draft) return draft;
        if (tried.has(draft.source)) continue;
        tried.add(draft.source);
        const explained = await this.#tried(job, draft, turns, signal);
        if (!('not' in explained)) return explained;
        not ??= explained.not;
      }
    return { not: not ?? 'its runs differ' };
  }

  async #tried(
    job: ScheduledJob,
    draft: Draft,
    turns: readonly RecordedTurn[],
    signal: AbortSignal,
  ): Promise<Explained | { readonly not: string }> {
    const program = await this.load(job, draft.source);
    if ('why' in program) return { not: program.why };
    const replays: Replayed[] = [];
    for (const turn of turns) {
      const replayed = await replay(program, turn, { ...this.#replaying(), signal });
      if (replayed.differs !== undefined) return { not: replayed.differs };
      if (replayed.answersOtherwise) return { not: 'its answers differ' };
      replays.push(replayed);
    }
    return { draft, program, replays };
  }

  /** What a model does where values that were handed on are others. */
  async #shadows(job: ScheduledJob, { turns, replays }: Offer, signal: AbortSignal): Promise<readonly RecordedTurn[]> {
    const seen = seenIn(replays);
    const reads = readsIn(turns[0]?.calls ?? []);
    const may = (read: Read, path: string) => isHandedOn(seen, read, path);
    const others = (['up', 'down'] satisfies Direction[]).map((direction) => varied(reads, may, direction));
    if (canonicalJson(others[0]) === canonicalJson(reads)) return [];
    const shadows: RecordedTurn[] = [];
    for (const given of others) {
      const { outcome } = await this.#parts.jobs.rehearse(job, signal, giving(given));
      const { conversationId = '', turnId = '' } = outcome;
      const turn = await recordedTurn(this.#reader(), conversationId, turnId);
      const problem = outcome.error ?? turn.left[0];
      if (problem !== undefined) throw cannot(job.id, `a model could not do it with other values: ${problem}`);
      shadows.push(turn);
    }
    return shadows;
  }
}

/** Tools that read give these results, one after the other, and reach nothing. */
function giving(reads: readonly Read[]): (toolbox: Toolbox) => Toolbox {
  const left = new Map([...Map.groupBy(reads, ({ tool }) => tool)].map(([tool, own]) => [tool, [...own]]));
  return (toolbox) =>
    toolbox.map((tool) => {
      if (tool.policy.effect !== 'none') return tool;
      const execute = async () => {
        const read = left.get(tool.name)?.shift();
        if (!read) throw new Error('This is a trial with results of an earlier run, which has none for this call.');
        return read.value;
      };
      return { ...tool, output: undefined, policy: { effect: 'none' as const, network: false }, execute };
    });
}

function drafted(
  turn: RecordedTurn,
  options: { name: string; callable: readonly string[]; timeZone: string; asksAnswer: boolean },
): Draft | { readonly not: string } {
  try {
    return draftProgram(turn, { ...options, hasModel: true, readsAll: true });
  } catch (error) {
    if (error instanceof AssistantError && error.code === 'bad_usage') return { not: messageOf(error) };
    throw error;
  }
}

/** What a job is, apart from when it runs and how often it is tried. */
function basisOf({ prompt, project, timeZone, restricted, pin, options }: ScheduledJob): string {
  const { to, mode, tools, material, profile, budgetUsd } = options;
  return sha256(
    canonicalJson([prompt, project, timeZone, restricted, { pin, to, mode, tools, material, profile, budgetUsd }]),
  );
}

/** All that a tool declares, as far as it is data. */
function declarationOf({ name, functionName, positional, description, input, output, policy, origin }: Tool): string {
  const types = [toSchema(input, 'input'), output ? toSchema(output, 'output') : null];
  const { effect, network } = policy;
  return sha256(
    canonicalJson([name, functionName, positional, description, types, effect, network ?? null, origin ?? null]),
  );
}

function proposalLines({
  draft,
  turns,
  shadows,
  frozen: { allowed, mostEffects },
}: {
  readonly draft: Draft;
  readonly turns: readonly RecordedTurn[];
  readonly shadows: readonly RecordedTurn[];
  readonly frozen: Frozen;
}): readonly string[] {
  const [turn] = turns;
  return [
    `${turns.length} runs went the same way. This would run instead of a model:`,
    ...(turn ? aboutLines(draft, turn) : []),
    ...(allowed.destinations.length > 0 ? [`  to nobody but: ${allowed.destinations.join(', ')}`] : []),
    `  at most ${mostEffects} calls that act in one run`,
    shadows.length === 0
      ? '  nothing that it reads is handed on: anything new goes to the model'
      : `  tried ${shadows.length} times with other values: a model did the same as the program`,
    ...draft.source.trimEnd().replace(/^/gmu, '+ ').split('\n'),
  ];
}

function cannot(id: string, why: string): AssistantError {
  return new AssistantError('bad_usage', `${id} cannot be frozen: ${why}.`.replace(/\.\.$/u, '.'), {
    hint: '`wooster schedule show` says when a job can be.',
  });
}
