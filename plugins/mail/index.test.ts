import { type AddressInfo, createServer } from 'node:net';
import { ImapFlow } from 'imapflow';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type MailServers, startMailServers } from '../../src/testing/mail-servers.ts';
import { needs } from '../../src/testing/needs.ts';
import { startPlugin } from '../../src/testing/plugin.ts';
import mail from './index.ts';

const ACCOUNT = { username: 'anna@example.org', password: 'opensesame' };
let servers: MailServers;
const withServers = describe.runIf(needs('dovecot', 'openssl'));

const LETTERS = [
  'From: Bob <bob@example.com>\r\nTo: anna@example.org\r\nSubject: Tickets\r\nMessage-ID: <m1@x>\r\nDate: Mon, 12 Jan 2026 10:00:00 +0000\r\n\r\nThe tickets are booked.\r\n',
  'From: =?utf-8?q?J=C3=BCrgen?= <j@example.com>\r\nTo: anna@example.org\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\nDate: Tue, 13 Jan 2026 23:30:00 +0000\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>Hallo <b>Anna</b></p><script>x()</script>\r\n--b\r\nContent-Type: application/pdf; name="plan.pdf"\r\nContent-Disposition: attachment; filename="plan.pdf"\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERg==\r\n--b--\r\n',
];

/** The mailbox as another program of the owner sees it. */
async function look<T>(work: (imap: ImapFlow) => Promise<T>): Promise<T> {
  const imap = new ImapFlow({
    ...{ host: 'localhost', port: servers.imapPort, secure: true, logger: false },
    auth: { user: ACCOUNT.username, pass: ACCOUNT.password },
    tls: { rejectUnauthorized: false },
  });
  await imap.connect();
  try {
    return await work(imap);
  } finally {
    imap.close();
  }
}

beforeAll(async () => {
  servers = await startMailServers(ACCOUNT);
  await look(async (imap) => {
    for (const letter of LETTERS) await imap.append('INBOX', letter);
  });
});
afterAll(() => servers?.stop());

function start(config: Record<string, unknown> = {}, approved = false) {
  const { imapPort, smtpPort, certificate: tlsCa } = servers;
  const hosts = { imapHost: 'localhost', smtpHost: 'localhost', imapPort, smtpPort };
  const decide = { verdict: 'once', by: 'terminal' } as const;
  return startPlugin(mail, { config: { ...hosts, ...ACCOUNT, tlsCa, ...config }, ...(approved && { decide }) });
}

interface Found {
  readonly found: number;
  readonly mails: readonly { id: string; subject: string; unread?: boolean }[];
}

withServers('reading', () => {
  test('mail is found by words, sender and day, newest first, and stays unread', async () => {
    const { call } = await start();
    const search = async (input: object) => (await call('mail_search', input)) as Found;
    expect((await search({})).mails).toEqual([
      {
        id: expect.any(String),
        from: 'Jürgen <j@example.com>',
        subject: 'Grüße',
        date: '2026-01-14 00:30',
        unread: true,
      },
      {
        id: expect.any(String),
        from: 'Bob <bob@example.com>',
        subject: 'Tickets',
        date: '2026-01-12 11:00',
        unread: true,
      },
    ]);
    expect((await search({ query: 'booked' })).mails.map(({ subject }) => subject)).toEqual(['Tickets']);
    expect((await search({ query: 'Grüße' })).found).toBe(1);
    expect((await search({ from: 'bob', unread: true })).found).toBe(1);
    expect((await search({ subject: 'none' })).mails).toEqual([]);
    await expect(call('mail_search', { mailbox: 'Nowhere' })).rejects.toThrow(/there are: .*INBOX/u);
  });

  test('a mail is read as text with the names of its attachments, and stays unread', async () => {
    const { call } = await start();
    const { mails } = (await call('mail_search', { query: 'Grüße' })) as Found;
    expect(await call('mail_read', { id: mails[0]?.id })).toMatchObject({
      ...{ from: 'Jürgen <j@example.com>', to: ['anna@example.org'], text: 'Hallo Anna', unread: true },
      attachments: [{ name: 'plan.pdf', type: 'application/pdf', bytes: 4 }],
    });
    expect(((await call('mail_search', { unread: true })) as Found).found).toBe(2);
    await expect(call('mail_read', { id: 'INBOX/1/1' })).rejects.toThrow('search for the mail again');
    await expect(call('mail_read', { id: '7' })).rejects.toThrow('no id of a mail');
  });

  test('a wrong password and a certificate that nobody trusts are named', async () => {
    await expect((await start({ password: 'wrong' })).call('mail_search')).rejects.toThrow('MAIL_PASSWORD');
    await expect((await start({ tlsCa: undefined })).call('mail_search')).rejects.toThrow(/localhost: .*certificate/u);
    await expect(startPlugin(mail)).rejects.toThrow('MAIL_USERNAME');
  });
});

