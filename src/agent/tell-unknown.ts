import { preview } from '../base/text.ts';
import type { Turn, TurnContext } from '../base/turn.ts';
import type { AgentDeps } from './types.ts';

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
