import { randomBytes } from 'node:crypto';
import { sha256 } from '../base/json.ts';
import type { Store } from '../store/store.ts';
import type { Choice } from './channel.ts';

export interface NoncesDeps {
  readonly store: Store;
  now(): Date;
}

/** A reminder that nobody has answered for so long is answered elsewhere. */
const KEPT_MS = 30 * 24 * 3_600_000;

/**
 * Words that cannot be guessed in place of what a button says, each good once: for channels on which nobody is known,
 * so that only who has seen the reminder can answer it.
 */
export class Nonces {
  readonly #deps: NoncesDeps;

  constructor(deps: NoncesDeps) {
    this.#deps = deps;
  }

  /** The same choices, each saying a nonce. */
  async give(channel: string, choices: readonly Choice[]): Promise<readonly Choice[]> {
    const { store, now } = this.#deps;
    const given = choices.map((choice) => ({ choice, nonce: randomBytes(18).toString('base64url') }));
    const at = now();
    const created_at = at.toISOString();
    const rows = given.map(({ choice: { says }, nonce }) => {
      return { nonce_hash: sha256(nonce), channel, says, created_at };
    });
    if (rows.length === 0) return [];
    await store.transaction(async () => {
      const old = new Date(at.getTime() - KEPT_MS).toISOString();
      await store.db.deleteFrom('chat_nonces').where('created_at', '<', old).execute();
      await store.db.insertInto('chat_nonces').values(rows).execute();
    });
    return given.map(({ choice: { label }, nonce }) => ({ label, says: nonce }));
  }

  /** What a nonce stands for, once; undefined: it is none, or used. Within the caller's transaction. */
  async redeem(channel: string, nonce: string): Promise<string | undefined> {
    const used = this.#deps.store.db.deleteFrom('chat_nonces').where('nonce_hash', '=', sha256(nonce));
    return (await used.where('channel', '=', channel).returning('says').executeTakeFirst())?.says;
  }
}
