import { onTestFinished } from 'vitest';
import { doorCommands } from '../repl/door-commands.ts';
import { openApp } from './app.ts';
import { BOT_TOKEN, OWNER } from './bot-api.ts';
import { type ChatWorldOptions, eventually, startBotApi } from './chat-world.ts';
import { MAIL_STRANGER, type Mailbox, type MailFile, openMailbox, withFile } from './mailbox.ts';
import { SIGNAL_NUMBER, SIGNAL_STRANGER, SignalDaemonServer } from './signal-daemon.ts';

/** Somebody's device on a channel, with the service behind it. */
export interface Phone {
  readonly channel: string;
  readonly env: Readonly<Record<string, string>>;
  /** The owner writes; what they quote is somebody else's. */
  write(text: string, more?: { readonly quoting?: string; readonly file?: MailFile }): Promise<void>;
  writeAsStranger(text: string): Promise<void>;
  /** What has arrived on the owner's device. */
  texts(): readonly string[];
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

/** A mail program, and the servers of the mailbox that Wooster reads. */
export async function mailPhone(): Promise<Phone & Mailbox> {
  const mailbox = await openMailbox();
  onTestFinished(() => mailbox.close());
  const write: Phone['write'] = async (text, { quoting, file } = {}) => {
    const quote = quoting === undefined ? '' : `\r\n\r\nBob <bob@example.com> wrote on 1 May:\r\n> ${quoting}`;
    mailbox.mail(file ? withFile(text + quote, file) : { body: text + quote });
  };
  return {
    ...{ ...mailbox, channel: 'email', write },
    writeAsStranger: async (body) => mailbox.mail({ body, from: MAIL_STRANGER }),
  };
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
