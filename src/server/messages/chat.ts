import type { Selectable } from 'kysely';
import { AssistantError, messageOf } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import {
  type Answer,
  NO_USAGE,
  NOBODY_TO_ASK,
  STRANGER,
  type Turn,
  type TurnContext,
  type TurnEvent,
} from '../../base/turn.ts';
import { errorEvent } from '../../face/error-event.ts';
import { runTurn } from '../../face/run-turn.ts';
import type { ChatMessage, Overheard } from '../../notify/inbound.ts';
import type { InboxItem } from '../../notify/inbox.ts';
import type { TurnRow } from '../../store/schema.ts';
import { changeSetting } from './change-setting.ts';
import type { ChatSetting } from './chat-settings.ts';
import { Progress } from './progress.ts';
import { receiveFiles } from './received.ts';
import type { Room } from './room.ts';
import { type PossibleCode, possibleCodes, readChatLine } from './words.ts';

/** A message that comes within this time belongs to the one before. */
const JOIN_MS = 2000;

/** What somebody wants who sends something without a word; the built-in assistant knows it as well. */
const SENT_ALONE = 'Summarise this.';
const ENDS: Readonly<Partial<Record<Answer['stop'], string>>> = {
  aborted: '(stopped)',
  step_limit: '(This took more steps than a turn may have; "go on" continues it.)',
  cut_off: '(cut off)',
};

interface Running {
  readonly id: string;
  readonly items: readonly InboxItem[];
  readonly stop: AbortController;
  readonly since: number;
  /** What came meanwhile and was not said to the model yet, and what was. */
  readonly steering: InboxItem[];
  readonly said: InboxItem[];
  /** A tool was used. */
  acted: boolean;
  /** It begins anew together with another message. */
  joined: boolean;
  stopped: boolean;
  error: string | undefined;
  /** What was understood of what its owner said. */
  heard: readonly string[];
}

/** An answer, with the conversation in which it was given: the chat may be in another one by now. */
interface Answered {
  readonly answer: Answer;
  readonly conversationId: string;
}

type KnownTurn = Selectable<TurnRow>;
type OverTurn = KnownTurn & { readonly status: Answer['stop'] };

/** One chat: its messages become turns, one at a time. Whatever is no request is done at once, beside them. */
export class Chat {
  readonly #room: Room;
  readonly #chat: string;
  readonly #alone: boolean;
  #waiting: InboxItem[] = [];
  #running: Running | undefined;
  readonly #work = new Set<Promise<void>>();

  constructor(room: Room, chat: string, alone: boolean) {
    this.#room = room;
    this.#chat = chat;
    this.#alone = alone;
  }

