import type { Change, Effect, Recipient } from '../tool.ts';
import type { EffectClass } from './policy.ts';

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
