import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { doorCommands } from '../repl/door-commands.ts';
import { openApp } from './app.ts';
import { BOT_TOKEN, type BotApi, OWNER } from './bot-api.ts';
import { type ChatWorldOptions, eventually, startBotApi, startDiscord } from './chat-world.ts';
import type { DiscordService } from './discord-service.ts';
import { MAIL_STRANGER, type Mailbox, type MailFile, openMailbox, withFile } from './mailbox.ts';
import {
  SIGNAL_NUMBER,
  SIGNAL_OWN_NUMBER,
  SIGNAL_OWNER,
  SIGNAL_STRANGER,
  SignalDaemonServer,
} from './signal-daemon.ts';

/** Somebody's device on a channel, with the service behind it. */
export interface Phone {
  readonly channel: string;
  readonly env: Readonly<Record<string, string>>;
  /** The owner writes; what they quote is somebody else's. */
  write(text: string, more?: { readonly quoting?: string; readonly file?: MailFile }): Promise<void>;
  writeAsStranger(text: string): Promise<void>;
  /** What has arrived on the owner's device. */
  texts(): readonly string[];
  textsOfStranger(): readonly string[];
  /** What the newest message can be answered with. */
  choices(): readonly string[];
  /** Whether typing was shown; absent: there is no such thing. */
  showsTyping?(): boolean;
  /** The owner answers the newest message that has this choice, by its button or in its words. */
  choose(label: string): Promise<void>;
  /** Whether the newest message is shown as an answer to what the owner wrote last. */
  answersLast(): boolean;
  /** Whether what is written now reaches a program. */
  isHeard?(): boolean;
}

function choicesInWords(text = ''): string[] {
  return [...text.matchAll(/ {3}\((?<label>[^)]+)\)\r?$/gmu)].map(({ groups }) => groups?.label ?? '');
}

/** The words that stand for a choice, in the newest message that has it. */
function wordsFor(label: string, texts: readonly string[]): string {
  const lines = texts.toReversed().flatMap((text) => text.split(/\r?\n/u));
  const line = lines.find((each) => each.endsWith(`   (${label})`));
  if (line === undefined) throw new Error(`no message has the choice "${label}"`);
  return line.slice(0, line.indexOf('   ('));
}

/** @param own  whether Wooster has a number of its own; otherwise it is a device linked to the owner's. */
export async function signalPhone({ own = false } = {}): Promise<Phone & { readonly daemon: SignalDaemonServer }> {
  const daemon = await new SignalDaemonServer().listen();
  onTestFinished(() => daemon.close());
  const to = (account: string) => daemon.sent.filter((each) => each.to.includes(account)).map(({ text }) => text);
  const from = own ? { from: SIGNAL_OWNER } : {};
  let last = 0;
  return {
    ...{ channel: 'signal', daemon },
    env: { SIGNAL_CLI_NUMBER: own ? SIGNAL_OWN_NUMBER : SIGNAL_NUMBER, SIGNAL_DAEMON_URL: daemon.origin },
    write: async (text, { quoting, file } = {}) => {
      const quote = { id: 1, author: SIGNAL_STRANGER, authorUuid: SIGNAL_STRANGER, text: quoting };
      last = daemon.write(text, { ...from, ...(file && { file }), ...(quoting && { more: { quote } }) });
    },
    writeAsStranger: async (text) => void daemon.write(text, { from: SIGNAL_STRANGER }),
    ...{ texts: () => daemon.texts(), textsOfStranger: () => to(SIGNAL_STRANGER) },
    choices: () => choicesInWords(daemon.texts().at(-1)),
    showsTyping: () => daemon.calls.some(({ method }) => method === 'sendTyping'),
    choose: async (label) => void daemon.write(wordsFor(label, daemon.texts()), from),
    answersLast: () => daemon.calls.findLast(({ method }) => method === 'send')?.params.quoteTimestamp === last,
  };
}

