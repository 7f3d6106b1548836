import type { Told } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { canonicalJson, sha256 } from '../../base/json.ts';
import { type ApprovalRequest, type Decision, NOBODY_TO_ASK } from '../../base/turn.ts';
import type { ControlChange } from '../stakes.ts';
import type { Tool } from '../tool.ts';
import { refusedBy } from './approval-text.ts';
import { MAX_OF_TURN } from './proposals.ts';
import type { Decided, NumberedScope, Refusal, ToolboxDeps } from './types.ts';

type ApprovalDeskDeps = Pick<ToolboxDeps, 'rules' | 'redactor' | 'log' | 'proposals'>;

/** A call that needs approval. */
export interface PendingCall {
  readonly tool: Tool;
  readonly input: unknown;
  /** Who or what is reached, when the tool says. */
  readonly target: string | undefined;
  /** Its change to control files. */
  readonly control?: ControlChange | undefined;
  readonly reason: string;
  readonly ownerOnly?: boolean;
}

/** Whether a call may run. `by`: who decided; undefined when the policy allows it by itself. */
export type Approval = { readonly granted: true; readonly by: string | undefined } | Refusal;

/** After this time a question counts as refused. */
export const APPROVAL_EXPIRY_MS = 10 * 60_000;

const EXPIRED: Decided = { verdict: 'denied', by: 'no answer within 10 minutes' };
const RULED: Decided = { verdict: 'once', by: 'rule' };
const FULL: Decided = { verdict: 'denied', by: `Wooster, as ${MAX_OF_TURN} calls of this turn wait already` };
const WITHDRAWN: Decided = { verdict: 'denied', by: 'the end of the turn or script' };

/**
 * Asks the person for approval: once for identical calls, one question at a time, each bound to a hash of what will run
 * and open for at most ten minutes.
 */
export class ApprovalDesk {
  readonly #deps: ApprovalDeskDeps;

  constructor(deps: ApprovalDeskDeps) {
    this.#deps = deps;
  }

  async ask(call: PendingCall, scope: NumberedScope): Promise<Approval> {
    const hash = hashOf(call);
    const standing = this.#standing(call, hash, scope);
    if (standing) return standing;
    const decision = await this.#decision(call, hash, scope);
    const { verdict, by } = decision;
    if (verdict === 'denied') return scope.approvals.refused.get(hash) ?? refusal(call, decision);
    if (hashOf(call) !== hash) return this.#refuseChanged(call, hash, scope);
    return { granted: true, by: verdict === 'once' ? by : `${by} (${verdict})` };
  }

  /** An earlier answer of this turn that still applies. */
  #standing(call: PendingCall, hash: string, scope: NumberedScope): Approval | undefined {
    const refused = scope.approvals.refused.get(hash);
    if (refused !== undefined) return refused;
    if (scope.approvals.allowed.has(pairOf(call, hash))) return { granted: true, by: 'this turn' };
    return undefined;
  }

  /** One for identical calls under way: the later ones join before anything of the first has been awaited. */
  #decision(call: PendingCall, hash: string, scope: NumberedScope): Promise<Decided> {
    const { open } = scope.approvals;
    const asked = open.get(hash);
    if (asked) return asked;
    const decision = this.#decide(call, hash, scope).finally(() => open.delete(hash));
    open.set(hash, decision);
    return decision;
  }

  /** Decided by a rule, else by the person once all earlier questions are answered. */
  async #decide(call: PendingCall, hash: string, scope: NumberedScope): Promise<Decided> {
    const { tool, target } = call;
    if (await this.#deps.rules.allows(tool.name, target ?? `#${hash}`)) {
      this.#deps.log.info('approval', { tool: tool.name, to: target, ...RULED, hash });
      return RULED;
    }
    const { approvals } = scope;
    const answer = approvals.queue.then(() => this.#askPerson(call, hash, scope));
    approvals.queue = answer;
    const decision = await answer;
    await this.#remember(call, hash, { scope, decision });
    return decision;
  }

  /** Before an identical call can ask anew. */
  async #remember(
    call: PendingCall,
    hash: string,
    { scope, decision }: { scope: NumberedScope; decision: Decided },
  ): Promise<void> {
    const { verdict } = decision;
    const { refused, allowed } = scope.approvals;
    // A person whose question was withdrawn did not say no, so a later script of the turn may ask again.
    if (verdict === 'denied' && decision !== WITHDRAWN) refused.set(hash, refusal(call, decision));
    if (hashOf(call) !== hash) return;
    if (verdict === 'turn') allowed.add(pairOf(call, hash));
    if (verdict === 'always') await this.#deps.rules.allow(call.tool.name, call.target ?? `#${hash}`);
  }

  async #askPerson(call: PendingCall, hash: string, scope: NumberedScope): Promise<Decided> {
    const request = this.#request(call, hash, scope);
    const { id, tool, input, destination, provenance } = request;
    const event = { type: 'approval', id, callId: scope.callId, tool, input, destination, provenance } as const;
    scope.context.show(event);
    const answer = await firstAnswer(scope, request);
    const decision: Decided = answer.by === NOBODY_TO_ASK.by ? await this.#propose(call, hash, scope) : answer;
    const { verdict, by, proposal } = decision;
    const waits = proposal === undefined ? {} : { proposal: proposal.id };
    scope.context.show({ ...event, decision: verdict, by, ...waits });
    this.#deps.log.info('approval', { tool, to: destination, verdict, by, ...waits, hash, turn: scope.turn.id });
    return decision;
  }

  /** Nobody is there: the call waits until the owner is. */
  async #propose(call: PendingCall, hash: string, scope: NumberedScope): Promise<Decided> {
    const { proposals } = this.#deps;
    if (!proposals) return NOBODY_TO_ASK;
    const { tool, input, target, control, reason, ownerOnly } = call;
    const provenance = scope.labels.provenance();
    const what = { tool: tool.name, input, target, diff: control?.diff, reason, ownerOnly: ownerOnly === true };
    // One that takes the place of another belongs to the same turn.
    const turn = { ...scope.turn, id: scope.proposed?.turnId ?? scope.turn.id };
    const proposal = await proposals.propose({ ...what, hash, turn, provenance });
    if (!proposal) return FULL;
    if (proposal.state === 'waiting') scope.approvals.proposed.set(proposal.id, proposal);
    return { ...NOBODY_TO_ASK, proposal };
  }

  #request(call: PendingCall, hash: string, scope: NumberedScope): ApprovalRequest {
    return {
      id: newId('apr', scope.context.now()),
      tool: call.tool.name,
      input: this.#deps.redactor.redactValue(call.input),
      destination: call.target,
      diff: call.control && this.#deps.redactor.redact(call.control.diff),
      reason: call.reason,
      ...(call.ownerOnly && { ownerOnly: true }),
      provenance: scope.labels.provenance(),
      hash,
    };
  }

  #refuseChanged(call: PendingCall, hash: string, scope: NumberedScope): Approval {
    const refused = refusal(call, { verdict: 'denied', by: 'Wooster, as the call changed after you were asked' });
    scope.approvals.refused.set(hash, refused);
    return refused;
  }
}

