import { randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import { AssistantError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { sha256 } from '../../base/json.ts';
import { newPairing, pairingHash } from '../../base/pairing-code.ts';
import type { Database } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';

/** What a device may do. A page has all but `openai` and `mcp`; a program what it was given. */
export const SCOPES = ['page', 'api', 'approve', 'openai', 'mcp', 'read'] as const;
export type Scope = (typeof SCOPES)[number];

/** What a browser that was let in may do. */
const OF_A_PAGE: readonly Scope[] = ['page', 'api', 'approve', 'read'];

/** Somebody who may enter. It acts as the owner. */
export interface Device {
  readonly id: string;
  readonly name: string;
  readonly kind: 'page' | 'program';
  readonly scopes: readonly Scope[];
  /** ISO 8601, like the times below. */
  readonly createdAt: string;
  readonly seenAt: string | null;
  readonly revokedAt: string | null;
}

/** A code for one device, shown once. */
export interface Pairing {
  readonly code: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: string;
}

/** A token is `wst_SECRET`, or `wst_HOME.SECRET` with the id of its home in base64url. */
const PREFIX = 'wst_';
const MAX_NAME_CHARS = 60;
/** How often a sign of life is written. */
const SEEN_EVERY_MS = 60_000;

/** Who may enter over HTTP. Tokens are 256 random bits, kept as hashes; codes live for ten minutes. */
export class Devices {
  readonly #store: Store;
  readonly #home: string | undefined;
  readonly #now: () => Date;

  /** @param of.home  named in each token, for doors that several homes have in common. */
  constructor(store: Store, { home, now = () => new Date() }: { readonly home?: string; now?(): Date } = {}) {
    this.#store = store;
    this.#home = home;
    this.#now = now;
  }

  /** Open a pairing for one browser. @param name for the list of devices; else the browser gives one. */
  async pair(name?: string): Promise<Pairing> {
    const now = this.#now();
    const { code, expiresAt, row } = newPairing(now);
    await this.#store.db
      .insertInto('pairings')
      .values({ ...row, name: name ?? null, scopes: JSON.stringify(OF_A_PAGE), created_at: now.toISOString() })
      .execute();
    return { code, scopes: OF_A_PAGE, expiresAt };
  }

  /**
   * Let a browser in, once for each code.
   *
   * @returns its token; undefined for a code that is wrong, used or too old.
   */
  async redeem(given: string, name: string): Promise<{ device: Device; token: string } | undefined> {
    return this.#store.transaction(async () => {
      const used = await this.#openPairings()
        .set({ used_at: this.#now().toISOString() })
        .where('code_hash', '=', pairingHash(given))
        .returning(['name', 'scopes'])
        .executeTakeFirst();
      return used && this.#add({ name: used.name ?? name, kind: 'page', scopes: JSON.parse(used.scopes) });
    });
  }

  /** A code was given that is none: it counts against every open one. */
  async wrongCode(): Promise<void> {
    await this.#openPairings()
      .set((row) => ({ tries_left: row('tries_left', '-', 1) }))
      .execute();
  }

  #openPairings() {
    return this.#store.db
      .updateTable('pairings')
      .where('used_at', 'is', null)
      .where('expires_at', '>', this.#now().toISOString())
      .where('tries_left', '>', 0);
  }

  /** Let a program in. @throws AssistantError `bad_usage` for a scope that is none. */
  async issue(name: string, scopes: readonly string[]): Promise<{ device: Device; token: string }> {
    const unknown = scopes.find((scope) => !SCOPES.some((known) => known === scope));
    if (scopes.length === 0 || unknown !== undefined) {
      const message = unknown === undefined ? 'A token needs scopes.' : `There is no scope "${unknown}".`;
      throw new AssistantError('bad_usage', message, { hint: `The scopes are ${SCOPES.join(', ')}.` });
    }
    return this.#add({ name, kind: 'program', scopes: scopes as readonly Scope[] });
  }

  async #add(of: Pick<Device, 'name' | 'kind' | 'scopes'>): Promise<{ device: Device; token: string }> {
    const token = PREFIX + this.#homePart() + randomBytes(32).toString('base64url');
    const row = {
      ...{ id: newId('dev', this.#now()), name: nameOf(of.name), kind: of.kind, token_hash: sha256(token) },
      ...{ scopes: JSON.stringify(of.scopes), created_at: this.#now().toISOString(), seen_at: null, revoked_at: null },
    };
    await this.#store.db.insertInto('devices').values(row).execute();
    return { device: deviceOf(row), token };
  }

  #homePart(): string {
    return this.#home === undefined ? '' : `${Buffer.from(this.#home).toString('base64url')}.`;
  }

  /** The device of a token; undefined for one that is unknown or revoked. */
  async byToken(token: string): Promise<Device | undefined> {
    const row = await this.#store.read
      .selectFrom('devices')
      .selectAll()
      .where('token_hash', '=', sha256(token))
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    if (!row) return undefined;
    await this.#saw(row);
    return deviceOf(row);
  }

  async #saw({ id, seen_at }: DeviceRow): Promise<void> {
    const now = this.#now();
    if (seen_at !== null && now.getTime() - Date.parse(seen_at) < SEEN_EVERY_MS) return;
    const seen = { seen_at: now.toISOString() };
    await this.#store.relaxed(() => this.#store.db.updateTable('devices').set(seen).where('id', '=', id).execute());
  }

  /** Whether a device that was let in is not shut out since. */
  async mayEnter(id: string): Promise<boolean> {
    const row = this.#store.read.selectFrom('devices').select('revoked_at').where('id', '=', id);
    return (await row.executeTakeFirst())?.revoked_at === null;
  }

  /** Newest first, those that were revoked included. */
  async list(): Promise<readonly Device[]> {
    const rows = this.#store.read.selectFrom('devices').selectAll().orderBy('created_at', 'desc');
    return (await rows.execute()).map(deviceOf);
  }

  /** @throws AssistantError `bad_usage` when there is no such device. */
  async revoke(id: string): Promise<void> {
    const revoked = await this.#store.db
      .updateTable('devices')
      .set({ revoked_at: this.#now().toISOString() })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    if (Number(revoked.numUpdatedRows) > 0) return;
    throw new AssistantError('bad_usage', `There is no device "${id}" that may enter.`, {
      hint: '"devices" lists them.',
    });
  }
}

/** The home that a token says it is of: that home alone can tell whether it is. */
export function homeNamedBy(token: string): string | undefined {
  const [home, secret] = token.slice(PREFIX.length).split('.');
  return home === undefined || secret === undefined ? undefined : Buffer.from(home, 'base64url').toString();
}

type DeviceRow = Selectable<Database['devices']>;

function nameOf(given: string): string {
  return (
    given
      .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
      .trim()
      .slice(0, MAX_NAME_CHARS) || 'a device'
  );
}

function deviceOf({ id, name, kind, scopes, created_at, seen_at, revoked_at }: DeviceRow): Device {
  const times = { createdAt: created_at, seenAt: seen_at, revokedAt: revoked_at };
  return { id, name, kind, scopes: JSON.parse(scopes) as Scope[], ...times };
}
