import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { findBrowser, openPage } from '../../testing/browser.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { lacks } from '../../testing/needs.ts';
import { rows, wooster } from '../../testing/wooster.ts';
import { buildSite } from './site.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

/** The site of a checkout with these pages. */
function siteOf(pages: Readonly<Record<string, string>>) {
  const root = temporaryFolder();
  mkdirSync(join(root, 'docs', 'adr'), { recursive: true });
  for (const [path, text] of Object.entries(pages)) writeFileSync(join(root, path), text);
  return buildSite(root);
}

const README = '# Here\n\n## More\n\n**Use it:** [first](docs/start.md) · [all](docs/adr/one.md)\n\nThe end.\n';

test('every page of ours is in the menu, and no link of one leads nowhere', () => {
  const home = String(buildSite(ROOT).get('index.html'));
  const pages = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
  const menu = home.slice(0, home.indexOf('<main>'));
  expect(pages.filter((name) => !menu.includes(`href="${name.replace(/md$/u, 'html')}"`))).toEqual([]);
});

test('links lead from page to page, also between folders, and to pictures', () => {
  const start = '# Start\n\nSee [one](adr/one.md#why-not) and [code](../src/a.ts).\n\n![A picture](pic.svg)\n';
  const site = siteOf({
    ...{ 'README.md': README, 'docs/start.md': start, 'docs/pic.svg': '<svg/>' },
    'docs/adr/one.md': '# One\n\n## Why `not`?\n\n[back](../start.md) [home](../../README.md)\n',
  });
  const first = String(site.get('start.html'));
  expect(first).toContain('<a href="adr/one.html#why-not">one</a> and code.');
  expect(first).toContain('<img src="pic.svg" alt="A picture">');
  expect(first).toContain('<a href="start.html" aria-current="page">first</a>');
  expect(String(site.get('pic.svg'))).toBe('<svg/>');
  const one = String(site.get('adr/one.html'));
  expect(one).toContain('<h2 id="why-not">Why <code>not</code>?</h2>');
  expect(one).toContain('<a href="../start.html">back</a> <a href="../index.html">home</a>');
});

test.each([
  ['a page', '[x](gone.md)', 'docs/start.md: gone.md'],
  ['a heading', '[x](adr/one.md#gone)', 'docs/start.md: adr/one.md#gone'],
  ['a heading of its own', '[x](#gone)', 'docs/start.md: #gone'],
  ['a picture', '![x](gone.png)', 'docs/start.md: gone.png'],
])('a link to %s that does not exist stops the build, and is named', (_name, text, problem) => {
  expect(() => siteOf({ 'README.md': README, 'docs/start.md': `# S\n${text}`, 'docs/adr/one.md': '# One' })).toThrow(
    problem,
  );
});

test('markup in a page is text, and what stands between markers is shown without them', () => {
  const text = '# S\n\n<!-- made -->\nYes <script>alert(1)</script>\n<!-- /made -->\n\n<img src=x onerror=alert(2)>\n';
  const pages = { 'README.md': README, 'docs/start.md': text, 'docs/adr/one.md': '# One\n' };
  const page = String(siteOf(pages).get('start.html'));
  const main = page.slice(page.indexOf('<main>'), page.indexOf('</main>'));
  expect(main).toContain('Yes &#60;script&#62;alert(1)');
  expect(main).not.toMatch(/<script|<img|made/u);
});

test('wooster help --web writes it and says where', async () => {
  const home = temporaryFolder();
  const ran = await wooster(['help', '--web', '--output', join(home, 'site'), '--json'], { home });
  const [{ site } = { site: '' }] = rows(ran.stdout);
  expect(existsSync(fileURLToPath(String(site)))).toBe(true);
  expect(readdirSync(home)).toEqual(['site']);
});

const browser = findBrowser();
if (!browser) lacks('chromium');

describe.runIf(browser)('in a browser', () => {
  test('a search leads to the heading that it names', async () => {
    const folder = temporaryFolder();
    const pages = { 'docs/start.md': '# Start\n\n## Boilers\n\nAsk Ann.\n', 'docs/adr/one.md': '# One\n\nA boiler.\n' };
    for (const [path, content] of siteOf({ 'README.md': README, ...pages })) {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    const file = join(folder, 'adr/one.html');
    const profile = join(folder, 'profile');
    const page = await openPage({ browser: browser ?? '', file, scheme: 'light', profile, scripts: true });
    const found = await page.value(`(() => {
      const input = document.querySelector('input');
      input.value = 'BOILER';
      input.dispatchEvent(new Event('input'));
      return [...document.querySelectorAll('#found a')].map((link) => link.href.split('/').slice(-2).join('/')).join();
    })()`);
    expect(String(found)).toMatch(/^[^,]*\/start\.html#boilers,adr\/one\.html$/u);
    // Nothing but its own two files.
    expect(page.complaints.map((url) => url.split('/').at(-1))).toEqual(['style.css', 'search.js']);
    await page.close();
  });
});
