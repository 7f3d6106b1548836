import { newId } from '../../base/ids.ts';
import { canonicalJson, sha256 } from '../../base/json.ts';
import type { ApprovalRequest, Decision } from '../../base/turn.ts';
import type { Tool } from '../tool.ts';
import { refusedBy } from './approval-text.ts';
import type { CallScope, ToolboxDeps } from './types.ts';

type ApprovalDeskDeps = Pick<ToolboxDeps, 'rules' | 'redactor' | 'log'>;

/** A call that needs approval. */
export interface PendingCall {
  readonly tool: Tool;
  readonly input: unknown;
  /** Who or what is reached, when the tool says. */
  readonly target: string | undefined;
  readonly reason: string;
}

/** Whether a call may run. `by`: who decided; undefined when the policy allows it by itself. */
export type Approval =
  | { readonly granted: true; readonly by: string | undefined }
  | { readonly granted: false; readonly by: string; readonly reason: string };

/** After this a question counts as answered with no. */
export const APPROVAL_EXPIRY_MS = 10 * 60_000;

const EXPIRED: Decision = { verdict: 'denied', by: 'no answer within 10 minutes' };
const RULED: Decision = { verdict: 'once', by: 'rule' };
const WITHDRAWN: Decision = { verdict: 'denied', by: 'the end of the turn or script' };

/**
 * Asks the person for approval: once for identical calls, one question at a time, each bound to a hash of what will run
 * and open for at most ten minutes.
 */
export class ApprovalDesk {
  readonly #deps: ApprovalDeskDeps;

  constructor(deps: ApprovalDeskDeps) {
    this.#deps = deps;
  }

  async ask(call: PendingCall, scope: CallScope): Promise<Approval> {
    const hash = hashOf(call);
    const standing = this.#standing(call, hash, scope);
    if (standing) return standing;
    const decision = await this.#decision(call, hash, scope);
    const { verdict, by } = decision;
    if (verdict === 'denied') return { granted: false, by, reason: refusal(call, by) };
    if (hashOf(call) !== hash) return this.#refuseChanged(call, hash, scope);
    return { granted: true, by: verdict === 'once' ? by : `${by} (${verdict})` };
  }

  /** An answer of this turn that still holds. */
  #standing(call: PendingCall, hash: string, scope: CallScope): Approval | undefined {
    const refusedBy = scope.approvals.refused.get(hash);
    if (refusedBy !== undefined) return { granted: false, by: refusedBy, reason: refusal(call, refusedBy) };
    if (scope.approvals.allowed.has(pairOf(call, hash))) return { granted: true, by: 'this turn' };
    return undefined;
  }

  /** One for identical calls under way: the later ones join before anything of the first has been awaited. */
  #decision(call: PendingCall, hash: string, scope: CallScope): Promise<Decision> {
    const { open } = scope.approvals;
    const asked = open.get(hash);
    if (asked) return asked;
    const decision = this.#decide(call, hash, scope).finally(() => open.delete(hash));
    open.set(hash, decision);
    return decision;
  }

  /** By a rule, else by the person, when all earlier questions have been answered. */
  async #decide(call: PendingCall, hash: string, scope: CallScope): Promise<Decision> {
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
    { scope, decision }: { scope: CallScope; decision: Decision },
  ): Promise<void> {
    const { verdict, by } = decision;
    const { refused, allowed } = scope.approvals;
    // A person whose question was withdrawn did not say no, so a later script of the turn may ask again.
    if (verdict === 'denied' && decision !== WITHDRAWN) refused.set(hash, by);
    if (hashOf(call) !== hash) return;
    if (verdict === 'turn') allowed.add(pairOf(call, hash));
    if (verdict === 'always') await this.#deps.rules.allow(call.tool.name, call.target ?? `#${hash}`);
  }

  async #askPerson(call: PendingCall, hash: string, scope: CallScope): Promise<Decision> {
    const request = this.#request(call, hash, scope);
    const { id, tool, input, destination, provenance } = request;
    const event = { type: 'approval', id, tool, input, destination, provenance } as const;
    scope.context.show(event);
    const decision = await firstAnswer(scope, request);
    scope.context.show({ ...event, decision: decision.verdict, by: decision.by });
    this.#deps.log.info('approval', { tool, to: destination, ...decision, hash, turn: scope.turn.id });
    return decision;
  }

  #request(call: PendingCall, hash: string, scope: CallScope): ApprovalRequest {
    return {
      id: newId('apr', scope.context.now()),
      tool: call.tool.name,
      input: this.#deps.redactor.redactValue(call.input),
      destination: call.target,
      reason: call.reason,
      provenance: scope.labels.provenance(),
      hash,
    };
  }

  #refuseChanged(call: PendingCall, hash: string, scope: CallScope): Approval {
    const by = 'Wooster, as the call changed after you were asked';
    scope.approvals.refused.set(hash, by);
    return { granted: false, by, reason: refusal(call, by) };
  }
}

/** The person's answer, or a no when time is up or the turn ends first. */
async function firstAnswer(scope: CallScope, request: ApprovalRequest): Promise<Decision> {
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

/** Identifies what will run: tool, argument bytes and destination. */
function hashOf({ tool, input, target }: PendingCall): string {
  return sha256(`${tool.name} ${canonicalJson(input)} ${target ?? ''}`);
}

/** What "this turn" covers: the tool with its destination; without a destination, exactly this call. */
function pairOf({ tool, target }: PendingCall, hash: string): string {
  return `${tool.name} ${target ?? `#${hash}`}`;
}

function refusal({ tool, reason }: PendingCall, by: string): string {
  return `${tool.name} was not run: ${reason}; ${refusedBy(by)}. Do not try it again; say what you could not do.`;
}
