import { messageOf } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Store } from '../../store/store.ts';
import type { Change } from '../tool.ts';
import type { Author } from '../undo/kept-states.ts';
import { EffectLedger } from './effect-ledger.ts';

/** Stands where a turn's conversation does: the owner acted by a command. */
const NO_CONVERSATION = '';

/**
 * Do by the owner's own command what a tool would do, recorded in the ledger and the receipts in the same way: so
 * `wooster log` shows it and `wooster undo` brings it back.
 *
 * @param act gets whom the change is kept for.
 */
export async function actAsOwner<T>(
  { store, now }: { readonly store: Store; readonly now: () => Date },
  call: { readonly tool: string; readonly input: unknown; readonly change: Change },
  act: (by: Author) => Promise<T>,
): Promise<T> {
  const turn = { id: newId('owner', now()), conversationId: NO_CONVERSATION };
  const ledger = new EffectLedger({ store, turn, now });
  const tool = { name: call.tool, policy: { effect: 'local' } } as const;
  const { key } = await ledger.begin(tool, call.input, { change: call.change, approvedBy: 'owner' });
  try {
    const result = await act({ turnId: turn.id, idempotencyKey: key });
    await ledger.done(key, result);
    return result;
  } catch (error) {
    await ledger.failed(key, messageOf(error));
    throw error;
  }
}
