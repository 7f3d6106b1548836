import type { Log } from '../../base/log.ts';
import { type Approval, ApprovalDesk } from './approval-desk.ts';
import { departureOf } from './destinations.ts';
import type { CallDetails } from './effect-ledger.ts';
import { type PolicyQuestion, policy } from './policy.ts';
import { describeTarget, toolContext } from './tool-call.ts';
import type { Call, ToolboxDeps } from './types.ts';

/** Decides whether a call may run: by the project's own limit, then the policy, then the person. */
export class Permission {
  readonly #deps: Pick<ToolboxDeps, 'rules' | 'isLocalOnly'> & { readonly log: Log };
  readonly #desk: ApprovalDesk;

  constructor(deps: ToolboxDeps) {
    this.#deps = deps;
    this.#desk = new ApprovalDesk(deps);
  }

  /** @returns never rejects for lack of approval: a refusal is a value with its reason. */
  async decide(call: Call, details: CallDetails): Promise<Approval> {
    const local = await this.#localOnly(call);
    if (local !== undefined) return { granted: false, by: 'the project', reason: local };
    const recipient = await this.#recipientKind(call);
    const { verdict, reason } = policy(this.#question(call, details, recipient));
    if (verdict === 'allow') return { granted: true, by: undefined };
    const { tool, input, scope } = call;
    return this.#desk.ask({ tool, input, target: details.destination, reason }, scope);
  }

  /** Why a call may not leave the machine; no approval changes that. */
  async #localOnly(call: Call): Promise<string | undefined> {
    const { tool, scope } = call;
    const { project } = scope.turn;
    if ((!tool.network && tool.effect !== 'outbound') || !this.#deps.isLocalOnly?.(project)) return undefined;
    if ((await this.#recipientOf(call))?.channel === 'terminal') return undefined;
    return `${tool.name} was not run: the project "${project}" is local only, nothing of it may leave this machine.`;
  }

  /** The facts that the policy decides by, as they are now: a call side by side may just have read something. */
  #question(call: Call, details: CallDetails, recipient: PolicyQuestion['recipient']): PolicyQuestion {
    const { tool, input, scope } = call;
    // The text of a turn born untrusted is not the person's, so its addresses open nothing.
    const known = { destinations: scope.destinations, said: scope.bornUntrusted ? [] : scope.said };
    return {
      effect: tool.effect,
      change: details.change ?? 'overwrite',
      untrusted: scope.labels.untrusted,
      private: scope.labels.private,
      recipient,
      destination: departureOf(tool, input, known),
    };
  }

  /** Rules are looked up only where the policy goes by the recipient. */
  async #recipientKind(call: Call): Promise<PolicyQuestion['recipient']> {
    const { tool, input, scope } = call;
    const target = (await describeTarget(tool, input, scope)) ?? '';
    if (tool.effect === 'outbound' && (await this.#deps.rules.allows(tool.name, target))) return 'ruled';
    const recipient = await this.#recipientOf(call);
    if (recipient?.own && recipient.channel === scope.jobChannel) return 'job';
    return recipient?.own ? 'own' : 'other';
  }

  #recipientOf({ tool, input, scope }: Call) {
    return tool.recipient(input, toolContext(scope, scope.context.signal, this.#deps.log, undefined));
  }
}
