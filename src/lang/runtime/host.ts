import type { TurnWishes } from '../../agent/types.ts';
import type { Redactor } from '../../base/redact.ts';
import type { Answer, ApprovalRequest, Decision, Mode, Turn, TurnContext, TurnEvent } from '../../base/turn.ts';
import type { Models } from '../../models/types.ts';
import type { AnswerCache } from './cache.ts';
import type { Costs } from './costs.ts';
import type { Tape } from './tape.ts';

/** What AI calls run on: the models and the agent of one assistant, and what belongs to the caller. */
export interface AiHost {
  readonly models: Pick<Models, 'pick'>;
  readonly redactor: Pick<Redactor, 'redact'>;
  runTurn(turn: Turn, context: TurnContext, wishes?: TurnWishes): Promise<Answer>;
  readonly project: string;
  readonly mode: Mode;
  readonly origin: Turn['origin'];
  readonly timeZone: string;
  now(): Date;
  /** Aborts every call. */
  readonly signal: AbortSignal;
  /** Gets the events of agents' turns. */
  show?(event: TurnEvent): void;
  /** Answers the policy's questions; absent: there is nobody to ask. */
  approve?(request: ApprovalRequest): Promise<Decision>;
  readonly costs: Costs;
  /** Absent: nothing is cached. */
  readonly cache?: AnswerCache | undefined;
  /** Records answers, or plays recorded ones. */
  readonly tape?: Tape | undefined;
  /** Gets each warning, such as that of a context that was cut. */
  warn?(text: string): void;
}
