import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { AssistantError, messageOf } from '../../base/errors.ts';
import { parseJson } from '../../base/json.ts';
import { silentLog } from '../../base/log.ts';
import type { TurnEvent } from '../../base/turn.ts';
import type { CommandResult, LineCompletions, Question } from '../../face/doors.ts';
import { createGateway } from '../../net/gateway.ts';
import type { Gateway } from '../../net/types.ts';
import { badUsage } from '../flags.ts';
import { eventsOf } from './events.ts';

/** A turn at the other end. */
export interface BegunTurn {
  readonly id: string;
  readonly conversationId: string;
}

interface Where {
  readonly project?: string | undefined;
  readonly conversationId?: string | undefined;
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/u;
/** How often a stream that was cut is taken up again, and how long after. */
const RETRIES = 5;
const RETRY_MS = 500;
const problem = z.object({ error: z.object({ code: z.string(), message: z.string(), hint: z.string().default('') }) });
const begun = z.object({ id: z.string(), conversationId: z.string() });
const result = z.object({ code: z.number(), rows: z.array(z.unknown()), text: z.string() });
const completions = z.object({
  from: z.number(),
  items: z.array(z.object({ value: z.string(), note: z.string().optional() })),
});

/** The other end of a door over HTTP. */
export class DoorClient {
  readonly #base: string;
  readonly #token: string;
  readonly #gateway: Gateway;
  readonly #fetch: typeof fetch;

  /** @throws AssistantError `bad_usage` for what is no address of a door, or for one where others could read along. */
  constructor(address: string, token: string | undefined) {
    const url = URL.parse(address);
    if (!url || !/^https?:$/u.test(url.protocol) || url.username !== '' || url.pathname !== '/')
      throw badUsage(`"${address}" is no address of a door.`, 'Give --server https://HOST[:PORT].');
    if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname))
      throw badUsage(`On the way to ${url.host} others could read along.`, 'Use https, or a tunnel to this machine.');
    if (!token)
      throw badUsage(
        'There is no token for the server.',
        'Set WOOSTER_SERVER_TOKEN; "wooster pair --token" makes one there.',
      );
    this.#base = url.origin;
    this.#token = token;
    this.#gateway = createGateway({ allowPrivate: [], log: silentLog });
    this.#fetch = this.#gateway.fetchFor('--server', [url.origin]);
  }

  /** @param decides somebody is here who can be asked about calls. */
  async begin(text: string, decides: boolean, where: Where): Promise<BegunTurn> {
    // Sent again, it begins nothing a second time.
    return begun.parse(
      await this.#post(
        '/api/turns',
        { text, ...where },
        { 'idempotency-key': crypto.randomUUID(), ...byWhom(decides) },
      ),
    );
  }

  /**
   * The events of a turn up to its answer. A connection that is cut is taken up again behind the last event.
   *
   * @param decides somebody is here who can be asked about calls.
   * @throws AssistantError `server_refused`, `server_unreachable`.
   */
  async *events(turnId: string, decides: boolean): AsyncGenerator<TurnEvent | Question> {
    let last = '0';
    for (let tries = 0; ; tries += 1) {
      try {
        const response = await this.#send(`/api/turns/${turnId}/events`, {
          headers: { 'last-event-id': last, ...byWhom(decides) },
        });
        for await (const { id, data } of eventsOf(response.body ?? new ReadableStream())) {
          [last, tries] = [id, 0];
          const event = JSON.parse(data) as TurnEvent | Question;
          yield event;
          if (event.type === 'answer') return;
        }
      } catch (error) {
        if (error instanceof AssistantError && error.code === 'server_refused') throw error;
        if (tries >= RETRIES) throw error;
      }
      if (tries >= RETRIES) throw unreachable(this.#base, 'the stream ends again and again');
      await sleep(RETRY_MS);
    }
  }

  async stop(turnId: string): Promise<void> {
    await this.#post(`/api/turns/${turnId}/stop`, {});
  }

  async steer(turnId: string, text: string): Promise<void> {
    await this.#post(`/api/turns/${turnId}/steer`, { text });
  }

  async decide(id: string, decision: 'once' | 'turn' | 'denied'): Promise<void> {
    await this.#post(`/api/approvals/${id}`, { decision });
  }

  async command(
    words: readonly string[],
    as: 'rows' | 'text',
    where: Where,
    signal: AbortSignal,
  ): Promise<CommandResult> {
    return result.parse(await this.#post('/api/commands', { words, as, ...where }, {}, signal));
  }

  /** Undefined also while the server cannot be asked: the line is typed on. */
  async complete(line: string, cursor: number, project: string | undefined): Promise<LineCompletions | undefined> {
    const found = await this.#post('/api/complete', { line, cursor, project }).catch(() => undefined);
    return completions.safeParse(found).data;
  }

  async close(): Promise<void> {
    await this.#gateway.close();
  }

  async #post(
    path: string,
    body: object,
    headers: Record<string, string> = {},
    signal?: AbortSignal,
  ): Promise<unknown> {
    const response = await this.#send(path, {
      ...{ method: 'POST', body: JSON.stringify(body) },
      headers: { 'content-type': 'application/json', ...headers },
      ...(signal && { signal }),
    });
    return response.json();
  }

  async #send(
    path: string,
    { headers, ...init }: RequestInit & { headers: Record<string, string> },
  ): Promise<Response> {
    const own = { ...headers, authorization: `Bearer ${this.#token}` };
    const response = await this.#fetch(`${this.#base}${path}`, { ...init, headers: own }).catch((error: unknown) => {
      init.signal?.throwIfAborted();
      throw unreachable(this.#base, messageOf(error).replace(/\.$/u, ''));
    });
    if (response.ok) return response;
    const told = problem.safeParse(parseJson(await response.text())).data?.error;
    throw new AssistantError('server_refused', told?.message ?? `${this.#base} answers ${response.status}.`, {
      hint: told?.hint || 'Is it the door of a Wooster?',
    });
  }
}

const byWhom = (decides: boolean): Record<string, string> => (decides ? {} : { 'x-wooster-decides': 'no' });

function unreachable(base: string, why: string): AssistantError {
  return new AssistantError('server_unreachable', `${base} cannot be reached: ${why}.`, {
    hint: 'Does "wooster serve --http" run there?',
  });
}
