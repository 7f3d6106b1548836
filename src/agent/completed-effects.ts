import { preview } from '../base/text.ts';
import type { EffectRow } from '../store/schema.ts';

const STATES: Readonly<Record<EffectRow['state'], string>> = {
  done: 'done',
  failed: 'failed, did not act',
  intent: 'begun, outcome unknown',
};

/**
 * What the turn has already done, for a model that takes it over: after a fallback, or after a restart.
 *
 * @returns undefined when nothing was done.
 */
export function completedEffects(effects: readonly EffectRow[]): string | undefined {
  if (effects.length === 0) return undefined;
  const lines = effects.map(({ tool, input, state }) => `- ${tool} ${preview(input, 200)}: ${STATES[state]}`);
  return `(Already done for this request; do not do it again:\n${lines.join('\n')})`;
}
