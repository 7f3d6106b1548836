import { RepetitionGuard } from './repetition.ts';
import type { CallScope } from './types.ts';
import { Visits } from './visits.ts';

/** The part of a scope that changes while its turn runs, as it is at the start. One per turn, never one per script. */
export function startTurnState(): Pick<CallScope, 'destinations' | 'visits' | 'approvals' | 'repetition'> {
  return {
    destinations: new Set(),
    visits: new Visits(),
    approvals: {
      allowed: new Set(),
      refused: new Map(),
      proposed: new Map(),
      open: new Map(),
      queue: Promise.resolve(),
    },
    repetition: new RepetitionGuard(),
  };
}
