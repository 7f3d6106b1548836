import { AssistantError, messageOf } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { preview } from '../../base/text.ts';
import type { EffectRow, KeptStateRow } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import { EffectLedger } from '../gate/effect-ledger.ts';
import { effectsOf, findEffect } from '../gate/effect-rows.ts';
import { type Author, type KeptStates, type StoredState, UNDO } from './kept-states.ts';

/** How one kind of thing is looked at and brought back. */
export interface Restorer {
  /** Is it as the call left it (`after`), as it was `before`, or has somebody changed it since (`other`)? */
  look(kept: StoredState): Promise<'before' | 'after' | 'other'>;
  /** Make it what it was before the call; what it is now is kept for `by`. @returns what happened, for the person. */
  restore(kept: StoredState, by: Author): Promise<string>;
  /** What that would write, where it is a file. */
  file?(kept: StoredState): Promise<RestoredFile>;
}

/** A file as undoing would change it. */
export interface RestoredFile {
  readonly path: string;
  /** Undefined: there is no such file. */
  readonly now: { readonly text: string; readonly hash: string } | undefined;
  readonly earlier: { readonly text: string; readonly hash: string } | undefined;
}

/** What came of undoing one effect. */
export interface UndoReport {
  readonly effect: string;
  readonly tool: string;
  /** The call's input in one line, without secrets. */
  readonly input: string;
  /**
   * `unchanged`: all was as before already. `already`: undone earlier. `changed`: somebody changed it since, so nothing
   * was done. `not_kept`: it left nothing to undo it by. `lost`: what it left is not kept any more.
   */
  readonly outcome: 'undone' | 'unchanged' | 'already' | 'changed' | 'not_kept' | 'lost';
  /** What was done to which thing, for the person; or what is in the way. */
  readonly things: readonly string[];
  /** The effect of undoing: undone itself, it brings everything forward again. */
  readonly by?: string | undefined;
}

/** A local effect that can be undone. */
export interface Change {
  readonly id: string;
  readonly tool: string;
  /** JSON of the call's input, without secrets. */
  readonly input: string;
  /** ISO 8601. */
  readonly at: string;
  readonly conversationId: string;
  /** Files that it changed. */
  readonly paths: readonly string[];
}

/** What came of undoing a turn. */
export interface UndoneTurnEffects {
  readonly undone: readonly UndoReport[];
  /** What stays as it is: sent messages, and what left nothing to undo it by. */
  readonly remains: readonly string[];
}

export interface UndoDeps {
  readonly store: Store;
  readonly now: () => Date;
  readonly states: KeptStates;
  readonly restorers: Readonly<Record<KeptStateRow['kind'], Restorer>>;
}

/** How many effects that never happened are passed over in search of the newest that did. */
const LOOKED_AT = 50;
const TOOL = { name: UNDO, policy: { effect: 'local' } } as const;

/**
 * Undoes local effects. What it replaces is kept as well, so that undoing can be undone. It can be killed at any moment
 * and called again: what is as before already stays so.
 */
export class Undo {
  readonly #deps: UndoDeps;

  constructor(deps: UndoDeps) {
    this.#deps = deps;
  }

  /** Undo the newest local effect of a project; undefined: there is none. */
  async newest(project: string, options: { readonly force?: boolean } = {}): Promise<UndoReport | undefined> {
    for await (const { id } of this.changes(project)) return this.effect(id, options);
    return undefined;
  }

