import type { SendMailOptions } from 'nodemailer';
import { defineTool, type Tool, type ToolContext, z } from '#plugin';
import { type Account, trust, withMailboxes } from './account.ts';
import { fetchMail } from './read-tools.ts';

const Address = z.email();
/** One address, several with commas, or a list. */
const Addresses = z.preprocess(
  (said) =>
    typeof said === 'string'
      ? said
          .split(/[,;]/u)
          .map((each) => each.trim())
          .filter((each) => each !== '')
      : said,
  z.array(Address).max(50),
);
const Letter = z.object({
  to: Addresses.refine((list) => list.length > 0, 'needs an address'),
  subject: z.string().trim().max(500).default(''),
  text: z.string().min(1).max(100_000),
  cc: Addresses.default([]),
  replyTo: z.string().optional().describe('id of the mail that this one answers'),
});
type Letter = z.output<typeof Letter>;

const ALIASES = { to: ['recipient', 'recipients', 'email'], text: ['body', 'message', 'content'] };
const WRITE = {
  policy: { effect: 'outbound' },
  provenance: { readsFrom: [] },
  timeoutMs: 60_000,
} as const;

export function writeTools(account: Account): Tool[] {
  return [draftMail(account), sendMail(account)];
}

function draftMail(account: Account): Tool {
  return defineTool({
    name: 'mail_draft',
    positional: ['to', 'subject', 'text'],
    aliases: ALIASES,
    description: "Put a mail into the user's drafts, for them to look at and send.",
    input: Letter,
    ...WRITE,
    policy: { ...WRITE.policy, recipient: () => ({ channel: 'mail', address: account.address, own: true }) },
    execute: async (letter, context) => {
      const { options } = await compose(account, letter, context);
      const source = await sourceOf(options);
      await keep(account, { source, where: '\\Drafts', flags: ['\\Draft', '\\Seen'] }, context.signal);
      return `A draft to ${letter.to.join(', ')} is in the mailbox.`;
    },
  });
}

function sendMail(account: Account): Tool {
  return defineTool({
    name: 'mail_send',
    positional: ['to', 'subject', 'text'],
    aliases: ALIASES,
    description: 'Send a mail in the name of the user. To tell the user something, use notify.',
    input: Letter,
    ...WRITE,
    policy: {
      ...WRITE.policy,
      recipient: ({ to, cc }) => {
        const all = [...to, ...cc];
        const own = all.every((each) => each.toLowerCase() === account.address.toLowerCase());
        return { channel: 'mail', address: all.join(', '), own };
      },
    },
    execute: async (letter, context) => {
      const { options } = await compose(account, letter, context);
      const { response } = await transport(account, options);
      const source = await sourceOf(options);
      // The mail has been sent: failing to save a copy is no reason to send it again.
      const kept = await keep(account, { source, where: '\\Sent', flags: ['\\Seen'] }, context.signal).catch(
        () => false,
      );
      return `Sent to ${[...letter.to, ...letter.cc].join(', ')} (${response})${kept ? '' : '; no copy was kept'}.`;
    },
  });
}

async function compose(account: Account, letter: Letter, context: ToolContext): Promise<{ options: SendMailOptions }> {
  const { to, cc, subject, text, replyTo } = letter;
  const { randomUUID } = await import('node:crypto');
  const answered =
    replyTo === undefined ? undefined : (await fetchMail(account, replyTo, context.signal)).mail.envelope;
  const thread = answered?.messageId ? { inReplyTo: answered.messageId, references: [answered.messageId] } : {};
  const title = subject || (answered?.subject ? `Re: ${answered.subject.replace(/^re:\s*/iu, '')}` : '');
  const messageId = `<${randomUUID()}@${account.address.split('@')[1] ?? 'wooster.local'}>`;
  return {
    options: { from: account.address, to, cc, subject: title, text, messageId, date: context.now(), ...thread },
  };
}

/** The mail as it goes over the wire. */
async function sourceOf(options: SendMailOptions): Promise<Buffer> {
  const { createTransport } = await import('nodemailer');
  const { message } = await createTransport({ streamTransport: true, buffer: true, newline: 'windows' }).sendMail(
    options,
  );
  return message as Buffer;
}

async function transport(account: Account, options: SendMailOptions): Promise<{ response: string }> {
  const { createTransport } = await import('nodemailer');
  const { smtpHost: host, smtpPort: port, username: user, password: pass } = account;
  const mailer = createTransport({
    ...{ host, port, secure: port === 465, requireTLS: true, auth: { user, pass }, logger: false },
    ...{ connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 45_000 },
    tls: { ...(await trust(account)), servername: host },
    getSocket: (_options: unknown, done: (error: Error | null, socket?: object) => void) => {
      account.dial(host, port).then(
        (connection) => done(null, { connection }),
        (error: Error) => done(error),
      );
    },
  } as object);
  const { rejected, response } = (await mailer.sendMail(options)) as { rejected: unknown[]; response: string };
  if (rejected.length > 0)
    throw new Error(`${host} did not take the mail for ${rejected.join(', ')}; the others got it.`);
  return { response };
}

/** @returns whether there is a mailbox for it; Gmail saves sent mail by itself. */
async function keep(
  account: Account,
  { source, where, flags }: { source: Buffer; where: '\\Drafts' | '\\Sent'; flags: string[] },
  signal: AbortSignal,
): Promise<boolean> {
  if (where === '\\Sent' && account.smtpHost === 'smtp.gmail.com') return true;
  return withMailboxes(account, signal, async (imap) => {
    const box = (await imap.list()).find(({ specialUse, path }) => specialUse === where || path === where.slice(1));
    if (!box && where === '\\Sent') return false;
    const path = box?.path ?? (await imap.mailboxCreate(where.slice(1))).path;
    await imap.append(path, source, flags);
    return true;
  });
}
