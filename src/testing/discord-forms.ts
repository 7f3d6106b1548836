import type { ServerResponse } from 'node:http';
import type { WebSocket } from 'ws';
import { readForm, type SentFile } from './sent-form.ts';

export const ME = { id: '1234567890123456', username: 'wooster', discriminator: '0', bot: true, avatar: null };
export const CONTENT_INTENT = 1 << 15;

export type Body = Readonly<Record<string, unknown>>;

export interface Session {
  readonly id: string;
  readonly intents: number;
  readonly events: { readonly op: 0; readonly s: number; readonly t: string; readonly d: unknown }[];
  socket: WebSocket | undefined;
}

export interface Call {
  readonly ids: readonly string[];
  readonly body: Body;
  readonly files: readonly SentFile[];
  readonly query: URLSearchParams;
}

/** An answer without a body. */
export const NOTHING = {};
export const ROUTES: readonly (readonly [string, RegExp])[] = [
  ['gateway', /^GET \/gateway\/bot$/u],
  ['me', /^GET \/users\/@me$/u],
  ['application', /^GET \/applications\/@me$/u],
  ['openDm', /^POST \/users\/@me\/channels$/u],
  ['channel', /^GET \/channels\/(\d+)$/u],
  ['listMessages', /^GET \/channels\/(\d+)\/messages$/u],
  ['getMessage', /^GET \/channels\/(\d+)\/messages\/(\d+)$/u],
  ['createMessage', /^POST \/channels\/(\d+)\/messages$/u],
  ['editMessage', /^PATCH \/channels\/(\d+)\/messages\/(\d+)$/u],
  ['deleteMessage', /^DELETE \/channels\/(\d+)\/messages\/(\d+)$/u],
  ['typing', /^POST \/channels\/(\d+)\/typing$/u],
  ['react', /^PUT \/channels\/(\d+)\/messages\/(\d+)\/reactions\/[^/]+\/(?:@|%40)me$/u],
  ['notice', /^POST \/interactions\/(\d+)\/([^/]+)\/callback$/u],
];

/** The private chat of a user with the bot. */
export function dmOf(user: string): string {
  return `9${user}`;
}

export function userOf(id: string, bot = false) {
  return {
    id,
    username: `user${id.slice(-3)}`,
    global_name: `User ${id.slice(-3)}`,
    discriminator: '0',
    avatar: null,
    bot,
  };
}

/** Without the right to read content, a bot sees that of private messages and of those that mention it. */
export function seenBy({ intents }: Session, d: Body): Body {
  const mentions = (d.mentions ?? []) as readonly { readonly id: string }[];
  const isOpen =
    d.guild_id === undefined || (intents & CONTENT_INTENT) !== 0 || mentions.some(({ id }) => id === ME.id);
  return isOpen || d.content === undefined ? d : { ...d, content: '', attachments: [] };
}

export function buttonsOf(components: unknown): Readonly<Record<string, string>> {
  const rows = (components ?? []) as { components: { label: string; custom_id: string }[] }[];
  return Object.fromEntries(rows.flatMap((row) => row.components).map(({ label, custom_id }) => [label, custom_id]));
}

export async function contentOf(bytes: Buffer, type: string): Promise<{ body: Body; files: readonly SentFile[] }> {
  const { fields, files } = await readForm(bytes, type);
  return { body: JSON.parse(fields?.payload_json ?? (bytes.toString('utf8') || '{}')) as Body, files };
}

export function answer(response: ServerResponse, status: number, body: unknown): void {
  if (status === 204) response.writeHead(status).end();
  else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
