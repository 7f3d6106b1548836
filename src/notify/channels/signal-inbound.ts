import { z } from 'zod';
import { AssistantError } from '../../base/errors.ts';
import { sha256 } from '../../base/json.ts';
import type { ChannelDeps } from '../channel.ts';
import type { Attachment, ChatMessage, Inbound } from '../inbound.ts';
import { callDaemon, daemonEvents, type SignalDaemon } from './signal-daemon.ts';
import { redactNumbers } from './signal-report.ts';

const CALL_MS = 20_000;
const FILE_MS = 120_000;
/** A file comes as base64 within JSON. */
const inBase64 = (bytes: number) => Math.ceil((bytes * 4) / 3) + 10_000;

const attachment = z.object({
  ...{ id: z.string(), contentType: z.string().nullish() },
  ...{ filename: z.string().nullish(), size: z.number().nullish() },
});
const person = z.object({ number: z.string().nullish(), name: z.string().nullish() });
const quote = z.object({
  ...{ authorUuid: z.string().nullish(), authorNumber: z.string().nullish(), text: z.string().nullish() },
});
const data = z.object({
  timestamp: z.number(),
  message: z.string().nullish(),
  quote: quote.nullish(),
  mentions: z.array(person).nullish(),
  attachments: z.array(attachment).nullish(),
  groupInfo: z.object({ groupId: z.string() }).nullish(),
});
const edit = z.object({ targetSentTimestamp: z.number(), dataMessage: data });
const envelope = z.object({
  ...{ sourceUuid: z.string(), sourceNumber: z.string().nullish(), sourceName: z.string().nullish() },
  dataMessage: data.nullish().catch(undefined),
  editMessage: edit.nullish().catch(undefined),
  syncMessage: z
    .object({
      sentMessage: data
        .partial()
        .extend({ destinationUuid: z.string().nullish(), editMessage: edit.nullish() })
        .nullish(),
    })
    .nullish()
    .catch(undefined),
});
const received = z.object({ envelope });
const version = z.object({ version: z.string() });
const file = z.object({ data: z.string() });

type Data = z.output<typeof data>;

/**
 * Receiving from a signal-cli daemon: what people write to its account and in its groups, and what its owner notes to
 * themselves. What the owner writes to others, which a linked device gets as well, is none of ours.
 *
 * @see https://github.com/AsamK/signal-cli/blob/master/man/signal-cli-jsonrpc.5.adoc
 */
export function signalInbound(daemon: SignalDaemon, { wasSent }: Pick<ChannelDeps, 'wasSent'>): Inbound {
  const call = (method: string, params: Readonly<Record<string, unknown>>, signal: AbortSignal) =>
    callDaemon(daemon, { method, params }, { signal, totalMs: CALL_MS });
  return {
    account: sha256(daemon.account).slice(0, 16),
    probe: async (signal) => {
      const { data } = version.safeParse(await call('version', {}, signal));
      return `${redactNumbers(daemon.account)} by signal-cli ${data?.version ?? '(unknown version)'}`;
    },
    receive: async function* (since, signal) {
      let mark = since ?? '';
      for await (const event of daemonEvents(daemon, since, signal)) {
        mark = event?.id ?? mark;
        const { message, mayBeOurs } = messageOf(event?.data, daemon) ?? {};
        const ours =
          mayBeOurs && (await wasSent?.('signal', { remoteId: message?.id ?? '', text: message?.text ?? '' }));
        yield { mark, events: message && !ours ? [message] : [] };
      }
    },
    download: async ({ id }, { maxBytes, signal }) => {
      const [chat = '', name] = id.split(' ');
      const params = { id: name, ...(chat.startsWith(GROUP) ? chatParams(chat) : { recipient: chat }) };
      const limits = { signal, totalMs: FILE_MS, maxBytes: inBase64(maxBytes) };
      const answer = await callDaemon(daemon, { method: 'getAttachment', params }, limits);
      const bytes = Buffer.from(file.safeParse(answer).data?.data ?? '', 'base64');
      if (bytes.length > 0 && bytes.length <= maxBytes) return bytes;
      throw new AssistantError('not_received', 'signal-cli does not give the file.', { hint: 'Send it again.' });
    },
    typing: async (chat, signal) => void (await call('sendTyping', chatParams(chat), signal)),
    react: async ({ chat, id }, emoji, signal) => {
      const { author, time } = readMessageId(id, chat);
      await call('sendReaction', { ...chatParams(chat), emoji, targetAuthor: author, targetTimestamp: time }, signal);
    },
  };
}

