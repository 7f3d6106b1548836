import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { AssistantError } from '../../base/errors.ts';
import type { GatewayRequest, GatewayResponse } from '../../net/types.ts';
import type { ChannelDeps, OutgoingFile } from '../channel.ts';
import { bodyOf, waitOf } from '../http-outcome.ts';
import { multipart } from '../multipart.ts';

export const DEFAULT_URL = 'https://discord.com';
export const LABEL = 'Discord';
/** Its edge refuses whoever calls themselves otherwise. */
const USER_AGENT = 'DiscordBot (https://www.npmjs.com/package/wooster, 0.1)';
const TOTAL_MS = 20_000;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** Longer waits that the service asks for are not worth it for anything but messages, which the outbox keeps. */
const LONGEST_WAIT_MS = 5000;
const MAX_WAITS = 3;

export interface Limits {
  readonly signal: AbortSignal;
  readonly totalMs?: number;
  readonly maxBytes?: number;
  /** Goes with the request. */
  readonly file?: OutgoingFile | undefined;
  /** What is gone or closed to the bot gives undefined. */
  readonly mayBeGone?: boolean;
}

type Method = NonNullable<GatewayRequest['method']>;
type Body = Pick<GatewayRequest, 'headers' | 'body'>;

/** The REST interface of a bot. */
export interface DiscordApi {
  /** One request, whatever becomes of it. @param path  below `/api/v10`. */
  call(method: Method, path: string, body: object | undefined, limits: Limits): Promise<GatewayResponse>;
  /**
   * A request that has to succeed; short waits that the service asks for are kept.
   *
   * @returns its JSON. @throws AssistantError `not_received` for every refusal.
   */
  ask(method: Method, path: string, body: object | undefined, limits: Limits): Promise<unknown>;
  /** A file at an address that the service has given: without the token. */
  file(url: string, limits: Limits & { readonly maxBytes: number }): Promise<GatewayResponse>;
  /** Of the interface itself: reachable even when private. */
  readonly origin: string;
}

/** @see https://discord.com/developers/docs/reference */
export function discordApi(token: string, server: string, { gateway }: ChannelDeps): DiscordApi {
  const { origin } = new URL(server);
  const common = { caller: 'discord', configured: [origin], maxRedirects: 0 };
  const authorized = { 'user-agent': USER_AGENT, authorization: `Bot ${token}` };
  const api: DiscordApi = {
    origin,
    call: async (method, path, given, { mayBeGone: _, file, ...limits }) => {
      const { headers, body } = given === undefined ? {} : await written(given, file);
      return gateway.request({
        ...{ ...common, totalMs: TOTAL_MS, maxBytes: MAX_ANSWER_BYTES, ...limits },
        ...{ url: `${origin}/api/v10${path}`, method, headers: { ...authorized, ...headers } },
        ...(body !== undefined && { body }),
      });
    },
    ask: async (method, path, body, limits) => {
      for (let waits = 0; ; waits += 1) {
        const response = await api.call(method, path, body, limits);
        if (response.status >= 200 && response.status < 300) return bodyOf(response);
        if (limits.mayBeGone && (response.status === 403 || response.status === 404)) return undefined;
        const waitMs = response.status === 429 ? waitOf(response) : undefined;
        if (waitMs === undefined || waitMs > LONGEST_WAIT_MS || waits === MAX_WAITS) throw refusalOf(response, path);
        await sleep(waitMs, undefined, { signal: limits.signal });
      }
    },
    file: (url, limits) => gateway.request({ ...common, ...limits, url }),
  };
  return api;
}

/** A request with JSON, and the file that goes with it. */
export async function written(body: object, file: OutgoingFile | undefined): Promise<Body> {
  if (file) return multipart({ payload_json: JSON.stringify(body) }, 'files[0]', file);
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

const problem = z.object({ message: z.string() });

function refusalOf(response: GatewayResponse, path: string): AssistantError {
  const { status } = response;
  if (status === 401) return refused(`${LABEL} refuses the token.`, 'Set a new DISCORD_BOT_TOKEN.');
  const { data } = problem.safeParse(bodyOf(response));
  const why = data?.message ?? `the answer is not from ${LABEL}`;
  // Ids of chats are nobody's business.
  return refused(`${LABEL} refused ${path.replace(/\d{5,}/gu, '...')} (${status}: ${why}).`);
}

/** @throws AssistantError `not_received`. */
export function read<T>(schema: z.ZodType<T>, value: unknown): T {
  const { success, data } = schema.safeParse(value);
  if (!success) throw refused(`${LABEL} gave an answer of an unknown form.`);
  return data;
}

export function refused(message: string, hint = 'It is tried again.'): AssistantError {
  return new AssistantError('not_received', message, { hint });
}
