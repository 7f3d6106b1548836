import { AssistantError } from '../base/errors.ts';
import { budgetReached, type Spent } from './budget.ts';
import type { Candidate } from './candidate.ts';
import type { Silent } from './roster.ts';

interface Nobody {
  readonly candidates: readonly Candidate[];
  readonly silent: readonly Silent[];
  readonly localOnly: boolean;
  readonly spent: Spent | undefined;
}

/** Why there is no model to ask at all. */
export function nobody({ candidates, silent, localOnly, spent }: Nobody): AssistantError {
  if (localOnly && candidates.length > 0) {
    const hint =
      'Start a local model server, or set MODEL_NAME=builtin, or take "localOnly" out of wooster.config.json.';
    const names = candidates.map(({ label }) => label).join(', ');
    return new AssistantError(
      'local_only',
      `This project stays on this machine, and no local model is set up (only ${names}).`,
      { hint },
    );
  }
  if (spent && candidates.length > 0) return budgetReached(spent, ' No cheaper model is set up.');
  const tried = silent.map(({ endpoint, detail }) => `${endpoint.source} (${endpoint.baseUrl}) ${detail}`).join('; ');
  const hint = 'Start the server or correct its address; /model builtin works without one.';
  return new AssistantError('model_unreachable', `No model answers: ${tried}.`, { hint });
}
