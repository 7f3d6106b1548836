import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { parseJson, sha256 } from '../../base/json.ts';
import type { ChannelDeps } from '../channel.ts';
import type { ChatEvent, ChatMessage, Inbound, Received } from '../inbound.ts';
import { type DiscordApi, LABEL, read, refused } from './discord-api.ts';
import { eventOf, fetchedOf, message, PRIVATE, snowflake } from './discord-events.ts';
import { type Dispatch, GatewayConnection, type Session } from './discord-gateway.ts';

/** Messages in servers and in private, and their content, which a bot has to be allowed in servers. */
const INTENTS = { servers: 1 << 9, own: 1 << 12, content: 1 << 15 };
/** The flags of a bot that is allowed to read content: in many servers, in few. */
const MAY_READ = (1 << 18) | (1 << 19);
/** Suppresses previews of links; makes no sound. */
const FLAGS = { plain: 1 << 2, silent: 1 << 12 };
const DEFERRED = 6;
const PAGE = 100;
/** Messages may come a little out of their order; what was kept already is not kept twice. */
const OVERLAP_MS = 5000;
const [SHORT_PAUSE_MS, LONG_PAUSE_MS] = [500, 2000];
/** The service forgets them sooner. */
const MOST_PRESSES = 200;

const account = z.object({ id: snowflake, username: z.string() });
const application = z.object({ flags: z.number().default(0) });
const gatewayOf = z.object({
  url: z.string(),
  session_start_limit: z.object({ remaining: z.number(), reset_after: z.number() }).optional(),
});
const ready = z.object({ session_id: z.string(), resume_gateway_url: z.string() });
const posted = z.object({ id: z.string() });
const page = z.array(z.looseObject({ id: snowflake }));
const channelOf = z.object({ type: z.number() });
const markOf = z.object({
  /** The newest message that has come, by its id. */
  last: snowflake,
  session: z.object({ id: z.string(), seq: z.number(), url: z.string() }).optional(),
});
type Mark = z.output<typeof markOf>;

/**
 * Receiving by the gateway. A session goes on behind its last event, also in another program; once the service has
 * given it up, what was missed is asked for in the chats in which the owner was heard.
 *
 * @see https://discord.com/developers/docs/events/gateway
 */
export function discordInbound(api: DiscordApi, token: string, deps: ChannelDeps): Inbound {
  const tokens = new Map<string, string>();
  const at = (of: { chat: string; id: string }) => `/channels/${of.chat}/messages/${of.id}`;
  const mayRead = async (signal: AbortSignal) =>
    (read(application, await api.ask('GET', '/applications/@me', undefined, { signal })).flags & MAY_READ) !== 0;
  return {
    account: sha256(token).slice(0, 16),
    probe: async (signal) => {
      const { username } = read(account, await api.ask('GET', '/users/@me', undefined, { signal }));
      const blind = (await mayRead(signal))
        ? ''
        : '; in servers it reads only what mentions it (no Message Content Intent)';
      return `@${username}${blind}`;
    },
    receive: (since, signal) => new Receiving({ api, token, deps, tokens, mayRead }).events(since, signal),
    download: (attachment, limits) => download(api, attachment.id, limits),
    noticed: async ({ id }, signal) => {
      const answerTo = tokens.get(id);
      tokens.delete(id);
      if (answerTo === undefined) return;
      await api.ask('POST', `/interactions/${id}/${answerTo}/callback`, { type: DEFERRED }, { signal });
    },
    typing: async (chat, signal) => void (await api.ask('POST', `/channels/${chat}/typing`, undefined, { signal })),
    react: async (to, emoji, signal) => {
      await api.ask('PUT', `${at(to)}/reactions/${encodeURIComponent(emoji)}/@me`, undefined, { signal });
    },
    post: async (chat, text, signal) => {
      const body = { content: text, flags: FLAGS.plain | FLAGS.silent, allowed_mentions: { parse: [] } };
      return read(posted, await api.ask('POST', `/channels/${chat}/messages`, body, { signal })).id;
    },
    edit: async (of, text, signal) => {
      const body = { content: text, components: [], allowed_mentions: { parse: [] } };
      await api.ask('PATCH', at(of), body, { signal });
    },
    remove: async (of, signal) => void (await api.ask('DELETE', at(of), undefined, { signal })),
  };
}

