import type { ExpressionBuilder, Selectable } from 'kysely';
import { newPairing, pairingHash } from '../base/pairing-code.ts';
import type { Database } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

/** An account of the owner's on a channel. */
export interface Account {
  readonly channel: string;
  /** Its id on the channel. */
  readonly account: string;
  /** The chat in which it was paired, where nobody else is. */
  readonly chat: string;
  /** It may also decide what otherwise only the terminal and the page may. */
  readonly decidesAll: boolean;
}

/** A code for one account, shown once. */
export interface ChatPairing {
  readonly channel: string;
  readonly code: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

/** Says that accounts or codes have changed. */
export const ACCOUNTS_TOPIC = 'accounts';

/** Any other text is no try. Below it a mail may have a signature. */
const CODE = /^\s*(?<code>[a-z2-9]{4}[- ]?[a-z2-9]{4})\s*(?:\n\s*\n[\s\S]*)?$/iu;

export interface AccountsDeps {
  readonly store: Store;
  now(): Date;
}

/** Whose accounts speak as the owner. An account is known by its id on its channel and by nothing else. */
export class Accounts {
  readonly #deps: AccountsDeps;
  #known: readonly Account[] = [];

  constructor(deps: AccountsDeps) {
    this.#deps = deps;
  }

  /** Read them anew; whoever changes them says so on `ACCOUNTS_TOPIC`. */
  async load(): Promise<void> {
    const rows = await this.#deps.store.read.selectFrom('chat_accounts').selectAll().orderBy('paired_at').execute();
    this.#known = rows.map(toAccount);
  }

  /** Those of a channel, the first that was paired first; as they were when they were loaded. */
  of(channel: string): readonly Account[] {
    return this.#known.filter((each) => each.channel === channel);
  }

  /** Whether somebody's account is, or may become, the owner's: otherwise nothing need be received. */
  async expects(channel: string): Promise<boolean> {
    await this.load();
    return this.of(channel).length > 0 || (await this.#awaitsCode(channel));
  }

  /** Whether what an account writes may matter: it is the owner's, or a code is awaited from any. */
  async hears(channel: string, account: string): Promise<boolean> {
    return this.of(channel).some((each) => each.account === account) || (await this.#awaitsCode(channel));
  }

  async #awaitsCode(channel: string): Promise<boolean> {
    return (await this.#open(channel).select('channel').executeTakeFirst()) !== undefined;
  }

  /** Open a pairing. @param decidesAll the account may decide about everything. */
  async pair(channel: string, decidesAll: boolean): Promise<ChatPairing> {
    const { store, now } = this.#deps;
    const { code, expiresAt, row } = newPairing(now());
    await store.transaction(async () => {
      await store.db
        .insertInto('chat_pairings')
        .values({ ...row, channel, decides_all: decidesAll ? 1 : 0 })
        .execute();
      await store.wake.notify(ACCOUNTS_TOPIC);
    });
    return { channel, code: `${code.slice(0, 4)}-${code.slice(4)}`, expiresAt };
  }

  /** Whether a text is a code that was given out, on whichever channel, and good or not: no model should read it. */
  async isCode(text: string): Promise<boolean> {
    const { code } = CODE.exec(text)?.groups ?? {};
    if (code === undefined) return false;
    const rows = this.#deps.store.db.selectFrom('chat_pairings').select('channel');
    return (await rows.where('code_hash', '=', pairingHash(code)).limit(1).executeTakeFirst()) !== undefined;
  }

  /**
   * A text of somebody, in a chat where nobody else is. If it is an open code, its account is the owner's from now on,
   * with the rights of the code; a wrong one counts against every open code. Within the caller's transaction.
   */
  async redeem(text: string, { channel, account, chat }: Omit<Account, 'decidesAll'>): Promise<Account | undefined> {
    const { store, now } = this.#deps;
    const { code } = CODE.exec(text)?.groups ?? {};
    if (code === undefined) return undefined;
    const at = now().toISOString();
    const used = await store.db
      .updateTable('chat_pairings')
      .set({ used_at: at })
      .where(({ and, eb }) => and(isOpen(eb, channel, at)))
      .where('code_hash', '=', pairingHash(code))
      .returning('decides_all')
      .executeTakeFirst();
    if (!used) {
      await store.db
        .updateTable('chat_pairings')
        .set((row) => ({ tries_left: row('tries_left', '-', 1) }))
        .where(({ and, eb }) => and(isOpen(eb, channel, at)))
        .execute();
      return undefined;
    }
    const row = { channel, account, chat, decides_all: used.decides_all, paired_at: at };
    const changes = { chat, decides_all: used.decides_all };
    await store.db
      .insertInto('chat_accounts')
      .values(row)
      .onConflict((conflict) => conflict.columns(['channel', 'account']).doUpdateSet(changes))
      .execute();
    await store.wake.notify(ACCOUNTS_TOPIC);
    return toAccount(row);
  }

  /** Nothing that was heard there is kept, be it theirs or what others said. @returns whether there were any. */
  async unpair(channel: string): Promise<boolean> {
    const { store } = this.#deps;
    return store.transaction(async () => {
      const gone = await store.db.deleteFrom('chat_accounts').where('channel', '=', channel).executeTakeFirst();
      for (const table of ['chat_pairings', 'chat_messages', 'chat_overheard'] as const)
        await store.db.deleteFrom(table).where('channel', '=', channel).execute();
      await store.wake.notify(ACCOUNTS_TOPIC);
      return gone.numDeletedRows > 0n;
    });
  }

  #open(channel: string) {
    const at = this.#deps.now().toISOString();
    return this.#deps.store.read.selectFrom('chat_pairings').where(({ and, eb }) => and(isOpen(eb, channel, at)));
  }
}

type Pairings = ExpressionBuilder<Database, 'chat_pairings'>;

/** The code is unused, in time, and has not been guessed at too often. */
function isOpen(eb: Pairings, channel: string, at: string) {
  const inTime = [eb('channel', '=', channel), eb('expires_at', '>', at)];
  return [...inTime, eb('used_at', 'is', null), eb('tries_left', '>', 0)];
}

function toAccount({ channel, account, chat, decides_all }: Selectable<Database['chat_accounts']>): Account {
  return { channel, account, chat, decidesAll: decides_all === 1 };
}
