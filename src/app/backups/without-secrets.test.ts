import { expect, test } from 'vitest';
import { Redactor } from '../../base/redact.ts';
import { envWithoutSecrets, jsonWithoutSecrets } from './without-secrets.ts';

const names = {
  redactor: new Redactor(['known-secret']),
  isSecret: (name: string) => ['DISCORD_WEBHOOK_URL', 'channels.hook'].includes(name),
};

test('of .env, what is secret by our table or by its name is left out, over several lines too', () => {
  const { text, left } = envWithoutSecrets(
    [
      '# mine',
      'CHAT_MODE=auto',
      'DISCORD_WEBHOOK_URL=https://x/1',
      'export MY_TOKEN="a',
      'b"',
      'API_KEY=',
      'ABOUT=known-secret',
    ].join('\n'),
    names,
  );
  expect(left).toEqual(['DISCORD_WEBHOOK_URL', 'MY_TOKEN']);
  expect(text.split('\n')).toEqual([
    '# mine',
    'CHAT_MODE=auto',
    '# DISCORD_WEBHOOK_URL= was left out of the backup: set it again.',
    '# MY_TOKEN= was left out of the backup: set it again.',
    'API_KEY=',
    'ABOUT=[secret]',
  ]);
});

test('of JSON likewise, at any depth; numbers and lists stay', () => {
  const given = { channels: { hook: 'x', list: ['a', 'known-secret'] }, servers: [{ env: { A_KEY: 'y', N: 3 } }] };
  const { text, left } = jsonWithoutSecrets(JSON.stringify(given), names);
  expect(left).toEqual(['channels.hook', 'servers.0.env.A_KEY']);
  expect(JSON.parse(text)).toEqual({ channels: { list: ['a', '[secret]'] }, servers: [{ env: { N: 3 } }] });
});

test('what is no JSON is left out', () => {
  expect(jsonWithoutSecrets('{ "token": "x"', names)).toEqual({ text: '{}\n', left: [expect.any(String)] });
});
