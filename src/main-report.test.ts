import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { findBrowser, openPage } from './testing/browser.ts';
import { temporaryFolder } from './testing/home.ts';
import { lacks } from './testing/needs.ts';
import { rows, wooster } from './testing/wooster.ts';

const HOSTILE = '<script>alert(1)</script><img src=x onerror="alert(2)">&lt;b&gt;\'"`\u202e';

test('the report is one page without scripts or links, in which hostile texts stay text', async () => {
  const home = temporaryFolder();
  const docs = temporaryFolder();
  writeFileSync(join(docs, '<svg onload=alert(3)>.md'), 'The cellar key hangs behind the door.\n');
  writeFileSync(join(docs, '"><script>alert(4)<\uff0fscript>.bin'), Buffer.from([0, 1, 2, 3]));
  const added = ['schedule', 'add', '--when', 'every day at 9', '--message', HOSTILE];
  expect(await wooster(added, { home })).toMatchObject({ code: 0 });
  expect(await wooster(['ingest', docs], { home })).toMatchObject({ code: 0 });
  expect(await wooster(['ask', `note: ${HOSTILE}`], { home })).toMatchObject({ code: 0 });
  const path = join(home, 'page.html');
  expect(await wooster(['report', '--output', path], { home })).toMatchObject({ code: 0 });
  const page = readFileSync(path, 'utf8');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(page).not.toMatch(/<(?:script|img|svg|b|a|link|iframe|object)\b/iu);
  expect(page).not.toMatch(/\bhttps?:|\u202e/iu);
  expect(page).toContain('&#60;script&#62;alert(1)&#60;/script&#62;');
  const heads = [...page.matchAll(/<h2>([^<]*)/gu)].map(([, head]) => head);
  expect(heads.slice(0, 2)).toEqual(['The week', 'Jobs and runs']);
  expect(heads.slice(-2)).toEqual(['Usage by day', 'Usage by model']);
  expect(heads).toEqual(expect.arrayContaining(['Sources', 'Effects']));
  const weekly = page.slice(0, page.indexOf('<h2>Jobs'));
  expect(weekly).toContain('0 done, 0 missed, 1 changed, 0 waiting.');
  expect(weekly).toContain('write_note');
  expect(page).toContain('prefers-color-scheme: dark');
});

test('of very many jobs the report lists those that come next, and counts the others', async () => {
  const home = temporaryFolder();
  const added = ['schedule', 'add', '--when', 'every day at 9', '--message', 'feed the cat', '--json'];
  const [{ id } = { id: '' }] = rows((await wooster(added, { home, store: 'sqlite' })).stdout);
  {
    using database = new DatabaseSync(join(home, 'state', 'wooster.sqlite3'));
    const columns = database.prepare("SELECT name FROM pragma_table_info('schedules')").all();
    const others = columns.map(({ name }) => String(name)).filter((name) => !['id', 'idempotency_key'].includes(name));
    database.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      INSERT INTO schedules (id, ${others}) SELECT 'job_' || i, ${others} FROM schedules, n WHERE id = '${String(id)}'`);
  }
  const path = join(home, 'page.html');
  expect(await wooster(['report', '--output', path], { home, store: 'sqlite' })).toMatchObject({ code: 0 });
  const page = readFileSync(path, 'utf8');
  const listed = page.match(/feed the cat/gu)?.length ?? 0;
  expect(listed).toBe(500);
  expect(page).toMatch(/And \d{3} more jobs\./u);
});

test('the week shows each day, and counts what comes often', async () => {
  const home = temporaryFolder();
  await wooster(['schedule', 'add', '--when', 'every day at 23:59', '--message', 'lock the door'], { home });
  await wooster(['schedule', 'add', '--when', '0 8-22 * * *', '--message', 'drink'], { home });
  const { code, stdout } = await wooster(['schedule', 'list', '--week'], { home });
  expect(code).toBe(0);
  expect(stdout.match(/lock the door/gu)).toHaveLength(7);
  expect(stdout.match(/08:00 to 22:00, 15 times {2}drink/gu)?.length).toBeGreaterThanOrEqual(6);
  expect(stdout.match(/^\p{Lu}\p{Ll}\p{Ll} \d\d-\d\d /gmu)).toHaveLength(7);
});

const browser = findBrowser();
if (!browser) lacks('chromium');

/** @see https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrast(one: string, other: string): number {
  const light = (colour: string) => {
    const [r = 0, g = 0, b = 0] = (colour.match(/\d+/gu) ?? []).map((part) => {
      const value = Number(part) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [dark = 0, bright = 0] = [light(one), light(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}

describe.runIf(browser)('in a browser without scripts', () => {
  test('the report asks for nothing, fits the window and can be read, in light and in dark', async () => {
    const home = temporaryFolder();
    await wooster(['schedule', 'add', '--when', 'every day at 9', '--message', `${HOSTILE}${'x'.repeat(300)}`], {
      home,
    });
    await wooster(['ask', 'note: tea'], { home });
    const file = join(home, 'page.html');
    await wooster(['report', '--output', file], { home });
    const papers: unknown[] = [];
    for (const scheme of ['light', 'dark'] as const) {
      const page = await openPage({ browser: browser ?? '', file, scheme, profile: join(home, scheme) });
      const style = (where: string, what: string) =>
        page.value(`getComputedStyle(document.querySelector('${where}')).${what}`).then(String);
      expect(await page.value('document.title')).toBe('Wooster report');
      expect(await page.value('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      expect(await page.value('[...document.querySelectorAll("h2")].every((it) => it.offsetHeight > 0)')).toBe(true);
      const paper = await style('body', 'backgroundColor');
      for (const where of ['body', 'th', 'p.about']) {
        expect(contrast(await style(where, 'color'), paper), `${where}, ${scheme}`).toBeGreaterThan(4.5);
      }
      expect(page.complaints).toEqual([]);
      papers.push(paper);
      await page.close();
    }
    expect(new Set(papers).size).toBe(2);
  });
});
