import { preview } from '../base/text.ts';
import type { EffectRow } from '../store/schema.ts';

/**
 * What the turn has already done, for a model that takes it over: after a fallback, or after a restart. Calls that
 * failed are left out; one whose outcome is unknown is named apart.
 *
 * @returns undefined when nothing was done.
 */
export function completedEffects(effects: readonly EffectRow[]): string | undefined {
  const parts = [
    listed('Already done for this request; do not do it again', effects, 'done'),
    listed('Begun, and nobody knows whether it was done; do not do it again', effects, 'intent'),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join('\n');
}

function listed(title: string, effects: readonly EffectRow[], state: EffectRow['state']): string | undefined {
  const lines = effects
    .filter((row) => row.state === state)
    .map(({ tool, input }) => `- ${tool} ${preview(input, 200)}`);
  return lines.length === 0 ? undefined : `(${title}:\n${lines.join('\n')})`;
}
