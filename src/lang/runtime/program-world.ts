import type { JobContext, TurnToolsRun, TurnWishes } from '../../agent/types.ts';
import { newId } from '../../base/ids.ts';
import type { Redactor } from '../../base/redact.ts';
import {
  type Answer,
  type ApprovalRequest,
  type Decision,
  type Mode,
  NOBODY_TO_ASK,
  type Provenance,
  type Turn,
  type TurnContext,
  type TurnEvent,
} from '../../base/turn.ts';
import { Conversations } from '../../conversation/conversations.ts';
import type { Models } from '../../models/types.ts';
import type { Store } from '../../store/store.ts';
import { EffectLedger } from '../../tools/gate/effect-ledger.ts';
import { CLEAN } from '../../tools/gate/labels.ts';
import { ownWords } from '../../tools/gate/own-words.ts';
import type { Toolbox } from '../../tools/gate/toolbox.ts';
import { startTurnState } from '../../tools/gate/turn-state.ts';
import type { CallScope } from '../../tools/gate/types.ts';
import type { Tool } from '../../tools/tool.ts';
import { AnswerCache } from './cache.ts';
import { Costs } from './costs.ts';
import type { AiHost } from './host.ts';
import type { CallWatch, Pauses, ProgramWorld } from './program-host.ts';
import type { Tape } from './tape.ts';

/** The parts of the assistant that a program runs on. */
export interface ProgramParts {
  readonly store: Store;
  readonly toolbox: Toolbox;
  readonly models: Pick<Models, 'pick'>;
  readonly redactor: Pick<Redactor, 'redact'>;
  readonly runTurn: AiHost['runTurn'];
  readonly timeZone: string;
  /** The owner's programs as tools. @param within the paths of the programs that are running. */
  programs?(run: TurnToolsRun, within: readonly string[]): Promise<readonly Tool[]>;
}

export interface ProgramRun {
  /** The path of the file, for the run history. */
  readonly file: string;
  /** The program's text: URLs in it count as the owner's. */
  readonly source: string;
  readonly project: string;
  readonly mode: Mode;
  readonly signal: AbortSignal;
  approve?(request: ApprovalRequest): Promise<Decision>;
  print(text: string): void;
  warn(text: string): void;
  /** Records answers, or plays recorded ones. */
  readonly tape?: Tape | undefined;
  /** The turn that the program is part of; absent: its run is a turn of its own. */
  readonly scope?: CallScope;
  /** The job that the turn is for. */
  readonly job?: JobContext | undefined;
  readonly pauses?: Pauses | undefined;
  readonly watch?: CallWatch | undefined;
  /** The paths of the programs that are running, this one last. */
  readonly within?: readonly string[];
  /** Gets the events of the program's agents. */
  show?(event: TurnEvent): void;
}

/** A program's run is a turn in the history; so is each of its agents. */
export class ProgramWorldOf implements ProgramWorld {
  readonly ai: AiHost;
  readonly costs = new Costs();
  readonly toolbox: Toolbox;
  readonly pauses: Pauses | undefined;
  readonly watch: CallWatch | undefined;
  readonly #parts: ProgramParts;
  readonly #run: ProgramRun;
  readonly #conversations: Conversations;
  readonly #turn: Turn;
  #scope: Promise<CallScope> | undefined;
  #withPrograms: Promise<Toolbox> | undefined;

  constructor(parts: ProgramParts, run: ProgramRun) {
    const { project, mode, signal } = run;
    this.#parts = parts;
    this.#run = run;
    this.toolbox = parts.toolbox;
    this.pauses = run.pauses;
    this.watch = run.watch;
    this.#conversations = new Conversations(parts.store);
    const text = `(program ${run.file})`;
    this.#turn = { id: newId('turn'), conversationId: newId('conv'), text, origin: 'program', mode, project };
    this.ai = {
      models: parts.models,
      tape: run.tape,
      redactor: parts.redactor,
      runTurn: (given, context, wishes) => this.#runAgent(given, context, wishes),
      ...{ project, mode, signal, origin: 'program', timeZone: parts.timeZone },
      now: () => new Date(),
      // Starting a program approves its tools; calls that send something outside are still asked about.
      approve: (request) => run.approve?.(request) ?? Promise.resolve(NOBODY_TO_ASK),
      ...(run.show ? { show: (event: TurnEvent) => run.show?.(event) } : {}),
      costs: this.costs,
      cache: process.env.THINKLANG_CACHE === 'false' ? undefined : new AnswerCache(),
      warn: (warning) => run.warn(warning),
    };
  }

