import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { needs } from '../../testing/needs.ts';
import { NO_CHANNELS } from '../../testing/no-channels.ts';
import { testNotifier } from '../../testing/notifier.ts';
import { channelContract } from '../channel.contract.ts';
import { type ChannelOptions, completed } from '../channels.ts';
import { email } from './email.ts';

type Done = (error?: Error | null) => void;

/** The reply of an SMTP server. */
const reply = (responseCode: number) => Object.assign(new Error('no'), { responseCode });

/** An SMTP server on loopback. @param end  says how it takes the next mail. */
async function smtpServer(options: SMTPServerOptions = {}, end: (done: Done) => void = (done) => done()) {
  const mails: Email[] = [];
  const recipients: string[] = [];
  const answer = { end };
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS'], logger: false },
    onData: (stream, session, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', async () => {
        mails.push(await PostalMime.parse(Buffer.concat(parts)));
        recipients.push(...session.envelope.rcptTo.map(({ address }) => address));
        answer.end(done);
      });
    },
    ...options,
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  // Its type does not name them.
  const { connections } = server as unknown as { connections: Set<{ close(): void }> };
  return { port, mails, recipients, answer, server: { connections } };
}

const to = (port: number, scheme = 'smtp', login = '') => ({
  emailSmtpUrl: `${scheme}://${login}localhost:${port}`,
  emailTo: 'anna@example.org',
});
const textOf = ({ text }: Email) => (text ?? '').replace(/\n$/u, '');

channelContract(email, async () => {
  let down = false;
  const { port, mails, answer } = await smtpServer();
  return {
    options: to(port),
    arrived: () => (down ? [] : mails.map(textOf)),
    fail: () => {
      down = true;
      answer.end = (done) => done(reply(451));
    },
  };
});

