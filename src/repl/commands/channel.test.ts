import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCommands } from '../../testing/commands.ts';
import { webServer } from '../../testing/web-server.ts';

const envOf = (home: string) => readFileSync(join(home, '.env'), 'utf8');

test('ntfy needs nothing but its name: a topic is made up, the phone is told, and a test message arrives', async () => {
  const server = await webServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"x","event":"message"}'),
  );
  const { run, home } = await openCommands();
  const { code, lines, rows } = await run(['channel', 'add', 'ntfy', '--set', `NTFY_URL=${server.origin}`, '--test']);
  const [, topic] = /NTFY_TOPIC=(wooster-\w{20})\n/u.exec(envOf(home)) ?? [];
  expect([code, topic]).toEqual([0, expect.any(String)]);
  expect(lines.join('\n')).toContain(`${server.origin}/${topic}`);
  expect(server.received.map(({ body }) => JSON.parse(body))).toEqual([
    { topic, message: expect.stringContaining('test message') },
  ]);
  expect(rows).toMatchObject([
    { channel: 'ntfy', variables: ['NTFY_URL', 'NTFY_TOPIC', 'NTFY_ANSWERS'] },
    { channel: 'ntfy', test: 'sent' },
  ]);
});

test('a test message that is not sent is said, and the exit code tells', async () => {
  const server = await webServer((_request, response) => response.writeHead(403).end('{}'));
  const { run } = await openCommands();
  const { code, notes } = await run(['channel', 'add', 'ntfy', '--set', `ntfy.url=${server.origin}`, '--test']);
  expect([code, notes.join('\n')]).toEqual([1, expect.stringContaining('set a new NTFY_TOKEN')]);
});

test('what a channel cannot do without is named where nobody can be asked, and nothing is written', async () => {
  const { run, home } = await openCommands();
  await expect(run(['channel', 'add', 'telegram', '--set', 'TELEGRAM_CHAT_ID=42'])).rejects.toMatchObject({
    ...{ code: 'bad_usage', message: 'telegram needs TELEGRAM_BOT_TOKEN.' },
    hint: expect.stringContaining('--set TELEGRAM_BOT_TOKEN=...'),
  });
  expect(() => envOf(home)).toThrow('ENOENT');
});

test('a bot needs its token alone: the chat is the one that is paired next', async () => {
  const { run, home } = await openCommands();
  const { code, lines } = await run(['channel', 'add', 'telegram', '--set', 'TELEGRAM_BOT_TOKEN=123456:AAtoken']);
  expect([code, envOf(home)]).toEqual([0, 'TELEGRAM_BOT_TOKEN=123456:AAtoken\n']);
  expect(lines.at(-1)).toBe('Now pair it (`wooster channel pair telegram`) or set TELEGRAM_CHAT_ID.');
});

test.each([
  [['channel', 'add', 'ntfi'], 'unknown_channel', 'Did you mean ntfy?'],
  [['channel', 'add'], 'unknown_channel', 'Use one of'],
  [['channel', 'pair'], 'unknown_channel', 'Use one of discord, signal, telegram, email.'],
  [['channel', 'add', 'ntfy', '--set', 'COLOUR=red'], 'bad_usage', 'NTFY_TOPIC=...'],
  [['channel', 'sing'], 'bad_usage', 'Use one of'],
])('%j is refused', async (words, code, hint) => {
  const { run } = await openCommands();
  await expect(run(words)).rejects.toMatchObject({ code, hint: expect.stringContaining(hint) });
});

test.each([
  ['nothing would start', ['ntfy', '--set', 'NTFY_URL=htp:/x'], 'bad_setting', 'NTFY_URL'],
  [
    'nothing would be sent',
    ['email', '--set', 'SMTP_URL=foo', '--set', 'EMAIL_TO=me@example.com'],
    'bad_usage',
    'SMTP_URL',
  ],
])('a value with which %s is refused, and not saved', async (_what, words, code, named) => {
  const { run, home } = await openCommands();
  await expect(run(['channel', 'add', ...words])).rejects.toMatchObject({
    code,
    message: expect.stringContaining(named),
  });
  expect(() => envOf(home)).toThrow('ENOENT');
});

test('a value that replaces one of the file is not said to be overruled', async () => {
  const { home } = await openCommands();
  writeFileSync(join(home, '.env'), 'NTFY_TOPIC=old-topic\n');
  const { run } = await openCommands({ home });
  const { notes } = await run(['channel', 'add', 'ntfy', '--set', 'NTFY_TOPIC=new-topic']);
  expect([notes, envOf(home)]).toEqual([[], 'NTFY_TOPIC=new-topic\n']);
});

test('the list says what is set up, and how a reminder goes', async () => {
  const { run } = await openCommands({ config: { ntfy: { topic: 'wooster-abc' } } });
  const { lines, rows } = await run(['channel']);
  expect(lines).toContain('* ntfy  a topic at ntfy.sh');
  expect(lines.at(-1)).toBe('A reminder goes: here, ntfy. Something urgent: here, ntfy after 1m.');
  expect(rows).toContainEqual({ name: 'ntfy', configured: true, detail: 'a topic at ntfy.sh', default: true });
});

test('one that is removed leaves all other lines as they are', async () => {
  const first = await openCommands();
  const env = '# mine\nNTFY_TOPIC=abc\nTZ=Europe/Oslo\nexport NTFY_TOKEN="tk_1234567890"\n';
  writeFileSync(join(first.home, '.env'), env);
  const { run, home } = await openCommands({ home: first.home });
  const { lines } = await run(['channel', 'remove', 'ntfy']);
  expect(envOf(home)).toBe('# mine\nTZ=Europe/Oslo\n');
  expect(lines).toEqual([`Removed from ${join(home, '.env')}: NTFY_TOPIC, NTFY_TOKEN.`]);
});

test('one that is not set up is said to be so', async () => {
  const { run } = await openCommands();
  expect((await run(['channel', 'remove', 'email'])).lines).toEqual(['email is not set up.']);
});
