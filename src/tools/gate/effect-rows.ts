import { isId } from '../../base/ids.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import { preview } from '../../base/text.ts';
import type { DoneCall } from '../../models/message-data.ts';
import type { EffectRow } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';

/** Did a scheduled run act on the world, as far as anybody knows? A call whose outcome is unknown counts. */
export async function hasEffects(store: Store, runId: string): Promise<boolean> {
  const acted = store.db.selectFrom('effects').select('id').where('run_id', '=', runId).where('state', '<>', 'failed');
  return (await acted.limit(1).executeTakeFirst()) !== undefined;
}

/** One effect by its id. */
export function findEffect({ read }: Store, id: string): Promise<EffectRow | undefined> {
  return read.selectFrom('effects').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The effects of one turn, failed ones included, oldest first. */
export async function effectsOf(store: Store, turnId: string): Promise<EffectRow[]> {
  return inOrder(store).where('turn_id', '=', turnId).execute();
}

/** What turns did, oldest first. @param turns their ids, the newest first: the place tells how long ago. */
export async function doneIn({ read }: Store, turns: readonly string[]): Promise<DoneCall[]> {
  if (turns.length === 0) return [];
  const places = new Map(turns.map((id, at) => [id, at + 1]));
  const acted = read.selectFrom('effects').select(['id', 'turn_id', 'tool', 'input', 'result']);
  const rows = await acted
    .where('turn_id', 'in', turns)
    .where('state', '=', 'done')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ id, turn_id, tool, input, result }) => {
    const given = parseJson(input);
    const value = parseJson(result ?? '');
    return { id, ago: places.get(turn_id) ?? turns.length, tool, input: isRecord(given) ? given : {}, value };
  });
}

/** The idempotency keys that a turn has used. */
export async function keysOf({ read }: Store, turnId: string): Promise<ReadonlySet<string>> {
  const rows = await read.selectFrom('effects').select('idempotency_key').where('turn_id', '=', turnId).execute();
  return new Set(rows.map((row) => row.idempotency_key));
}

/** All effects, oldest first. */
export function inOrder({ db }: Store) {
  return db.selectFrom('effects').selectAll().orderBy('created_at').orderBy('id');
}

/** The words of a call's input, given as JSON, as people read them: `shopping, milk`. Ids if there are no others. */
export function inputWords(input: string, chars: number): string {
  const values = Object.values((parseJson(input) as Record<string, unknown> | undefined) ?? {}).flat();
  const texts = values.filter((value) => typeof value === 'string');
  const words = texts.filter((text) => !isId(text));
  return preview((words.length > 0 ? words : texts).join(', '), chars);
}
