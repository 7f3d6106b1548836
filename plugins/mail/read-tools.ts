import type { FetchMessageObject, ImapFlow, SearchObject } from 'imapflow';
import { defineTool, localTime, pageText, readMoment, type Tool, type ToolContext, z } from '#plugin';
import { type Account, withMailboxes } from './account.ts';

const READ = {
  policy: { effect: 'none' },
  timeoutMs: 60_000,
} as const;
const MAX_BYTES = 5_000_000;
const MAX_CHARS = 20_000;
const Query = z.object({
  query: z.string().trim().min(1).max(300).optional(),
  from: z.string().optional(),
  subject: z.string().optional(),
  since: z.string().optional().describe('a day, such as 2026-12-24 or "last monday"'),
  unread: z.boolean().optional(),
  mailbox: z.string().default('INBOX'),
  limit: z.number().int().min(1).max(50).default(10),
});

export function readTools(account: Account): Tool[] {
  return [searchMail(account), readMail(account)];
}

function searchMail(account: Account): Tool {
  return defineTool({
    name: 'mail_search',
    positional: ['query'],
    description:
      "Search the user's mail, newest first: by words, sender, subject, day or unread. Marks nothing as read.",
    input: Query,
    ...READ,
    execute: async (input, context) =>
      withMailboxes(account, context.signal, async (imap) => {
        const box = await open(imap, input.mailbox);
        const uids = (await imap.search(await criteria(input, context), { uid: true })) || [];
        const newest = uids.toSorted((a, b) => b - a).slice(0, input.limit);
        const found =
          newest.length > 0 ? await imap.fetchAll(newest.join(), { envelope: true, flags: true }, { uid: true }) : [];
        const rows = found
          .sort((a, b) => b.uid - a.uid)
          .map((mail) => rowOf(mail, idOf(input.mailbox, box, mail.uid), context));
        return { found: uids.length, mails: rows };
      }),
  });
}

async function criteria(
  { query, from, subject, since, unread }: z.output<typeof Query>,
  context: ToolContext,
): Promise<SearchObject> {
  const wanted: SearchObject = {
    ...(query && { text: query }),
    ...(from && { from }),
    ...(subject && { subject }),
    ...(since && { since: (await readMoment(since, context)).at }),
    ...(unread && { seen: false }),
  };
  return Object.keys(wanted).length > 0 ? wanted : { all: true };
}

function readMail(account: Account): Tool {
  return defineTool({
    name: 'mail_read',
    positional: ['id'],
    description:
      'Read one mail found by mail_search: its text and the names of its attachments. Marks nothing as read.',
    input: z.object({ id: z.string() }),
    ...READ,
    execute: async ({ id }, context) => {
      const { mail } = await fetchMail(account, id, context.signal);
      const { default: PostalMime } = await import('postal-mime');
      const parsed = await PostalMime.parse(mail.source ?? '');
      const text = parsed.text?.trim() || (await pageText(parsed.html ?? ''));
      return {
        ...rowOf(mail, id, context),
        to: addresses(parsed.to),
        ...(parsed.cc && { cc: addresses(parsed.cc) }),
        text: text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text,
        attachments: parsed.attachments.map(({ filename, mimeType, content }) => ({
          name: filename ?? 'without a name',
          type: mimeType,
          bytes: typeof content === 'string' ? content.length : content.byteLength,
        })),
      };
    },
  });
}

/** @throws Error when the id is not one of ours, or the mail is gone. */
export async function fetchMail(
  account: Account,
  id: string,
  signal: AbortSignal,
): Promise<{ mail: FetchMessageObject }> {
  const [, mailbox = '', validity, uid = ''] = /^(.+)\/(\d+)\/(\d+)$/su.exec(id) ?? [];
  if (uid === '') throw new Error(`"${id}" is no id of a mail; mail_search gives them.`);
  return withMailboxes(account, signal, async (imap) => {
    // When UIDVALIDITY changes, the server has renumbered its mails, so the number may be another mail's.
    if ((await open(imap, mailbox)) !== validity)
      throw new Error('The mailbox was rebuilt; search for the mail again.');
    const query = { envelope: true, flags: true, source: { maxLength: MAX_BYTES } };
    const mail = await imap.fetchOne(uid, query, { uid: true });
    if (!mail) throw new Error('This mail is not there any more.');
    return { mail };
  });
}

/** Open a mailbox read-only, so that unread mails stay unread. @returns its UIDVALIDITY. */
async function open(imap: ImapFlow, mailbox: string): Promise<string> {
  try {
    return String((await imap.mailboxOpen(mailbox, { readOnly: true })).uidValidity);
  } catch (error) {
    const names = (await imap.list()).map(({ path }) => path).join(', ');
    throw new Error(`There is no mailbox "${mailbox}"; there are: ${names}.`, { cause: error });
  }
}

function idOf(mailbox: string, validity: string, uid: number): string {
  return `${mailbox}/${validity}/${uid}`;
}

function rowOf({ envelope, flags }: FetchMessageObject, id: string, { timeZone }: ToolContext) {
  const [from] = envelope?.from ?? [];
  return {
    id,
    from: from ? `${from.name ? `${from.name} ` : ''}<${from.address ?? ''}>` : 'unknown',
    subject: envelope?.subject ?? '',
    date: envelope?.date ? localTime(new Date(envelope.date), timeZone).slice(0, 16) : 'unknown',
    ...(!flags?.has('\\Seen') && { unread: true }),
  };
}

function addresses(
  list: readonly { readonly name: string; readonly address?: string | undefined }[] | undefined,
): string[] {
  return (list ?? []).map(({ name, address }) => (name && address ? `${name} <${address}>` : (address ?? name)));
}
