import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { TransportOptions } from 'nodemailer';
import { z } from 'zod';
import { isRecord, sha256 } from '../../base/json.ts';
import { preview } from '../../base/text.ts';
import { neverConnected, wasRefused } from '../../net/never-connected.ts';
import type { Gateway } from '../../net/types.ts';
import { defineChannel, type OptionValues, type Outcome } from '../channel.ts';
import { emailInbound, IMAPS_PORT, type MailboxOptions, type MailThread, readThread } from './email-inbound.ts';

const TIMEOUT_MS = 20_000;
const SUBJECT_CHARS = 70;
const SUBMISSION_PORTS = { 'smtps:': 465, 'smtp:': 587 } as const;

const OPTIONS = {
  emailSmtpUrl: {
    kind: 'secret',
    key: 'email.smtpUrl',
    env: 'SMTP_URL',
    about: 'Server that notices are mailed by: smtps://USER:PASSWORD@HOST:PORT, or smtp:// with STARTTLS.',
    without: "the mail plugin's account, else nothing is mailed",
  },
  emailTo: {
    kind: 'text',
    key: 'email.to',
    env: 'EMAIL_TO',
    about: 'Your address, to which notices are mailed.',
    without: "the mail plugin's account, else nothing is mailed",
  },
  emailFrom: {
    kind: 'text',
    key: 'email.from',
    env: 'EMAIL_FROM',
    about: 'Address that they come from.',
    without: 'EMAIL_TO',
  },
  emailImapUrl: {
    kind: 'secret',
    key: 'email.imapUrl',
    env: 'EMAIL_IMAP_URL',
    about: 'Mailbox whose mail Wooster reads and answers: imaps://USER:PASSWORD@HOST:PORT.',
    without: "the mail plugin's account",
  },
  emailAuthservId: {
    kind: 'text',
    key: 'email.authservId',
    env: 'EMAIL_AUTHSERV_ID',
    about: 'Name of your mail server: the first word of Authentication-Results in the head of a mail that came there.',
    without: 'no mail is received',
  },
  emailTlsCa: {
    kind: 'text',
    key: 'email.tlsCa',
    env: 'EMAIL_TLS_CA',
    about: 'File (PEM) with the certificate of a mail server of your own.',
    without: 'only servers that everybody trusts are reached',
  },
} as const;

type EmailOptions = OptionValues<typeof OPTIONS>;

/**
 * Mail to the owner's own address, in plain text, and what they answer. A password is sent over TLS only.
 *
 * @see https://www.rfc-editor.org/rfc/rfc5321#section-4.2.1
 */
export const email = defineChannel({
  id: 'email',
  label: 'email',
  own: true,
  remote: true,
  needs: ['emailSmtpUrl', 'emailTo'],
  options: OPTIONS,
  receives: {
    ...{ words: true, buttons: false, edits: false, typing: false, live: false, reactions: false },
    ...{ files: true, forwards: true, groups: false },
  },
  borrow: (options, { mail: account }) => (options.emailSmtpUrl === undefined ? ofAccount(options, account) : {}),
  connect: (options, deps) => {
    const wrong = problemOf(options);
    const mailbox = mailboxOf(options);
    return {
      health: () => ({
        configured: wrong === undefined,
        detail: wrong ?? `mail by ${serverOf(options).hostname}`,
      }),
      recipient: (chat) => {
        if (wrong !== undefined) return 'none';
        return sha256(chat === undefined ? `${options.emailTo}` : readThread(chat).to).slice(0, 16);
      },
      send: async (text, signal, attempt) => {
        if (wrong !== undefined) return { state: 'failed', detail: `it cannot be used: ${wrong}` };
        const thread = attempt?.chat === undefined ? undefined : readThread(attempt.chat);
        const letter = letterOf(options, { text, id: attempt?.id ?? randomUUID(), thread });
        return mail(options, letter, { ...deps, signal });
      },
      inbound: wrong !== undefined || !mailbox ? undefined : emailInbound(mailbox, deps),
      toReceive: mailbox ? undefined : missingMailbox(options),
    };
  },
});

/** Nothing is received without the name of the server that vouches for senders, nor without TLS. */
function mailboxOf({
  emailImapUrl,
  emailAuthservId: server,
  emailTlsCa: tlsCa,
}: EmailOptions): MailboxOptions | undefined {
  const url = URL.parse(emailImapUrl ?? '');
  return url?.protocol === 'imaps:' && server !== undefined ? { url, server, tlsCa } : undefined;
}

function missingMailbox({ emailImapUrl, emailAuthservId }: EmailOptions): string {
  const url = emailImapUrl === undefined ? 'EMAIL_IMAP_URL' : 'EMAIL_IMAP_URL to imaps://USER:PASSWORD@HOST:PORT';
  const isWrong = URL.parse(emailImapUrl ?? '')?.protocol !== 'imaps:';
  const names = [...(isWrong ? [url] : []), ...(emailAuthservId === undefined ? ['EMAIL_AUTHSERV_ID'] : [])];
  return `set ${names.join(' and ')}`;
}

interface Letter {
  readonly text: string;
  readonly id: string;
  readonly envelope: Readonly<Record<string, unknown>>;
}

function letterOf(
  { emailTo, emailFrom = emailTo }: EmailOptions,
  { text, id, thread }: { readonly text: string; readonly id: string; readonly thread: MailThread | undefined },
): Letter {
  const about = preview(text.split('\n')[0] ?? '', SUBJECT_CHARS);
  if (!thread)
    return { text, id, envelope: { from: emailFrom, to: emailTo, subject: about, headers: AUTOMATIC.notice } };
  const { to, root, subject } = thread;
  const inThread = { inReplyTo: root, references: root, subject: `Re: ${subject || about}` };
  return { text, id, envelope: { from: emailFrom, to, ...inThread, headers: AUTOMATIC.answer } };
}

