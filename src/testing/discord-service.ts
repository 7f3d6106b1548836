import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import {
  answer,
  type Body,
  buttonsOf,
  type Call,
  CONTENT_INTENT,
  contentOf,
  dmOf,
  ME,
  NOTHING,
  ROUTES,
  type Session,
  seenBy,
  userOf,
} from './discord-forms.ts';
import { closeNow, listenHere } from './listen-here.ts';
import type { SentFile } from './sent-form.ts';

export const DISCORD_TOKEN = 'MTIzNDU2.discord-secret.Secret-Secret';
export const DISCORD_OWNER = '4711000000000001';
const SERVER_ID = '8800000000000001';
const EPOCH_MS = 1_420_070_400_000;
const CONTENT_FLAG = 1 << 19;
const SILENT = 1 << 12;
const MAX_CHARS = 2000;

/** A message as it is now. */
export interface DiscordPost {
  readonly id: string;
  readonly chat: string;
  readonly author: { readonly id: string };
  text: string;
  /** What its buttons say, by label. */
  buttons: Readonly<Record<string, string>>;
  readonly silent: boolean;
  readonly files: readonly SentFile[];
  /** The message that it answers. */
  readonly replyTo: string | undefined;
  deleted: boolean;
  readonly raw: Body;
}

/** How somebody writes. */
export interface DiscordWriting {
  readonly from?: string;
  /** In this channel of a server; absent: to the bot alone. */
  readonly room?: string;
  readonly file?: { readonly name: string; readonly bytes: Uint8Array };
  readonly mention?: boolean;
  readonly bot?: boolean;
  readonly more?: Body;
}

/**
 * Discord as its documentation describes it: a gateway with sessions that are resumed, and the part of the REST
 * interface that a chat needs. `discord-service.test.ts` holds it against discord.js.
 *
 * @see https://discord.com/developers/docs/intro
 */
export class DiscordService {
  readonly channel = 'discord';
  readonly owner = DISCORD_OWNER;
  readonly messages: DiscordPost[] = [];
  /** Every request but those that the gateway begins with, by the name of its route. */
  readonly calls: { readonly route: string; readonly body: Body }[] = [];
  /** Answers in place of the service's own, by route: the first that fits is used up. */
  readonly faults: { readonly route: string; readonly status: number; readonly body: unknown }[] = [];
  /** The presses that were noticed. */
  readonly noticed: string[] = [];
  /** How sessions began. */
  readonly begun: ('identify' | 'resume')[] = [];
  heartbeatMs = 41_250;
  /** Whether heartbeats are answered. */
  alive = true;
  /** Whether the bot may read what is not meant for it. */
  content = true;
  origin = '';
  #sessions = new Map<string, Session>();
  #count = 0;
  readonly #files = new Map<string, Uint8Array>();
  readonly #rooms = new Set<string>();
  readonly #server = createServer((request, response) => void this.#take(request, response));
  readonly #gateway = new WebSocketServer({ server: this.#server });

