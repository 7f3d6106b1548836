import { sha256 } from '../../base/json.ts';
import { isIn } from '../../store/portable.ts';
import type { EffectRow, ReceiptHeadRow, ReceiptRow } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import { CHAIN, hashOf, START, storableText } from './receipts.ts';

/** The result of a check; no `problems` means that chain and effects are as they were written. */
export interface Verification {
  readonly receipts: number;
  /** Hash of the newest receipt. Noted elsewhere, it shows later whether the end was cut off. */
  readonly head: string;
  readonly problems: readonly string[];
}

/** Rows read at once. */
const BATCH = 500;

/** Recompute the whole chain, look where it should end, and compare it with the recorded effects. */
export async function verifyReceipts(store: Store): Promise<Verification> {
  const before = await readHead(store);
  const chain = await verifyChain(store);
  const problems = [
    ...chain.problems,
    ...headProblems(chain, [before, await readHead(store)]),
    ...(await effectProblems(store)),
    ...(await withoutEffect(store)),
  ];
  return { receipts: chain.receipts, head: chain.head, problems };
}

interface Chain extends Verification {
  /** Number of the newest receipt; 0 without one. */
  readonly last: number;
  /** Whether receipts are there since whose time the head is kept apart. */
  readonly recent: boolean;
}

async function verifyChain(store: Store): Promise<Chain> {
  const problems: string[] = [];
  let previous = START;
  let expected = 1;
  let receipts = 0;
  let recent = false;
  for await (const receipt of allReceipts(store)) {
    if (receipt.seq !== expected) problems.push(`receipts ${expected} to ${receipt.seq - 1} are missing`);
    else if (receipt.previous !== previous) problems.push(`receipt ${receipt.seq} does not follow the one before it`);
    if (receipt.hash !== hashOf(receipt, receipt.previous)) problems.push(`receipt ${receipt.seq} was changed`);
    previous = receipt.hash;
    expected = receipt.seq + 1;
    recent ||= receipt.effect_id !== null;
    receipts++;
  }
  return { receipts, head: previous, problems, last: expected - 1, recent };
}

/** The whole chain from its start, without having all of it in memory. */
async function* allReceipts(store: Store): AsyncGenerator<ReceiptRow> {
  let after = 0;
  for (;;) {
    const next = store.read.selectFrom('receipts').selectAll().where('seq', '>', after).orderBy('seq').limit(BATCH);
    const receipts = await next.execute();
    yield* receipts;
    const last = receipts.at(-1);
    if (!last) return;
    after = last.seq;
  }
}

type Head = ReceiptHeadRow | undefined;

function readHead({ read }: Store): Promise<Head> {
  return read.selectFrom('receipt_heads').selectAll().where('chain', '=', CHAIN).executeTakeFirst();
}

/** @param heads before and after the chain was read; they differ when somebody wrote meanwhile. */
function headProblems({ last, head: newest, recent }: Chain, [before, after]: readonly [Head, Head]): string[] {
  if (!after) return recent ? ['the head of the chain, which is kept apart, is gone'] : [];
  if (last === 0) return [`all ${after.seq} receipts are missing`];
  if (after.seq !== before?.seq && last >= (before?.seq ?? 0) && last <= after.seq) return [];
  if (after.seq > last) return [`receipts ${last + 1} to ${after.seq} are missing from the end`];
  if (after.seq < last) return [`receipts ${after.seq + 1} to ${last} were added to the end`];
  return after.hash === newest ? [] : [`receipt ${last} is not the one that the chain ended with`];
}

/** Every effect with its receipts, by content. What differs is looked at again while nobody writes. */
async function effectProblems(store: Store): Promise<string[]> {
  const problems: string[] = [];
  for (let after = ''; ; ) {
    const page = await store.read
      .selectFrom('effects')
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(BATCH)
      .execute();
    const [last] = page.slice(-1);
    if (!last) return problems;
    after = last.id;
    const suspects = differing(page, await receiptsOf(store, page));
    if (suspects.size > 0) problems.push(...(await again(store, [...suspects.keys()])));
  }
}

