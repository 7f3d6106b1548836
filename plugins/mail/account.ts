import { readFile } from 'node:fs/promises';
import type { ImapFlow } from 'imapflow';
import type { PluginHost } from '#plugin';
import { type Socket, startTls } from './start-tls.ts';

/** One mail account, as configured by its owner. */
export interface Account {
  readonly imapHost: string;
  readonly imapPort: number;
  /** TLS from the first byte, or STARTTLS; never unencrypted. */
  readonly imapTls: 'always' | 'starttls';
  readonly smtpHost: string;
  readonly smtpPort: number;
  readonly username: string;
  readonly password: string;
  /** The owner's sender address, and the addresses that count as the owner's. */
  readonly address: string;
  /** A PEM file with the certificate of a self-hosted server. */
  readonly tlsCa?: string | undefined;
  /** Through the gateway. */
  readonly dial: PluginHost['dial'];
}

const TIMEOUT_MS = 15_000;

/**
 * Use the account's mailboxes over a new connection, which is closed afterwards.
 *
 * @throws Error with a message for people: which server, and what is wrong.
 */
export async function withMailboxes<T>(
  account: Account,
  signal: AbortSignal,
  work: (imap: ImapFlow) => Promise<T>,
): Promise<T> {
  const { imapHost: host, imapPort: port, username: user, password: pass } = account;
  const [{ ImapFlow }, trusted] = await Promise.all([import('imapflow'), trust(account)]);
  // Until `connect` nothing else listens: an error on the connection would end the program.
  const socket = await account.dial(host, port);
  if (account.imapTls === 'starttls') await begin(socket, host);
  const imap = new ImapFlow({
    ...{ host, port, secure: true, auth: { user, pass }, logger: false },
    tls: { ...trusted, socket, servername: host } as object,
    ...{ connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, disableAutoIdle: true },
  });
  if (account.imapTls === 'starttls') greetAgain(imap);
  // Errors reach whoever waits for an answer; without a listener they would end the program too.
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

async function begin(socket: Socket, host: string): Promise<void> {
  try {
    await startTls(socket, TIMEOUT_MS);
  } catch (error) {
    socket.destroy();
    throw connectError(error, host);
  }
}

/** A step of `connect`, taken when TLS is established and nothing has been read. */
interface Configuring {
  configureSocket(socket: Socket): void;
}

/**
 * The greeting came before TLS, and the client waits for one after it. It can start TLS itself, but only on
 * connections that it opens itself; ours go through the gateway.
 */
function greetAgain(imap: ImapFlow): void {
  const steps = imap as unknown as Configuring;
  const configure = steps.configureSocket.bind(imap);
  steps.configureSocket = (socket) => {
    configure(socket);
    socket.unshift('* OK begun\r\n');
  };
}

/** What TLS trusts in addition to the system's certificates. */
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
