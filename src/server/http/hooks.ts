import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Selectable } from 'kysely';
import { AssistantError } from '../../base/errors.ts';
import { sha256 } from '../../base/json.ts';
import { MODES } from '../../base/turn.ts';
import type { DoorHook, HookBegins, HookPlace } from '../../face/doors.ts';
import type { Scheduler } from '../../scheduler/contract.ts';
import type { Database } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import { Refused } from './problem.ts';

/** What a sender signs with begins with this, in the form of Standard Webhooks. */
const PREFIX = 'whsec_';
const SECRET_BYTES = 32;
/** A shorter secret is none. */
const FEWEST_BYTES = 24;
const NAME = /^[a-z0-9][a-z0-9_-]{0,39}$/u;
/** How far the clock of a sender may be off, and how long a message may have been under way. */
const TOLERANCE_MS = 5 * 60_000;
/** A sender that tries again does so for days. */
const KEPT_MS = 30 * 86_400_000;
const SOON_MS = 1000;

/** A message as it came: the headers of Standard Webhooks, and the body byte for byte. */
export interface HookMessage {
  readonly id: string | undefined;
  /** Seconds since 1970. */
  readonly timestamp: string | undefined;
  /** `v1,BASE64`, several with blanks. */
  readonly signature: string | undefined;
  readonly body: Uint8Array;
}

type HookRow = Selectable<Database['hooks']>;

interface HooksDeps {
  readonly store: Store;
  readonly jobs: Pick<Scheduler, 'add' | 'arm' | 'show'>;
  readonly now?: () => Date;
}