function again(store: Store, ids: readonly string[]): Promise<string[]> {
  return store.transaction(async () => {
    const effects = await store.db
      .selectFrom('effects')
      .selectAll()
      .where(isIn(store, 'id', ids))
      .execute();
    return [...differing(effects, await receiptsOf(store, effects)).values()];
  });
}

/** By effect; those of older versions, which name no effect, by turn, tool and state. */
async function receiptsOf(store: Store, effects: readonly EffectRow[]): Promise<ReadonlyMap<string, ReceiptRow[]>> {
  const turns = [...new Set(effects.map((effect) => effect.turn_id))];
  const receipts = await store.read
    .selectFrom('receipts')
    .selectAll()
    .where(isIn(store, 'turn_id', turns))
    .where('state', '<>', 'denied')
    .orderBy('seq')
    .execute();
  const byEffect = Map.groupBy(receipts, (receipt) => receipt.effect_id ?? '');
  const older = new Set((byEffect.get('') ?? []).map(keyOf));
  for (const effect of effects) if (!byEffect.has(effect.id) && older.has(keyOf(effect))) byEffect.set(effect.id, []);
  return byEffect;
}

function keyOf({ turn_id, tool, state }: Pick<ReceiptRow, 'turn_id' | 'tool' | 'state'>): string {
  return `${turn_id} ${tool} ${state}`;
}

/** What is wrong, by effect. */
function differing(
  effects: readonly EffectRow[],
  receipts: ReadonlyMap<string, readonly ReceiptRow[]>,
): ReadonlyMap<string, string> {
  const found = effects.flatMap((effect) => {
    const problem = problemOf(effect, receipts.get(effect.id));
    return problem === undefined ? [] : [[effect.id, problem] as const];
  });
  return new Map(found);
}

/** @param receipts undefined: there are none; empty: older ones, which tell no more than that it was done. */
function problemOf(effect: EffectRow, receipts: readonly ReceiptRow[] | undefined): string | undefined {
  const name = `effect ${effect.id} (${effect.tool}, ${effect.state})`;
  if (!receipts) return `${name} has no receipt`;
  const newest = receipts.at(-1);
  const first = receipts.find(({ state }) => state === 'intent');
  if (!newest) return undefined;
  if (newest.state !== effect.state) return `${name} is "${newest.state}" in receipt ${newest.seq}`;
  const begun = first !== undefined && first.at !== effect.created_at ? ['created_at'] : [];
  const fields = [...begun, ...different(effect, newest)];
  return fields.length > 0 ? `${name} differs from receipt ${newest.seq}: ${fields.join(', ')}` : undefined;
}

/** The fields in which an effect is not what its newest receipt says. */
function different(effect: EffectRow, receipt: ReceiptRow): string[] {
  const { turn_id, conversation_id, tool, destination, approved_by, finished_at, result } = effect;
  const said: Readonly<Record<string, readonly [unknown, unknown]>> = {
    turn_id: [turn_id, receipt.turn_id],
    conversation_id: [conversation_id, receipt.conversation_id],
    tool: [tool, receipt.tool],
    effect: [effect.effect, receipt.effect],
    destination: [destination === null ? null : storableText(destination), receipt.destination],
    approved_by: [approved_by, receipt.approved_by],
    input: [sha256(effect.input), receipt.input_sha],
    ...(receipt.state === 'intent'
      ? {}
      : { finished_at: [finished_at, receipt.at], result: [sha256(result ?? ''), receipt.result_sha] }),
  };
  return Object.entries(said).flatMap(([field, [is, was]]) => (is === was ? [] : [field]));
}

/** Receipts of effects that are gone. */
async function withoutEffect(store: Store): Promise<string[]> {
  const rows = await store.read
    .selectFrom('receipts as r')
    .select(['r.seq', 'r.effect_id', 'r.tool'])
    .where('r.effect_id', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('effects as e').select('e.id').whereRef('e.id', '=', 'r.effect_id'))),
    )
    .orderBy('r.seq')
    .execute();
  return rows.map(({ seq, effect_id, tool }) => `receipt ${seq} is of effect ${effect_id} (${tool}), which is gone`);
}