  /** The local effects of a project that can be undone, the newest first. */
  async *changes(project: string): AsyncGenerator<Change> {
    for (const id of await this.#deps.states.newest(project, LOOKED_AT)) {
      const effect = await findEffect(this.#deps.store, id);
      if (!effect || !(await this.#happened(effect))) continue;
      const files = (await this.#deps.states.of(id)).filter(({ kind }) => kind === 'file');
      const { tool, input, created_at: at, conversation_id: conversationId } = effect;
      yield { id, tool, input, at, conversationId, paths: files.map(({ thing }) => thing) };
    }
  }

  /**
   * Undo one effect.
   *
   * @param options.force also what somebody changed since; their state is kept.
   * @param options.untrusted text of others was read where it is asked for.
   * @throws AssistantError `bad_usage` for an unknown id; `file_not_found` when a version is not kept any more.
   */
  async effect(
    id: string,
    { force = false, untrusted = false }: { readonly force?: boolean; readonly untrusted?: boolean } = {},
  ): Promise<UndoReport> {
    const effect = await findEffect(this.#deps.store, id);
    if (!effect) {
      throw new AssistantError('bad_usage', `There is no effect "${id}".`, {
        hint: '"log" shows what was done, with the ids.',
      });
    }
    const about = { effect: id, tool: effect.tool, input: preview(effect.input, 100), things: [] };
    const kept = await this.#deps.states.of(id);
    if (kept.length === 0) return { ...about, outcome: 'not_kept' };
    const open = kept.filter(({ undoneBy }) => undoneBy === undefined).toReversed();
    if (open.length === 0) return { ...about, outcome: 'already', by: kept[0]?.undoneBy };
    const changed = force ? [] : await this.#changed(open);
    if (changed.length > 0) return { ...about, outcome: 'changed', things: changed.map(({ thing }) => thing) };
    return { ...about, ...(await this.#reverse(effect, open, untrusted)) };
  }

  /** The files that undoing an effect would change. */
  async files(id: string): Promise<readonly RestoredFile[]> {
    const open = (await this.#deps.states.of(id)).filter(({ undoneBy }) => undoneBy === undefined);
    const files = await Promise.all(open.map((kept) => this.#restorer(kept).file?.(kept)));
    return files.filter((file) => file !== undefined);
  }

  /** Undo what a turn did, the last first. What somebody changed since is reported and stays. */
  async turn(turnId: string): Promise<UndoneTurnEffects> {
    const undone: UndoReport[] = [];
    for (const id of await this.#deps.states.ofTurn(turnId)) {
      const effect = await findEffect(this.#deps.store, id);
      if (effect && (await this.#happened(effect))) undone.push(await this.#effectIfKept(id));
    }
    const effects = await effectsOf(this.#deps.store, turnId);
    const kept = await this.#deps.states.among(effects.map(({ id }) => id));
    const remains = effects.filter(({ id, state }) => !kept.has(id) && state !== 'failed').map(lineOf);
    return { undone, remains };
  }

  async #effectIfKept(id: string): Promise<UndoReport> {
    try {
      return await this.effect(id);
    } catch (error) {
      if (!(error instanceof AssistantError)) throw error;
      return { effect: id, tool: '', input: '', outcome: 'lost', things: [error.message] };
    }
  }

  /** Of these effects, those that can be or were undone; each with the effect that undid it, if one did. */
  among(effectIds: readonly string[]): Promise<ReadonlyMap<string, string | undefined>> {
    return this.#deps.states.among(effectIds);
  }

  /** A call that was cut off after its state was kept may have changed nothing. */
  async #happened({ id, state }: EffectRow): Promise<boolean> {
    if (state === 'done') return true;
    const open = (await this.#deps.states.of(id)).filter(({ undoneBy }) => undoneBy === undefined);
    for (const kept of open) if ((await this.#restorer(kept).look(kept)) !== 'before') return true;
    return false;
  }

  /**
   * What became of a call that was cut off, by what it had kept: `other` when somebody has changed it since, or when it
   * did a part; undefined when it had kept nothing.
   */
  async outcome({ id }: Pick<EffectRow, 'id'>): Promise<'done' | 'undone' | 'other' | undefined> {
    const looks = new Set<string>();
    for (const kept of await this.#deps.states.of(id)) looks.add(await this.#restorer(kept).look(kept));
    if (looks.size === 0) return undefined;
    if (looks.size > 1) return 'other';
    return looks.has('after') ? 'done' : looks.has('before') ? 'undone' : 'other';
  }

  async #changed(kept: readonly StoredState[]): Promise<StoredState[]> {
    const changed: StoredState[] = [];
    for (const each of kept) if ((await this.#restorer(each).look(each)) === 'other') changed.push(each);
    return changed;
  }

  /** Recorded as an effect of its own, in the ledger and the receipts. */
  async #reverse(
    effect: EffectRow,
    open: readonly StoredState[],
    untrusted: boolean,
  ): Promise<Pick<UndoReport, 'outcome' | 'things' | 'by'>> {
    const { store, states, now } = this.#deps;
    const turn = { id: newId('undo', now()), conversationId: effect.conversation_id };
    const ledger = new EffectLedger({ store, turn, now });
    const { key } = await ledger.begin(TOOL, { effect: effect.id }, { change: 'overwrite', approvedBy: 'owner' });
    const by = (await states.effectOf(key)) ?? '';
    const things: string[] = [];
    try {
      for (const kept of open) {
        const restorer = this.#restorer(kept);
        if ((await restorer.look(kept)) !== 'before')
          things.push(await restorer.restore(kept, { turnId: turn.id, idempotencyKey: key, untrusted }));
        await states.mark(kept, by);
      }
      await store.transaction(async () => {
        if (effect.tool === UNDO) await states.unmark(effect.id);
        await ledger.done(key, things);
      });
    } catch (error) {
      await ledger.failed(key, messageOf(error));
      throw error;
    }
    return { outcome: things.length > 0 ? 'undone' : 'unchanged', things, by };
  }

  #restorer({ kind }: StoredState): Restorer {
    return this.#deps.restorers[kind];
  }
}

function lineOf({ tool, input, state }: EffectRow): string {
  return `${tool} ${preview(input, 100)}${state === 'intent' ? ' (outcome unknown)' : ''}`;
}
