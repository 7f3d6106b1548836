import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { doorCommands } from '../repl/door-commands.ts';
import { openApp } from './app.ts';
import { BOT_TOKEN, OWNER } from './bot-api.ts';
import { type ChatWorldOptions, eventually, startBotApi } from './chat-world.ts';
import { startMailServers } from './mail-servers.ts';
import { SIGNAL_NUMBER, SIGNAL_STRANGER, SignalDaemonServer } from './signal-daemon.ts';

/** Somebody's device on a channel, with the service behind it. */
export interface Phone {
  readonly channel: string;
  readonly env: Readonly<Record<string, string>>;
  /** The owner writes; what they quote is somebody else's. */
  write(text: string, more?: { readonly quoting?: string; readonly file?: PhoneFile }): Promise<void>;
  writeAsStranger(text: string): Promise<void>;
  /** What has arrived on the owner's device. */
  texts(): readonly string[];
}

export interface PhoneFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly type?: string;
}

export async function signalPhone(): Promise<Phone & { readonly daemon: SignalDaemonServer }> {
  const daemon = await new SignalDaemonServer().listen();
  onTestFinished(() => daemon.close());
  return {
    ...{ channel: 'signal', daemon },
    env: { SIGNAL_CLI_NUMBER: SIGNAL_NUMBER, SIGNAL_DAEMON_URL: daemon.origin },
    write: async (text, { quoting, file } = {}) => {
      const quote = { id: 1, author: SIGNAL_STRANGER, authorUuid: SIGNAL_STRANGER, text: quoting };
      daemon.write(text, { ...(file && { file }), ...(quoting && { more: { quote } }) });
    },
    writeAsStranger: async (text) => void daemon.write(text, { from: SIGNAL_STRANGER }),
    texts: () => daemon.texts(),
  };
}

export async function telegramPhone(): Promise<Phone> {
  const api = await startBotApi();
  return {
    channel: 'telegram',
    env: { TELEGRAM_BOT_TOKEN: BOT_TOKEN, TELEGRAM_API_URL: api.origin },
    write: async (text, { quoting, file } = {}) => {
      const from = { id: 5, is_bot: false, first_name: 'x' };
      const reply_to_message = { message_id: 1, date: 1, chat: { id: OWNER, type: 'private' }, from, text: quoting };
      api.write(text, { ...(file && { file }), ...(quoting && { more: { reply_to_message } }) });
    },
    writeAsStranger: async (text) => void api.write(text, { from: 666 }),
    texts: () => api.texts(),
  };
}

const MAIL_ACCOUNT = { username: 'wooster@example.net', password: 'opensesame' };
const OWNER_ADDRESS = 'anna@example.org';

/** How somebody mails. */
export interface MailWriting {
  readonly from?: string;
  /** What the receiving server has found out about the sender. */
  readonly dmarc?: string;
  /** More lines of the head. */
  readonly head?: readonly string[];
  readonly subject?: string;
  readonly id?: string;
  readonly body: string;
  /** When it arrived; now unless given. */
  readonly at?: Date;
}

/** A mail program, and the servers of the mailbox that Wooster reads. */
export async function mailPhone() {
  const servers = await startMailServers(MAIL_ACCOUNT);
  onTestFinished(() => servers.stop());
  const [user, pass] = Object.values(MAIL_ACCOUNT).map(encodeURIComponent);
  const mail = (writing: MailWriting) => servers.deliver(letterOf(writing), writing.at);
  const write: Phone['write'] = async (text, { quoting, file } = {}) => {
    const quote = quoting === undefined ? '' : `\r\n\r\nBob <bob@example.com> wrote on 1 May:\r\n> ${quoting}`;
    mail(file ? withFile(text + quote, file) : { body: text + quote });
  };
  return {
    ...{ channel: 'email', write, mail, servers },
    env: {
      SMTP_URL: `smtp://${user}:${pass}@localhost:${servers.smtpPort}`,
      EMAIL_IMAP_URL: `imaps://${user}:${pass}@localhost:${servers.imapPort}`,
      ...{ EMAIL_TO: OWNER_ADDRESS, EMAIL_FROM: MAIL_ACCOUNT.username },
      ...{ EMAIL_TLS_CA: servers.certificate, EMAIL_AUTHSERV_ID: 'mx.example.net' },
    },
    writeAsStranger: async (body: string) => mail({ body, from: 'mallory@example.com' }),
    texts: () => servers.taken.map(({ text }) => bodyOf(text)),
  } satisfies Phone & Record<string, unknown>;
}

function letterOf({ from = OWNER_ADDRESS, head = [], subject = 'Hello', body, id = randomUUID(), dmarc }: MailWriting) {
  const domain = from.split('@')[1] ?? '';
  const lines = [
    `Authentication-Results: mx.example.net; ${dmarc ?? `dmarc=pass (p=none) header.from=${domain}`}`,
    `From: Somebody <${from}>`,
    `To: ${MAIL_ACCOUNT.username}`,
    `Subject: ${subject}`,
    `Message-ID: <${id}@example.org>`,
    ...head,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}\r\n`;
}

function withFile(text: string, { name, bytes, type = 'text/markdown' }: PhoneFile): MailWriting {
  const head = ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b'];
  const file = [
    `Content-Type: ${type}; name="${name}"`,
    `Content-Disposition: attachment; filename="${name}"`,
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(bytes).toString('base64'),
  ];
  const parts = [['Content-Type: text/plain; charset=utf-8', '', text], file].map((part) => part.join('\r\n'));
  return { head, body: `--b\r\n${parts.join('\r\n--b\r\n')}\r\n--b--` };
}

/** The text of a mail of Wooster's, which is in base64. */
function bodyOf(mail: string): string {
  const [, ...body] = mail.split('\r\n\r\n');
  return Buffer.from(body.join(''), 'base64').toString('utf8').trim();
}

/** A program that receives from a phone that is paired. */
export async function phoneWorld(phone: Phone, { env = {}, paired = true, ...options }: ChatWorldOptions = {}) {
  const { app, home, model } = await openApp({ ...options, env: { ...phone.env, ...env } });
  onTestFinished(() => app.close());
  const { accounts } = app.schedule.notifier;
  if (paired) {
    const { code } = await accounts.pair(phone.channel, false);
    await app.doors.openChats({ commands: doorCommands(app), mode: 'classic_tools', project: 'home' });
    await phone.write(code);
    await eventually(() => {
      if (!phone.texts().some((text) => text.startsWith('Paired'))) throw new Error('not greeted yet');
    });
  } else await app.doors.openChats({ commands: doorCommands(app), mode: 'classic_tools', project: 'home' });
  const said = () => phone.texts().filter((text) => !text.startsWith('Paired'));
  return { app, home, model, accounts, said };
}
