/**
 * Draws docs/page-*.png: the page on a home with a little life in it, in headless Chromium (`apt-get install chromium`).
 * Run it after the page's look has changed: `npm run docs:page`.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { Devices } from '../src/server/http/devices.ts';
import { browserPath } from '../src/testing/browser.ts';
import { openPageHome, type PageHome } from '../src/testing/page-home.ts';

const ROOT = resolve(import.meta.dirname, '..');
const LEASE = `# Lease

Flat 3, 12 Quay Street, from 1 March 2024.

The rent of 1,150 euros is due on the first of each month.
Either side may end the lease with three months' notice, in writing.
The boiler is serviced once a year, at the landlord's cost.
`;
const ANSWER = `Three months, in writing [lease.md, line 6]. To leave at the end of **May**, your letter has to arrive by **28 February**.

| Leaving on | Letter by |
| --- | --- |
| 31 March | 31 December |
| 31 May | 28 February |

Shall I remind you in time?`;

async function live({ app, replies }: PageHome): Promise<void> {
  const folder = app.knowledge.projects.folder('home');
  mkdirSync(join(folder, 'lists'), { recursive: true });
  writeFileSync(join(folder, 'lease.md'), LEASE);
  writeFileSync(join(folder, 'lists', 'shopping.md'), '# shopping\n\n- [ ] milk\n- [ ] bread\n- [ ] coffee\n');
  cpSync(join(ROOT, 'docs'), join(folder, 'manual'), {
    recursive: true,
    filter: (path) => !/\.(?:png|svg)$/u.test(path),
  });
  await app.knowledge.documents.ingest('home', [folder], { signal: AbortSignal.timeout(120_000) });
  const plan = (when: string, prompt: string) =>
    app.schedule.jobs.add({ when, prompt, project: 'home', untrusted: false, options: { verbatim: true } });
  await plan('every weekday at 8:30', 'What is due today?');
  await plan('tomorrow at 18:00', 'Take the bins out');
  await plan('every friday at 17:00', 'Back up the photos');
  await plan('every day at 22:00', 'Water the tomatoes');
  await app.schedule.notifier.notices.post({ key: 'rent', text: 'The rent is due tomorrow.' });
  replies.push(
    { toolCalls: [{ name: 'query_rag', args: { query: 'notice period of the lease' } }] },
    ANSWER,
    { toolCalls: [{ name: 'send_mail', args: { to: 'landlord@quay-street.example' } }] },
    'The mail to your landlord waits for you.',
  );
}

const browser = await chromium.launch({ executablePath: browserPath(), args: ['--no-sandbox'] });
const dir = mkdtempSync(join(tmpdir(), 'wooster-page-'));
const home = await openPageHome(dir);
try {
  await live(home);
  const page = await browser.newPage({ viewport: { width: 1280, height: 820 } });
  const { code } = await new Devices(home.app.store).pair('laptop');
  await page.goto(`${home.url}/pair#${code}`);
  await page.click('form button');
  await page.getByText('Coming up').waitFor();
  await page.goto(`${home.url}/chat`);
  for (const [question, answer] of [
    ['How long is the notice period of my lease?', 'Shall I remind you'],
    ['Ask the landlord when the boiler is serviced.', 'Approve'],
  ]) {
    await page.getByLabel('Message').fill(question ?? '');
    await page.keyboard.press('Enter');
    await page
      .getByText(answer ?? '')
      .first()
      .waitFor();
  }
  const talk = page.url();
  const shoot = async (name: string, path: string, options: { readonly dark: boolean; readonly phone: boolean }) => {
    await page.emulateMedia({ colorScheme: options.dark ? 'dark' : 'light' });
    await page.setViewportSize(options.phone ? { width: 390, height: 780 } : { width: 1280, height: 820 });
    await page.goto(path);
    await page.locator('wooster-page :is(.approval, .said)').first().waitFor();
    await page.screenshot({ path: join(ROOT, `docs/page-${name}.png`) });
  };
  await shoot('chat-dark', talk, { dark: true, phone: false });
  await shoot('today-light', `${home.url}/today`, { dark: false, phone: false });
  await shoot('phone-light', `${home.url}/today`, { dark: false, phone: true });
} finally {
  await browser.close();
  await home.close();
  rmSync(dir, { recursive: true, force: true });
}