const GROUP = 'group.';

/** Where something goes, for the daemon. */
export function chatParams(chat: string): { readonly groupId: string } | { readonly recipient: readonly string[] } {
  return chat.startsWith(GROUP) ? { groupId: chat.slice(GROUP.length) } : { recipient: [chat] };
}

/** A message is known by its time and its author, whom a chat of two need not name. */
export function readMessageId(id: string, chat: string): { readonly author: string; readonly time: number } {
  const [time, author = chat] = id.split(' ');
  return { author, time: Number(time) };
}

interface Heard {
  readonly message: ChatMessage;
  /** It comes from the account that the daemon sends by as well. */
  readonly mayBeOurs: boolean;
}

/** Reactions, receipts and the like are no messages; nor is what a linked device sends to a group. */
function messageOf(event: unknown, { account: number }: SignalDaemon): Heard | undefined {
  const { success, data: given } = received.safeParse(event);
  if (!success) return undefined;
  const { sourceUuid: account, sourceNumber, sourceName, dataMessage, editMessage, syncMessage } = given.envelope;
  const sent = syncMessage?.sentMessage;
  if (sent && sent.destinationUuid !== account) return undefined;
  const edited = editMessage ?? sent?.editMessage;
  const written = edited?.dataMessage ?? dataMessage ?? data.safeParse(sent).data;
  const group = written?.groupInfo?.groupId;
  if (!written || (sent && group !== undefined)) return undefined;
  const chat = group === undefined ? account : `${GROUP}${group}`;
  const attachments = (written.attachments ?? []).map((each) => attachmentOf(each, chat));
  const text = readMentions(written, number);
  const time = String(edited?.targetSentTimestamp ?? written.timestamp);
  if (text === '' && attachments.length === 0) return undefined;
  const message = {
    kind: edited ? 'edit' : 'message',
    ...{
      account,
      name: sourceName ?? undefined,
      chat,
      alone: group === undefined,
      forwarded: false,
      text,
      attachments,
    },
    addressed: group === undefined || isMeant(written, number),
    id: group === undefined ? time : `${time} ${account}`,
    foreign: quotedIn(written, account, number),
  } as const;
  return { message, mayBeOurs: sent !== undefined || sourceNumber === number };
}

/** In a group it is meant for the account that is mentioned or answered. */
function isMeant({ mentions, quote }: Data, number: string): boolean {
  return quote?.authorNumber === number || (mentions ?? []).some((each) => each.number === number);
}

/** The text has a sign in place of each name. */
function readMentions({ message, mentions }: Data, number: string): string {
  const names = (mentions ?? []).map((each) => (each.number === number ? '' : `@${each.name ?? 'somebody'}`));
  return (message ?? '').replaceAll('\u{fffc}', () => names.shift() ?? '').trim();
}

/** A quote is the owner's own or Wooster's, unless it says otherwise. */
function quotedIn({ quote }: Data, account: string, number: string): ChatMessage['foreign'] {
  const isOthers = quote?.authorUuid && quote.authorUuid !== account && quote.authorNumber !== number;
  return isOthers && quote.text ? [{ name: 'a quoted message', text: quote.text }] : [];
}

function attachmentOf({ id, contentType, filename, size }: z.output<typeof attachment>, chat: string): Attachment {
  const [type] = (contentType ?? '').split('/');
  // What is spoken into the phone has no name.
  const recording = filename ? 'audio' : 'voice';
  const kind = type === 'audio' ? recording : type === 'image' ? 'picture' : 'file';
  return { id: `${chat} ${id}`, name: filename || id, kind, bytes: size ?? undefined };
}
