import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeNow, listenHere } from './listen-here.ts';
import { readForm, type SentFile } from './sent-form.ts';

export const BOT_TOKEN = '123456:AAsecretSecret';
const ME = { id: 123456, is_bot: true, first_name: 'Wooster', username: 'wooster_bot' };
export const OWNER = 4711;
const MAX_BATCH = 100;

/** A message that the bot has sent, as it is now. */
export interface BotMessage {
  readonly id: number;
  readonly chat: number;
  text: string;
  /** What its buttons say, by label. */
  buttons: Readonly<Record<string, string>>;
  readonly silent: boolean;
  /** What was sent as a document. */
  readonly file?: SentFile | undefined;
  /** The message that it answers. */
  readonly replyTo?: number | undefined;
  readonly entities: readonly { readonly type: string; readonly offset: number; readonly length: number }[];
  deleted: boolean;
}

/** How somebody writes. */
export interface Writing {
  readonly from?: number;
  readonly chat?: { readonly id: number; readonly type: string };
  readonly id?: number;
  /** Without a name it is sent as a photo. */
  readonly file?: { readonly name?: string; readonly bytes: Uint8Array };
  readonly more?: Readonly<Record<string, unknown>>;
}

interface Update {
  readonly update_id: number;
  readonly [kind: string]: unknown;
}

interface Poll {
  readonly response: ServerResponse;
  readonly offset: number;
  readonly timer: NodeJS.Timeout;
}

type Body = Readonly<Record<string, unknown>>;

/**
 * The Bot API as its documentation describes it: updates stay until an offset confirms them, one poll at a time, a
 * second one ends the first with 409. `bot-api.test.ts` holds it against grammY.
 *
 * @see https://core.telegram.org/bots/api
 */
export class BotApi {
  readonly channel = 'telegram';
  readonly owner = String(OWNER);
  readonly messages: BotMessage[] = [];
  /** Every call but polls, by method. */
  readonly calls: { readonly method: string; readonly body: Body }[] = [];
  /** Answers in place of the service's own, by method: the first that fits is used up. */
  readonly faults: { readonly method: string; readonly status: number; readonly body: unknown }[] = [];
  /** The longest that a poll is kept open, whatever was asked for. */
  longestPollMs = 60_000;
  /** How many polls there were. */
  polls = 0;
  origin = '';
  #updates: Update[] = [];
  #lastUpdate = 1000;
  #lastMessage = 0;
  #poll: Poll | undefined;
  readonly #files = new Map<string, Uint8Array>();
  readonly #server = createServer((request, response) => void this.#take(request, response));

