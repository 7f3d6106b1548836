import { z } from 'zod';
import { AssistantError } from '../../base/errors.ts';
import type { GatewayResponse } from '../../net/types.ts';
import type { Attempt } from '../channel.ts';
import { bodyOf } from '../http-outcome.ts';
import type { Attachment, ChatEvent, ChatMessage, Inbound } from '../inbound.ts';

/** A call of the Bot API; `file` gets the file at `body.path`. */
export type Api = (
  method: string,
  body: Readonly<Record<string, unknown>>,
  limits: { readonly signal: AbortSignal; readonly totalMs?: number; readonly maxBytes?: number } & Pick<
    Attempt,
    'file'
  >,
) => Promise<GatewayResponse>;

/** How long the service keeps a poll open when there is nothing; the gateway waits 10 s for the head of an answer. */
const POLL_S = 6;
const POLL_MS = (POLL_S + 15) * 1000;
const MAX_POLL_BYTES = 16 * 1024 * 1024;
const LABEL = 'Telegram';

const chat = z.object({ id: z.number(), type: z.string() });
const user = z.object({
  id: z.number(),
  is_bot: z.boolean().optional(),
  username: z.string().optional(),
  first_name: z.string().optional(),
});
const file = z.object({ file_id: z.string(), file_name: z.string().optional(), file_size: z.number().optional() });
const entity = z.object({ type: z.string(), offset: z.number(), length: z.number() });
const quoted = z.object({ text: z.string().optional(), caption: z.string().optional(), from: user.optional() });
const message = quoted.extend({
  message_id: z.number(),
  chat,
  entities: z.array(entity).optional(),
  caption_entities: z.array(entity).optional(),
  reply_to_message: quoted.optional(),
  forward_origin: z.object({ type: z.string() }).optional(),
  document: file.optional(),
  photo: z.array(file).optional(),
  voice: file.optional(),
  audio: file.optional(),
});
const update = z.object({
  update_id: z.number(),
  message: message.optional().catch(undefined),
  edited_message: message.optional().catch(undefined),
  callback_query: z
    .object({ id: z.string(), from: user, data: z.string().optional(), message: message.partial().optional() })
    .optional()
    .catch(undefined),
});

const located = z.object({ file_path: z.string() });
const sentMessage = z.object({ message_id: z.number() });

type TelegramMessage = z.output<typeof message>;
type Me = z.output<typeof user>;

/**
 * Receiving by long polls, which the service ends with 409 when somebody else polls for the same bot.
 *
 * @see https://core.telegram.org/bots/api#getupdates
 */
export function telegramInbound(api: Api, account: string): Inbound {
  const ask: Ask = async (method, body, signal, more = {}) =>
    resultOf(await api(method, body, { signal, ...more }), method);
  const me = async (signal: AbortSignal) => read(user, await ask('getMe', {}, signal));
  const to = (message: { chat: string; id: string }) => ({ chat_id: message.chat, message_id: Number(message.id) });
  return {
    account,
    probe: async (signal) => `@${(await me(signal)).username ?? 'a bot'}`,
    receive: (since, signal) => poll(ask, me, { since, signal }),
    download: async ({ id }, { maxBytes, signal }) => {
      const { file_path: path } = read(located, await ask('getFile', { file_id: id }, signal));
      const { status, body } = await api('file', { path }, { signal, maxBytes, totalMs: 120_000 });
      if (status !== 200) throw refused(`${LABEL} does not give the file (${status}).`);
      return body;
    },
    noticed: async ({ id }, signal) => void (await ask('answerCallbackQuery', { callback_query_id: id }, signal)),
    typing: async (chat, signal) => void (await ask('sendChatAction', { chat_id: chat, action: 'typing' }, signal)),
    react: async (message, emoji, signal) => {
      await ask('setMessageReaction', { ...to(message), reaction: [{ type: 'emoji', emoji }] }, signal);
    },
    post: async (chat, text, signal) => {
      const sent = await ask('sendMessage', { chat_id: chat, text, disable_notification: true }, signal);
      return String(read(sentMessage, sent).message_id);
    },
    edit: async (message, text, signal) => void (await ask('editMessageText', { ...to(message), text }, signal)),
    remove: async (message, signal) => void (await ask('deleteMessage', to(message), signal)),
  };
}

type Ask = (
  method: string,
  body: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
  more?: { readonly totalMs?: number; readonly maxBytes?: number },
) => Promise<unknown>;

