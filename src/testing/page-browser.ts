import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { Devices } from '../server/http/devices.ts';
import { browserPath } from './browser.ts';
import { fillHome, openPageHome, type PageHome } from './page-home.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Tells of what the policy of the page kept from happening. */
const WATCH = `addEventListener('securitypolicyviolation', (event) =>
  console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample));`;

/** A browser of its owner: let in, or not yet. */
export interface OwnBrowser {
  readonly context: BrowserContext;
  open(path: string): Promise<Page>;
  /** What a page complained of, or asked of anybody else. */
  readonly complaints: readonly string[];
}

/** A filled home and a browser, for all tests of a file. */
export interface PageScene extends PageHome {
  browse(options?: BrowserContextOptions): Promise<OwnBrowser>;
  /** The same, let in by a code. */
  enter(options?: BrowserContextOptions): Promise<OwnBrowser>;
  end(): Promise<void>;
}

export async function openPageScene(): Promise<PageScene> {
  const dir = mkdtempSync(join(tmpdir(), 'wooster-page-'));
  const home = await openPageHome(dir);
  await fillHome(home);
  await home.app.start('server');
  const browser = await chromium.launch({ executablePath: browserPath(), args: ['--no-sandbox'] });
  const browse = (options?: BrowserContextOptions) => ownBrowser(browser, home.url, options);
  return {
    ...home,
    browse,
    async enter(options) {
      const own = await browse(options);
      const { code } = await new Devices(home.app.store).pair();
      const page = await own.open(`/pair#${code}`);
      await page.click('form button');
      await page.waitForURL('**/today');
      await page.close();
      return own;
    },
    async end() {
      await browser.close();
      await home.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function ownBrowser(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<OwnBrowser> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
  await context.addInitScript(WATCH);
  // The tests themselves say how long they may take.
  context.setDefaultTimeout(0);
  const complaints: string[] = [];
  const { origin } = new URL(url);
  context.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) complaints.push(`asked ${request.url()}`);
  });
  context.on('weberror', (error) => complaints.push(String(error.error().stack)));
  context.on('console', (message) => {
    // What a test refuses or cuts off is told there as well.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load')) complaints.push(message.text());
  });
  const open = async (path: string) => {
    const page = await context.newPage();
    await page.goto(url + path);
    return page;
  };
  return { context, open, complaints };
}

/** What a reader of the rules for accessible pages would say, with the elements meant. */
export async function accessProblems(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const found =
    'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ target }) => target).join(", ")))';
  return page.evaluate(found) as Promise<readonly string[]>;
}