  /** Something that the owner wrote or pressed. */
  take(item: InboxItem): void {
    if (this.#room.signal.aborted) return;
    const meant = readChatLine(item.event.text);
    if (meant.kind === 'stop') this.#do(() => this.#stop(item));
    else if (meant.kind === 'decide' && this.#alone)
      this.#do(() => this.#beside(item, () => this.#room.questions.answer(this.#place, meant.code, meant.yes)));
    else if (meant.kind === 'setting')
      this.#do(() => this.#beside(item, () => changeSetting(this.#room, this.#place, meant)));
    else {
      const command = this.#alone ? this.#room.commands.reads(item.event.text, 'chat') : undefined;
      if (command) this.#do(() => this.#beside(item, () => this.#command(item, command)));
      else if (item.event.kind === 'message') this.#request(item);
      else this.#do(() => this.#room.app.schedule.notifier.inbox.finish([item]));
    }
  }

  /** Wait for everything under way; turns end with the room's signal, and go on when it is opened again. */
  async close(): Promise<void> {
    while (this.#work.size > 0) await Promise.allSettled(this.#work);
  }

  get #place() {
    return { channel: this.#room.channel.id, chat: this.#chat };
  }

  #do(work: () => Promise<void>): void {
    const { app } = this.#room;
    const done = work().catch((error: unknown) => {
      app.home.log.error('a message was not dealt with', { error: messageOf(error) });
    });
    this.#work.add(done);
    void done.finally(() => this.#work.delete(done));
  }

  /** What is repeated after a kill does nothing twice. */
  async #beside(item: InboxItem, act: () => Promise<void>): Promise<void> {
    const { app, channel, signal } = this.#room;
    if (item.event.kind === 'press') await channel.inbound.noticed?.(item.event, signal).catch(() => undefined);
    try {
      await act();
    } catch (error) {
      const { message, hint } = errorEvent(error);
      await this.#room.say(this.#chat, `${message} ${hint}`, { voice: STRANGER });
    }
    await app.schedule.notifier.inbox.finish([item]);
  }

  /** What it changes is kept together with what is said about it. */
  async #command(item: InboxItem, run: NonNullable<ReturnType<Room['commands']['reads']>>): Promise<void> {
    const { app, signal, settings, say } = this.#room;
    const { mode, project, conversationId } = await settings.get(this.#place);
    const text =
      item.answer ??
      (await app.store.transaction(async () => {
        const told = await run({ mode, project, conversationId, signal });
        await app.schedule.notifier.inbox.answered(item, told);
        return told;
      }));
    // What a command lists has names and texts that others gave it.
    await say(this.#chat, text, { key: `command:${item.event.id}`, voice: STRANGER });
  }

  async #stop(item: InboxItem): Promise<void> {
    const running = this.#running;
    await this.#beside(item, async () => {
      if (!running) return this.#room.say(this.#chat, 'There is nothing to stop.');
      running.stopped = true;
      running.stop.abort(new Error('stopped by its owner'));
    });
  }

