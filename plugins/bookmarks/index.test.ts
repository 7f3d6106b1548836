import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startPlugin } from '../../src/testing/plugin.ts';
import { webServer } from '../../src/testing/web-server.ts';
import bookmarks from './index.ts';

test('an address is kept once as a line of Markdown, and found by its words and tags', async () => {
  const { call, home } = await startPlugin(bookmarks);
  const path = join(home, 'bookmarks.md');
  writeFileSync(path, '# Mine\n\nprose');
  const first = {
    url: 'https://example.org/a_(b)',
    title: 'Some [page]',
    tags: ['to read', '#x'],
    notes: 'two\nlines',
  };
  await call('add_bookmark', first);
  await call('add_bookmark', { url: 'https://example.org/2' });
  expect(await call('add_bookmark', first)).toMatch(/^Is there already/u);
  const line = '- [Some page](https://example.org/a_%28b%29) #to-read #x: two lines (2026-01-15)';
  expect(readFileSync(path, 'utf8')).toMatch(`# Mine\n\nprose\n${line}\n- [https://example.org/2]`);
  expect(await call('find_bookmarks', { query: '#to-read PAGE' })).toMatchObject([{ title: 'Some page' }]);
  expect(await call('find_bookmarks')).toMatchObject([{ url: 'https://example.org/2' }, {}]);
  await expect(call('add_bookmark', { url: 'javascript:alert(1)' })).rejects.toThrow('url');
});

test('addresses that are added at once are all kept', async () => {
  const { call, home } = await startPlugin(bookmarks);
  const urls = [1, 2, 3, 4, 5].map((each) => `https://example.org/${each}`);
  await Promise.all(urls.map((url) => call('add_bookmark', { url })));
  expect(readFileSync(join(home, 'bookmarks.md'), 'utf8').match(/\]\((.*?)\)/gu)).toHaveLength(5);
});

test('a page is kept as Markdown among the documents of the project, with where it is from', async () => {
  const page = '<title>Tides</title><nav>Menu</nav><h1>Tides</h1><p>They turn.</p>';
  const server = await webServer((request, response) => {
    const type = request.url === '/a.zip' ? 'application/zip' : 'text/html';
    response.writeHead(request.url === '/gone' ? 404 : 200, { 'content-type': type }).end(page);
  });
  const { call, home } = await startPlugin(bookmarks);
  const url = `${server.origin}/tides.html`;
  const kept = '2026-01-15-127-0-0-1-tides-html.md';
  expect(await call('clip_page', { url })).toEqual({ kept: `clippings/${kept}`, title: 'Tides', characters: 19 });
  expect(readFileSync(join(home, 'projects/home/clippings', kept), 'utf8')).toBe(
    `---\nsource: ${url}\nread: 2026-01-15\n---\n\n# Tides\n\nThey turn.\n`,
  );
  await expect(call('clip_page', { url })).rejects.toThrow('kept today already');
  await expect(call('clip_page', { url: `${server.origin}/gone` })).rejects.toThrow('404');
  await expect(call('clip_page', { url: `${server.origin}/a.zip` })).rejects.toThrow('application/zip');
});
