import type { Change, Effect, Recipient } from '../tool.ts';

/**
 * What a call can do, whatever was read before it:
 *
 * - `none`: it changes nothing.
 * - `recoverable`: it changes something of the project, and what it replaces is kept, so `wooster undo` brings it back.
 * - `unkept`: it overwrites or deletes something on this machine that nobody keeps, such as a plugin's data.
 * - `later`: it makes a prompt that runs later.
 * - `owner`: it tells the owner something, on a channel of theirs.
 * - `service`: it acts by a service that the owner set up, which may carry anything anywhere.
 * - `control`: it changes a file that this or another program obeys, or a setting.
 * - `others`: it reaches anybody but the owner.
 * - `irrecoverable`: it does something for good.
 */
export const EFFECT_CLASSES = [
  'none',
  'recoverable',
  'unkept',
  'later',
  'owner',
  'service',
  'control',
  'others',
  'irrecoverable',
] as const;
export type EffectClass = (typeof EFFECT_CLASSES)[number];

/** Everything that the decision may depend on. */
export interface PolicyQuestion {
  readonly can: EffectClass;
  /** What the conversation has read. */
  readonly untrusted: boolean;
  readonly private: boolean;
  /** Where a call goes that leaves the machine: an address or a query of the owner's or of a search, or any other. */
  readonly destination: 'none' | 'derived' | 'free';
  /** A standing rule of the owner's names this tool and this recipient. */
  readonly ruled: boolean;
}

export interface PolicyAnswer {
  readonly verdict: 'allow' | 'approve';
  /** One clause in plain words; it fits behind "because". */
  readonly reason: string;
}

/** Decide whether a call runs or needs approval. Pure; docs/security.md prints it as a table. */
export function policy(question: PolicyQuestion): PolicyAnswer {
  const { can, untrusted, destination, ruled } = question;
  if (can === 'control')
    return approve('it changes a file, a setting or a memory that programs or later answers go by');
  if (can === 'irrecoverable') return approve('it cannot be undone');
  if (can === 'others' && !ruled) return approve('it reaches somebody other than the owner');
  if ((destination === 'free' || can === 'service') && untrusted && question.private) {
    return approve('it could carry private text to a place that neither the owner nor a search has named');
  }
  if (can === 'unkept' && untrusted) {
    return approve('what it replaces is not kept, and text from outside may have asked for it');
  }
  return allow(ALLOWED[can]);
}

const ALLOWED: Readonly<Record<Exclude<EffectClass, 'control' | 'irrecoverable'>, string>> = {
  none: 'it changes nothing',
  recoverable: 'it stays on this machine and can be undone',
  unkept: 'it stays on this machine, and nothing from outside was read',
  later: 'it only plans; what it may do then is decided then',
  owner: 'it goes to the owner alone',
  service: 'it goes to a service that the owner set up, and not both private text and text from outside were read',
  others: 'a standing rule names tool and recipient',
};

function allow(reason: string): PolicyAnswer {
  return { verdict: 'allow', reason };
}

function approve(reason: string): PolicyAnswer {
  return { verdict: 'approve', reason };
}

/** Whether only a person who is in front of the program may decide about it, and no token and no chat. */
export function isOwnerOnly(can: EffectClass): boolean {
  return can === 'control' || can === 'irrecoverable';
}

/** What a tool declares about a call. */
export interface DeclaredEffect {
  readonly effect: Effect;
  /** For local effects. */
  readonly change: Change | undefined;
  /** What it replaces can be brought back. */
  readonly versioned: boolean;
  /** It changes a control file. */
  readonly control: boolean;
  /** For outbound effects. */
  readonly recipient: Recipient | undefined;
}

/** What a call can do. Whatever its tool does not declare counts as the worst. */
export function classOf({ effect, change, versioned, control, recipient }: DeclaredEffect): EffectClass {
  if (effect === 'none') return 'none';
  if (effect === 'outbound') return recipient?.own ? 'owner' : recipient?.service ? 'service' : 'others';
  if (control || change === 'settings') return 'control';
  if (change === 'purge') return 'irrecoverable';
  if (change === 'schedule') return 'later';
  return change === 'append' || versioned ? 'recoverable' : 'unkept';
}
