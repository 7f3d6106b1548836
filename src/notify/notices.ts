import { AssistantError, messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { oneAtATime } from '../base/one-at-a-time.ts';
import type { Store } from '../store/store.ts';
import type { Choice } from './channel.ts';
import { Face, type FaceOptions } from './face.ts';
import { NoticeTable, type StoredNotice } from './notice-table.ts';
import { NoticeWays, type WaysDeps } from './notice-ways.ts';
import { faces, isAttended, whoIsThere } from './presence.ts';
import { endOfQuiet, HERE, nextStep, type Route } from './routes.ts';
import { choicesOf, sayDigest, sayForChannel } from './say-notices.ts';
import { type Delivery, type KnownNotice, type Message, NOTICES_TOPIC, type Notice, toKnown } from './types.ts';

export interface NoticesDeps extends WaysDeps {
  readonly store: Store;
  readonly log: Log;
  readonly timeZone: string;
  now(): Date;
  /** A text as it may be stored and shown: without secrets and control characters, and inert by who speaks. */
  outgoing(notice: Pick<Notice, 'text' | 'voice'>): string;
  /** Send by the outbox. @throws AssistantError when the channel cannot be used at all. */
  send(message: Message): Promise<Delivery>;
  /** The key of that message in the outbox; undefined when there is no such channel. */
  messageKey(message: Message): string | undefined;
  /** Nothing more is sent of a message that waits: somebody was reached another way. */
  withdraw(messageKey: string): Promise<void>;
}

const BATCH = 20;
/** What a face says of a message that did not arrive. */
const SAID = {
  queued: 'waits for',
  unknown: 'unknown whether it reached',
  failed: 'not sent to',
} as const;
/** The lease of a program that takes a notice further; sending it twice is prevented by the outbox. */
const CLAIM_MS = 20_000;
/** A face that is there confirms within this time, or the notice goes on. */
const CONFIRM_MS = 5000;
/** A channel that is down gets another chance before the next step is taken. */
const PATIENCE_MS = 15_000;
/** Nobody is reminded for longer than this. */
const LONGEST_REPEAT_MS = 24 * 3_600_000;
const DAY_MS = 24 * 3_600_000;
/** What is listed. */
const [LISTED_DAYS, LISTED] = [30, 500];

/**
 * What the owner is to be told, until it has reached them: at the face where they are, or by the steps of its route.
 * `delivered` is what a face or a service has confirmed; all else waits, and the next face shows it.
 */
export class Notices {
  readonly #deps: NoticesDeps;
  readonly #table: NoticeTable;
  readonly #ways: NoticeWays;
  readonly #faces = new Set<Face>();
  /** Take every notice as far as it comes now. Never rejects. */
  readonly advance = oneAtATime(() => this.#advanceAll());
  #closed = false;

  constructor(deps: NoticesDeps) {
    this.#deps = deps;
    this.#table = new NoticeTable(deps.store);
    this.#ways = new NoticeWays(deps);
  }

  /**
   * Store a notice, within the caller's transaction; `advance` sends it on its way. A key that exists changes nothing.
   */
  async post({ key, text, voice, to, runId, urgent = false, answers }: Notice): Promise<void> {
    const now = this.#deps.now().toISOString();
    await this.#table.enter({
      ...{
        key,
        run_id: runId ?? null,
        route: to ?? null,
        text: this.#deps.outgoing({ text, voice }),
        untrusted: voice?.untrusted === true ? 1 : 0,
        urgent: urgent ? 1 : 0,
        answers: answers ? JSON.stringify(answers) : null,
      },
      ...{ created_at: now, since: now, next_at: now },
    });
    await this.#deps.store.wake.notify(NOTICES_TOPIC);
  }

  /** A place where the owner sees something begins to show what waits for them, until it is closed. */
  async openFace(options: FaceOptions): Promise<Face> {
    const face: Face = new Face(options, {
      ...this.#deps,
      table: this.#table,
      answers: (row) => this.#ways.answers(row),
      confirmed: (shown, attended) => this.#confirm(face, shown, attended),
    });
    this.#faces.add(face);
    await face.begin(() => this.#faces.delete(face));
    return face;
  }

  /** The notices of the last 30 days, newest first. */
  async list(): Promise<readonly KnownNotice[]> {
    const since = new Date(this.#deps.now().getTime() - LISTED_DAYS * DAY_MS).toISOString();
    return (await this.#table.since(since, LISTED)).map(toKnown);
  }

  /** A clock that was far ahead has come back: what it planned for after this time goes on now. */
  bringForward(after: Date): Promise<void> {
    return this.#table.bringForward(after.toISOString(), this.#deps.now().toISOString());
  }

  /**
   * The owner has dealt with a notice, which ends it everywhere.
   *
   * @param number  which; absent: all that are open.
   * @param by  where they said so.
   * @returns those that were open.
   */
  done(number: number | undefined, by: string): Promise<readonly KnownNotice[]> {
    const at = this.#deps.now().toISOString();
    return this.#settle(number, { state: 'done', next_at: null, at_faces: 0, done_at: at, done_by: by });
  }

  /** A notice comes again, by its whole route, at another time. */
  snooze(number: number, until: Date): Promise<readonly KnownNotice[]> {
    const time = until.toISOString();
    const again = { step: 0, since: time, next_at: time, at_faces: 0, face: null, held: 0, repeated: 0, reached: 0 };
    return this.#settle(number, { ...again, state: 'waiting' });
  }

  async #settle(number: number | undefined, changes: Partial<StoredNotice>): Promise<KnownNotice[]> {
    return this.#deps.store.transaction(async () => {
      const open = await this.#table.open(number);
      const rounds = changes.state === 'waiting' ? (row: StoredNotice) => ({ round: row.round + 1 }) : () => ({});
      for (const row of open) {
        await this.#withdraw(row);
        await this.#table.changeAll([row.key], { ...changes, ...rounds(row), message: null });
      }
      return open.map(toKnown);
    });
  }

  /** Somebody who waits for the result of a run has read it, so that no face need show it. */
  async readBy(runId: string, by: string): Promise<void> {
    const rows = (await this.#table.ofRuns([runId])).filter(({ state }) => state === 'waiting');
    const keys = rows.map(({ key }) => key);
    await this.#table.changeAll(keys, { ...this.#delivered(by), message: null, next_at: null });
  }

  /** What became of the report of each run, in words; runs without one are missing. */
  async reported(runIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return new Map((await this.#table.ofRuns(runIds)).map((row) => [row.run_id ?? '', deliveryOf(row)]));
  }

  /** What became of one notice; undefined when there is none with this key. */
  async outcome(key: string): Promise<Delivery | undefined> {
    const row = await this.#table.find(key);
    if (!row) return undefined;
    const channel = row.delivered_by ?? HERE;
    if (row.state !== 'waiting') return { channel, state: 'sent', detail: '' };
    return { channel, state: 'queued', detail: row.outcome ?? 'it is shown where you are next' };
  }

  /** The routes as they are now. */
  async routes(): Promise<{ readonly usual: Route; readonly urgent: Route }> {
    const [usual, urgent] = await Promise.all([this.#ways.chosen(false), this.#ways.chosen(true)]);
    return { usual, urgent };
  }

  /** What its reader may say about what a message of the outbox carries. */
  async choices(messageKey: string): Promise<readonly Choice[]> {
    return choicesOf(await this.#table.carriedBy(messageKey));
  }

  /** When `advance` has something to do next. */
  async nextAt(): Promise<Date | undefined> {
    const next = await this.#table.nextAt();
    return next === undefined ? undefined : new Date(next);
  }

  /** A message of the outbox was delivered. In the transaction that records it. */
  async arrived(messageKey: string, channel: string): Promise<void> {
    const carried = await this.#table.carriedBy(messageKey);
    const keys = carried.map(({ key }) => key);
    // What is delivered goes on now, to the steps that wait for the owner to have seen it.
    if (keys.length > 0) await this.#table.changeAll(keys, { ...this.#delivered(channel), outcome: null });
    for (const row of carried) {
      const others = messagesOf(row).filter((message) => message !== messageKey);
      for (const other of others) await this.#deps.withdraw(other);
      await this.#table.changeAll([row.key], { message: null });
    }
  }

  /** A message of the outbox will not arrive, as far as is known. @returns whether it carried a notice. */
  async lost(messageKey: string, why: string): Promise<boolean> {
    const carried = await this.#table.carriedBy(messageKey);
    const now = this.#deps.now().toISOString();
    for (const row of carried) {
      const others = messagesOf(row).filter((message) => message !== messageKey);
      const message = others.length === 0 ? null : others.join(' ');
      await this.#table.changeAll([row.key], { message, outcome: why, next_at: now });
    }
    return carried.length > 0;
  }

  async #withdraw(row: StoredNotice): Promise<void> {
    for (const message of messagesOf(row)) await this.#deps.withdraw(message);
  }

  #delivered(by: string): Partial<StoredNotice> {
    const now = this.#deps.now().toISOString();
    return { state: 'delivered', delivered_at: now, delivered_by: by, at_faces: 0, next_at: now, reached: 1 };
  }

  /** Stop, and close the faces of this program. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#faces].map((face) => face.close()));
    await this.advance();
  }

  /** What was shown where nobody was for a while goes on, as if it had not been. */
  async #confirm(face: Face, shown: readonly string[], attended: boolean): Promise<void> {
    await this.#deps.store.transaction(async () => {
      for (const row of await this.#table.heldBy(face.id, shown)) {
        const delivered = this.#delivered(face.kind);
        if (attended) await this.#withdraw(row);
        const further = attended ? { message: null } : { reached: 0, next_at: row.next_at };
        await this.#table.changeAll([row.key], { ...delivered, ...further });
      }
    });
  }

  async #advanceAll(): Promise<void> {
    const { log, store, now } = this.#deps;
    try {
      if (((await this.#table.nextAt()) ?? '~') > now().toISOString()) return;
      for (let due = await this.#due(); due.length > 0 && !this.#closed; due = await this.#due()) {
        const claimed = await store.transaction(() => this.#claim(due));
        if (claimed.length === 0) return;
        for (const group of this.#together(claimed)) await this.#goOn(group);
      }
    } catch (error) {
      log.error('notices did not go on', { error: messageOf(error) });
    }
  }

  #due(): Promise<StoredNotice[]> {
    return this.#table.due(this.#deps.now().toISOString(), BATCH);
  }

  async #claim(due: readonly StoredNotice[]): Promise<StoredNotice[]> {
    const until = new Date(this.#deps.now().getTime() + CLAIM_MS).toISOString();
    const claimed: StoredNotice[] = [];
    for (const row of due) {
      await this.#table.number(row.key);
      const mine = await this.#table.change(row, { next_at: until });
      if (mine) claimed.push(mine);
    }
    return claimed;
  }

  /** What waited for the end of the quiet hours and goes the same way goes in one message. */
  #together(claimed: readonly StoredNotice[]): readonly (readonly StoredNotice[])[] {
    const wayOf = (row: StoredNotice) =>
      row.held === 1 ? `${row.route} ${row.step} ${this.#ways.answers(row)?.channel}` : row.key;
    return [...Map.groupBy(claimed, wayOf).values()];
  }

  /** Take notices that go the same way from step to step, as far as they come now. */
  async #goOn(rows: readonly StoredNotice[]): Promise<void> {
    let group = rows;
    for (let [row] = group; row; [row] = group) {
      const route = await this.#ways.of(row);
      const from = { from: row.step, delivered: row.reached === 1, since: new Date(row.since) };
      const next = nextStep(route, from);
      if (!next) group = await this.#end(group, route);
      else if (next.at > this.#deps.now()) group = await this.#pause(group, next.at, { step: next.step });
      else {
        const { to } = route[next.step] ?? { to: HERE };
        group = to === HERE ? await this.#offer(group, next.step) : await this.#sendTo(to, group, next.step);
      }
    }
  }

  /** @returns those that nobody else has changed meanwhile. */
  async #change(rows: readonly StoredNotice[], changes: Partial<StoredNotice>): Promise<StoredNotice[]> {
    const changed = await Promise.all(rows.map((row) => this.#table.change(row, changes)));
    return changed.filter((row) => row !== undefined);
  }

  /** They go on at another time. */
  async #pause(rows: readonly StoredNotice[], at: Date, changes: Partial<StoredNotice> = {}): Promise<[]> {
    await this.#change(rows, { ...changes, next_at: at.toISOString() });
    return [];
  }

  /** Faces may show them from now on. Where somebody is at one, that gets the time to do so. */
  async #offer(rows: readonly StoredNotice[], step: number): Promise<readonly StoredNotice[]> {
    const { now } = this.#deps;
    for (const face of this.#faces) await face.beat();
    const [liveliest] = faces(await whoIsThere(this.#deps));
    const changes = { step: step + 1, at_faces: 1 };
    if (!liveliest || !isAttended(liveliest, now())) return this.#change(rows, changes);
    await this.#pause(rows, new Date(now().getTime() + CONFIRM_MS), changes);
    await this.#deps.store.wake.notify(NOTICES_TOPIC);
    for (const face of this.#faces) await face.look();
    return [];
  }

  async #sendTo(to: string, rows: readonly StoredNotice[], step: number): Promise<readonly StoredNotice[]> {
    const { options, now, timeZone, messageKey } = this.#deps;
    const [first] = rows;
    if (!first) return [];
    const quiet = options.quietHours && first.urgent === 0 && endOfQuiet(options.quietHours, now(), timeZone);
    if (quiet) return this.#pause(rows, quiet, { step, held: 1, at_faces: 1 });
    const message = this.#messageFor(to, rows, step);
    const key = messageKey(message);
    const sending = await this.#carried(rows, key);
    // Somebody else has changed one of them: the others set out again.
    if (sending.length < rows.length) return this.#pause(sending, now(), { held: 0 });
    const { state, detail } = await this.#deliver(message);
    const keys = rows.map((row) => row.key);
    // What was sent has been marked as delivered with the outcome, and goes on from there.
    if (state === 'sent') await this.#table.passed(keys, step);
    if (state === 'sent') return [];
    const outcome = `${SAID[state]} ${to}: ${detail}`;
    const passed = { step: step + 1, held: 0, outcome };
    if (state === 'failed') return this.#change(sending, { ...passed, message: first.message });
    return this.#pause(sending, new Date(now().getTime() + PATIENCE_MS), passed);
  }

  /** A message is about to carry them. */
  async #carried(rows: readonly StoredNotice[], message: string | undefined): Promise<StoredNotice[]> {
    const withIt = (row: StoredNotice) => [...new Set([...messagesOf(row), ...(message ? [message] : [])])].join(' ');
    const carried = await Promise.all(rows.map((row) => this.#table.change(row, { message: withIt(row) || null })));
    return carried.filter((row) => row !== undefined);
  }

  #messageFor(to: string, rows: readonly StoredNotice[], step: number): Message {
    const [first, ...others] = rows;
    const text = first && others.length === 0 ? sayForChannel(first) : sayDigest(rows, this.#deps.timeZone);
    const keys = rows.map(({ key, round }) => `${key}#${round}`).join(' ');
    const asked = first && others.length === 0 ? this.#ways.answers(first) : undefined;
    const where = asked?.channel === to ? { chat: asked.chat, replyTo: asked.message } : {};
    return { text, to, ...where, idempotencyKey: `${keys}#${step}`, runId: first?.run_id ?? undefined };
  }

  async #deliver(message: Message): Promise<Pick<Delivery, 'state' | 'detail'>> {
    try {
      return await this.#deps.send(message);
    } catch (error) {
      if (!(error instanceof AssistantError)) throw error;
      return { state: 'failed', detail: `${error.message} ${error.hint}` };
    }
  }

  /** The route is over. Urgent ones begin anew; what has not arrived, and is not on its way, waits for a face. */
  async #end(rows: readonly StoredNotice[], route: Route): Promise<[]> {
    const { options, now } = this.#deps;
    const throughHere = route.some(({ to }) => to === HERE);
    for (const row of rows) {
      const again = new Date(now().getTime() + options.repeatMinutes * 60_000);
      const waits = row.state === 'waiting' && (throughHere || row.message === null);
      const repeats = row.urgent === 1 && again.getTime() - Date.parse(row.created_at) < LONGEST_REPEAT_MS;
      const round = { round: row.round + 1, step: 0, since: again.toISOString(), next_at: again.toISOString() };
      const anew = { ...round, state: 'waiting' as const, reached: 0, face: waits ? row.face : null };
      await this.#table.change(row, { at_faces: waits ? 1 : 0, ...(repeats ? anew : { next_at: null }) });
    }
    for (const face of this.#faces) await face.look();
    return [];
  }
}

function messagesOf({ message }: StoredNotice): string[] {
  return message === null ? [] : message.split(' ');
}

function deliveryOf({ state, delivered_by, done_by, outcome }: StoredNotice): string {
  const by = delivered_by ?? done_by;
  if (state !== 'waiting') return by === null ? (outcome ?? state) : `delivered (${by})`;
  return outcome === null ? 'waiting' : `waiting (${outcome})`;
}