  print(text: string): void {
    this.#run.print(text);
  }

  warn(text: string): void {
    this.#run.warn(text);
  }

  /** The program's turn begins with its first call of a tool. */
  scope(): Promise<CallScope> {
    this.#scope ??= this.#run.scope ? Promise.resolve(this.#run.scope) : this.#open();
    return this.#scope;
  }

  /** The assistant's tools and the owner's programs: one program may call another. */
  withPrograms(): Promise<Toolbox> {
    this.#withPrograms ??= this.#addPrograms();
    return this.#withPrograms;
  }

  async #addPrograms(): Promise<Toolbox> {
    const { toolbox, models, programs } = this.#parts;
    if (!programs) return toolbox;
    const { project, mode, job, within = [] } = this.#run;
    const scope = await this.scope();
    const { turn, context } = scope;
    const pick: TurnToolsRun['pick'] = (profile, more) =>
      models.pick({ project, mode, profile, purpose: 'turn', signal: context.signal, ...more });
    const own = await programs({ turn, context, toolbox, scope, job, pick }, within);
    const all = toolbox.with(own);
    return job?.limit?.(all) ?? all;
  }

  /** The end of the run. */
  async close(stop: 'answered' | 'failed' | 'aborted'): Promise<void> {
    if (!this.#scope || this.#run.scope) return;
    await this.#scope.catch(() => undefined);
    await this.#conversations.finish(this.#turn, { text: '', stop }, new Date());
  }

  async hasReadUntrusted(): Promise<boolean> {
    return (await this.#labels()).untrusted;
  }

  /** An agent has a conversation of its own: what the program has read counts there, and what it read counts here. */
  async #runAgent(turn: Turn, context: TurnContext, wishes: TurnWishes = {}): Promise<Answer> {
    const { runTurn } = this.#parts;
    const read = await this.#labels();
    const said = await this.#saidTo(turn.text, read);
    const answer = await runTurn(turn, context, { ...wishes, read, said, job: this.#run.job });
    const {
      untrusted,
      private: isPrivate,
      sources,
    } = (await this.#conversations.labels(turn.conversationId)).provenance();
    if (!untrusted && !isPrivate) return answer;
    const { labels } = await this.scope();
    await labels.read({ untrusted, private: isPrivate }, sources.at(-1) ?? 'an agent of the program');
    return answer;
  }

  /** The prompt of an agent may hold whatever the program has read; the program itself is the owner's. */
  async #saidTo(prompt: string, read: Provenance): Promise<readonly string[]> {
    const scope = this.#run.scope ?? (await this.#scope);
    const own = scope ? ownWords(scope) : [this.#run.source];
    return read.untrusted || scope?.bornUntrusted ? own : [...own, prompt];
  }

  async #labels(): Promise<Provenance> {
    const scope = this.#run.scope ?? (await this.#scope);
    return scope?.labels.provenance() ?? CLEAN;
  }

  async #open(): Promise<CallScope> {
    const { signal, source, approve } = this.#run;
    const { store, timeZone } = this.#parts;
    const context: TurnContext = {
      signal,
      timeZone,
      now: () => new Date(),
      show: () => {},
      approve: (request) => approve?.(request) ?? Promise.resolve(NOBODY_TO_ASK),
    };
    await this.#conversations.begin(this.#turn, context.now);
    return {
      turn: this.#turn,
      context,
      labels: await this.#conversations.labels(this.#turn.conversationId),
      ledger: new EffectLedger({ store, turn: this.#turn, now: context.now }),
      said: [source],
      ...startTurnState(),
    };
  }
}
