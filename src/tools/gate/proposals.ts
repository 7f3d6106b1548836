import { AssistantError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { isRecord } from '../../base/json.ts';
import { isGone, leaseHolder } from '../../base/process-identity.ts';
import { preview } from '../../base/text.ts';
import type { Mode, Provenance, Turn } from '../../base/turn.ts';
import { visibleLine } from '../../base/visible-characters.ts';
import type { ProposalRow } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import { isTaken } from '../../store/unique.ts';
import { storableText } from './receipts.ts';

/** A call that waits, or waited, for the owner's approval. */
export interface Proposal {
  readonly id: string;
  readonly project: string;
  readonly conversationId: string;
  readonly turnId: string;
  readonly mode: Mode;
  readonly tool: string;
  /** Exactly what will run. */
  readonly input: unknown;
  /** Who or what is reached, when the tool says. */
  readonly target: string | undefined;
  /** What it changes in a control file. */
  readonly diff: string | undefined;
  readonly reason: string;
  /** Only a person in front of the program decides it. */
  readonly ownerOnly: boolean;
  readonly provenance: Provenance;
  readonly hash: string;
  readonly state: ProposalRow['state'];
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly decidedAt: string | undefined;
  readonly result: string | undefined;
  /** The whole result as JSON; undefined: `result`, which may be cut, is all that is known. */
  readonly answer: string | undefined;
}

/** A call as the approval desk has it. */
export interface ProposedCall extends Pick<Proposal, 'tool' | 'input' | 'target' | 'diff' | 'reason' | 'hash'> {
  readonly ownerOnly?: boolean;
  readonly turn: Turn;
  readonly provenance: Provenance;
}

/** Says that a call waits for its owner, or has been decided about. */
export const PROPOSALS_TOPIC = 'proposals';

/** What became of a claim: `mine` may run; the others say why not. */
export type Claim = 'mine' | 'busy' | Exclude<ProposalRow['state'], 'waiting' | 'running'>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Decided proposals are listed for a day and forgotten after a month. */
const KEPT_DAYS = 30;
/** A person who has more to read decides nothing well. */
export const MAX_OF_TURN = 20;
const MAX_RESULT_CHARS = 20_000;
/** As much as a program may be given at once. */
const MAX_ANSWER_CHARS = 8_000_000;
const MAX_PLACE_CHARS = 200;

export interface ProposalsDeps {
  readonly store: Store;
  readonly now: () => Date;
  readonly ttlHours: number;
  /** Told that a call waits no longer: it was denied, or was run. */
  decided?(id: string): Promise<void>;
}

/**
 * The calls that nobody could be asked about. Each is stored with its exact arguments, waits once however often it is
 * proposed, and is claimed by one program alone.
 */
export class Proposals {
  readonly #deps: ProposalsDeps;
  readonly #holder = leaseHolder();

  constructor(deps: ProposalsDeps) {
    this.#deps = deps;
  }

  /**
   * @returns the proposal of this call: a new one, the one that waits already, or the one that was just denied;
   *   undefined when too many calls of its turn wait.
   */
  async propose(call: ProposedCall): Promise<Proposal | undefined> {
    await this.#expire();
    const known = (await this.#waiting(call)) ?? (await this.#denied(call));
    if (known) return known;
    if ((await this.#ofTurn(call.turn.id)).length >= MAX_OF_TURN) return undefined;
    try {
      return await this.#insert(call);
    } catch (error) {
      // Another program was faster.
      const other = isTaken(error) ? await this.#waiting(call) : undefined;
      if (!other) throw error;
      return other;
    }
  }

  /** Those that wait and those decided within the last day, oldest first. */
  async list(): Promise<readonly Proposal[]> {
    const since = new Date(this.#deps.now().getTime() - DAY_MS).toISOString();
    const rows = await this.#select()
      .where(({ or, eb }) => or([eb('state', 'in', ['waiting', 'running']), eb('decided_at', '>=', since)]))
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    return rows.map((row) => this.#proposal(row));
  }

  /** @throws AssistantError `bad_usage` when there is none. */
  async get(id: string): Promise<Proposal> {
    const row = await this.#row(id);
    if (row) return this.#proposal(row);
    throw new AssistantError('bad_usage', `There is no proposal ${id}.`, { hint: '`wooster approvals` lists them.' });
  }

  /** @returns whether it waited until now. */
  async deny(id: string, by: string): Promise<boolean> {
    await this.#expire();
    return this.#decide(id, { state: 'waiting' }, { ...this.#decided(by), state: 'denied' });
  }

  /** Whether it waits no longer, and is not being run. Within a transaction nobody decides until that ends. */
  async isDecided(id: string): Promise<boolean> {
    const held = this.#deps.store.db.updateTable('proposals').set({ id }).where('id', '=', id);
    const row = await held.returning('state').executeTakeFirst();
    return row !== undefined && row.state !== 'waiting' && row.state !== 'running';
  }

  /** Deny everything of a turn that waits. @returns the ids. */
  async denyTurn(turnId: string, by: string): Promise<readonly string[]> {
    const denied: string[] = [];
    for (const { id } of await this.#ofTurn(turnId)) if (await this.deny(id, by)) denied.push(id);
    return denied;
  }

  /** What waits of a turn, oldest first. */
  #ofTurn(turnId: string): Promise<ProposalRow[]> {
    const waiting = this.#select().where('turn_id', '=', turnId).where('state', '=', 'waiting');
    return waiting.orderBy('created_at').orderBy('id').execute();
  }

  /**
   * Take a proposal to run it. Only one caller ever gets it, on whatever machine; when that one is gone before it could
   * say how the call ended, the next one gets it, and the effect ledger knows what was done.
   */
  async claim(id: string, { by, withinMs }: { readonly by: string; readonly withinMs: number }): Promise<Claim> {
    await this.#expire();
    const { now } = this.#deps;
    const held = { holder: this.#holder, held_until: new Date(now().getTime() + withinMs).toISOString() };
    const taken = { ...this.#decided(by), ...held, state: 'running' } as const;
    if (await this.#set(id, { state: 'waiting' }, taken)) return 'mine';
    const row = await this.#row(id);
    if (!row) return 'unknown';
    const { state, holder, held_until } = row;
    if (state === 'waiting') return 'busy';
    if (state !== 'running') return state;
    const isAbandoned = holder === null || isGone(holder) || (held_until ?? '') < now().toISOString();
    return isAbandoned && (await this.#set(id, { state, holder, held_until }, taken)) ? 'mine' : 'busy';
  }

  /** How the call that was claimed here ended; `waiting` gives it back, as it did not act. */
  async finish(
    id: string,
    state: 'done' | 'failed' | 'unknown' | 'waiting',
    result: string,
    { value }: { readonly value?: unknown } = {},
  ): Promise<void> {
    const json = JSON.stringify(value) as string | undefined;
    const answer = json !== undefined && json.length <= MAX_ANSWER_CHARS ? json : null;
    const ended = { state, result: result.slice(0, MAX_RESULT_CHARS), answer, holder: null, held_until: null };
    const open = { decided_at: null, decided_by: null };
    const was = { state: 'running', holder: this.#holder } as const;
    if (state === 'waiting') await this.#set(id, was, { ...ended, ...open });
    else await this.#decide(id, was, ended);
  }

  /** The decision and what follows of it are one transaction: a kill leaves both or neither. */
  #decide(id: string, was: Partial<ProposalRow>, changes: Partial<ProposalRow>): Promise<boolean> {
    return this.#deps.store.transaction(async () => {
      const isOver = await this.#set(id, was, changes);
      if (isOver) await this.#deps.decided?.(id);
      return isOver;
    });
  }

  async #insert({
    turn,
    tool,
    input,
    target,
    diff,
    reason,
    ownerOnly,
    hash,
    provenance,
  }: ProposedCall): Promise<Proposal> {
    const { store, now, ttlHours } = this.#deps;
    const at = now();
    const row: ProposalRow = {
      ...{ id: newId('prop', at), project: turn.project, conversation_id: turn.conversationId, turn_id: turn.id },
      ...{ mode: turn.mode, tool, input: JSON.stringify(input), reason },
      owner_only: ownerOnly ? 1 : null,
      ...{ target: storable(target), diff: storable(diff) },
      ...{ provenance: JSON.stringify(provenance), hash, state: 'waiting', created_at: at.toISOString() },
      expires_at: new Date(at.getTime() + ttlHours * HOUR_MS).toISOString(),
      ...{ decided_at: null, decided_by: null, holder: null, held_until: null, result: null, answer: null },
    };
    await store.transaction(async () => {
      await store.db.insertInto('proposals').values(row).execute();
      await store.wake.notify(PROPOSALS_TOPIC);
    });
    return toProposal(row);
  }

  #waiting({ turn, hash }: ProposedCall): Promise<Proposal | undefined> {
    return this.#newest(turn.project, hash, 'waiting');
  }

  /** A call that the owner has refused is not proposed again as long as it would have waited. */
  async #denied({ turn, hash }: ProposedCall): Promise<Proposal | undefined> {
    const known = await this.#newest(turn.project, hash, 'denied');
    return known && known.expiresAt > this.#deps.now().toISOString() ? known : undefined;
  }

  async #newest(project: string, hash: string, state: ProposalRow['state']): Promise<Proposal | undefined> {
    const row = await this.#select()
      .where('project', '=', project)
      .where('hash', '=', hash)
      .where('state', '=', state)
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row && toProposal(row);
  }

  /** What nobody decided in time is over, and what was decided long ago is forgotten. */
  async #expire(): Promise<void> {
    const { store, now } = this.#deps;
    const at = now().toISOString();
    const oldest = new Date(now().getTime() - KEPT_DAYS * DAY_MS).toISOString();
    await store.db
      .updateTable('proposals')
      .set({ state: 'expired', decided_at: at, decided_by: 'nobody' })
      .where('state', '=', 'waiting')
      .where('expires_at', '<=', at)
      .execute();
    await store.db.deleteFrom('proposals').where('created_at', '<', oldest).where('state', '<>', 'running').execute();
  }

  #decided(by: string): Pick<ProposalRow, 'decided_at' | 'decided_by'> {
    return { decided_at: this.#deps.now().toISOString(), decided_by: by };
  }

  /** One statement that compares and sets. @returns whether the row was like that. */
  async #set(id: string, was: Partial<ProposalRow>, changes: Partial<ProposalRow>): Promise<boolean> {
    const { store } = this.#deps;
    const update = store.db.updateTable('proposals').set(changes);
    const { numUpdatedRows } = await update.where((eb) => eb.and({ ...was, id })).executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    await store.wake.notify(PROPOSALS_TOPIC);
    return true;
  }

  /** One that nobody decided in time is over, also before that is written down. */
  #proposal(row: ProposalRow): Proposal {
    const isOver = row.state === 'waiting' && row.expires_at <= this.#deps.now().toISOString();
    return toProposal(isOver ? { ...row, state: 'expired' } : row);
  }

  #row(id: string): Promise<ProposalRow | undefined> {
    return this.#select().where('id', '=', id).executeTakeFirst();
  }

  #select() {
    return this.#deps.store.db.selectFrom('proposals').selectAll();
  }
}

