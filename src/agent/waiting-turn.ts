import { z } from 'zod';
import { MODES } from '../base/turn.ts';
import type { RunOutcome, Suspended } from '../scheduler/types.ts';
import { isOpen, waitsUntil } from '../tools/gate/decided-calls.ts';
import type { Proposal } from '../tools/gate/proposals.ts';

/** A turn of a job that has answered, and goes on when nothing of it waits for the owner any more. */
const WAITING = z.object({
  turnId: z.string(),
  conversationId: z.string(),
  mode: z.enum(MODES),
  /** All calls of it that ever waited. */
  proposals: z.array(z.string()).readonly(),
  /** What it has answered. */
  said: z.string(),
  /** The request may hold text of others. */
  untrusted: z.boolean(),
  costUsd: z.number().optional(),
});

export type WaitingTurn = z.infer<typeof WAITING>;

/** @returns undefined when it was no model's turn that waited. */
export function waitingTurnIn(steps: string | undefined): WaitingTurn | undefined {
  return steps === undefined ? undefined : WAITING.safeParse(JSON.parse(steps)).data;
}

/** The end of a run for now. @param calls those of `turn.proposals`; the run goes on at once if all are decided. */
export function suspendedFor(
  turn: WaitingTurn,
  calls: readonly Proposal[],
  { now, tells }: { readonly now: Date; readonly tells: 'answer' | 'nothing' },
): Pick<RunOutcome, 'state' | 'suspended' | 'error'> {
  const [first] = [...calls.filter(isOpen), ...calls];
  if (!first) return { state: 'succeeded' };
  const suspended: Suspended = {
    ...{ proposal: first.id, until: waitsUntil(first, now), steps: JSON.stringify(turn) },
    tells,
  };
  return { state: 'denied', suspended, error: `${first.id} is not decided yet` };
}
