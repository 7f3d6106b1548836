import { z } from 'zod';
import type { AssistantError } from '../../base/errors.ts';
import { parseJson } from '../../base/json.ts';
import type { WebSocket } from '../../net/types.ts';
import { LABEL, refused } from './discord-api.ts';

/** With which the service goes on behind what it has sent last. */
export interface Session {
  readonly id: string;
  readonly seq: number;
  /** Where it can be resumed. */
  readonly url: string;
}

/** Something that happened. */
export interface Dispatch {
  readonly type: string;
  readonly seq: number;
  readonly data: unknown;
}

export interface ConnectionOptions {
  readonly socket: WebSocket;
  readonly token: string;
  readonly intents: number;
  /** The session to resume; absent: a new one begins. */
  readonly session: Session | undefined;
  readonly signal: AbortSignal;
}

const OP = { dispatch: 0, heartbeat: 1, identify: 2, resume: 6, reconnect: 7, invalid: 9, hello: 10, ack: 11 } as const;
/** Any code but 1000 and 1001 lets the session be resumed, here or by another program. */
const GOING_ON = 4000;
/** From the opening to the beginning of the session. */
const BEGIN_MS = 30_000;

/** What ends a session for good, by the code of the close: what happened, and what to do. */
const FATAL: Readonly<Record<number, readonly [string, string]>> = {
  4004: [`${LABEL} refuses the token.`, 'Set a new DISCORD_BOT_TOKEN.'],
  4010: [`${LABEL} refuses the shard.`, 'Make a bot of its own for Wooster.'],
  4011: [`The ${LABEL} bot is in too many servers.`, 'Make a bot of its own for Wooster.'],
  4012: [`${LABEL} has ended this version of its gateway.`, 'Update Wooster.'],
  4013: [`${LABEL} does not know what was asked for.`, 'Update Wooster.'],
  4014: [`${LABEL} does not allow the bot to read messages.`, 'Switch on "Message Content Intent" of the bot.'],
};
/** After these there is nothing to resume. */
const SESSION_GONE: ReadonlySet<number> = new Set([4003, 4007, 4009]);

const frame = z.object({
  op: z.number(),
  d: z.unknown(),
  s: z.number().nullish(),
  t: z.string().nullish(),
});
type Frame = z.output<typeof frame>;
const hello = z.object({ heartbeat_interval: z.number().positive() });
const begun = new Set(['READY', 'RESUMED']);

/**
 * One connection to the gateway: says who it is, keeps it alive, and gives what happens in batches, until it ends.
 *
 * @see https://discord.com/developers/docs/events/gateway
 */
export class GatewayConnection {
  /** Whether the session had begun, or went on. */
  ready = false;
  /** Whether the session can be resumed by another connection. */
  resumable = true;
  readonly #options: ConnectionOptions;
  readonly #waiting: Dispatch[] = [];
  #wake = Promise.withResolvers<void>();
  #ended = false;
  #failure: AssistantError | undefined;
  #seq: number | null;
  #isAlive = true;
  #beats: NodeJS.Timeout | undefined;
  readonly #begin: NodeJS.Timeout;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#seq = options.session?.seq ?? null;
    const { socket, signal } = options;
    socket.addEventListener('message', ({ data }) => this.#take(data));
    socket.addEventListener('close', ({ code }) => this.#closed(code));
    // The close that follows says why.
    socket.addEventListener('error', () => {});
    this.#begin = setTimeout(() => this.#end(), BEGIN_MS).unref();
    signal.addEventListener('abort', this.#stop, { once: true });
    if (signal.aborted) this.#end();
  }

  readonly #stop = () => this.#end();

  /** @throws AssistantError `not_received` where connecting again would end the same. */
  async *dispatches(): AsyncGenerator<readonly Dispatch[]> {
    try {
      for (;;) {
        if (this.#waiting.length > 0) yield this.#waiting.splice(0);
        else if (this.#ended) break;
        else await this.#wake.promise;
        this.#wake = Promise.withResolvers<void>();
      }
      if (this.#failure) throw this.#failure;
    } finally {
      this.#end();
    }
  }

  #take(data: unknown): void {
    const { success, data: got } = frame.safeParse(typeof data === 'string' ? parseJson(data) : undefined);
    // Whoever speaks another language is not the gateway.
    if (success) this.#acts[got.op]?.(got);
    else this.#end();
  }

  readonly #acts: Readonly<Record<number, (got: Frame) => void>> = {
    [OP.dispatch]: ({ t, s, d }) => this.#dispatched({ type: t ?? '', seq: s ?? 0, data: d }),
    [OP.heartbeat]: () => this.#beat(),
    [OP.ack]: () => {
      this.#isAlive = true;
    },
    [OP.reconnect]: () => this.#end(),
    [OP.invalid]: ({ d }) => {
      this.resumable = d === true;
      this.#end();
    },
    [OP.hello]: ({ d }) => this.#greeted(d),
  };

  #dispatched(dispatch: Dispatch): void {
    this.#seq = dispatch.seq;
    if (begun.has(dispatch.type)) {
      this.ready = true;
      clearTimeout(this.#begin);
    }
    this.#waiting.push(dispatch);
    this.#wake.resolve();
  }

  #greeted(data: unknown): void {
    const { success, data: greeting } = hello.safeParse(data);
    if (success && !this.#beats) this.#introduce(greeting.heartbeat_interval);
    else this.#end();
  }

  #introduce(everyMs: number): void {
    const { token, session, intents } = this.#options;
    const properties = { os: process.platform, browser: 'wooster', device: 'wooster' };
    if (session) this.#send(OP.resume, { token, session_id: session.id, seq: session.seq });
    else this.#send(OP.identify, { token, intents, properties });
    const beat = () => this.#beatOrEnd();
    // The first at a time of its own, so that not all bots beat at once after an outage.
    this.#beats = setTimeout(() => {
      this.#beats = setInterval(beat, everyMs).unref();
      beat();
    }, everyMs * Math.random()).unref();
  }

  /** A service that has not answered the last one is gone, even where the connection does not say so. */
  #beatOrEnd(): void {
    if (this.#isAlive) this.#beat();
    else this.#end();
    this.#isAlive = false;
  }

  #beat(): void {
    this.#send(OP.heartbeat, this.#seq);
  }

  #send(op: number, d: unknown): void {
    const { socket } = this.#options;
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify({ op, d }));
  }

  #closed(code: number): void {
    if (this.#ended) return;
    const fatal = FATAL[code];
    if (fatal) this.#failure = refused(...fatal);
    if (fatal || SESSION_GONE.has(code)) this.resumable = false;
    this.#end();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#begin);
    clearTimeout(this.#beats);
    const { socket, signal } = this.#options;
    signal.removeEventListener('abort', this.#stop);
    socket.close(GOING_ON);
    this.#wake.resolve();
  }
}
