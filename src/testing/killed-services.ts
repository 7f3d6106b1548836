import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NoticeTable } from '../notify/notice-table.ts';
import type { Store } from '../store/store.ts';
import { BOT_TOKEN, BotApi, OWNER } from './bot-api.ts';
import { dmOf } from './discord-forms.ts';
import { DiscordService } from './discord-service.ts';
import { MAIL_OWNER, MAIL_STRANGER, openMailbox } from './mailbox.ts';
import { NtfyServer } from './ntfy-server.ts';
import { SIGNAL_NUMBER, SIGNAL_OWNER, SIGNAL_STRANGER, SignalDaemonServer } from './signal-daemon.ts';

/** The home of the program that is killed. */
export interface KilledHome {
  readonly path: string;
  readonly store: Store;
}

/** A service whose program is killed while it deals with one numbered thing after the other. */
export interface KilledService {
  readonly channel: string;
  readonly env: Readonly<Record<string, string>>;
  /** The owner's account there, and their own chat where that is not called as they are; absent: nobody is known. */
  readonly owner?: { readonly account: string; readonly chat?: string };
  /** Something that is to be dealt with comes in. */
  begin(number: number, home: KilledHome): void | Promise<void>;
  /** Somebody else writes; absent: everybody is a stranger there. */
  strange?(): void;
  /** What has arrived on the owner's device about any of them. */
  texts(): readonly string[];
  /** How often what it asks for was done. */
  effects(number: number, home: KilledHome): number | Promise<number>;
  /** Whether a program listens, where what came before one ever did is not all read. */
  isHeard?(): boolean;
  close(): void | Promise<void>;
}

export const KILLED_SERVICES: Readonly<Record<string, () => Promise<KilledService>>> = {
  telegram: async () => {
    const api = await new BotApi().listen();
    return {
      ...{ channel: 'telegram', owner: { account: String(OWNER) } },
      env: { TELEGRAM_BOT_TOKEN: BOT_TOKEN, TELEGRAM_API_URL: api.origin },
      ...{ begin: (number) => void api.write(`keep ${number}`), texts: () => api.texts() },
      strange: () => void api.write('buy this', { from: 666 }),
      ...{ effects: linesKept, close: () => api.close() },
    };
  },

  /** A gateway whose sessions go on. */
  discord: async () => {
    const api = await new DiscordService().listen();
    return {
      ...{ channel: api.channel, owner: { account: api.owner, chat: dmOf(api.owner) }, env: api.env },
      ...{ begin: (number) => void api.write(`keep ${number}`), texts: () => api.texts() },
      strange: () => void api.write('buy this', { from: '6660000000000001' }),
      ...{ effects: linesKept, isHeard: () => api.isHeard(), close: () => api.close() },
    };
  },

  /** A daemon that gives again what came while nobody listened. */
  signal: async () => {
    const daemon = await new SignalDaemonServer().listen();
    return {
      ...{ channel: 'signal', owner: { account: SIGNAL_OWNER } },
      env: { SIGNAL_CLI_NUMBER: SIGNAL_NUMBER, SIGNAL_DAEMON_URL: daemon.origin },
      ...{ begin: (number) => void daemon.write(`keep ${number}`), texts: () => daemon.texts() },
      strange: () => void daemon.write('buy this', { from: SIGNAL_STRANGER }),
      ...{ effects: linesKept, close: () => daemon.close() },
    };
  },

  /** Dovecot and a real SMTP server; each mail begins a thread. */
  email: async () => {
    const { mail, env, texts, close } = await openMailbox();
    return {
      ...{ channel: 'email', owner: { account: MAIL_OWNER }, env, texts, close, effects: linesKept },
      // Who is paired was heard then: before that, mail that is older than a code is not read.
      isHeard: () => true,
      strange: () => mail({ from: MAIL_STRANGER, body: 'buy this' }),
      begin: (number) => mail({ subject: `About ${number}`, body: `keep ${number}` }),
    };
  },

  /** Nothing is asked there: a reminder goes out, and its button is pressed on the first that arrives. */
  ntfy: async () => {
    const server = await new NtfyServer().listen();
    server.presses = '1 h';
    return {
      channel: 'ntfy',
      env: { NTFY_URL: server.origin, NTFY_TOPIC: 'notices', NTFY_ANSWERS: 'answers' },
      begin: (number, { store }) => {
        const [key, now] = [`run_${number}`, new Date().toISOString()];
        const row = { key, run_id: key, route: 'ntfy', text: `kept ${number}`, untrusted: 0, urgent: 0 };
        return new NoticeTable(store).enter({ ...row, created_at: now, since: now, next_at: now });
      },
      texts: () => server.in('notices').map(({ message }) => message),
      effects: async (number, { store }) => (await new NoticeTable(store).find(`run_${number}`))?.round ?? 0,
      close: () => server.close(),
    };
  },
};

/** The tool of the program keeps one line for each. */
function linesKept(number: number, { path }: KilledHome): number {
  const file = join(path, 'kept');
  const kept = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return kept.filter((line) => line === String(number)).length;
}