  async listen(): Promise<this> {
    this.#gateway.on('connection', (socket) => this.#greet(socket));
    this.origin = await listenHere(this.#server);
    return this;
  }

  close(): void {
    this.drop();
    this.#gateway.close();
    closeNow(this.#server);
  }

  /** What reaches it. */
  get env(): Readonly<Record<string, string>> {
    return { DISCORD_BOT_TOKEN: DISCORD_TOKEN, DISCORD_API_URL: this.origin };
  }

  writeAs(user: string, text: string): void {
    this.write(text, { from: user });
  }

  /** It keeps events only for sessions that have begun. */
  isHeard(): boolean {
    return this.#sessions.size > 0;
  }

  /** What was said to a user alone. */
  saidTo(user: string): string[] {
    return this.texts(dmOf(user));
  }

  /** Somebody writes. @returns the message's id. */
  write(text: string, writing: DiscordWriting = {}): string {
    const { from = DISCORD_OWNER, room, file, mention = false, bot = false, more = {} } = writing;
    const chat = room ?? dmOf(from);
    if (room !== undefined) this.#rooms.add(room);
    const content = mention ? `<@${ME.id}> ${text}` : text;
    const raw = {
      ...{
        id: this.#nextId(),
        channel_id: chat,
        author: userOf(from, bot),
        content,
        type: 0,
        tts: false,
        pinned: false,
      },
      ...{ timestamp: new Date().toISOString(), edited_timestamp: null, mention_everyone: false, embeds: [] },
      ...{ mentions: mention ? [ME] : [], mention_roles: [], attachments: file ? [this.#stored(file)] : [], ...more },
    };
    const post = { id: raw.id, chat, author: raw.author, text: content, buttons: {}, silent: false, files: [] };
    this.messages.push({ ...post, replyTo: undefined, deleted: false, raw });
    this.#tell('MESSAGE_CREATE', this.#withServer(raw));
    return raw.id;
  }

  edit(id: string, text: string): void {
    const found = this.#post(id);
    if (!found) throw new Error('there is no such message');
    found.text = text;
    const edited = { ...found.raw, content: text, edited_timestamp: new Date().toISOString() };
    this.#tell('MESSAGE_UPDATE', this.#withServer(edited));
  }

  /** Somebody presses the button with this label, of the newest message that has one unless it is named. */
  press(label: string, { from = DISCORD_OWNER, message }: { from?: string; message?: DiscordPost } = {}): string {
    const found = message ?? this.messages.findLast(({ buttons }) => label in buttons);
    if (!found) throw new Error(`no message has a button "${label}"`);
    const id = this.#nextId();
    const isRoom = this.#rooms.has(found.chat);
    const by = isRoom ? { guild_id: SERVER_ID, member: { user: userOf(from), roles: [] } } : { user: userOf(from) };
    this.#tell('INTERACTION_CREATE', {
      ...{ id, application_id: ME.id, type: 3, token: `answer-${id}`, version: 1, channel_id: found.chat, ...by },
      ...{ channel: { id: found.chat, type: isRoom ? 0 : 1 }, locale: 'en-GB', entitlements: [] },
      ...{ data: { custom_id: found.buttons[label], component_type: 2 }, message: found.raw },
      ...{ authorizing_integration_owners: {}, attachment_size_limit: 10_485_760 },
    });
    return id;
  }

  /** The texts of the bot in a chat as they stand there now, without those that made no sound. */
  texts(chat = dmOf(DISCORD_OWNER)): string[] {
    return this.sent(chat).map(({ text }) => text);
  }

  sent(chat = dmOf(DISCORD_OWNER)): DiscordPost[] {
    return this.messages.filter(
      (each) => each.author.id === ME.id && each.chat === chat && !each.deleted && !each.silent,
    );
  }

  /** All connections to the gateway break. */
  drop(code?: number): void {
    for (const socket of this.#gateway.clients) {
      if (code === undefined) socket.terminate();
      else socket.close(code);
    }
  }

  /** The gateway says something to everybody. */
  say(op: number, d: unknown = null): void {
    for (const socket of this.#gateway.clients) socket.send(JSON.stringify({ op, d }));
  }

  /** No session can be resumed any more. */
  forget(): void {
    this.#sessions = new Map();
  }

  /** The last events come once more. */
  repeat(count: number): void {
    for (const { events, socket } of this.#sessions.values())
      for (const event of events.slice(-count)) socket?.send(JSON.stringify(event));
  }

  #nextId(): string {
    this.#count += 1;
    return String(
      (BigInt(Date.now() - EPOCH_MS) << 22n) + BigInt(this.#count % 4096) + (BigInt(this.#count >> 12) << 12n),
    );
  }

  #stored({ name, bytes }: { readonly name: string; readonly bytes: Uint8Array }) {
    const id = this.#nextId();
    this.#files.set(id, bytes);
    const url = `${this.origin}/attachments/${id}`;
    return { id, filename: name, size: bytes.length, url, proxy_url: url, content_type: 'application/octet-stream' };
  }

  #post(id: string | undefined): DiscordPost | undefined {
    return this.messages.find((each) => each.id === id && !each.deleted);
  }

  /** The gateway names the server and the kind of chat of a message, the REST interface does not. */
  #withServer(raw: Body): Body {
    const isRoom = this.#rooms.has(String(raw.channel_id));
    return { ...raw, channel_type: isRoom ? 0 : 1, ...(isRoom && { guild_id: SERVER_ID, member: { roles: [] } }) };
  }

  #tell(t: string, d: Body): void {
    for (const session of this.#sessions.values()) this.#sendTo(session, t, seenBy(session, d));
  }

  #sendTo(session: Session, t: string, d: unknown): void {
    const event = { op: 0, s: session.events.length + 1, t, d } as const;
    session.events.push(event);
    session.socket?.send(JSON.stringify(event));
  }

