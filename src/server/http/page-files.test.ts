import { existsSync, mkdirSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { pageRoutes } from './page.ts';
import { loadPage, writePage } from './page-files.ts';

test('what a first visit loads is small', async () => {
  const files = await loadPage();
  const loaded = [...files].filter(([path]) => /\.(?:html|js|css|svg|webmanifest)$/u.test(path));
  const bytes = loaded.reduce((sum, [, { body, zipped = body }]) => sum + zipped.length, 0);
  expect(bytes).toBeLessThan(60_000);
  expect(loaded.map(([path]) => path.replace(/-[A-Z0-9]{8}\./u, '-HASH.')).sort()).toEqual([
    ...['assets/main-HASH.js', 'assets/style-HASH.css', 'icon.svg', 'index.html', 'manifest.webmanifest', 'sw.js'],
  ]);
});

test('every address of the page is the page, and its scripts may be kept for ever', async () => {
  const routes = pageRoutes();
  const pages = await Promise.all(['/today', '/chat/conv_1', '/pair'].map((path) => routes.request(path)));
  const [first = '', ...others] = await Promise.all(pages.map((page) => page.text()));
  for (const other of others) expect(other).toBe(first);
  for (const { headers } of pages) {
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*require-trusted-types-for 'script'/u);
    expect(headers.get('cache-control')).toBe('no-cache');
  }
  const script = /\/assets\/main-\w+\.js/u.exec(first)?.[0] ?? '';
  const plain = await routes.request(script);
  expect(plain.headers.get('cache-control')).toContain('immutable');
  const zipped = await routes.request(script, { headers: { 'accept-encoding': 'gzip' } });
  expect(zipped.headers.get('content-encoding')).toBe('gzip');
  expect(gunzipSync(await zipped.arrayBuffer()).toString()).toBe(await plain.text());
  expect((await routes.request('/assets/none.js')).status).toBe(404);
});

test('a page that could not be loaded once is loaded the next time', async () => {
  const page = await loadPage();
  let tries = 0;
  const routes = pageRoutes(async () => {
    tries += 1;
    if (tries === 1) throw new Error('no room');
    return page;
  });
  expect((await routes.request('/today')).status).toBe(500);
  expect((await routes.request('/today')).status).toBe(200);
});

test('a package has the page as files', async () => {
  const dist = temporaryFolder();
  mkdirSync(`${dist}/src`);
  await writePage(pathToFileURL(`${dist}/src/`));
  expect(existsSync(`${dist}/src/server/page/built/index.html`)).toBe(true);
});
