import { readFile } from 'node:fs/promises';
import type { ImapFlow } from 'imapflow';
import type { PluginHost } from '#plugin';

/** One mail account, as its owner set it up. */
export interface Account {
  readonly imapHost: string;
  readonly imapPort: number;
  readonly smtpHost: string;
  readonly smtpPort: number;
  readonly username: string;
  readonly password: string;
  /** What the owner's mail comes from, and what counts as mail to the owner. */
  readonly address: string;
  /** A PEM file with the certificate of a server of one's own. */
  readonly tlsCa?: string | undefined;
  /** Through the gateway. */
  readonly dial: PluginHost['dial'];
}

const TIMEOUT_MS = 15_000;

/**
 * Work with the mailboxes of the account over a connection of its own, which is closed in the end.
 *
 * @throws Error in the words of a person: which server, and what is wrong.
 */
export async function withMailboxes<T>(
  account: Account,
  signal: AbortSignal,
  work: (imap: ImapFlow) => Promise<T>,
): Promise<T> {
  const { ImapFlow } = await import('imapflow');
  const { imapHost: host, imapPort: port, username: user, password: pass } = account;
  const socket = await account.dial(host, port);
  const imap = new ImapFlow({
    ...{ host, port, secure: true, auth: { user, pass }, logger: false },
    tls: { ...(await trust(account)), socket, servername: host } as object,
    ...{ connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, disableAutoIdle: true },
  });
  // What goes wrong reaches whoever waits for an answer; without a listener it would end the program too.
  imap.on('error', () => {});
  const stop = () => imap.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await imap.connect().catch((error: unknown) => {
      throw connectError(error, host);
    });
    return await work(imap);
  } finally {
    signal.removeEventListener('abort', stop);
    imap.close();
    socket.destroy();
  }
}

/** What TLS trusts besides what the system does. */
export async function trust({ tlsCa }: Account): Promise<{ ca?: string }> {
  return tlsCa === undefined ? {} : { ca: await readFile(tlsCa, 'utf8') };
}

function connectError(error: unknown, host: string): Error {
  const refused = typeof error === 'object' && error !== null && 'authenticationFailed' in error;
  if (refused)
    return new Error(`${host} did not accept the user name or password; set MAIL_USERNAME and MAIL_PASSWORD.`);
  const why = error instanceof Error ? error.message : String(error);
  return new Error(`No connection to the mail server ${host}: ${why}`, { cause: error });
}