test("a mail says what it is about, comes from whom it should, and cannot be taken for a person's", async () => {
  const { port, mails, recipients } = await smtpServer();
  const { send, notifier } = await testNotifier({ ...to(port), emailFrom: 'wooster@example.org' });
  expect(await send('Tea is ready, Grüße\nin the kitchen', 'email')).toMatchObject({ state: 'sent' });
  const [mail] = mails;
  expect([recipients, mail?.subject, mail?.from?.address]).toEqual([
    ['anna@example.org'],
    'Tea is ready, Grüße',
    'wooster@example.org',
  ]);
  expect(mail?.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated');
  const [{ id = '' } = {}] = await notifier.recent(1);
  expect(mail?.messageId).toBe(`<${id}@wooster.invalid>`);
});

test.each([
  ['asks to wait', (done: Done) => done(reply(451)), 'queued', 'asks to wait (451)'],
  ['refuses it', (done: Done) => done(reply(554)), 'failed', 'refused it (554)'],
])('a server that %s', async (_what, end, state, detail) => {
  const { port } = await smtpServer({}, end);
  expect(await (await testNotifier(to(port))).send('tea', 'email')).toMatchObject({
    state,
    detail: expect.stringContaining(detail),
  });
});

test('a connection that breaks after the text was sent leaves open whether it arrived', async () => {
  const { port, server } = await smtpServer({}, () => {
    for (const connection of server.connections) connection.close();
  });
  expect(await (await testNotifier(to(port))).send('tea', 'email')).toMatchObject({
    state: 'unknown',
    detail: expect.stringContaining('before the mail server confirmed it'),
  });
});

describe('without an account of its own', () => {
  const mail = { smtpHost: 'mail.example.org', smtpPort: 465, username: 'anna@example.org', password: 'a/b c' };
  const borrowed = (options: Partial<ChannelOptions>, account: unknown) =>
    completed({ ...NO_CHANNELS, ...options }, { mail: account });

  test("that of the mail plugin serves, to its owner's address", () => {
    expect(borrowed({}, mail)).toMatchObject({
      emailSmtpUrl: 'smtps://anna%40example.org:a%2Fb%20c@mail.example.org:465',
      emailTo: 'anna@example.org',
    });
    expect(borrowed({}, { ...mail, smtpPort: 587, address: 'a@b.example' })).toMatchObject({
      emailSmtpUrl: expect.stringMatching(/^smtp:/u),
      emailTo: 'a@b.example',
    });
  });

  test('none serves where it is incomplete, or another is set', () => {
    for (const account of [undefined, { ...mail, password: undefined }, { ...mail, username: 'anna' }])
      expect(borrowed({}, account).emailSmtpUrl).toBeUndefined();
    expect(borrowed({ emailSmtpUrl: 'smtp://mine' }, mail)).toMatchObject({ emailSmtpUrl: 'smtp://mine' });
  });
});

test('a server that is not there is tried again later', async () => {
  expect(await (await testNotifier(to(1))).send('tea', 'email')).toMatchObject({
    state: 'queued',
    detail: 'the mail server cannot be reached',
  });
});

test.each(['localhost', 'http://localhost', 'not a url'])('%j is no mail server', async (emailSmtpUrl) => {
  const { notifier } = await testNotifier({ emailSmtpUrl, emailTo: 'anna@example.org' });
  expect((await notifier.channels()).find(({ name }) => name === 'email')).toMatchObject({
    configured: false,
    detail: 'set SMTP_URL to smtps://HOST:PORT, with USER:PASSWORD@ before HOST',
  });
});

describe.runIf(needs('openssl'))('over TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wooster-mail-'));
  const files = { key: '', cert: '' };
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  beforeAll(() => {
    Object.assign(files, { key: join(folder, 'key.pem'), cert: join(folder, 'cert.pem') });
    const request = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
    ];
    const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    execFileSync('openssl', [...request, '-keyout', files.key, '-out', files.cert, ...names], { stdio: 'ignore' });
  });
  const seen: string[] = [];
  const secured = (more: SMTPServerOptions): SMTPServerOptions => ({
    ...{ key: readFileSync(files.key), cert: readFileSync(files.cert), authOptional: false, disabledCommands: [] },
    onAuth: ({ username, password }, session, done) => {
      seen.push(`${username}:${password} ${session.secure ? 'over TLS' : 'in plain text'}`);
      done(password === 'open sesame' ? null : new Error('Invalid login'), { user: username });
    },
    ...more,
  });

  test.each([
    ['from the first byte', 'smtps', { secure: true }],
    ['with STARTTLS', 'smtp', {}],
  ])('%s the password is sent, and only then', async (_name, scheme, more) => {
    const { port, mails } = await smtpServer(secured(more));
    const options = { ...to(port, scheme, 'anna:open%20sesame@'), emailTlsCa: files.cert };
    expect(await (await testNotifier(options)).send('tea', 'email')).toMatchObject({ state: 'sent' });
    expect([mails.map(textOf), seen.splice(0)]).toEqual([['tea'], ['anna:open sesame over TLS']]);
  });

  test('a server without TLS gets no password, and one that nobody vouches for nothing at all', async () => {
    const plain = await smtpServer({ authOptional: false });
    const options = to(plain.port, 'smtp', 'anna:open%20sesame@');
    expect((await (await testNotifier(options)).send('tea', 'email')).state).not.toBe('sent');
    const unknown = await smtpServer(secured({ secure: true }));
    const stranger = to(unknown.port, 'smtps', 'anna:open%20sesame@');
    const { state, detail } = await (await testNotifier(stranger)).send('tea', 'email');
    expect([state === 'sent', detail]).toEqual([false, expect.stringContaining('SELF_SIGNED_CERT')]);
    expect([plain.mails, unknown.mails, seen.splice(0)]).toEqual([[], [], []]);
  });

  test('a wrong password switches the channel off, and is not shown', async () => {
    const { port } = await smtpServer(secured({ secure: true }));
    const options = { ...to(port, 'smtps', 'anna:hunter22@'), emailTlsCa: files.cert };
    const delivery = await (await testNotifier(options)).send('tea', 'email');
    expect(delivery).toMatchObject({ state: 'failed', detail: expect.stringContaining('set a new SMTP_URL') });
    expect(JSON.stringify(delivery)).not.toContain('hunter22');
    seen.splice(0);
  });
});