  async listen(): Promise<this> {
    this.origin = await listenHere(this.#server);
    return this;
  }

  close(): void {
    closeNow(this.#server);
  }

  /** What reaches it. */
  get env(): Readonly<Record<string, string>> {
    return { TELEGRAM_BOT_TOKEN: BOT_TOKEN, TELEGRAM_API_URL: this.origin };
  }

  writeAs(user: string, text: string): void {
    this.write(text, { from: Number(user) });
  }

  /** It keeps everything until somebody asks. */
  isHeard(): boolean {
    return true;
  }

  /** What was said to a user alone. */
  saidTo(user: string): string[] {
    return this.texts(Number(user));
  }

  /** Somebody writes. @returns the message's id. */
  write(text: string, { from = OWNER, chat = { id: from, type: 'private' }, id, file, more }: Writing = {}): number {
    const messageId = id ?? this.#nextMessage();
    this.add({ message: { ...this.#written(text, { from, chat, id: messageId }), ...this.#document(file), ...more } });
    return messageId;
  }

  edit(id: number, text: string, from = OWNER): void {
    this.add({
      edited_message: { ...this.#written(text, { from, chat: { id: from, type: 'private' }, id }), edit_date: 2 },
    });
  }

  /** Somebody presses the button with this label, of the newest message that has one unless it is named. */
  press(label: string, { from = OWNER, message }: { from?: number; message?: BotMessage } = {}): void {
    const found = message ?? this.messages.findLast(({ buttons }) => label in buttons);
    if (!found) throw new Error(`no message has a button "${label}"`);
    const chat = { id: found.chat, type: found.chat < 0 ? 'group' : 'private' };
    this.add({
      callback_query: {
        ...{ id: `press-${this.#lastUpdate}`, from: userOf(from), chat_instance: 'x', data: found.buttons[label] },
        message: { message_id: found.id, date: 1, chat, from: ME, text: found.text },
      },
    });
  }

  add(update: Readonly<Record<string, unknown>>): void {
    this.#updates.push({ update_id: ++this.#lastUpdate, ...update });
    this.#deliver();
  }

  /** The service gives the last so many updates again, as if no offset had confirmed them. */
  replay(updates: readonly Update[]): void {
    this.#updates = [...updates, ...this.#updates];
    this.#deliver();
  }

  /** What waits for an offset. */
  get pending(): readonly Update[] {
    return this.#updates;
  }

  /** The connections break. */
  drop(): void {
    this.#server.closeAllConnections();
  }

  /** The texts in a chat as they stand there now, without those that made no sound. */
  texts(chat = OWNER): string[] {
    return this.messages.flatMap((each) => (each.chat === chat && !each.deleted && !each.silent ? each.text : []));
  }

  #nextMessage(): number {
    this.#lastMessage += 1;
    return this.#lastMessage;
  }

  #written(text: string, { from, chat, id }: { from: number; chat: object; id: number }) {
    return { message_id: id, date: 1, chat, from: userOf(from), text };
  }

  #document(file: Writing['file']): object {
    if (!file) return {};
    const id = `file-${this.#files.size + 1}`;
    this.#files.set(id, file.bytes);
    const sent = { file_id: id, file_unique_id: id, file_size: file.bytes.length };
    return file.name === undefined ? { photo: [sent] } : { document: { ...sent, file_name: file.name } };
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const [, file, token, rest = ''] = /^(\/file)?\/bot([^/]+)\/(.*)$/u.exec(request.url ?? '') ?? [];
    if (token !== BOT_TOKEN) return answer(response, 401, { ok: false, error_code: 401, description: 'Unauthorized' });
    if (file) {
      const bytes = this.#files.get(rest);
      response.writeHead(bytes ? 200 : 404).end(bytes);
      return;
    }
    const whole = Buffer.concat(parts);
    const { fields, files } = await readForm(whole, request.headers['content-type'] ?? '');
    const body = (fields ?? JSON.parse(whole.toString('utf8') || '{}')) as Body;
    const fault = this.faults.findIndex(({ method }) => method === rest);
    const [used] = fault < 0 ? [] : this.faults.splice(fault, 1);
    if (used) return answer(response, used.status, used.body);
    if (rest === 'getUpdates') return this.#updatesFor(response, body);
    this.calls.push({ method: rest, body });
    const act = this.#methods[rest];
    if (!act) return answer(response, 404, { ok: false, error_code: 404, description: 'Not Found' });
    const result = act(body, files);
    if (typeof result === 'string')
      return answer(response, 400, { ok: false, error_code: 400, description: `Bad Request: ${result}` });
    answer(response, 200, { ok: true, result });
  }

  /** What each method gives; a text is why the request is bad. */
  readonly #methods: Readonly<Record<string, (body: Body, files: readonly SentFile[]) => unknown>> = {
    getMe: () => ME,
    deleteWebhook: () => true,
    setMyCommands: () => true,
    answerCallbackQuery: () => true,
    sendChatAction: () => true,
    setMessageReaction: () => true,
    getFile: ({ file_id }) => {
      const id = String(file_id);
      return this.#files.has(id) ? { file_id: id, file_unique_id: id, file_path: id } : 'invalid file_id';
    },
    sendDocument: ({ chat_id, caption = '', reply_markup, reply_parameters }, [file]) => {
      if (!file) return 'there is no document in the request';
      if (String(caption).length > 1024) return 'message caption is too long';
      const message: BotMessage = {
        ...{ id: this.#nextMessage(), chat: Number(chat_id), text: String(caption), silent: false, entities: [], file },
        ...{ buttons: buttonsOf(parsed(reply_markup)), replyTo: repliedTo(reply_parameters), deleted: false },
      };
      this.messages.push(message);
      const document = { file_id: 'sent', file_unique_id: 'sent', file_name: file.name };
      return { ...asSent(message), document };
    },
    sendMessage: ({ chat_id, text, reply_markup, disable_notification, entities, reply_parameters }) => {
      if (typeof text !== 'string' || text === '') return 'message text is empty';
      if (text.length > 4096) return 'message is too long';
      const message: BotMessage = {
        ...{ id: this.#nextMessage(), chat: Number(chat_id), text, buttons: buttonsOf(reply_markup) },
        ...{ silent: disable_notification === true, entities: (entities ?? []) as never, deleted: false },
        replyTo: repliedTo(reply_parameters),
      };
      this.messages.push(message);
      return asSent(message);
    },
    editMessageText: ({ message_id, text, reply_markup }) => {
      const message = this.messages.find(({ id, deleted }) => id === message_id && !deleted);
      if (!message) return 'message to edit not found';
      if (message.text === text) return 'message is not modified';
      message.text = String(text);
      message.buttons = buttonsOf(reply_markup);
      return asSent(message);
    },
    deleteMessage: ({ message_id }) => {
      const message = this.messages.find(({ id, deleted }) => id === message_id && !deleted);
      if (!message) return 'message to delete not found';
      message.deleted = true;
      return true;
    },
  };

  #updatesFor(response: ServerResponse, { offset = 0, timeout = 0 }: Body): void {
    this.polls += 1;
    if (this.#poll) {
      const description = 'Conflict: terminated by other getUpdates request; make sure that only one bot instance runs';
      this.#endPoll((open) => answer(open, 409, { ok: false, error_code: 409, description }));
    }
    const from = Number(offset);
    this.#updates = this.#updates.filter(({ update_id }) => update_id >= from);
    const timer = setTimeout(
      () => this.#endPoll((open) => answer(open, 200, { ok: true, result: [] })),
      Math.min(Number(timeout) * 1000, this.longestPollMs),
    );
    this.#poll = { response, offset: from, timer };
    response.on('close', () => {
      if (this.#poll?.response === response) this.#endPoll(() => {});
    });
    this.#deliver();
  }

  #endPoll(end: (response: ServerResponse) => void): void {
    const poll = this.#poll;
    this.#poll = undefined;
    clearTimeout(poll?.timer);
    if (poll) end(poll.response);
  }

  #deliver(): void {
    if (!this.#poll || this.#updates.length === 0) return;
    const result = this.#updates.slice(0, MAX_BATCH);
    this.#endPoll((response) => answer(response, 200, { ok: true, result }));
  }
}

function userOf(id: number) {
  return { id, is_bot: false, first_name: `user ${id}` };
}

function asSent({ id, chat, text }: BotMessage) {
  return { message_id: id, date: 1, chat: { id: chat, type: chat < 0 ? 'group' : 'private' }, from: ME, text };
}

/** A field of a form is JSON as a text. */
function parsed(field: unknown): unknown {
  return typeof field === 'string' ? JSON.parse(field) : field;
}

function repliedTo(parameters: unknown): number | undefined {
  return (parsed(parameters) as { message_id: number } | undefined)?.message_id;
}

function buttonsOf(markup: unknown): Readonly<Record<string, string>> {
  const rows = (markup as { inline_keyboard?: { text: string; callback_data: string }[][] } | undefined)
    ?.inline_keyboard;
  return Object.fromEntries((rows ?? []).flat().map(({ text, callback_data }) => [text, callback_data]));
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  if (response.writableEnded) return;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
