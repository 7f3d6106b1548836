import { randomUUID } from 'node:crypto';
import { type MailServers, startMailServers } from './mail-servers.ts';

const ACCOUNT = { username: 'wooster@example.net', password: 'opensesame' };
export const MAIL_OWNER = 'anna@example.org';
export const MAIL_STRANGER = 'mallory@example.com';

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

/** A file that goes with a message. */
export interface MailFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly type?: string;
}

/** The mailbox that Wooster reads, with the servers behind it. */
export interface Mailbox {
  readonly servers: MailServers;
  readonly env: Readonly<Record<string, string>> & { readonly EMAIL_IMAP_URL: string };
  mail(writing: MailWriting): void;
  /** What has arrived at its owner's. */
  texts(): readonly string[];
  close(): Promise<void>;
}

export async function openMailbox(): Promise<Mailbox> {
  const servers = await startMailServers(ACCOUNT);
  const [user, pass] = Object.values(ACCOUNT).map(encodeURIComponent);
  return {
    servers,
    env: {
      SMTP_URL: `smtp://${user}:${pass}@localhost:${servers.smtpPort}`,
      EMAIL_IMAP_URL: `imaps://${user}:${pass}@localhost:${servers.imapPort}`,
      ...{ EMAIL_TO: MAIL_OWNER, EMAIL_FROM: ACCOUNT.username },
      ...{ EMAIL_TLS_CA: servers.certificate, EMAIL_AUTHSERV_ID: 'mx.example.net' },
    },
    mail: (writing) => servers.deliver(letterOf(writing), writing.at),
    texts: () => servers.taken.map(({ text }) => bodyOf(text)),
    close: () => servers.stop(),
  };
}

function letterOf({ from = MAIL_OWNER, head = [], subject = 'Hello', body, id = randomUUID(), dmarc }: MailWriting) {
  const domain = from.split('@')[1] ?? '';
  const lines = [
    `Authentication-Results: mx.example.net; ${dmarc ?? `dmarc=pass (p=none) header.from=${domain}`}`,
    `From: Somebody <${from}>`,
    `To: ${ACCOUNT.username}`,
    `Subject: ${subject}`,
    `Message-ID: <${id}@example.org>`,
    ...head,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}\r\n`;
}

/** A mail with a file beside its text. */
export function withFile(text: string, { name, bytes, type = 'text/markdown' }: MailFile): MailWriting {
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
