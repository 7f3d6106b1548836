import { z } from 'zod';
import type { Attachment, ChatEvent, ChatMessage, ChatPress } from '../inbound.ts';
import type { Dispatch } from './discord-gateway.ts';

/** Ids count up with the time. */
export const snowflake = z.string().regex(/^\d{1,20}$/u);
const user = z.object({
  id: snowflake,
  bot: z.boolean().optional(),
  username: z.string().optional(),
  global_name: z.string().nullish(),
});
const file = z.object({
  id: z.string(),
  filename: z.string(),
  size: z.number().optional(),
  content_type: z.string().optional(),
  url: z.string(),
  /** Voice messages alone have one. */
  waveform: z.string().optional(),
});
const content = z.object({ content: z.string().default(''), attachments: z.array(file).default([]) });
const quoted = content.extend({ author: user.optional() });
const snapshot = z.object({ message: content });

/** A message as the REST interface and the gateway give it. */
export const message = content.extend({
  ...{ id: snowflake, channel_id: snowflake, guild_id: z.string().optional(), author: user.optional() },
  channel_type: z.number().optional(),
  ...{ type: z.number().default(0), webhook_id: z.string().optional(), edited_timestamp: z.string().nullish() },
  mentions: z.array(user).default([]),
  referenced_message: quoted.nullish().catch(undefined),
  message_snapshots: z.array(snapshot).optional().catch(undefined),
});
type DiscordMessage = z.output<typeof message>;

/** A press of a button; the service wants to hear within three seconds that it was noticed. */
const interaction = z.object({
  ...{ id: snowflake, token: z.string(), type: z.literal(3), channel_id: snowflake },
  channel: z.object({ type: z.number() }).partial().optional(),
  guild_id: z.string().optional(),
  member: z.object({ user }).optional(),
  user: user.optional(),
  data: z.object({ custom_id: z.string() }),
  message: z.object({ id: snowflake }),
});

/** What a message is; every other type is written by the service. */
const WRITTEN: ReadonlySet<number> = new Set([0, 19]);
/** The type of a chat with nobody else. */
export const PRIVATE = 1;

/** @param tokens  by which presses are answered; those of this dispatch are added. @returns undefined: not for us. */
export function eventOf(dispatch: Dispatch, me: string, tokens: Map<string, string>): ChatEvent | undefined {
  switch (dispatch.type) {
    case 'MESSAGE_CREATE':
      return writtenIn(dispatch.data, me);
    case 'MESSAGE_UPDATE':
      return editOf(dispatch.data, me);
    case 'INTERACTION_CREATE':
      return pressOf(dispatch.data, tokens);
    default:
      return undefined;
  }
}

/** A message of the gateway, which names the server that it was written in. */
function writtenIn(data: unknown, me: string): ChatMessage | undefined {
  const { success, data: written } = message.safeParse(data);
  return success
    ? messageOf(written, { me, kind: 'message', alone: isAlone(written.guild_id, written.channel_type) })
    : undefined;
}

/** A message of the REST interface, which names none. */
export function fetchedOf(data: unknown, me: string, alone: boolean): ChatMessage | undefined {
  const { success, data: written } = message.safeParse(data);
  return success ? messageOf(written, { me, kind: 'message', alone }) : undefined;
}

/** The service also says so when it has looked at a link. */
function editOf(data: unknown, me: string): ChatMessage | undefined {
  const { success, data: written } = message.safeParse(data);
  if (!success || !written.edited_timestamp) return undefined;
  return messageOf(written, { me, kind: 'edit', alone: isAlone(written.guild_id, written.channel_type) });
}

function pressOf(data: unknown, tokens: Map<string, string>): ChatPress | undefined {
  const { success, data: pressed } = interaction.safeParse(data);
  const by = success ? (pressed.member?.user ?? pressed.user) : undefined;
  if (!success || !by) return undefined;
  const { id, token, channel_id: chat, channel, guild_id } = pressed;
  tokens.set(id, token);
  const alone = isAlone(guild_id, channel?.type);
  return {
    ...{ kind: 'press', id, account: by.id, name: nameOf(by), chat, alone },
    ...{ text: pressed.data.custom_id, message: pressed.message.id },
  };
}

/** Programs and webhooks are never the owner. */
function messageOf(
  written: DiscordMessage,
  { me, kind, alone }: { readonly me: string; readonly kind: ChatMessage['kind']; readonly alone: boolean },
): ChatMessage | undefined {
  const { author, channel_id: chat, id, referenced_message: reply, message_snapshots } = written;
  if (!author || author.bot === true || written.webhook_id !== undefined || !WRITTEN.has(written.type))
    return undefined;
  const [forward] = message_snapshots ?? [];
  const isOurs = reply?.author?.id === me;
  const quotedText = reply && !isOurs && reply.author?.id !== author.id ? reply.content : '';
  const foreign = [
    ...(forward?.message.content ? [{ name: 'a forwarded message', text: forward.message.content }] : []),
    ...(quotedText ? [{ name: 'a quoted message', text: quotedText }] : []),
  ];
  return {
    ...{ kind, account: author.id, name: nameOf(author), chat, alone, id, foreign, forwarded: forward !== undefined },
    text: written.content.replace(mentionOf(me), ' ').trim(),
    addressed: alone || isOurs || written.mentions.some((each) => each.id === me),
    attachments: [...written.attachments, ...(forward?.message.attachments ?? [])].map((each) => ({
      ...{ id: `${chat}/${id}/${each.id}`, kind: kindOf(each), name: each.filename, bytes: each.size },
    })),
  };
}

/** Friends have groups that belong to no server. @param type  of the chat, where the service names it. */
function isAlone(server: string | undefined, type = PRIVATE): boolean {
  return server === undefined && type === PRIVATE;
}

function nameOf({ global_name, username }: z.output<typeof user>): string | undefined {
  return global_name ?? username;
}

/** How a text names the bot. */
function mentionOf(me: string): RegExp {
  return new RegExp(`\\s*<@!?${me}>\\s*`, 'gu');
}

function kindOf({ waveform, content_type = '' }: z.output<typeof file>): Attachment['kind'] {
  if (waveform !== undefined) return 'voice';
  if (content_type.startsWith('audio/')) return 'audio';
  return content_type.startsWith('image/') ? 'picture' : 'file';
}
