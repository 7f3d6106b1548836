/**
 * Draws docs/report-light.png and docs/report-dark.png: `wooster report` on a home with a little life in it, opened in
 * headless Chromium (`apt-get install chromium`). Run it after the page's look has changed: `npm run docs:report`.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { findBrowser, openPage } from '../src/testing/browser.ts';

const ROOT = resolve(import.meta.dirname, '..');
const LIFE = [
  ['ingest', 'docs'],
  ['ask', 'Which code stands for a locked database?'],
  ['ask', 'take a note: the boiler was serviced on 12 March'],
  ['ask', 'every weekday at 9 remind me to stretch'],
  ['schedule', 'add', '--when', 'every monday at 8', '--prompt', 'what is on this week?'],
];

const browser = findBrowser();
if (!browser) throw new Error('There is no Chromium: apt-get install chromium');
const home = mkdtempSync(join(tmpdir(), 'wooster-report-'));
try {
  const env = { PATH: process.env.PATH, WOOSTER_HOME: home, ROUTING_LOCAL_ENABLED: 'false', TZ: 'UTC' };
  const file = join(home, 'report.html');
  for (const words of [...LIFE, ['report', '--output', file]])
    execFileSync(join(ROOT, 'bin/wooster'), words, { cwd: ROOT, env, stdio: 'ignore' });
  for (const scheme of ['light', 'dark'] as const) {
    const page = await openPage({ browser, file, scheme, profile: join(home, scheme) });
    writeFileSync(join(ROOT, `docs/report-${scheme}.png`), await page.screenshot(640));
    await page.close();
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