/** The person's answer, or a no when time is up or the turn ends first. */
async function firstAnswer(scope: NumberedScope, request: ApprovalRequest): Promise<Decision> {
  const { signal } = scope.context;
  if (signal.aborted) return WITHDRAWN;
  const { promise, resolve } = Promise.withResolvers<Decision>();
  const withdraw = () => resolve(WITHDRAWN);
  const expiry = setTimeout(() => resolve(EXPIRED), APPROVAL_EXPIRY_MS);
  signal.addEventListener('abort', withdraw, { once: true });
  try {
    const asked = scope.context
      .approve(request)
      .catch(() => ({ verdict: 'denied', by: 'an error while asking' }) as const);
    return await Promise.race([asked, promise]);
  } finally {
    clearTimeout(expiry);
    signal.removeEventListener('abort', withdraw);
  }
}

/**
 * Identifies what will run and what is shown of it: tool, arguments, destination, reason, the lines that change and the
 * bytes of the files before and after. What the conversation has read is no part of it: it may read more while the
 * question is open, which changes nothing about a call whose arguments stand.
 */
function hashOf({ tool, input, target, control, reason }: PendingCall): string {
  return sha256(canonicalJson({ tool: tool.name, input, target, control, reason }));
}

/** What "this turn" covers: the tool with its destination; without a destination, exactly this call. */
function pairOf({ tool, target }: PendingCall, hash: string): string {
  return `${tool.name} ${target ?? `#${hash}`}`;
}

/** What the model reads: what was not done, why, what to tell the owner, and that another attempt is pointless. */
function refusal({ tool: { name }, reason }: PendingCall, { by, proposal }: Decided): Refusal {
  const about = (why: string, then: string, values: Told['values'] = {}): Refusal => {
    const message = `${name} was not done. ${why}`;
    return {
      granted: false,
      by,
      reason: `${message} ${then}`,
      told: { code: 'denied', values: { message, by, ...values } },
    };
  };
  if (proposal === undefined) {
    const why = `It needs the owner's approval, because ${reason}; ${refusedBy(by)}.`;
    return about(why, 'Do not try it again; say what you could not do.');
  }
  const { id, state } = proposal;
  if (state === 'denied') {
    return about(`The owner has denied this call (${id}).`, 'Do not try it again; say that it was not done.');
  }
  const why = `It needs the owner's approval, because ${reason}, and nobody can be asked now. It waits as ${id}.`;
  const tell = `Tell the owner: "wooster approve ${id}" does it, "wooster deny ${id}" drops it.`;
  return about(why, `${tell} Do not call it again; go on without it, or answer.`, { proposal: id });
}