export async function telegramPhone(): Promise<Phone & { readonly api: BotApi }> {
  const api = await startBotApi();
  let last = 0;
  return {
    ...{ channel: 'telegram', api },
    env: { TELEGRAM_BOT_TOKEN: BOT_TOKEN, TELEGRAM_API_URL: api.origin },
    write: async (text, { quoting, file } = {}) => {
      const from = { id: 5, is_bot: false, first_name: 'x' };
      const reply_to_message = { message_id: 1, date: 1, chat: { id: OWNER, type: 'private' }, from, text: quoting };
      last = api.write(text, { ...(file && { file }), ...(quoting && { more: { reply_to_message } }) });
    },
    writeAsStranger: async (text) => void api.write(text, { from: 666 }),
    ...{ texts: () => api.texts(), textsOfStranger: () => api.texts(666) },
    choices: () => Object.keys(api.messages.at(-1)?.buttons ?? {}),
    showsTyping: () => api.calls.some(({ method, body }) => method === 'sendChatAction' && body.action === 'typing'),
    choose: async (label) => api.press(label),
    answersLast: () => api.messages.at(-1)?.replyTo === last,
  };
}

export async function discordPhone(): Promise<Phone & { readonly api: DiscordService }> {
  const api = await startDiscord();
  const stranger = '6660000000000001';
  const by = { id: '5550000000000001', username: 'x' };
  let last = '';
  return {
    ...{ channel: 'discord', api, env: api.env },
    write: async (text, { quoting, file } = {}) => {
      const referenced_message = { id: '1', channel_id: '1', author: by, content: quoting };
      last = api.write(text, { ...(file && { file }), ...(quoting && { more: { referenced_message } }) });
    },
    writeAsStranger: async (text) => void api.write(text, { from: stranger }),
    ...{ texts: () => api.texts(), textsOfStranger: () => api.saidTo(stranger), isHeard: () => api.isHeard() },
    choices: () => Object.keys(api.sent().at(-1)?.buttons ?? {}),
    showsTyping: () => api.calls.some(({ route }) => route === 'typing'),
    choose: async (label) => void api.press(label),
    answersLast: () => api.sent().at(-1)?.replyTo === last,
  };
}

/** A mail program, and the servers of the mailbox that Wooster reads. */
export async function mailPhone(): Promise<Phone & Mailbox> {
  const mailbox = await openMailbox();
  onTestFinished(() => mailbox.close());
  let last = '';
  const write: Phone['write'] = async (text, { quoting, file } = {}) => {
    const quote = quoting === undefined ? '' : `\r\n\r\nBob <bob@example.com> wrote on 1 May:\r\n> ${quoting}`;
    last = randomUUID();
    mailbox.mail({ id: last, ...(file ? withFile(text + quote, file) : { body: text + quote }) });
  };
  const repliedTo = (mail = mailbox.servers.taken.at(-1)) =>
    /^In-Reply-To: (?<id><[^>]+>)/imu.exec(mail?.text ?? '')?.groups?.id ?? '';
  return {
    ...{ ...mailbox, channel: 'email', write },
    writeAsStranger: async (body) => mailbox.mail({ body, from: MAIL_STRANGER }),
    textsOfStranger: () => mailbox.servers.taken.filter(({ to }) => to.includes(MAIL_STRANGER)).map(({ text }) => text),
    choices: () => choicesInWords(mailbox.texts().at(-1)),
    choose: async (label) =>
      mailbox.mail({ head: [`In-Reply-To: ${repliedTo()}`], body: wordsFor(label, mailbox.texts()) }),
    answersLast: () => repliedTo() === `<${last}@example.org>`,
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
    await eventually(() => {
      if (phone.isHeard?.() === false) throw new Error('nobody listens yet');
    });
    await phone.write(code);
    await eventually(() => {
      if (!phone.texts().some((text) => text.startsWith('Paired'))) throw new Error('not greeted yet');
    });
  } else await app.doors.openChats({ commands: doorCommands(app), mode: 'classic_tools', project: 'home' });
  const said = () => phone.texts().filter((text) => !text.startsWith('Paired'));
  return { app, home, model, accounts, said };
}
