import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { type Login, LoginFile } from './login-file.ts';

const URL = 'https://a.test/mcp';
const LOGIN: Login = {
  ...{ url: URL, redirectUrl: 'http://127.0.0.1:1/callback' },
  tokens: { access_token: 'at', token_type: 'bearer', issuer: 'https://a.test' },
};

test('a login is kept in a file of its server that its owner alone reads', async () => {
  const home = temporaryFolder();
  const file = new LoginFile(home, 'far', URL);
  expect(file.path).toBe(join(home, 'state', 'mcp', 'far.login.json'));
  expect(file.read()).toBeUndefined();
  await file.write(LOGIN);
  expect(new LoginFile(home, 'far', URL).read()).toEqual(LOGIN);
  expect(readFileSync(file.path, 'utf8')).toBe(`${JSON.stringify(LOGIN, null, 2)}\n`);
  expect([statSync(file.path).mode & 0o777, statSync(dirname(file.path)).mode & 0o777]).toEqual([0o600, 0o700]);
});

test('it is for one address alone', async () => {
  const home = temporaryFolder();
  await new LoginFile(home, 'far', URL).write(LOGIN);
  expect(new LoginFile(home, 'far', `${URL}?other`).read()).toBeUndefined();
});

test.each(['', '{', '[]', 'null', '{}'])('a file with %j holds none', (text) => {
  const file = new LoginFile(temporaryFolder(), 'far', URL);
  mkdirSync(dirname(file.path), { recursive: true });
  writeFileSync(file.path, text);
  expect(file.read()).toBeUndefined();
});

test('it is removed, and whether there was one is told', async () => {
  const file = new LoginFile(temporaryFolder(), 'far', URL);
  expect(file.remove()).toBe(false);
  await file.write(LOGIN);
  expect([file.remove(), file.read(), file.remove()]).toEqual([true, undefined, false]);
});