withServers('STARTTLS', () => {
  const onPlainPort = (config: object = {}) =>
    start({ imapPort: servers.plainImapPort, imapTls: 'starttls', ...config });

  test('mail is read where TLS begins after a plain beginning, with the same checks', async () => {
    const { call } = await onPlainPort();
    expect(((await call('mail_search', { query: 'booked' })) as Found).mails).toMatchObject([{ subject: 'Tickets' }]);
    const untrusted = await onPlainPort({ tlsCa: undefined });
    await expect(untrusted.call('mail_search')).rejects.toThrow(/localhost: .*certificate/u);
    await expect((await onPlainPort({ password: 'wrong' })).call('mail_search')).rejects.toThrow('MAIL_PASSWORD');
  });

  test.each([
    ['* OK hi\r\n', 'a BAD what?\r\n', 'has no TLS on this port'],
    ['* OK hi\r\n', 'a OK go on\r\n* OK [CAPABILITY AUTH=PLAIN] evil\r\n', 'slipped text into'],
    ['* PREAUTH hi\r\n', '', 'does not greet'],
    ['* OK hi\r\n', '', 'closed the connection'],
    ['x'.repeat(20_000), '', 'says more than'],
  ])('a server that begins with %j and %j gets no password', async (greeting, answer, why) => {
    const heard: string[] = [];
    const server = createServer((socket) => {
      socket.on('error', () => undefined).write(greeting);
      socket.on('data', (part) => {
        heard.push(part.toString());
        socket.end(answer);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const imapPort = (server.address() as AddressInfo).port;
    await expect((await onPlainPort({ imapHost: '127.0.0.1', imapPort })).call('mail_search')).rejects.toThrow(why);
    expect(heard.join('')).toMatch(/^(?:a STARTTLS\r\n)?$/u);
  });
});

withServers('writing', () => {
  const letter = { to: 'bob@example.com', text: 'Thank you!' };

  test('a draft lies in the mailbox, in the thread of the mail that it answers, and nothing is sent', async () => {
    const { call } = await start();
    const { mails } = (await call('mail_search', { query: 'booked' })) as Found;
    await call('mail_draft', { ...letter, replyTo: mails[0]?.id });
    const source = await look(async (imap) => {
      await imap.mailboxOpen('Drafts');
      const draft = await imap.fetchOne('*', { source: true, flags: true });
      return (draft || undefined)?.flags?.has('\\Draft') && draft ? draft.source?.toString() : '';
    });
    for (const line of ['Subject: Re: Tickets', 'In-Reply-To: <m1@x>', 'From: anna@example.org', 'Thank you!'])
      expect(source).toContain(line);
    expect(servers.taken).toEqual([]);
  });

  test('sending asks; approved, the mail goes out once and a copy is kept', async () => {
    const refused = await start();
    await expect(refused.call('mail_send', letter)).rejects.toThrow('it reaches somebody other than the owner');
    expect(servers.taken).toEqual([]);
    const { call } = await start({}, true);
    expect(await call('mail_send', { ...letter, cc: 'ann@example.com', subject: 'Hi\r\nBcc: x@example.com' })).toMatch(
      /^Sent to bob@example\.com, ann@example\.com/u,
    );
    expect(servers.taken).toMatchObject([{ to: ['bob@example.com', 'ann@example.com'] }]);
    expect(servers.taken[0]?.text).not.toMatch(/^Bcc:/mu);
    expect(await look((imap) => imap.status('Sent', { messages: true }))).toMatchObject({ messages: 1 });
    await expect(call('mail_send', { ...letter, to: 'nobody' })).rejects.toThrow('to');
  });
});
