import { preview } from '../base/text.ts';
import type { Turn, TurnContext } from '../base/turn.ts';
import type { EffectRow } from '../store/schema.ts';
import type { AgentDeps } from './types.ts';

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

/**
 * Find out what became of the calls of a turn that was cut off. One that is neither known to have acted nor known not
 * to have is not made again, so its owner has to know.
 */
export async function tellUnknown(cutOff: AgentDeps['cutOff'], turn: Turn, context: TurnContext): Promise<void> {
  if (!cutOff) return;
  for (const { id, tool, input } of await cutOff.settle(await cutOff.begun({ turnId: turn.id }))) {
    const what = `${tool} ${preview(input, 160)} was begun when the program was cut off, and its outcome is unknown.`;
    context.show({ type: 'notice', text: `${what} It is not repeated; \`wooster log --unknown\` settles it (${id}).` });
  }
}
