import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lastingFolder, temporaryFolder } from './testing/home.ts';
import { type OpenServe, openServe } from './testing/serve.ts';
import { freePort } from './testing/server-process.ts';
import { rows, wooster } from './testing/wooster.ts';

const folder = lastingFolder();
const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(folder.dir, name)) as [string, string];
let served: OpenServe;
let port = 0;
/** Of a program, and of one browser. */
let [token, code] = ['', ''];

/** Several starts of the program, one after the other. */
const START_MS = 120_000;

/** The line of the docs that makes a certificate, for this machine too. */
function makeCertificate(): void {
  const page = readFileSync(resolve(import.meta.dirname, '../docs/api.md'), 'utf8');
  const line = /^openssl req .*$/mu.exec(page)?.[0] ?? '';
  const here = line.replace('DNS:wooster.lan', 'DNS:wooster.lan,IP:127.0.0.1');
  const made = spawnSync('sh', ['-e', '-c', here], { cwd: folder.dir, encoding: 'utf8' });
  expect([made.error, made.status]).toEqual([undefined, 0]);
}

beforeAll(async () => {
  makeCertificate();
  port = await freePort();
  const env = { SERVER_TLS_CERT: cert, SERVER_TLS_KEY: key, SERVER_NAMES: 'wooster.lan' };
  served = openServe({ home: folder.dir, env }, '--http', `127.0.0.1:${port}`);
  await served.see(`The door is at https://127.0.0.1:${port}`);
  const row = async (...words: string[]) =>
    rows((await wooster([...words, '--json'], { home: folder.dir })).stdout)[0] as { token: string; code: string };
  token = (await row('pair', '--token', '--name', 'tls', '--scopes', 'api,read,approve')).token;
  code = (await row('pair')).code;
}, START_MS);

afterAll(async () => {
  await served.end();
  folder.remove();
});

/** Ask as a program that knows the certificate. @returns what came. */
function curl(path: string, ...words: readonly string[]): { readonly code: number | null; readonly text: string } {
  const name = ['--cacert', cert, '--resolve', `wooster.lan:${port}:127.0.0.1`];
  const ran = spawnSync('curl', ['-sS', ...name, ...words, `https://wooster.lan:${port}${path}`], { encoding: 'utf8' });
  return { code: ran.status, text: ran.stdout };
}

const bearer = () => ['-H', `authorization: Bearer ${token}`] as const;

test('the API answers at the name of the certificate, whole and as a stream', () => {
  expect(curl('/api/me', ...bearer())).toMatchObject({ code: 0, text: expect.stringContaining('"name":"tls"') });
  const json = ['-H', 'content-type: application/json', '-d', '{"text": "what is 2 + 2?"}'];
  const { id } = JSON.parse(curl('/api/turns', ...bearer(), ...json).text) as { id: string };
  expect(curl(`/api/turns/${id}/events`, ...bearer()).text).toMatch(/event: answer\ndata: .*4/u);
});

test('the page comes with its files, and lets a browser in with a cookie that this door alone may set', () => {
  const page = curl('/today');
  expect(page.text).toContain('<html');
  const [asset = ''] = /\/assets\/[\w.-]+\.js/u.exec(page.text) ?? [];
  expect(curl(asset).text.length).toBeGreaterThan(1000);
  const jar = join(folder.dir, 'jar');
  const json = ['-H', 'content-type: application/json', '-d', JSON.stringify({ code, name: 'phone' })];
  const origin = ['-H', `origin: https://wooster.lan:${port}`];
  const { key: half } = JSON.parse(curl('/api/pair', '-c', jar, ...origin, ...json).text) as { key: string };
  const home = curl('/api/page/home', '-b', jar, '-H', `x-wooster-key: ${half}`);
  expect(JSON.parse(home.text)).toMatchObject({ id: 'default' });
});

test('whoever does not know the certificate, or speaks no TLS, gets nothing', async () => {
  const unknown = spawnSync('curl', ['-sS', `https://127.0.0.1:${port}/api/me`], { encoding: 'utf8' });
  // CURLE_PEER_FAILED_VERIFICATION
  expect([unknown.status, unknown.stdout]).toEqual([60, '']);
  await expect(fetch(`http://127.0.0.1:${port}/api/me`)).rejects.toThrow();
  expect(curl('/api/me', ...bearer()).code).toBe(0);
});

test('the terminal of another machine goes through it', async () => {
  const env = { WOOSTER_SERVER_TOKEN: token, NODE_EXTRA_CA_CERTS: cert };
  const words = ['--server', `https://127.0.0.1:${port}`, 'ask', 'what is 2 + 2?'];
  const asked = await wooster(words, { home: temporaryFolder(), env });
  expect([asked.code, asked.stdout]).toEqual([0, expect.stringContaining('4')]);
});
