import type { Log } from '../../base/log.ts';
import { HERE } from '../../notify/routes.ts';
import type { Recipient } from '../tool.ts';
import { type Approval, ApprovalDesk } from './approval-desk.ts';
import { type Departure, departureOf, isKnownAddress, placesIn } from './destinations.ts';
import type { CallDetails } from './effect-ledger.ts';
import { classOf, isOwnerOnly, type PolicyQuestion, policy } from './policy.ts';
import { askingContext } from './tool-call.ts';
import type { Call, ToolboxDeps } from './types.ts';
import { writeWhy } from './why.ts';

/** Decides whether a call may run: by the project's own limit, then the policy, then the person. */
export class Permission {
  readonly #deps: Pick<ToolboxDeps, 'rules' | 'isLocalOnly'> & { readonly log: Log };
  readonly #desk: ApprovalDesk;

  constructor(deps: ToolboxDeps) {
    this.#deps = deps;
    this.#desk = new ApprovalDesk(deps);
  }

  /** Never rejects for lack of approval: a refusal is a value with its reason. `why` is kept with the effect. */
  async decide(call: Call, details: CallDetails): Promise<{ readonly approval: Approval; readonly why: string }> {
    const recipient = await this.#recipientOf(call);
    const local = this.#localOnly(call, recipient);
    if (local !== undefined) {
      const told = { code: 'local_only', values: { message: local } };
      return { approval: { granted: false, by: 'the project', reason: local, told }, why: '' };
    }
    const question = await this.#question(call, details, recipient);
    const { tool, input, scope } = call;
    const why = writeWhy({ question, sources: scope.labels.provenance().sources });
    const { verdict, reason } = policy(question);
    if (verdict === 'allow') return { approval: { granted: true, by: undefined }, why };
    const { destination: target, control } = details;
    const ownerOnly = isOwnerOnly(question.can);
    return { approval: await this.#desk.ask({ tool, input, target, control, reason, ownerOnly }, scope), why };
  }

  /** Why a call may not leave the machine; no approval changes that. */
  #localOnly({ tool, scope }: Call, recipient: Recipient | undefined): string | undefined {
    const { project } = scope.turn;
    if ((!tool.policy.network && tool.policy.effect !== 'outbound') || !this.#deps.isLocalOnly?.(project))
      return undefined;
    if (recipient?.channel === HERE) return undefined;
    return `${tool.name} was not run: the project "${project}" is local only, nothing of it may leave this machine.`;
  }

  /** The facts that the policy decides by, as they are now: a call side by side may just have read something. */
  async #question(call: Call, details: CallDetails, recipient: Recipient | undefined): Promise<PolicyQuestion> {
    const { tool, scope } = call;
    const { change, control } = details;
    const { effect } = tool.policy;
    const { versioned = false } = tool.durability;
    const can = classOf({ effect, versioned, change, control: control !== undefined, recipient });
    const ruled = can === 'others' && (await this.#deps.rules.allows(tool.name, details.destination ?? ''));
    return {
      can,
      ruled,
      untrusted: scope.labels.untrusted,
      private: scope.labels.private,
      destination: departure(call),
    };
  }

  async #recipientOf({ tool, input, scope }: Call): Promise<Recipient | undefined> {
    return tool.policy.recipient?.(input, askingContext(scope, this.#deps.log));
  }
}

/** Where a call goes. Once it could carry something out, a search opens a few pages of each site and no more. */
function departure({ tool, input, scope }: Call): Departure {
  const known = placesIn(scope);
  const goes = departureOf(tool, input, known);
  const address = tool.policy.destination?.(input);
  const isTainted = scope.labels.untrusted && scope.labels.private;
  if (goes !== 'derived' || address === undefined || !isTainted) return goes;
  const isOwners = isKnownAddress(address, { said: known.said, destinations: NOWHERE });
  return isOwners || scope.visits.take(address) ? goes : 'free';
}

const NOWHERE: ReadonlySet<string> = new Set();