  #greet(socket: WebSocket): void {
    socket.on('message', (data) => this.#heard(socket, JSON.parse(String(data))));
    socket.on('close', () => {
      for (const session of this.#sessions.values()) if (session.socket === socket) session.socket = undefined;
    });
    socket.send(JSON.stringify({ op: 10, d: { heartbeat_interval: this.heartbeatMs } }));
  }

  #heard(socket: WebSocket, { op, d }: { op: number; d: Body }): void {
    if (op === 1 && this.alive) socket.send(JSON.stringify({ op: 11 }));
    if (op !== 2 && op !== 6) return;
    if (d.token !== DISCORD_TOKEN) socket.close(4004);
    else if (op === 2) this.#identify(socket, Number(d.intents));
    else this.#resume(socket, d);
  }

  #identify(socket: WebSocket, intents: number): void {
    if ((intents & CONTENT_INTENT) !== 0 && !this.content) {
      socket.close(4014);
      return;
    }
    this.begun.push('identify');
    this.#count += 1;
    const session: Session = { id: `session-${this.#count}`, intents, events: [], socket };
    this.#sessions.set(session.id, session);
    const application = { id: ME.id, flags: this.#flags };
    const about = { v: 10, user: ME, guilds: [], session_id: session.id, application };
    this.#sendTo(session, 'READY', { ...about, resume_gateway_url: this.#gatewayUrl });
  }