/** Where a call goes or what it changes, on one line: the recipient, an address, a path. */
export function placeOf({ target, input }: Pick<Proposal, 'target' | 'input'>): string {
  const named = isRecord(input) ? (input.path ?? input.url ?? input.id) : undefined;
  const place = target ?? (typeof named === 'string' ? named : '');
  return visibleLine(place.length > MAX_PLACE_CHARS ? `${place.slice(0, MAX_PLACE_CHARS)}…` : place);
}

/** The same, or the text that a call is about where it has no place: a fact to remember, a message. */
export function aboutOf(proposal: Pick<Proposal, 'target' | 'input'>): string {
  const place = placeOf(proposal);
  const { input } = proposal;
  const text = isRecord(input) && typeof input.text === 'string' ? input.text : '';
  return place !== '' || text === '' ? place : `"${visibleLine(preview(text, MAX_PLACE_CHARS))}"`;
}

function storable(text: string | undefined): string | null {
  return text === undefined ? null : storableText(text);
}

function toProposal(row: ProposalRow): Proposal {
  return {
    ...{ id: row.id, project: row.project, conversationId: row.conversation_id, turnId: row.turn_id },
    ...{ mode: row.mode as Mode, tool: row.tool, input: JSON.parse(row.input), target: row.target ?? undefined },
    ...{ diff: row.diff ?? undefined, reason: row.reason, ownerOnly: row.owner_only === 1, hash: row.hash },
    provenance: JSON.parse(row.provenance),
    ...{ state: row.state, createdAt: row.created_at, expiresAt: row.expires_at },
    ...{ decidedAt: row.decided_at ?? undefined, result: row.result ?? undefined },
    answer: row.answer ?? undefined,
  };
}
