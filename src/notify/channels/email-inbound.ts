import { readFile } from 'node:fs/promises';
import type { FetchMessageObject, ImapFlow, MessageStructureObject } from 'imapflow';
import { AssistantError, messageOf as reasonOf } from '../../base/errors.ts';
import { sha256 } from '../../base/json.ts';
import type { ChannelDeps } from '../channel.ts';
import type { Attachment, ChatMessage, Inbound } from '../inbound.ts';
import { type MailFields, readFields, senderOf, valuesOf } from './email-sender.ts';
import { markQuotes, plainSubject, readMailText } from './email-text.ts';

/** A mailbox that is read. */
export interface MailboxOptions {
  /** `imaps://USER:PASSWORD@HOST:PORT` */
  readonly url: URL;
  /** The name with which the receiving server signs what it says about senders. */
  readonly server: string;
  /** A PEM file with the certificate of a server of one's own. */
  readonly tlsCa: string | undefined;
}

type Deps = Pick<ChannelDeps, 'gateway' | 'pageText' | 'hears'>;

export const IMAPS_PORT = 993;
const TIMEOUT_MS = 20_000;
/** The connection is tried so often while nothing comes; servers close it after half an hour. */
const IDLE_MS = 4 * 60_000;
/** A code that was sent before Wooster listened is among the newest mails, and no older than it is good for. */
const RECENT = 20;
const RECENT_MS = 10 * 60_000;
const PAGE = 500;
const MAX_TEXT_BYTES = 400_000;
/** Fields that name the mails before, the first ones first. */
const ANSWERS = ['references', 'in-reply-to'];
const HEAD = ['from', 'subject', 'message-id', ...ANSWERS, 'authentication-results', 'auto-submitted'];
/** Mails that the program has sent itself. */
const OURS = /@wooster\.invalid>$/u;

/**
 * Receiving by IMAP, told by the server when something comes. Only mail whose sender the server vouches for is read;
 * each thread with its sender is a chat. Nothing in the mailbox is changed.
 *
 * @see https://www.rfc-editor.org/rfc/rfc2177
 */
export function emailInbound(options: MailboxOptions, deps: Deps): Inbound {
  const { url } = options;
  const user = decodeURIComponent(url.username);
  return {
    account: sha256(`${user} ${url.host}`).slice(0, 16),
    probe: (signal) => withMailbox(options, deps, signal, async () => `${user} at ${url.hostname}`),
    receive: (since, signal) => receive(options, deps, { since, signal }),
    download: ({ id }, { maxBytes, signal }) =>
      withMailbox(options, deps, signal, async (imap, validity) => {
        const [box = '', uid = '', part = ''] = id.split(' ');
        if (box !== validity) throw refused('The mailbox was rebuilt.');
        return content(imap, { uid, part, maxBytes });
      }),
    ownerOf: (chat) => readThread(chat).to,
  };
}

/** Which thread: its sender, the mail that it began with, and what it is about. */
export interface MailThread {
  readonly to: string;
  readonly root: string;
  readonly subject: string;
}

export function readThread(chat: string): MailThread {
  const [to = '', root = '', ...subject] = chat.split(' ');
  return { to, root, subject: subject.join(' ') };
}

async function* receive(
  options: MailboxOptions,
  deps: Deps,
  { since, signal }: { readonly since: string | undefined; readonly signal: AbortSignal },
) {
  await using mailbox = await openMailbox(options, deps, signal);
  const { imap, validity, next } = mailbox;
  const [box, uid] = (since ?? '').split(' ');
  let last = box === validity && uid ? Number(uid) : await beginning(imap, next);
  while (!signal.aborted) {
    const news = mailbox.news();
    for (const uids of await pagesAfter(imap, last)) {
      const events: ChatMessage[] = [];
      for (const mail of await headsOf(imap, uids)) {
        const reading = { imap, validity, deps, server: options.server };
        const message = await messageOf(mail, reading).catch((error: unknown) => {
          if (!imap.usable) throw error;
          // A mail that cannot be read, which anybody may send, must not keep others from being read.
          return undefined;
        });
        if (message) events.push(message);
      }
      last = uids.at(-1) ?? last;
      yield { mark: `${validity} ${last}`, events };
    }
    yield { mark: `${validity} ${last}`, events: [] };
    await news();
  }
}

/** What was there before anybody was expected, or before the mails were numbered anew, is no message. */
async function beginning(imap: ImapFlow, next: number): Promise<number> {
  const count = imap.mailbox ? imap.mailbox.exists : 0;
  if (count === 0) return next - 1;
  const newest = await imap.fetchAll(`${Math.max(1, count - RECENT + 1)}:*`, { uid: true, internalDate: true });
  const since = Date.now() - RECENT_MS;
  const fresh = newest.filter(({ internalDate }) => internalDate && new Date(internalDate).getTime() > since);
  return Math.min(next, ...fresh.map(({ uid }) => uid)) - 1;
}

