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
const data = z.object({
  timestamp: z.number(),
  message: z.string().nullish(),
  quote: z.object({ authorUuid: z.string().nullish(), text: z.string().nullish() }).nullish(),
  attachments: z.array(attachment).nullish(),
  groupInfo: z.unknown().optional(),
});
const edit = z.object({ targetSentTimestamp: z.number(), dataMessage: data });
const envelope = z.object({
  ...{ sourceUuid: z.string(), sourceNumber: z.string().nullish() },
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
 * Receiving from a signal-cli daemon: what people write to its account, and what its owner notes to themselves. What
 * the owner writes to others, which a linked device gets as well, is none of ours.
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
      const [recipient, name] = id.split(' ');
      const limits = { signal, totalMs: FILE_MS, maxBytes: inBase64(maxBytes) };
      const answer = await callDaemon(daemon, { method: 'getAttachment', params: { id: name, recipient } }, limits);
      const bytes = Buffer.from(file.safeParse(answer).data?.data ?? '', 'base64');
      if (bytes.length > 0 && bytes.length <= maxBytes) return bytes;
      throw new AssistantError('not_received', 'signal-cli does not give the file.', { hint: 'Send it again.' });
    },
    typing: async (chat, signal) => void (await call('sendTyping', { recipient: [chat] }, signal)),
    react: async ({ chat, id }, emoji, signal) => {
      const about = { recipient: [chat], emoji, targetAuthor: chat, targetTimestamp: Number(id) };
      await call('sendReaction', about, signal);
    },
  };
}

interface Heard {
  readonly message: ChatMessage;
  /** It comes from the account that the daemon sends by as well. */
  readonly mayBeOurs: boolean;
}

/** Reactions, receipts and the like are no messages; nor is anything in a group. */
function messageOf(event: unknown, { account: number }: SignalDaemon): Heard | undefined {
  const { success, data: given } = received.safeParse(event);
  if (!success) return undefined;
  const { sourceUuid: account, sourceNumber, dataMessage, editMessage, syncMessage } = given.envelope;
  const sent = syncMessage?.sentMessage;
  if (sent && sent.destinationUuid !== account) return undefined;
  const edited = editMessage ?? sent?.editMessage;
  const written = edited?.dataMessage ?? dataMessage ?? data.safeParse(sent).data;
  if (!written || written.groupInfo !== undefined) return undefined;
  const attachments = (written.attachments ?? []).map((each) => attachmentOf(each, account));
  const text = written.message ?? '';
  if (text === '' && attachments.length === 0) return undefined;
  const message = {
    kind: edited ? 'edit' : 'message',
    ...{ account, chat: account, alone: true, addressed: true, forwarded: false },
    ...{ id: String(edited?.targetSentTimestamp ?? written.timestamp), text, attachments },
    foreign: quotedIn(written, account),
  } as const;
  return { message, mayBeOurs: sent !== undefined || sourceNumber === number };
}

/** In a chat of two, a quote is the owner's own or Wooster's, unless it says otherwise. */
function quotedIn({ quote }: Data, account: string): ChatMessage['foreign'] {
  const isOthers = quote?.authorUuid && quote.authorUuid !== account;
  return isOthers && quote.text ? [{ name: 'a quoted message', text: quote.text }] : [];
}

function attachmentOf({ id, contentType, filename, size }: z.output<typeof attachment>, from: string): Attachment {
  const [type] = (contentType ?? '').split('/');
  // What is spoken into the phone has no name.
  const recording = filename ? 'audio' : 'voice';
  const kind = type === 'audio' ? recording : type === 'image' ? 'picture' : 'file';
  return { id: `${from} ${id}`, name: filename || id, kind, bytes: size ?? undefined };
}