async function* poll(
  ask: Ask,
  me: (signal: AbortSignal) => Promise<Me>,
  { since, signal }: { readonly since: string | undefined; readonly signal: AbortSignal },
) {
  const self = await me(signal);
  let mark = since;
  while (!signal.aborted) {
    const body = {
      ...(mark === undefined ? {} : { offset: Number(mark) + 1 }),
      ...{ timeout: POLL_S, allowed_updates: ['message', 'edited_message', 'callback_query'] },
    };
    const answer = await ask('getUpdates', body, signal, { totalMs: POLL_MS, maxBytes: MAX_POLL_BYTES });
    const updates = read(z.array(update), answer);
    mark = updates.length > 0 ? String(updates.at(-1)?.update_id) : mark;
    yield { mark: mark ?? '', events: updates.flatMap((each) => eventOf(each, self) ?? []) };
  }
}

function eventOf({ message, edited_message, callback_query }: z.output<typeof update>, me: Me): ChatEvent | undefined {
  const written = message ?? edited_message;
  if (written) return messageOf(written, me, message ? 'message' : 'edit');
  if (!callback_query?.data) return undefined;
  const { id, from, data, message: pressed } = callback_query;
  if (!pressed?.chat || pressed.message_id === undefined) return undefined;
  const where = { chat: String(pressed.chat.id), alone: pressed.chat.type === 'private' };
  return { kind: 'press', id, account: String(from.id), ...where, text: data, message: String(pressed.message_id) };
}

/** Messages without a sender are of channels; those of bots are never the owner's. */
function messageOf(written: TelegramMessage, me: Me, kind: ChatMessage['kind']): ChatMessage | undefined {
  const { chat, from, reply_to_message: reply, forward_origin } = written;
  if (!from || from.is_bot === true) return undefined;
  const text = written.text ?? written.caption ?? '';
  const alone = chat.type === 'private';
  const attachments = attachmentsOf(written);
  const isOurs = reply?.from?.id === me.id;
  const quotedText = reply && !isOurs && reply.from?.id !== from.id ? (reply.text ?? reply.caption) : undefined;
  const mention = `@${me.username}`.toLowerCase();
  const entities = [...(written.entities ?? []), ...(written.caption_entities ?? [])];
  const mentioned = entities.some(
    ({ type, offset, length }) => type === 'mention' && text.slice(offset, offset + length).toLowerCase() === mention,
  );
  const forwarded = forward_origin !== undefined;
  return {
    kind,
    account: String(from.id),
    name: from.first_name,
    chat: String(chat.id),
    alone,
    id: String(written.message_id),
    text: forwarded ? '' : text,
    addressed: alone || isOurs || mentioned,
    foreign: [
      ...(forwarded && text !== '' ? [{ name: 'a forwarded message', text }] : []),
      ...(quotedText ? [{ name: 'a quoted message', text: quotedText }] : []),
    ],
    attachments,
    forwarded,
  };
}

function attachmentsOf({ document, photo, voice, audio, message_id }: TelegramMessage): readonly Attachment[] {
  const of = (kind: Attachment['kind'], given: z.output<typeof file> | undefined, name: string) =>
    given ? [{ id: given.file_id, kind, name: given.file_name ?? name, bytes: given.file_size }] : [];
  return [
    ...of('file', document, `document-${message_id}`),
    ...of('picture', photo?.at(-1), `picture-${message_id}.jpg`),
    ...of('voice', voice, `voice-${message_id}.ogg`),
    ...of('audio', audio, `audio-${message_id}`),
  ];
}

const envelope = z.object({ ok: z.boolean(), result: z.unknown(), description: z.string().optional() });

/** @throws AssistantError `not_received` for every refusal. */
function resultOf(response: GatewayResponse, method: string): unknown {
  const { success, data } = envelope.safeParse(bodyOf(response));
  if (success && data.ok) return data.result;
  if (response.status === 409)
    throw refused(
      `Another program receives for this ${LABEL} bot.`,
      'Stop it, or make a bot of its own for one of them.',
    );
  if (response.status === 401 || response.status === 404)
    throw refused(`${LABEL} refuses the token.`, 'Set a new TELEGRAM_BOT_TOKEN.');
  const why = success ? (data.description ?? '') : 'the answer is not from Telegram';
  throw refused(`${LABEL} refused ${method} (${response.status}: ${why}).`);
}

/** @throws AssistantError `not_received`. */
function read<T>(schema: z.ZodType<T>, value: unknown): T {
  const { success, data } = schema.safeParse(value);
  if (!success) throw refused(`${LABEL} gave an answer of an unknown form.`);
  return data;
}

function refused(message: string, hint = 'It is tried again.'): AssistantError {
  return new AssistantError('not_received', message, { hint });
}