/** Addresses of files are good for a day only, so a message is asked for the present one. */
async function download(api: DiscordApi, id: string, limits: Parameters<Inbound['download']>[1]) {
  const [chat = '', within = '', wanted = ''] = id.split('/');
  const found = await api.ask('GET', `/channels/${chat}/messages/${within}`, undefined, { signal: limits.signal });
  const { attachments, message_snapshots: forwards = [] } = read(message, found);
  const all = [...attachments, ...forwards.flatMap((each) => each.message.attachments)];
  const url = all.find((each) => each.id === wanted)?.url;
  if (url === undefined) throw refused(`The file is no longer at ${LABEL}.`, 'Ask for it again.');
  const { status, body } = await api.file(url, { ...limits, totalMs: 120_000 });
  if (status !== 200) throw refused(`${LABEL} does not give the file (${status}).`);
  return body;
}

interface ReceivingDeps {
  readonly api: DiscordApi;
  readonly token: string;
  readonly deps: ChannelDeps;
  /** By which presses can be answered, by their ids. */
  readonly tokens: Map<string, string>;
  mayRead(signal: AbortSignal): Promise<boolean>;
}

/** One connection after another. */
class Receiving {
  readonly #deps: ReceivingDeps;
  #mark: Mark = { last: snowflakeAt(Date.now()) };
  #me = '';
  /** What was fetched after a gap may come by the new session as well. */
  #fetched: ReadonlySet<string> = new Set();

  constructor(deps: ReceivingDeps) {
    this.#deps = deps;
  }

  /** @throws AssistantError `not_received` where a connection did not get to its beginning. */
  async *events(since: string | undefined, signal: AbortSignal): AsyncGenerator<Received> {
    const { api, mayRead } = this.#deps;
    this.#mark = markOf.safeParse(parseJson(since ?? '')).data ?? this.#mark;
    this.#me = read(account, await api.ask('GET', '/users/@me', undefined, { signal })).id;
    const intents = INTENTS.servers | INTENTS.own | ((await mayRead(signal)) ? INTENTS.content : 0);
    while (!signal.aborted) {
      const connection = await this.#connect(intents, signal);
      for await (const batch of connection.dispatches()) yield* this.#received(batch, signal);
      if (!connection.resumable) this.#mark = { last: this.#mark.last };
      else if (!connection.ready && !signal.aborted) throw refused(`${LABEL} broke off the connection.`);
      // A session that was refused may begin anew after one to five seconds, and thousand times a day.
      await pause(connection.resumable ? SHORT_PAUSE_MS : LONG_PAUSE_MS, signal);
    }
  }

  async #connect(intents: number, signal: AbortSignal): Promise<GatewayConnection> {
    const { api, token, deps } = this.#deps;
    const { session } = this.#mark;
    const url = session?.url ?? (await this.#gateway(signal));
    const socket = await deps.gateway.webSocket({
      ...{
        url: `${url.replace(/\/+$/u, '')}/?v=10&encoding=json`,
        caller: 'discord',
        configured: [api.origin],
        signal,
      },
    });
    return new GatewayConnection({ socket, token, intents, session, signal });
  }