/** The mails behind the last, in the order in which they came, so many at a time that one answer is not too long. */
async function pagesAfter(imap: ImapFlow, last: number): Promise<number[][]> {
  const found = (await imap.search({ uid: `${last + 1}:*` }, { uid: true })) || [];
  // A range that ends with the last mail always has it.
  const uids = found.filter((uid) => uid > last).toSorted((one, other) => one - other);
  return Array.from({ length: Math.ceil(uids.length / PAGE) }, (_, at) => uids.slice(at * PAGE, (at + 1) * PAGE));
}

async function headsOf(imap: ImapFlow, uids: readonly number[]): Promise<FetchMessageObject[]> {
  const query = { headers: HEAD, bodyStructure: true, size: true };
  const range = `${uids[0]}:${uids.at(-1)}`;
  return (await imap.fetchAll(range, query, { uid: true })).toSorted((one, other) => one.uid - other.uid);
}

interface Reading {
  readonly imap: ImapFlow;
  readonly validity: string;
  readonly deps: Deps;
  readonly server: string;
}

/** @returns undefined for what no person sent, or somebody who is not known for certain. */
async function messageOf(mail: FetchMessageObject, reading: Reading): Promise<ChatMessage | undefined> {
  const fields = readFields(mail.headers?.toString('utf8') ?? '');
  const { addressParser } = await import('postal-mime');
  const one = (name: string) => valuesOf(fields, name)[0] ?? '';
  const from = addressParser(one('from'), { flatten: true }).flatMap(({ address }) => address ?? []);
  const account = senderOf(fields, reading.server, from);
  const isAutomatic = !/^(?:no)?$/iu.test(one('auto-submitted').split(';')[0]?.trim() ?? '');
  const id = one('message-id') || `<${reading.validity}.${mail.uid}@no-id.invalid>`;
  if (account === undefined || isAutomatic || OURS.test(id)) return undefined;
  const isHeard = (await reading.deps.hears?.('email', account)) ?? true;
  const { text, files } = isHeard ? partsOf(mail.bodyStructure) : { text: [], files: [] };
  const { own, quoted } = readMailText(await textOf(text, mail, reading));
  const { decodeWords } = await import('postal-mime');
  const called = decodeWords(one('subject')).trim();
  const subject = plainSubject(called);
  const encloses = files.some(({ type }) => type.startsWith('message/'));
  // Of a mail that answers or passes on another, whoever began it chose the subject.
  const isOwn = subject === called && !encloses && !ANSWERS.some((name) => one(name) !== '');
  const instead = own === '' && quoted === '' ? subject : '';
  const attachments = files.map((part) => attachmentOf(part, `${reading.validity} ${mail.uid}`));
  return {
    kind: 'message',
    ...{ account, chat: `${account} ${rootOf(fields, id)} ${subject}`, alone: true, addressed: true, id, attachments },
    text: own || (isOwn ? instead : ''),
    foreign: [
      ...(quoted === '' ? [] : [{ name: 'a quoted mail', text: quoted }]),
      ...(isOwn || instead === '' ? [] : [{ name: 'the subject', text: instead }]),
    ],
    // Files of a mail that is passed on, or beside one, cannot be told from others.
    forwarded: quoted !== '' || encloses,
  };
}

const MESSAGE_ID = /<[^<>\s]{1,250}>/u;

/** The mail with which the thread began. */
function rootOf(fields: MailFields, own: string): string {
  const before = ANSWERS.flatMap((name) => valuesOf(fields, name)).join(' ');
  return MESSAGE_ID.exec(before)?.[0] ?? MESSAGE_ID.exec(own)?.[0] ?? '<unknown@wooster.invalid>';
}

type Part = MessageStructureObject & { readonly part: string };

/** The parts that a reader sees as text, and the files beside them. */
function partsOf(root: MessageStructureObject | undefined): {
  readonly text: readonly Part[];
  readonly files: readonly Part[];
} {
  const leaves = (node: MessageStructureObject): Part[] =>
    node.childNodes && !node.type.startsWith('message/')
      ? node.childNodes.flatMap(leaves)
      : [{ ...node, part: node.part ?? '1' }];
  const all = root ? leaves(root) : [];
  // A text with a name is a file, which some programs show among what their owner wrote.
  const isShown = (part: Part) =>
    part.disposition !== 'attachment' && part.type.startsWith('text/') && nameOf(part) === undefined;
  const plain = all.filter((each) => isShown(each) && each.type === 'text/plain');
  const html = all.filter((each) => isShown(each) && each.type === 'text/html');
  return { text: plain.length > 0 ? plain : html, files: all.filter((each) => !isShown(each)) };
}

