import { AssistantError } from '../base/errors.ts';
import { type BudgetState, budgetReached } from './budget.ts';
import type { Candidate } from './candidate.ts';
import { NobodyThere } from './failure.ts';
import type { UnusableEndpoint } from './registry.ts';

interface NoModelReasons {
  readonly candidates: readonly Pick<Candidate, 'label'>[];
  readonly unusable: readonly UnusableEndpoint[];
  readonly localOnly: boolean;
  /** The budget that ruled out every candidate, if one did. */
  readonly usedUp: BudgetState | undefined;
}

/** The error for a request that no model may or can answer: local-only projects first, then budgets, then servers. */
export function noModelError({ candidates, unusable, localOnly, usedUp }: NoModelReasons): AssistantError {
  if (localOnly && candidates.length > 0) {
    const hint = 'Start a local model server, set MODEL_NAME=builtin, or remove "localOnly" from wooster.config.json.';
    const names = candidates.map(({ label }) => label).join(', ');
    return new AssistantError(
      'local_only',
      `This project is local only, and no local model is set up (only ${names}).`,
      { hint },
    );
  }
  if (usedUp && candidates.length > 0) return budgetReached(usedUp, ' No cheaper model is set up.');
  const tried = unusable.map(({ endpoint, detail }) => `${endpoint.source} (${endpoint.baseUrl}) ${detail}`).join('; ');
  const hint = 'Start the server or correct its address; /model builtin works without one.';
  const message = `No model answers: ${tried}.`;
  if (unusable.every(({ away }) => away)) return new NobodyThere(message, { hint });
  return new AssistantError('model_unreachable', message, { hint });
}