/** So that no program answers it. @see https://www.rfc-editor.org/rfc/rfc3834#section-5 */
const AUTOMATIC = {
  notice: { 'auto-submitted': 'auto-generated' },
  answer: { 'auto-submitted': 'auto-replied' },
} as const;

/** An account of the mail plugin. */
const ACCOUNT = z.object({
  smtpHost: z.string(),
  smtpPort: z.number(),
  imapHost: z.string().optional(),
  imapPort: z.number().default(IMAPS_PORT),
  username: z.string(),
  password: z.string(),
  address: z.string().optional(),
  tlsCa: z.string().optional(),
});

/** The mail plugin's account, if it is complete and its owner's address is known. */
function ofAccount({ emailTo, emailTlsCa, emailImapUrl }: EmailOptions, account: unknown): Partial<EmailOptions> {
  const { success, data } = ACCOUNT.safeParse(account);
  const to = emailTo ?? data?.address ?? data?.username;
  if (!success || !to?.includes('@')) return {};
  const login = `${encodeURIComponent(data.username)}:${encodeURIComponent(data.password)}`;
  const scheme = data.smtpPort === SUBMISSION_PORTS['smtps:'] ? 'smtps' : 'smtp';
  const emailSmtpUrl = `${scheme}://${login}@${data.smtpHost}:${data.smtpPort}`;
  const hasTls = data.imapHost !== undefined && data.imapPort === IMAPS_PORT;
  const imapUrl = hasTls ? `imaps://${login}@${data.imapHost}:${data.imapPort}` : undefined;
  return { emailSmtpUrl, emailTo: to, emailTlsCa: emailTlsCa ?? data.tlsCa, emailImapUrl: emailImapUrl ?? imapUrl };
}

/** What has to be set. */
function problemOf({ emailSmtpUrl, emailTo }: EmailOptions): string | undefined {
  if (emailSmtpUrl === undefined) return 'set SMTP_URL';
  if (emailTo === undefined) return 'set EMAIL_TO';
  const url = URL.parse(emailSmtpUrl);
  return url && url.protocol in SUBMISSION_PORTS
    ? undefined
    : 'set SMTP_URL to smtps://HOST:PORT, with USER:PASSWORD@ before HOST';
}

function serverOf({ emailSmtpUrl = '' }: EmailOptions): URL {
  return new URL(emailSmtpUrl);
}

async function mail(
  options: EmailOptions,
  { text, id, envelope }: Letter,
  { gateway, signal }: { readonly gateway: Gateway; readonly signal: AbortSignal },
): Promise<Outcome> {
  let begun = false;
  // The text is read when the server has asked for it; from then on it may arrive, whatever happens.
  const read = function* () {
    begun = true;
    yield text;
  };
  try {
    const { createTransport } = await import('nodemailer');
    const mailer = createTransport(await transportOf(options, gateway, signal));
    const stop = () => mailer.close();
    signal.addEventListener('abort', stop, { once: true });
    // The id is the same for every attempt: mail programs show one message of several with the same.
    const messageId = `<${id}@wooster.invalid>`;
    const content = { text: Readable.from(read(), { objectMode: false }), textEncoding: 'base64' } as const;
    const closed = { disableFileAccess: true, disableUrlAccess: true };
    const sending = mailer.sendMail({ ...envelope, messageId, ...content, ...closed });
    await sending.finally(() => signal.removeEventListener('abort', stop));
    return { state: 'sent', remoteId: messageId, detail: 'accepted by the mail server' };
  } catch (error) {
    return readFailure(error, begun);
  }
}

/** The connection is the gateway's; a client of its own would go out by itself. */
async function transportOf(options: EmailOptions, gateway: Gateway, signal: AbortSignal): Promise<TransportOptions> {
  const url = serverOf(options);
  const host = url.hostname.replace(/^\[|\]$/gu, '');
  const secure = url.protocol === 'smtps:';
  const port = Number(url.port) || SUBMISSION_PORTS[secure ? 'smtps:' : 'smtp:'];
  const ca = options.emailTlsCa === undefined ? {} : { ca: await readFile(options.emailTlsCa, 'utf8') };
  const [user, pass] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  const connection = await gateway.dial('email', { hosts: [], named: [url.host] }, { host, port, signal });
  return {
    ...{ host, port, secure, connection, tls: { ...ca, servername: host }, requireTLS: user !== '' },
    ...(user !== '' && { auth: { user, pass } }),
    ...{ connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS },
  } as TransportOptions;
}

/** A reply of 4xx passes, one of 5xx stays. Without one, it depends on whether the text was on its way. */
function readFailure(error: unknown, begun: boolean): Outcome {
  if (wasRefused(error)) return { state: 'failed', detail: 'the network rules forbid this mail server' };
  if (neverConnected(error)) return { state: 'retry', detail: 'the mail server cannot be reached', why: 'down' };
  const { code, originalCode, responseCode: reply } = isRecord(error) ? error : {};
  if (code === 'EAUTH')
    return { state: 'off', detail: 'the mail server refuses user name or password; set a new SMTP_URL' };
  if (typeof reply === 'number' && reply >= 500)
    return { state: 'failed', detail: `the mail server refused it (${reply})` };
  if (typeof reply === 'number')
    return { state: 'retry', detail: `the mail server asks to wait (${reply})`, why: 'error' };
  if (begun) return { state: 'unknown', detail: 'the connection broke before the mail server confirmed it' };
  const why = [originalCode, code].find((each) => typeof each === 'string') ?? 'no answer';
  return { state: 'retry', detail: `the mail server could not be used (${why})`, why: 'error' };
}
