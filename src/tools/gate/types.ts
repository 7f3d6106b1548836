import type { Told } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Redactor } from '../../base/redact.ts';
import type { Decision, Turn, TurnContext } from '../../base/turn.ts';
import type { Tool } from '../tool.ts';
import type { ApprovalRules } from './approvals.ts';
import type { EffectLedger } from './effect-ledger.ts';
import type { Labels } from './labels.ts';
import type { OncePerReply } from './once-per-reply.ts';
import type { Origins } from './origins.ts';
import type { Proposal, Proposals } from './proposals.ts';
import type { RepetitionGuard } from './repetition.ts';
import type { Visits } from './visits.ts';

/** A decision, and the proposal that a call became when nobody could decide. */
export type Decided = Decision & { readonly proposal?: Proposal };

/** A no, and what the model reads about it. */
export interface Refusal {
  readonly granted: false;
  readonly by: string;
  readonly reason: string;
  /** The same as data, for whoever tells the person. */
  readonly told: Told;
}

/** What was asked and answered in one turn. Every script of the turn calls with a scope of its own but shares this. */
interface TurnApprovals {
  /** Tool and destination pairs allowed for the rest of the turn. */
  readonly allowed: Set<string>;
  /** Refused calls, by hash: repeated prompts cannot wear the person down. */
  readonly refused: Map<string, Refusal>;
  /** Calls that wait for the owner, since nobody could be asked. */
  readonly proposed: Map<string, Proposal>;
  /** Questions not answered yet, by hash: an identical call waits for the same answer. */
  readonly open: Map<string, Promise<Decided>>;
  /** Ends with the last question: a person reads one at a time. */
  queue: Promise<unknown>;
}

/** What one turn brings along to every call it makes. */
export interface CallScope {
  readonly turn: Turn;
  readonly context: TurnContext;
  readonly labels: Labels;
  readonly ledger: EffectLedger;
  /** What the person said in this conversation, oldest first. */
  readonly said: readonly string[];
  /** Addresses from search results; grows while the turn runs. Those in `said` count as well. */
  readonly destinations: Set<string>;
  /** Visits to the addresses of searches. */
  readonly visits: Visits;
  readonly approvals: TurnApprovals;
  readonly repetition: RepetitionGuard;
  /** The effects of the model's latest reply. Absent where no model asks: every call then acts. */
  readonly reply?: OncePerReply | undefined;
  /** Where the one call comes from that is made here, as it has waited for approval. */
  readonly proposed?: { readonly turnId: string; readonly at: Date } | undefined;
  /** Calls of this turn that have waited for the owner: made again, they give what they came to. */
  readonly decided?: readonly Proposal[] | undefined;
  /** The channel a scheduled job reports to. */
  readonly jobChannel?: string | undefined;
  /** The turn's own text is untrusted (a job made while such text was read): its addresses are not the person's. */
  readonly bornUntrusted?: boolean | undefined;
  /** Identifies the script that calls: an object that its calls alone share. Absent for a tool-calling model. */
  readonly script?: object | undefined;
  /** How much of the model's window is left for one result, in characters; absent: nobody knows. */
  readonly room?: (() => number) | undefined;
  /** End the turn, because it makes no progress. */
  readonly halt?: ((reason: string) => void) | undefined;
}

/** One call of a turn, from the moment it was asked for. */
export interface NumberedScope extends CallScope {
  /** Ties the events of one call together. */
  readonly callId: string;
}

/** One call whose input is valid. */
export interface Call {
  readonly tool: Tool;
  readonly input: unknown;
  readonly scope: NumberedScope;
}

/** Why a call gave no result; `lost`: it may have acted, and nobody knows. */
export type FailureReason =
  | 'unknown_tool'
  | 'invalid_input'
  | 'denied'
  | 'timeout'
  | 'aborted'
  | 'failed'
  | 'lost'
  | 'repeated';

/** What a call came to. `text` and `error` are what a model reads; `value` and `told` are the same as data. */
export type ToolResult =
  | {
      readonly ok: true;
      readonly value: unknown;
      readonly text: string;
      readonly cached: boolean;
      /** What kind of result it is; `ok` where the tool has only one. */
      readonly told: Told;
      /** What is known beside it, such as its citation; part of `text` already. */
      readonly beside?: string;
      /** It holds nothing that an answer has to know: see `ToolPresentation`. */
      readonly unremarkable?: true;
    }
  | {
      readonly ok: false;
      readonly error: string;
      readonly reason: FailureReason;
      /** Of a code without a sentence of its own, `values.message` says it, without advice for models. */
      readonly told: Told;
      /** No other attempt of this turn can succeed. */
      readonly final?: true;
      /** It lacks a time that only the person can tell. */
      readonly unclear?: true;
    };

/** A call as others may observe it: a copy without secrets, which changes nothing. */
export interface ObservedCall {
  readonly tool: string;
  readonly input: unknown;
}

export interface ObservedResult extends ObservedCall {
  readonly ok: boolean;
  /** The beginning of the result or of the reason why there is none. */
  readonly preview: string;
  readonly ms: number;
}

/** Is told of every call; nobody waits for it. */
export interface CallObserver {
  observeCall(call: ObservedCall): void;
  observeResult(result: ObservedResult): void;
}

export interface ToolboxDeps {
  readonly observer?: CallObserver | undefined;
  readonly tools: readonly Tool[];
  /** Tools that come and go while the program runs; the same list as long as it has not changed. Taken names lose. */
  readonly more?: (() => readonly Tool[]) | undefined;
  readonly rules: ApprovalRules;
  /** Absent: whatever another call may have written counts as untrusted when it is read back. */
  readonly origins?: Origins | undefined;
  /** Where calls wait that nobody could be asked about; absent: they are refused. */
  readonly proposals?: Proposals | undefined;
  /** Whether nothing of a project may leave this machine; absent: there is no such project. */
  readonly isLocalOnly?: ((project: string) => boolean) | undefined;
  readonly redactor: Redactor;
  readonly log: Log;
  /** Longest text of a result that a model sees at once, in characters. */
  readonly maxResultChars: number;
}
