import { providerOf } from '../models/providers/list.ts';
import type { ModelChoice } from '../models/types.ts';
import type { Store } from '../store/store.ts';

/** A window in which the usual prompt would leave too little room. */
const SMALL_WINDOW = 16_384;
/** Fewer replies say nothing about a model. */
const MIN_REPLIES = 20;
/** A model that keeps to the format less often needs a shorter prompt. */
const MIN_CLEAN_SHARE = 0.5;

/**
 * Whether a model gets the compact prompt and plain calls: by its size, by its window, or by how it has kept to the
 * format so far. One whose size nobody knows is not small for that alone. The built-in one looks for its tools in the
 * prompt and needs all of them.
 */
export async function isSmall(store: Store, { provider, name, small, contextWindow }: ModelChoice): Promise<boolean> {
  if (providerOf(provider)?.inProcess) return false;
  if (small === true || contextWindow <= SMALL_WINDOW) return true;
  const seen = await store.read
    .selectFrom('code_turns')
    .where('model', '=', name)
    .select(({ fn }) => [fn.sum<number>('replies').as('replies'), fn.sum<number>('clean').as('clean')])
    .executeTakeFirst();
  const replies = Number(seen?.replies ?? 0);
  return replies >= MIN_REPLIES && Number(seen?.clean ?? 0) / replies < MIN_CLEAN_SHARE;
}