  #resume(socket: WebSocket, { session_id, seq }: Body): void {
    const session = this.#sessions.get(String(session_id));
    if (!session) {
      socket.send(JSON.stringify({ op: 9, d: false }));
      return;
    }
    this.begun.push('resume');
    session.socket = socket;
    for (const event of session.events.filter(({ s }) => s > Number(seq))) socket.send(JSON.stringify(event));
    this.#sendTo(session, 'RESUMED', {});
  }

  get #flags(): number {
    return this.content ? CONTENT_FLAG : 0;
  }

  get #gatewayUrl(): string {
    return this.origin.replace('http', 'ws');
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { pathname, searchParams } = new URL(request.url ?? '', this.origin);
    const stored = this.#files.get(pathname.replace('/attachments/', ''));
    if (stored) return void response.writeHead(200).end(stored);
    const isKnown = request.headers.authorization === `Bot ${DISCORD_TOKEN}`;
    if (!isKnown && !pathname.includes('/interactions/'))
      return answer(response, 401, { message: '401: Unauthorized', code: 0 });
    const call = `${request.method} ${pathname.replace('/api/v10', '')}`;
    const [route, pattern] = ROUTES.find(([, each]) => each.test(call)) ?? ['unknown', /^$/u];
    const ids = pattern.exec(call)?.slice(1) ?? [];
    const { body, files } = await contentOf(Buffer.concat(parts), request.headers['content-type'] ?? '');
    const fault = this.faults.findIndex((each) => each.route === route);
    const [used] = fault < 0 ? [] : this.faults.splice(fault, 1);
    if (used) return answer(response, used.status, used.body);
    this.calls.push({ route, body });
    const found = this.#acts[route]?.({ ids, body, files, query: searchParams });
    if (found === undefined) answer(response, 404, { message: 'Unknown', code: 10_003 });
    else if (typeof found === 'string') answer(response, 400, { message: found, code: 50_035 });
    else answer(response, found === NOTHING ? 204 : 200, found);
  }

  /** What each route gives; a text is why the request is bad. */
  readonly #acts: Readonly<Record<string, (call: Call) => object | string | undefined>> = {
    gateway: () => {
      const session_start_limit = { total: 1000, remaining: 1000, reset_after: 0, max_concurrency: 1 };
      return { url: this.#gatewayUrl, shards: 1, session_start_limit };
    },
    me: () => ME,
    application: () => ({ id: ME.id, name: 'wooster', flags: this.#flags }),
    openDm: ({ body }) => ({ id: dmOf(String(body.recipient_id)), type: 1, recipients: [] }),
    channel: ({ ids: [id = ''] }) => ({ id, type: this.#rooms.has(id) ? 0 : 1 }),
    listMessages: ({ ids: [chat], query }) => {
      const after = BigInt(query.get('after') ?? 0);
      const later = this.messages.filter((each) => each.chat === chat && !each.deleted && BigInt(each.id) > after);
      return later
        .slice(0, Number(query.get('limit') ?? 50))
        .map(({ raw }) => raw)
        .toReversed();
    },
    getMessage: ({ ids: [, id] }) => this.#post(id)?.raw,
    createMessage: (call) => this.#create(call),
    editMessage: ({ ids: [, id], body }) => {
      const post = this.#post(id);
      if (post && body.content !== undefined) post.text = String(body.content);
      if (post && body.components !== undefined) post.buttons = buttonsOf(body.components);
      return post && { ...post.raw, content: post.text };
    },
    deleteMessage: ({ ids: [, id] }) => {
      const post = this.#post(id);
      if (post) post.deleted = true;
      return post && NOTHING;
    },
    typing: () => NOTHING,
    react: ({ ids: [, id] }) => this.#post(id) && NOTHING,
    notice: ({ ids: [id = '', token] }) => {
      if (token !== `answer-${id}` || this.noticed.includes(id)) return 'Interaction has already been acknowledged.';
      this.noticed.push(id);
      return NOTHING;
    },
  };

  #create({ ids: [chat = ''], body, files }: Call): object | string {
    const text = String(body.content ?? '');
    if (text === '' && files.length === 0) return 'Cannot send an empty message';
    if ([...text].length > MAX_CHARS) return 'Must be 2000 or fewer in length.';
    const same = this.messages.find(({ raw }) => body.enforce_nonce === true && raw.nonce === body.nonce);
    if (same) return same.raw;
    const replyTo = (body.message_reference as { message_id?: string } | undefined)?.message_id;
    const raw = {
      ...{ id: this.#nextId(), channel_id: chat, author: ME, content: text, nonce: body.nonce, type: replyTo ? 19 : 0 },
      ...{ timestamp: new Date().toISOString(), edited_timestamp: null, tts: false, pinned: false, mentions: [] },
      ...{
        mention_everyone: false,
        mention_roles: [],
        embeds: [],
        attachments: files.map((each) => this.#stored(each)),
      },
      ...{ components: body.components ?? [], flags: body.flags ?? 0 },
    };
    const silent = (Number(body.flags ?? 0) & SILENT) !== 0;
    const post = { id: raw.id, chat, author: ME, text, buttons: buttonsOf(body.components), silent, files, replyTo };
    this.messages.push({ ...post, deleted: false, raw });
    this.#tell('MESSAGE_CREATE', this.#withServer(raw));
    return raw;
  }
}