async function textOf(parts: readonly Part[], { uid }: FetchMessageObject, { imap, deps }: Reading): Promise<string> {
  const texts = [];
  for (const { part, type } of parts) {
    const { content: stream } = await imap.download(String(uid), part, { uid: true, maxBytes: MAX_TEXT_BYTES });
    const text = stream ? (await bytesOf(stream)).toString('utf8') : '';
    texts.push(type === 'text/html' ? ((await deps.pageText?.(markQuotes(text))) ?? '') : text);
  }
  return texts.join('\n\n');
}

function nameOf({ dispositionParameters, parameters }: Part): string | undefined {
  return dispositionParameters?.filename ?? parameters?.name;
}

function attachmentOf(file: Part, mail: string): Attachment {
  const { part, type, size } = file;
  const name = nameOf(file) ?? (type === 'message/rfc822' ? 'mail.eml' : 'file');
  const kind = type.startsWith('image/') ? 'picture' : type.startsWith('audio/') ? 'audio' : 'file';
  return { id: `${mail} ${part}`, name, kind, bytes: size };
}

async function content(
  imap: ImapFlow,
  { uid, part, maxBytes }: { readonly uid: string; readonly part: string; readonly maxBytes: number },
): Promise<Uint8Array> {
  const { content: stream } = await imap.download(uid, part, { uid: true, maxBytes: maxBytes + 1 });
  if (!stream) throw refused('The mail is not there any more.');
  const bytes = await bytesOf(stream);
  if (bytes.length > maxBytes) throw refused(`The file is larger than ${maxBytes} bytes.`);
  return bytes;
}

async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

async function withMailbox<T>(
  options: MailboxOptions,
  deps: Deps,
  signal: AbortSignal,
  work: (imap: ImapFlow, validity: string) => Promise<T>,
): Promise<T> {
  await using mailbox = await openMailbox(options, deps, signal);
  return await work(mailbox.imap, mailbox.validity);
}

/**
 * The inbox, opened for reading alone, over a connection of the gateway's.
 *
 * @throws AssistantError `not_received`.
 */
async function openMailbox({ url, tlsCa }: MailboxOptions, { gateway }: Deps, signal: AbortSignal) {
  const { ImapFlow } = await import('imapflow');
  const host = url.hostname.replace(/^\[|\]$/gu, '');
  const port = Number(url.port) || IMAPS_PORT;
  const ca = tlsCa === undefined ? {} : { ca: await readFile(tlsCa, 'utf8') };
  const socket = await gateway.dial('email', { hosts: [], named: [url.host] }, { host, port, signal });
  const imap = new ImapFlow({
    ...{ host, port, secure: true, logger: false, disableAutoIdle: true, maxIdleTime: IDLE_MS },
    auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    tls: { ...ca, socket, servername: host } as object,
    ...{ connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS },
  });
  let told = () => {};
  let isOver: Error | undefined;
  const end = (error?: Error) => {
    isOver ??= error ?? new Error('it ended the connection');
    told();
  };
  imap.on('error', end).on('close', () => end());
  imap.on('exists', () => told());
  const stop = () => imap.close();
  signal.addEventListener('abort', stop, { once: true });
  const close = async () => {
    signal.removeEventListener('abort', stop);
    imap.close();
    socket.destroy();
  };
  /** From now on; then wait until something has come. */
  const news = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    told = resolve;
    return async () => {
      // It ends with the next command.
      imap.idle().then(() => resolve(), end);
      if (isOver) resolve();
      await promise;
      if (isOver) throw refused(`The mail server ${host} cannot be used: ${isOver.message}.`);
    };
  };
  try {
    await imap.connect();
    const { uidValidity, uidNext } = await imap.mailboxOpen('INBOX', { readOnly: true });
    return { imap, validity: String(uidValidity), next: uidNext, news, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw connectError(error, host);
  }
}

function connectError(error: unknown, host: string): AssistantError {
  const isRefused = typeof error === 'object' && error !== null && 'authenticationFailed' in error;
  if (isRefused) return refused(`${host} does not accept the user name or password.`, 'Set a new EMAIL_IMAP_URL.');
  return refused(`The mail server ${host} cannot be used: ${reasonOf(error)}.`);
}

function refused(message: string, hint = 'It is tried again.'): AssistantError {
  return new AssistantError('not_received', message, { hint });
}
