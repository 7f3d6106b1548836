import { randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import { AssistantError, messageOf } from '../../base/errors.ts';
import { oneAtATime } from '../../base/one-at-a-time.ts';
import { preview } from '../../base/text.ts';
import { type ApprovalRequest, type Decision, NOBODY_TO_ASK, STRANGER } from '../../base/turn.ts';
import type { App } from '../../face/app.ts';
import { NOT_RUN } from '../../face/not-run.ts';
import type { Account } from '../../notify/accounts.ts';
import type { ReceivingChannel } from '../../notify/types.ts';
import { isIn } from '../../store/portable.ts';
import type { Database } from '../../store/schema.ts';
import { describeApproval } from '../../tools/gate/approval-text.ts';
import type { Proposal } from '../../tools/gate/proposals.ts';
import type { ChatPlace, ChatSettings } from './chat-settings.ts';
import type { Say } from './say.ts';
import type { PossibleCode } from './words.ts';

export interface QuestionsDeps {
  readonly app: App;
  readonly channel: ReceivingChannel;
  readonly settings: ChatSettings;
  readonly say: Say;
}

/** A turn waits for so long; then the call becomes a proposal, and the same question decides about that. */
const WAIT_MS = 5 * 60_000;
/** A person who has more to read decides nothing well. */
const MOST_OPEN = 5;
const MAX_RESULT_CHARS = 1500;
/** Of a text that has more words like codes, the rest are none. */
const MOST_CODES = 50;

type QuestionRow = Selectable<Database['chat_questions']>;

/**
 * Questions about calls in the owner's own chats. Each has a code that only this program gives out, is kept in the
 * database, and is closed wherever it was decided.
 */
export class Questions {
  readonly #deps: QuestionsDeps;
  /** What the turns that wait for a decision do with it, by code. */
  readonly #waiting = new Map<string, (decision: Decision) => void>();
  /** By the request, as long as that may become a proposal. */
  readonly #codes = new Map<string, string>();

  constructor(deps: QuestionsDeps) {
    this.#deps = deps;
  }

  /**
   * Ask about a call of a turn and wait. Where the chat may not decide, or nobody answers in time, the call becomes a
   * proposal.
   */
  async ask(chat: string, request: ApprovalRequest, signal: AbortSignal): Promise<Decision> {
    if (!this.#mayDecide(chat, request)) return NOBODY_TO_ASK;
    const { promise, resolve } = Promise.withResolvers<Decision>();
    const code = await this.#put(chat, request, (code) => {
      this.#waiting.set(code, resolve);
      this.#codes.set(request.id, code);
    });
    const timer = setTimeout(() => resolve(NOBODY_TO_ASK), WAIT_MS);
    const withdraw = () => resolve({ verdict: 'denied', by: 'the end of the turn' });
    signal.addEventListener('abort', withdraw, { once: true });
    if (signal.aborted) withdraw();
    try {
      const decision = await promise;
      if (decision !== NOBODY_TO_ASK) this.#codes.delete(request.id);
      if (signal.aborted) await this.#close(code, 'no longer needed.');
      return decision;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', withdraw);
      this.#waiting.delete(code);
    }
  }

  /** The call that was asked about waits as a proposal now. */
  async proposed(requestId: string, proposalId: string): Promise<void> {
    const code = this.#codes.get(requestId);
    this.#codes.delete(requestId);
    if (code !== undefined) await this.#set(code, { proposal_id: proposalId });
  }

  /** The question that a text names: one that is open, or one that it answers. */
  async named(possible: readonly PossibleCode[]): Promise<string | undefined> {
    const codes = possible.slice(0, MOST_CODES).map(({ code }) => code);
    const rows = await this.#rows()
      .where(isIn(this.#deps.app.store, 'code', codes))
      .execute();
    const isNamed = ({ code, state }: QuestionRow) =>
      state === 'open' || possible.some((each) => each.code === code && each.answers);
    return rows.find(isNamed)?.code;
  }

  /** The owner's answer, from the chat in which they were asked. Runs what waits as a proposal. */
  async answer({ chat }: Pick<ChatPlace, 'chat'>, code: string, yes: boolean): Promise<void> {
    const { app, channel, say } = this.#deps;
    const row = await this.#row(code);
    if (!row || row.chat !== chat || row.channel !== channel.id) return say(chat, `There is no question ${code} here.`);
    if (row.state === 'closed') return say(chat, `Question ${code} is closed.`);
    const by = channel.label;
    const decide = this.#waiting.get(code);
    if (decide) {
      decide({ verdict: yes ? 'once' : 'denied', by });
      return this.#close(code, yes ? 'approved.' : 'denied.');
    }
    if (row.proposal_id === null) return this.#close(code, 'no longer needed.');
    if (!yes) {
      const denied = await app.tools.proposals.deny(row.proposal_id, by);
      return this.#close(code, denied ? 'denied.' : 'decided elsewhere.');
    }
    const { outcome, text } = await app.tools.approve(row.proposal_id, { by, signal: AbortSignal.timeout(600_000) });
    // What another program is at may wait again in a minute.
    if (outcome !== 'busy') await this.#close(code, outcome === 'ran' ? 'approved.' : 'closed.');
    const result = preview(text, MAX_RESULT_CHARS);
    const words =
      outcome === 'ran' ? `Done: ${result}` : outcome === 'failed' ? `It failed: ${result}` : NOT_RUN[outcome];
    return say(chat, words, { key: `decided:${code}:${outcome}`, voice: STRANGER });
  }

  /** Close what was decided elsewhere or is over, and ask about what waits. Never rejects. */
  readonly look = oneAtATime(() => this.#lookAtAll());

  async #lookAtAll(): Promise<void> {
    const { app } = this.#deps;
    try {
      const open = await this.#open();
      const proposals = await app.tools.proposals.list();
      for (const row of open) await this.#look(row, proposals);
      const asked = new Set((await this.#open()).map(({ hash }) => hash));
      for (const proposal of proposals) {
        if (asked.size >= MOST_OPEN) return;
        if (proposal.state !== 'waiting' || asked.has(proposal.hash) || (await this.#wasAsked(proposal))) continue;
        const chat = await this.#chatFor(proposal);
        if (chat === undefined) continue;
        await this.#put(chat, requestOf(proposal), undefined, proposal.id);
        asked.add(proposal.hash);
      }
    } catch (error) {
      app.home.log.error('open questions were not looked at', { error: messageOf(error) });
    }
  }

  async #look({ code, hash, proposal_id }: QuestionRow, proposals: readonly Proposal[]): Promise<void> {
    if (this.#waiting.has(code)) return;
    const proposal = proposals.find(
      ({ id, state, hash: of }) => id === proposal_id || (state === 'waiting' && of === hash),
    );
    // The program was ended while its turn waited: the turn asks anew.
    if (!proposal) return this.#close(code, 'no longer needed.');
    if (proposal_id === null) return this.#set(code, { proposal_id: proposal.id });
    const { state } = proposal;
    if (state === 'waiting' || state === 'running') return;
    await this.#close(code, state === 'expired' ? 'expired.' : `decided elsewhere (${state}).`);
  }

  /** The owner's own chat with its conversation, else the one in which they were paired first, if it is here. */
  async #chatFor(proposal: Proposal): Promise<string | undefined> {
    const { app, channel, settings } = this.#deps;
    const { notifier } = app.schedule;
    const all = notifier.receiving().flatMap(({ id }) => notifier.accounts.of(id));
    const own = await settings.chatOf(proposal.conversationId);
    const isKnown = own?.channel === channel.id && this.#accountIn(own.chat) !== undefined;
    const found = isKnown
      ? own
      : (all.find((each) => each.channel === own?.channel && each.chat === own.chat) ?? all[0]);
    if (found?.channel !== channel.id) return undefined;
    return this.#mayDecide(found.chat, { tool: proposal.tool, diff: proposal.diff }) ? found.chat : undefined;
  }

  /** The owner's account that is alone with Wooster in a chat. */
  #accountIn(chat: string): Account | undefined {
    const { app, channel } = this.#deps;
    const owner = channel.inbound.ownerOf?.(chat);
    return app.schedule.notifier.accounts.of(channel.id).find((each) => each.chat === chat || each.account === owner);
  }

  /**
   * Only in a chat of the owner's own with nobody else, and unless it was allowed to the account, nothing that Wooster
   * obeys or that cannot be undone.
   */
  #mayDecide(chat: string, { tool: name, diff }: Pick<ApprovalRequest, 'tool' | 'diff'>): boolean {
    const { app } = this.#deps;
    const account = this.#accountIn(chat);
    if (!account) return false;
    if (account.decidesAll) return true;
    const { effect, change } = app.tools.toolbox.find(name)?.policy ?? {};
    const isKnown = effect === 'outbound' || change === 'append' || change === 'schedule' || change === 'overwrite';
    return diff === undefined && isKnown;
  }

  /** Store a question and ask it. @param begun  called before anybody can answer. @returns its code. */
  async #put(
    chat: string,
    request: ApprovalRequest,
    begun?: (code: string) => void,
    proposalId?: string,
  ): Promise<string> {
    const { app, channel } = this.#deps;
    const code = await this.#freshCode();
    const row = { code, channel: channel.id, chat, hash: request.hash, text: request.tool };
    await app.store.db
      .insertInto('chat_questions')
      .values({ ...row, proposal_id: proposalId ?? null, state: 'open', created_at: new Date().toISOString() })
      .execute();
    begun?.(code);
    const choices = [
      { label: 'Approve', says: `yes ${code}` },
      { label: 'Deny', says: `no ${code}` },
    ];
    const text = `Question ${code}. ${describeApproval(request)}`;
    // What others wrote may have chosen the arguments.
    const voice = request.provenance.untrusted ? STRANGER : undefined;
    const message = { ...keyOf(channel.id, { code, chat }), text, choices, voice, asks: true } as const;
    await app.schedule.notifier.send(message, new AbortController().signal).catch((error: unknown) => {
      if (!(error instanceof AssistantError)) throw error;
      app.home.log.warn('a question was not sent', { error: error.message });
    });
    return code;
  }

  async #freshCode(): Promise<string> {
    for (;;) {
      const code = randomBytes(2).toString('hex');
      if (!(await this.#row(code))) return code;
    }
  }

  /** It can be answered no more, and its message says so. */
  async #close(code: string, outcome: string): Promise<void> {
    const { app, channel } = this.#deps;
    const row = await this.#row(code);
    if (row?.state !== 'open') return;
    const { notifier } = app.schedule;
    const message = keyOf(channel.id, row);
    // Where the service was away it is still to be sent.
    await notifier.withdraw(message);
    const id = await notifier.sentAs(message);
    const text = `Question ${code} (${row.text}): ${outcome}`;
    const edited = id && channel.inbound.edit?.({ chat: row.chat, id }, text, AbortSignal.timeout(10_000));
    await (edited || undefined)?.catch((error: unknown) =>
      app.home.log.info('a question still has its buttons', { error: messageOf(error) }),
    );
    await this.#set(code, { state: 'closed' });
  }

  async #set(code: string, changes: Partial<QuestionRow>): Promise<void> {
    await this.#deps.app.store.db.updateTable('chat_questions').set(changes).where('code', '=', code).execute();
  }

  #rows() {
    return this.#deps.app.store.db.selectFrom('chat_questions').selectAll();
  }

  #row(code: string): Promise<QuestionRow | undefined> {
    return this.#rows().where('code', '=', code).executeTakeFirst();
  }

  #open(): Promise<QuestionRow[]> {
    const { id } = this.#deps.channel;
    return this.#rows().where('state', '=', 'open').where('channel', '=', id).orderBy('created_at').execute();
  }

  async #wasAsked({ id }: Proposal): Promise<boolean> {
    return (await this.#rows().where('proposal_id', '=', id).executeTakeFirst()) !== undefined;
  }
}

function requestOf({ target, ...proposal }: Proposal): ApprovalRequest {
  return { ...proposal, destination: target };
}

function keyOf(to: string, { code, chat }: Pick<QuestionRow, 'code' | 'chat'>) {
  return { to, chat, idempotencyKey: `question:${code}` };
}