  async #gateway(signal: AbortSignal): Promise<string> {
    const { api } = this.#deps;
    const { url, session_start_limit: limit } = read(
      gatewayOf,
      await api.ask('GET', '/gateway/bot', undefined, { signal }),
    );
    if (limit && limit.remaining <= 0) {
      const minutes = Math.ceil(limit.reset_after / 60_000);
      throw refused(`${LABEL} lets the bot connect no more for ${minutes} min.`, 'Is it used by several programs?');
    }
    return this.#checked(url);
  }

  /** The token goes there. @throws AssistantError `not_received` where it is less encrypted than the API's address. */
  #checked(url: string): string {
    const isOwn = URL.parse(url.replace(/^ws/u, 'http'))?.origin === this.#deps.api.origin;
    if (!url.startsWith('wss:') && !isOwn) throw refused(`${LABEL} names a gateway without encryption.`);
    return url;
  }

  /** What a batch has for us. A session that begins anew has a gap before it. */
  async *#received(batch: readonly Dispatch[], signal: AbortSignal): AsyncGenerator<Received> {
    const events: ChatEvent[] = [];
    let isNews = false;
    for (const dispatch of batch) {
      if (dispatch.type === 'READY') {
        events.push(...(await this.#missed(signal)));
        this.#mark = { last: this.#mark.last, session: this.#begun(dispatch) };
      }
      isNews ||= dispatch.type === 'READY' || dispatch.type === 'RESUMED';
      const event = eventOf(dispatch, this.#me, this.#deps.tokens);
      if (event && !(event.kind === 'message' && this.#fetched.has(event.id))) events.push(event);
      this.#pass(dispatch.seq, event);
    }
    this.#forgetPresses();
    if (isNews || events.length > 0) yield { mark: JSON.stringify(this.#mark), events };
  }

  #begun({ data, seq }: Dispatch): Session {
    const { session_id: id, resume_gateway_url } = read(ready, data);
    return { id, seq, url: this.#checked(resume_gateway_url) };
  }

  #pass(seq: number, event: ChatEvent | undefined): void {
    const { session, last } = this.#mark;
    const newer = event?.kind === 'message' && BigInt(event.id) > BigInt(last) ? event.id : last;
    this.#mark = { last: newer, ...(session && { session: { ...session, seq } }) };
  }

  #forgetPresses(): void {
    const { tokens } = this.#deps;
    for (const id of tokens.keys()) {
      if (tokens.size <= MOST_PRESSES) return;
      tokens.delete(id);
    }
  }

  /** In the order in which it was written. A chat that is closed to the bot by now has nothing for it. */
  async #missed(signal: AbortSignal): Promise<readonly ChatMessage[]> {
    const { deps } = this.#deps;
    const found: ChatMessage[] = [];
    for (const chat of (await deps.heardIn?.('discord')) ?? []) found.push(...(await this.#missedIn(chat, signal)));
    this.#fetched = new Set(found.map(({ id }) => id));
    for (const event of found) this.#pass(this.#mark.session?.seq ?? 0, event);
    return found.toSorted(byId);
  }

  async #missedIn(chat: string, signal: AbortSignal): Promise<readonly ChatMessage[]> {
    const { api } = this.#deps;
    const limits = { signal, mayBeGone: true };
    const known = channelOf.safeParse(await api.ask('GET', `/channels/${chat}`, undefined, limits)).data;
    if (!known) return [];
    const found: ChatMessage[] = [];
    for (let after = before(this.#mark.last); ; ) {
      const path = `/channels/${chat}/messages?limit=${PAGE}&after=${after}`;
      const next = page.safeParse(await api.ask('GET', path, undefined, limits)).data ?? [];
      const inOrder = next.toSorted(byId);
      found.push(...inOrder.flatMap((each) => fetchedOf(each, this.#me, known.type === PRIVATE) ?? []));
      if (next.length < PAGE) return found;
      after = inOrder.at(-1)?.id ?? after;
    }
  }
}

const byId = (one: { readonly id: string }, other: { readonly id: string }) =>
  BigInt(one.id) < BigInt(other.id) ? -1 : 1;

const EPOCH_MS = 1_420_070_400_000;

/** Ids of messages tell when they were written. */
function snowflakeAt(ms: number): string {
  return String(BigInt(Math.max(0, ms - EPOCH_MS)) << 22n);
}

function before(id: string): string {
  const earlier = BigInt(id) - (BigInt(OVERLAP_MS) << 22n);
  return String(earlier < 0n ? 0n : earlier);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms * (1 + Math.random()), undefined, { signal }).catch(() => undefined);
}