  /** What names a question is meant for that, however it is put, and is no talk for a model. */
  #request(item: InboxItem): void {
    const codes = possibleCodes(item.event.text);
    if (codes.length === 0) this.#add(item);
    else this.#do(() => this.#requestUnlessNamed(item, codes));
  }

  async #requestUnlessNamed(item: InboxItem, codes: readonly PossibleCode[]): Promise<void> {
    const { questions, say } = this.#room;
    const code = await questions.named(codes);
    if (code === undefined) this.#add(item);
    else {
      const how = `To decide about question ${code}, write "yes ${code}" or "no ${code}" and nothing else`;
      const where = this.#alone ? '' : ', in the chat in which it was asked';
      await this.#beside(item, () => say(this.#chat, `${how}${where}. Nothing was done.`));
    }
  }

  #add(item: InboxItem): void {
    const running = this.#running;
    if (!running) {
      this.#waiting.push(item);
      this.#next();
    } else if (!running.acted && !running.stopped && Date.now() - running.since < JOIN_MS) {
      this.#waiting.push(...(running.joined ? [] : running.items), item);
      running.joined = true;
      running.stop.abort(new Error('another message belongs to this one'));
    } else if (!isWordsAlone(item)) {
      // A turn that runs can be told words; what else came with them is for the next one.
      this.#waiting.push(item);
    } else {
      running.steering.push(item);
      const { channel, signal } = this.#room;
      this.#do(async () => channel.inbound.react?.(item.event, '👀', signal).catch(() => undefined));
    }
  }

  /** The messages that wait become one turn; those of a turn that was begun before go on with it. */
  #next(): void {
    const [first] = this.#waiting;
    if (!first || this.#running || this.#room.signal.aborted) return;
    const together = this.#waiting.filter(({ turnId }) => turnId === first.turnId);
    this.#waiting = this.#waiting.filter(({ turnId }) => turnId !== first.turnId);
    const running: Running = {
      ...{ id: first.turnId ?? newId('turn'), items: together, stop: new AbortController(), since: Date.now() },
      // One that goes on may have acted before.
      ...{ steering: [], said: [], acted: first.turnId !== undefined, joined: false, stopped: false },
      ...{ error: undefined, heard: [] },
    };
    this.#running = running;
    this.#do(async () => {
      try {
        await this.#turn(running);
      } finally {
        this.#running = undefined;
        this.#next();
      }
    });
  }

  async #turn(running: Running): Promise<void> {
    const { app, settings, signal } = this.#room;
    const { notifier } = app.schedule;
    const { inbox } = notifier;
    const setting = await settings.get(this.#place);
    const progress = new Progress(this.#room.channel, this.#chat);
    try {
      const { answer, conversationId } = await this.#answer(running, setting, progress);
      if (signal.aborted && answer.stop === 'aborted' && !running.stopped) return;
      if (running.joined) return await this.#forget(running, setting);
      await progress.end();
      await this.#reply(running, answer, conversationId);
      await inbox.finish([...running.items, ...running.said]);
      this.#waiting.unshift(...running.steering);
    } finally {
      await progress.end();
    }
  }

  /** The answer of the turn; that of one that was answered before the program was killed is not made again. */
  async #answer(running: Running, setting: ChatSetting, progress: Progress): Promise<Answered> {
    const { app, channel, signal } = this.#room;
    const given = await app.turns.archive.turn(running.id);
    if (given && isOver(given)) return this.#given(given);
    const id = given?.status === 'undone' ? newId('turn') : running.id;
    await app.store.transaction(() => app.schedule.notifier.inbox.take(running.items, id));
    const stop = AbortSignal.any([running.stop.signal, signal]);
    const { unheard, ...asked } = await this.#asked(running.items, setting.project, { app, channel, signal: stop });
    const { conversationId, project, mode, model } = setting;
    if (unheard !== undefined)
      return { answer: { text: unheard, stop: 'answered', usage: NO_USAGE, steps: 0 }, conversationId };
    const turn: Turn = { id, conversationId, origin: 'chat', project, mode, text: asked.text, ...asked.given };
    running.heard = asked.heard;
    const context = this.#context(running, stop, progress);
    return { answer: await runTurn(app, turn, context, model === undefined ? {} : { model }), conversationId };
  }

  /** What a turn has answered already. Whose words are in it is known by what its conversation has read. */
  async #given({ id, status, conversation_id: conversationId }: OverTurn): Promise<Answered> {
    const { archive } = this.#room.app.turns;
    const { read_untrusted } = await archive.get(conversationId);
    const answer = { text: (await archive.answerOf(id)) ?? '', stop: status, usage: NO_USAGE, steps: 0 };
    return { answer: read_untrusted === 1 ? { ...answer, voice: STRANGER } : answer, conversationId };
  }

  /** The owner's words, written and spoken, and as material whatever came with them. */
  async #asked(items: readonly InboxItem[], project: string, deps: Parameters<typeof receiveFiles>[2]) {
    const latest = await Promise.all(items.map((item) => deps.app.schedule.notifier.inbox.get(item)));
    const messages = latest.flatMap((item) => (item?.event.kind === 'message' ? [item.event as ChatMessage] : []));
    const material = [];
    const [words, heard, unheard]: [string[], string[], string[]] = [[], [], []];
    // Where others are, they have seen it all.
    const shared = !this.#alone;
    for (const message of messages) {
      const files = await receiveFiles(message, project, deps);
      const foreign = [...said(message.before ?? []), ...message.foreign].map((each) => ({ ...each, untrusted: true }));
      material.push(...[...foreign, ...files.material].map((each) => ({ ...each, shared })));
      words.push(...[message.text.trim(), ...files.spoken].filter((each) => each !== ''));
      heard.push(...files.spoken);
      unheard.push(...files.unheard);
    }
    const isUnheard = unheard.length > 0 && words.length + material.length === 0;
    const notHeard = unheard.map((why) => ({ name: 'a voice message', text: `(not heard: ${why})`, untrusted: false }));
    if (!isUnheard) material.push(...notHeard);
    return {
      text: words.join('\n') || SENT_ALONE,
      heard,
      given: material.length > 0 ? { material } : {},
      ...(isUnheard && { unheard: `I cannot hear what you said: ${unheard.join('; ')}.` }),
    };
  }

  #context(running: Running, signal: AbortSignal, progress: Progress): TurnContext {
    const { app, questions } = this.#room;
    return {
      ...{ signal, now: () => new Date(), timeZone: app.home.timeZone },
      show: (event) => this.#show(running, event, progress),
      approve: async (request) => {
        if (!this.#alone) return NOBODY_TO_ASK;
        const asked = questions.ask(this.#chat, request, signal);
        // A turn that ends does not wait for its question to be closed; the program does.
        this.#do(() => asked.then(() => undefined));
        return asked;
      },
      steering: () => this.#steered(running),
      doing: (tool) => progress.doing(tool),
    };
  }

  #show(running: Running, event: TurnEvent, progress: Progress): void {
    if (event.type === 'call') {
      running.acted = true;
      progress.doing(event.name);
    }
    if (event.type === 'error') running.error = `${event.message} ${event.hint}`;
    const { questions } = this.#room;
    if (event.type === 'approval' && event.proposal !== undefined) {
      const { id, proposal } = event;
      this.#do(() => questions.proposed(id, proposal));
    }
  }

  /** What came meanwhile. Until the turn has ended it counts as unheard: better said twice after a kill than lost. */
  #steered(running: Running): readonly string[] {
    const taken = running.steering.splice(0);
    running.said.push(...taken);
    return taken.map(({ event }) => event.text);
  }

  /** The turn had done nothing: its messages are asked together with those that came. */
  async #forget({ id }: Running, { conversationId }: ChatSetting): Promise<void> {
    const { turns, tools } = this.#room.app;
    this.#waiting = this.#waiting.map((item) => ({ ...item, turnId: undefined }));
    if ((await turns.archive.statusOf(id)) === undefined) return;
    await turns.archive.undo(conversationId, (turnId) => tools.undo.turn(turnId));
  }

  /** In a chat with others, an answer goes to the owner alone if words of others may have drawn something private. */
  async #reply(
    { id, items, error, stopped, heard }: Running,
    { text, stop, voice }: Answer,
    conversationId: string,
  ): Promise<void> {
    const { say, app, channel } = this.#room;
    const end = stop === 'aborted' && !stopped ? '(interrupted)' : ENDS[stop];
    // What was misheard is seen by whoever said it.
    const parts = [...heard.map((each) => `(heard: ${each})`), text, error, end].flatMap((part) =>
      part ? [part] : [],
    );
    const [first] = items;
    const isDrawn = !this.#alone && voice?.untrusted === true && (await this.#isPrivate(conversationId));
    const own = app.schedule.notifier.accounts.of(channel.id).find(({ account }) => account === first?.event.account);
    const chat = isDrawn ? own?.chat : this.#chat;
    if (chat === undefined)
      throw new AssistantError('not_sent', 'There is nobody to answer.', { hint: 'Pair it anew.' });
    const replyTo = this.#alone || isDrawn ? undefined : first?.event.id;
    await say(chat, parts.join('\n\n') || '(no answer)', { key: `reply:${id}`, voice, turnId: id, replyTo });
  }

  /** Whether something that is for the owner alone was read in the conversation, now or before. */
  async #isPrivate(conversationId: string): Promise<boolean> {
    return (await this.#room.app.turns.archive.get(conversationId)).read_private === 1;
  }
}

/** One that was stopped, or cut off with its program, goes on. */
function isOver(turn: KnownTurn): turn is OverTurn {
  const { status } = turn;
  return status !== 'running' && status !== 'interrupted' && status !== 'aborted' && status !== 'undone';
}

/** Nothing of others and no file is in it. */
function isWordsAlone({ event }: InboxItem): boolean {
  if (event.kind === 'press') return true;
  return [event.foreign, event.attachments, event.before ?? []].every((each) => each.length === 0);
}

/** What was said in a group, as one text. */
function said(before: readonly Overheard[]): readonly { readonly name: string; readonly text: string }[] {
  if (before.length === 0) return [];
  const lines = before.map(({ name, text }) => `${name}: ${text}`);
  return [{ name: 'what was said in the group before', text: lines.join('\n') }];
}