/**
 * Addresses at which programs of the owner's begin something. Each has a secret of its own, with which messages are
 * signed; nothing else is let in by it.
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export class Hooks {
  readonly #store: Store;
  readonly #jobs: HooksDeps['jobs'];
  readonly #now: () => Date;

  constructor({ store, jobs, now = () => new Date() }: HooksDeps) {
    this.#store = store;
    this.#jobs = jobs;
    this.#now = now;
  }

  /** @returns the secret, which is told this once. @throws AssistantError `bad_usage` for a name that is taken or none. */
  async add(name: string, begins: HookBegins, place: HookPlace): Promise<{ readonly secret: string }> {
    if (!NAME.test(name))
      throw new AssistantError('bad_usage', `"${name}" cannot be the name of a hook.`, {
        hint: 'Use up to 40 small letters, digits, "-" and "_".',
      });
    // A job that is not there is told now rather than to a sender.
    if (begins.kind === 'job') await this.#jobs.show(begins.job, 0);
    const secret = PREFIX + randomBytes(SECRET_BYTES).toString('base64');
    const row = { name, secret, ...columnsOf(begins), ...place, created_at: this.#now().toISOString() };
    const added = this.#store.db.insertInto('hooks').values(row);
    const { numInsertedOrUpdatedRows } = await added
      .onConflict((c) => c.column('name').doNothing())
      .executeTakeFirstOrThrow();
    if (Number(numInsertedOrUpdatedRows) > 0) return { secret };
    throw new AssistantError('bad_usage', `There is a hook "${name}" already.`, { hint: `hook remove ${name}` });
  }

  /** By name. */
  async list(): Promise<readonly DoorHook[]> {
    const rows = await this.#store.read.selectFrom('hooks').selectAll().orderBy('name').execute();
    return rows.map((row) => ({
      name: row.name,
      project: row.project,
      createdAt: row.created_at,
      begins: beginsOf(row),
    }));
  }

  /** @throws AssistantError `bad_usage` when there is none of this name. */
  async remove(name: string): Promise<void> {
    const removed = await this.#store.db.deleteFrom('hooks').where('name', '=', name).executeTakeFirst();
    if (Number(removed.numDeletedRows) > 0) return;
    throw new AssistantError('bad_usage', `There is no hook "${name}".`, { hint: '"hook list" shows them.' });
  }

  /** Whether a message is one of this hook: signed with its secret, and not old. */
  async knows(name: string, message: HookMessage): Promise<boolean> {
    const row = await this.#row(name);
    return row !== undefined && isSigned(row.secret, message) && isFresh(message, this.#now());
  }

  /**
   * Begin what the hook is for, once for each message.
   *
   * @param message one that it `knows`.
   * @returns the job or run that it began, now or when it came before.
   * @throws Refused 422 for an id that came with another body; AssistantError `bad_usage` while the job is running.
   */
  async take(name: string, message: HookMessage): Promise<{ readonly run: string }> {
    const { id = '', body } = message;
    const hash = sha256(Buffer.from(body));
    let go = () => {};
    const run = await this.#store.transaction(async () => {
      const known = await this.#known(name, id);
      if (known && known.body_hash !== hash)
        throw new Refused(422, 'id_used', 'This webhook-id came with another body.', 'Use a new id.');
      if (known) return known.run;
      const row = await this.#row(name);
      if (!row) throw new Refused(401, 'bad_signature', 'This message is not signed as it must be.');
      const begun = await this.#begin(row, message);
      go = begun.go;
      await this.#keep({ hook: name, message_id: id, body_hash: hash, run: begun.run });
      return begun.run;
    });
    go();
    return { run };
  }

  async #begin(row: HookRow, { id = '', body }: HookMessage): Promise<{ run: string; go: () => void }> {
    const begins = beginsOf(row);
    if (begins.kind === 'job') {
      const armed = await this.#jobs.arm(begins.job);
      return { run: armed.id, go: () => void armed.go().catch(() => undefined) };
    }
    const text = new TextDecoder().decode(body);
    const isProgram = begins.kind === 'program';
    const job = await this.#jobs.add({
      when: new Date(this.#now().getTime() + SOON_MS).toISOString(),
      prompt: isProgram ? `Run ${begins.path} for the hook ${row.name}` : begins.prompt,
      project: row.project,
      // The prompt is the owner's; what came with it is not, and its turn knows that.
      untrusted: false,
      idempotencyKey: `hook:${row.name}:${id}`,
      options: {
        mode: MODES.find((mode) => mode === row.mode),
        ...(text !== '' && { material: [{ name: `what came to the hook ${row.name}`, text, untrusted: true }] }),
        ...(isProgram && { program: { ...begins, args: begins.param === undefined ? {} : { [begins.param]: text } } }),
      },
    });
    return { run: job.id, go: () => undefined };
  }

  async #keep(message: { hook: string; message_id: string; body_hash: string; run: string }): Promise<void> {
    const now = this.#now();
    const { db } = this.#store;
    await db
      .insertInto('hook_messages')
      .values({ ...message, created_at: now.toISOString() })
      .execute();
    const old = new Date(now.getTime() - KEPT_MS).toISOString();
    await db.deleteFrom('hook_messages').where('hook', '=', message.hook).where('created_at', '<', old).execute();
  }

  async #known(hook: string, id: string) {
    const messages = this.#store.db.selectFrom('hook_messages').select(['body_hash', 'run']);
    return messages.where('hook', '=', hook).where('message_id', '=', id).executeTakeFirst();
  }

  async #row(name: string): Promise<HookRow | undefined> {
    return this.#store.db.selectFrom('hooks').selectAll().where('name', '=', name).executeTakeFirst();
  }
}

/** A program is kept with its hash: one that was changed since does not run. */
function columnsOf(begins: HookBegins) {
  if (begins.kind === 'prompt') return { kind: begins.kind, what: begins.prompt, param: null };
  if (begins.kind === 'job') return { kind: begins.kind, what: begins.job, param: null };
  const { kind, path, hash, param = null } = begins;
  return { kind, what: JSON.stringify([path, hash]), param };
}

function beginsOf({ kind, what, param }: HookRow): HookBegins {
  if (kind === 'prompt') return { kind, prompt: what };
  if (kind === 'job') return { kind, job: what };
  const [path = '', hash = ''] = JSON.parse(what) as string[];
  return { kind, path, hash, ...(param !== null && { param }) };
}

function isFresh({ timestamp = '' }: HookMessage, now: Date): boolean {
  return /^\d{1,12}$/u.test(timestamp) && Math.abs(Number(timestamp) * 1000 - now.getTime()) <= TOLERANCE_MS;
}

/** Without a secret nothing is signed. */
function isSigned(secret: string, { id = '', timestamp = '', signature = '', body }: HookMessage): boolean {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  if (key.length < FEWEST_BYTES || !/^[\w.-]{1,200}$/u.test(id)) return false;
  const right = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  return signature.split(' ').some((each) => {
    const [version, given = ''] = each.split(',');
    const bytes = Buffer.from(given, 'base64');
    return version === 'v1' && bytes.length === right.length && timingSafeEqual(bytes, right);
  });
}
