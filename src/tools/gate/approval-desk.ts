import { newId } from '../../base/ids.ts';
import { canonicalJson, sha256 } from '../../base/json.ts';
import type { Log } from '../../base/log.ts';
import type { Redactor } from '../../base/redact.ts';
import type { ApprovalRequest, Decision, Turn } from '../../base/turn.ts';
import type { Tool } from '../tool.ts';
import type { ApprovalRules } from './approvals.ts';
import type { CallScope } from './toolbox.ts';

export interface ApprovalDeskDeps {
  readonly rules: ApprovalRules;
  readonly redactor: Redactor;
  readonly log: Log;
}

/** A call that needs leave. */
export interface PendingCall {
  readonly tool: Tool;
  readonly input: unknown;
  /** Who or what is reached, when the tool says. */
  readonly target: string | undefined;
  readonly reason: string;
}

/** `by`: who gave leave; undefined when nobody had to be asked. */
export type Leave =
  | { readonly granted: true; readonly by: string | undefined }
  | { readonly granted: false; readonly by: string; readonly reason: string };

/** After this a question counts as answered with no. */
export const APPROVAL_EXPIRY_MS = 10 * 60_000;

const EXPIRED: Decision = { verdict: 'denied', by: 'no answer within 10 minutes' };
const WITHDRAWN: Decision = { verdict: 'denied', by: 'the end of the turn or script' };

/** What was asked and answered in one turn. */
interface TurnAnswers {
  /** Questions not answered yet, by hash: an identical call waits for the same answer. */
  readonly open: Map<string, Promise<Decision>>;
  /** A person reads one question at a time. */
  line: Promise<unknown>;
  /** Refused calls, by hash: asking again until somebody gives in is no way to get leave. */
  readonly refused: Map<string, string>;
}

/** Asks for leave: exactly once for identical calls, bound to a hash of what will run, for at most ten minutes. */
export class ApprovalDesk {
  readonly #deps: ApprovalDeskDeps;
  /** By turn, not by scope: every script of a turn calls with a scope of its own. */
  readonly #turns = new WeakMap<Turn, TurnAnswers>();

  constructor(deps: ApprovalDeskDeps) {
    this.#deps = deps;
  }

  async ask(call: PendingCall, scope: CallScope): Promise<Leave> {
    const hash = hashOf(call);
    const standing = this.#standing(call, hash, scope);
    if (standing) return standing;
    const decision = await this.#decision(call, hash, scope);
    const { verdict, by } = decision;
    // Nobody said no: a later script of the turn may ask again.
    if (decision === WITHDRAWN) return { granted: false, by, reason: refusal(call, by) };
    if (verdict !== 'denied' && hashOf(call) !== hash)
      return this.#refuse(call, hash, { scope, by: 'a change after you were asked' });
    if (verdict === 'denied') return this.#refuse(call, hash, { scope, by });
    if (verdict === 'turn') scope.allowedThisTurn.add(pairOf(call, hash));
    if (verdict === 'always') this.#deps.rules.allow(call.tool.name, call.target ?? `#${hash}`);
    return { granted: true, by: verdict === 'once' ? by : `${by} (${verdict})` };
  }

  /** What was said before about this call. */
  #standing(call: PendingCall, hash: string, scope: CallScope): Leave | undefined {
    const refusedBy = this.#answers(scope).refused.get(hash);
    if (refusedBy !== undefined) return { granted: false, by: refusedBy, reason: refusal(call, refusedBy) };
    if (scope.allowedThisTurn.has(pairOf(call, hash))) return { granted: true, by: 'this turn' };
    if (!this.#deps.rules.allows(call.tool.name, call.target ?? `#${hash}`)) return undefined;
    this.#deps.log.info('approval', { tool: call.tool.name, to: call.target, verdict: 'once', by: 'rule', hash });
    return { granted: true, by: 'rule' };
  }

  #decision(call: PendingCall, hash: string, scope: CallScope): Promise<Decision> {
    const { open } = this.#answers(scope);
    const asked = open.get(hash);
    if (asked) return asked;
    const answers = this.#answers(scope);
    const decision = answers.line.then(() => this.#put(call, hash, scope)).finally(() => open.delete(hash));
    answers.line = decision;
    open.set(hash, decision);
    return decision;
  }

  async #put(call: PendingCall, hash: string, scope: CallScope): Promise<Decision> {
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

  #refuse(call: PendingCall, hash: string, { scope, by }: { scope: CallScope; by: string }): Leave {
    this.#answers(scope).refused.set(hash, by);
    return { granted: false, by, reason: refusal(call, by) };
  }

  #answers({ turn }: CallScope): TurnAnswers {
    const known = this.#turns.get(turn);
    if (known) return known;
    const fresh: TurnAnswers = { open: new Map(), line: Promise.resolve(), refused: new Map() };
    this.#turns.set(turn, fresh);
    return fresh;
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
      .catch(() => ({ verdict: 'denied', by: 'an approver that failed' }) as const);
    return await Promise.race([asked, promise]);
  } finally {
    clearTimeout(expiry);
    signal.removeEventListener('abort', withdraw);
  }
}

/** Of what will run: tool, argument bytes and destination. */
function hashOf({ tool, input, target }: PendingCall): string {
  return sha256(`${tool.name} ${canonicalJson(input)} ${target ?? ''}`);
}

/** What "this turn" and "always" cover: the tool and its destination; without a destination exactly this call. */
function pairOf({ tool, target }: PendingCall, hash: string): string {
  return `${tool.name} ${target ?? `#${hash}`}`;
}

function refusal({ tool, reason }: PendingCall, by: string): string {
  return `${tool.name} was not run: ${reason}; refused by ${by}. Do not try it again; say what you could not do.`;
}
