import { type ApprovalRequest, type Decision, NOBODY_TO_ASK, type Turn, type TurnEvent } from '../base/turn.ts';
import type { Conversations } from '../conversation/conversations.ts';
import type { EffectRow } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { turnOf } from '../tools/gate/decided-calls.ts';
import { EffectLedger } from '../tools/gate/effect-ledger.ts';
import type { Claim, Proposal, Proposals } from '../tools/gate/proposals.ts';
import type { Toolbox } from '../tools/gate/toolbox.ts';
import { startTurnState } from '../tools/gate/turn-state.ts';
import type { CallScope, ToolResult } from '../tools/gate/types.ts';
import type { Tool } from '../tools/tool.ts';

export interface ApprovedCallsDeps {
  readonly store: Store;
  readonly proposals: Proposals;
  readonly conversations: Pick<Conversations, 'labels' | 'said'>;
  toolbox(): Toolbox;
  readonly now: () => Date;
  readonly timeZone: string;
}

/** Who approves a proposal, and how long they wait for the call to finish. */
export interface Approver {
  readonly by: string;
  readonly signal: AbortSignal;
  /** Decides about a call that is not what was proposed any more; absent: that one waits as a proposal of its own. */
  readonly decide?: ((request: ApprovalRequest) => Promise<Decision>) | undefined;
}

/**
 * What an approval came to. `ran`: now; `busy`: another program is at it; `changed`: what it would do now is not what
 * was approved, so it was not done.
 */
export interface Approved {
  /** For `changed`: the new one, which waits in its place. */
  readonly proposal: Proposal;
  readonly outcome: 'ran' | 'missing' | 'changed' | Exclude<Claim, 'mine'>;
  /** The call's result, or why it has none. */
  readonly text: string;
}

/** Longer than any call takes, so that only the lease of a machine that is gone runs out. */
const GRACE_MS = 60_000;

/** Runs proposals, each at most once and exactly as it was stored, through the same gate as every other call. */
export class ApprovedCalls {
  readonly #deps: ApprovedCallsDeps;

  constructor(deps: ApprovedCallsDeps) {
    this.#deps = deps;
  }

  /** @throws AssistantError `bad_usage` when there is no such proposal. */
  async approve(id: string, approver: Approver): Promise<Approved> {
    const { proposals, toolbox } = this.#deps;
    const proposal = await proposals.get(id);
    const tool = toolbox().find(proposal.tool);
    if (!tool) return { proposal, outcome: 'missing', text: `${proposal.tool} is not there now; is its plugin on?` };
    const claim = await proposals.claim(id, { by: approver.by, withinMs: tool.timeoutMs + GRACE_MS });
    if (claim !== 'mine') return { proposal: await proposals.get(id), outcome: claim, text: proposal.result ?? '' };
    const { result, state, fresh } = await this.#run(proposal, tool, approver);
    const text = result.ok ? result.text : result.error;
    await proposals.finish(id, state, text, result.ok ? { value: result.value } : {});
    if (fresh) return { proposal: fresh, outcome: 'changed', text };
    return { proposal: { ...proposal, state }, outcome: outcomeOf(state), text };
  }

  /** The call runs in its conversation but in a turn of its own. */
  async #run(proposal: Proposal, tool: Tool, approver: Approver) {
    const { conversationId, project, mode, input } = proposal;
    const turn: Turn = { id: turnOf(proposal), conversationId, text: '', origin: 'cli', mode, project };
    const scope = await this.#scope(turn, proposal, approver);
    // After a kill: what it writes does not depend on how far it got.
    if (tool.provenance.replaces) await scope.ledger.takeBack(tool, input);
    const result = await this.#deps.toolbox().call(tool.name, input, scope);
    const [fresh] = scope.approvals.proposed.values();
    return { result, state: stateAfter(result, await scope.ledger.list()), fresh };
  }

  async #scope(
    turn: Turn,
    { hash, turnId, createdAt }: Proposal,
    { by, signal, decide }: Approver,
  ): Promise<CallScope> {
    const { store, conversations, now, timeZone } = this.#deps;
    return {
      turn,
      context: {
        signal,
        now,
        timeZone,
        show: (_event: TurnEvent) => {},
        // Only what was shown is approved.
        approve: async (request) =>
          request.hash === hash ? { verdict: 'once', by } : ((await decide?.(request)) ?? NOBODY_TO_ASK),
      },
      labels: await conversations.labels(turn.conversationId),
      ledger: new EffectLedger({ store, turn, now }),
      said: await conversations.said(turn.conversationId, turnId),
      proposed: { turnId, at: new Date(createdAt) },
      ...startTurnState(),
    };
  }
}

/** @param effects what the ledger knows of the call: an intent without an outcome may have acted. */
function stateAfter(result: ToolResult, effects: readonly EffectRow[]): 'done' | 'failed' | 'unknown' | 'waiting' {
  if (result.ok) return 'done';
  if (effects.some(({ state }) => state === 'intent')) return 'unknown';
  return result.reason === 'aborted' || result.reason === 'timeout' ? 'waiting' : 'failed';
}

/** A call that was stopped before it acted becomes pending again. */
function outcomeOf(state: ReturnType<typeof stateAfter>): Approved['outcome'] {
  if (state === 'done') return 'ran';
  return state === 'waiting' ? 'busy' : state;
}
