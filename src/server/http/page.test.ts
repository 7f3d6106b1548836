import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { MODES } from '../../base/turn.ts';
import { needs } from '../../testing/needs.ts';
import { accessProblems, type OwnBrowser, openPageScene, type PageScene } from '../../testing/page-browser.ts';
import { ATTACK } from '../../testing/page-home.ts';
import { sheet } from '../../testing/pictures.ts';
import { Devices } from './devices.ts';

// Each of these drives a browser, beside whatever else the machine does.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

let scene: PageScene;
let own: OwnBrowser;

/** A page of the browser that is let in. */
async function open(path: string): Promise<Page> {
  const page = await own.open(path);
  onTestFinished(() => page.close());
  return page;
}

/** Hold the model back before the piece of its answer with this number. */
function holdBack(piece: number): { readonly reached: Promise<void>; goOn(): void } {
  const [reached, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  scene.model.pause = (at) => {
    if (at < piece) return undefined;
    reached.resolve();
    return free.promise;
  };
  const goOn = () => {
    scene.model.pause = undefined;
    free.resolve();
  };
  onTestFinished(goOn);
  return { reached: reached.promise, goOn };
}

async function send(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message').fill(text);
  await page.keyboard.press('Enter');
}

/** The path of one of the conversations that are there. */
async function talkOf(at: number): Promise<string> {
  const all = await scene.app.turns.archive.list({ limit: 1000 });
  return all.find(({ title }) => title === `Question 0 of talk ${at}`)?.id ?? '';
}

const turns = (page: Page) => page.locator('wooster-turn');
const answers = (page: Page) => page.locator('wooster-turn .prose');

describe.runIf(needs('chromium'))('the page', () => {
  beforeAll(async () => {
    scene = await openPageScene();
    own = await scene.enter();
  });

  afterAll(() => scene?.end());

  afterEach(() => {
    expect(own.complaints).toEqual([]);
  });

  test('a browser that is not let in sees nothing, and a code lets it in once', async () => {
    const stranger = await scene.browse();
    onTestFinished(() => stranger.context.close());
    const page = await stranger.open('/today');
    await page.getByLabel('Code').fill('WRONGONE');
    await page.getByRole('button', { name: 'Let me in' }).click();
    await page.getByText('This code is wrong').waitFor();
    const { code } = await new Devices(scene.app.store).pair();
    await page.goto(`${scene.url}/pair#${code}`);
    expect(await page.getByLabel('Code').inputValue()).toBe(code);
    expect(page.url()).toBe(`${scene.url}/pair`);
    await page.getByRole('button', { name: 'Let me in' }).click();
    await page.getByRole('heading', { name: 'Coming up' }).waitFor();
    expect(stranger.complaints).toEqual([]);
  });

  test.each(['light', 'dark'] as const)('every room is accessible and fits any width, %s', async (colorScheme) => {
    const talk = await talkOf(1);
    const page = await open('/today');
    await page.emulateMedia({ colorScheme });
    const rooms: readonly (readonly [path: string, seen: string])[] = [
      ['/today', 'Coming up'],
      [`/chat/${talk}`, 'Answer 1 of talk'],
      ['/chat', 'What can I do for you?'],
      ['/schedule', '200 plans'],
      ['/documents', '51 of 51 files'],
      ['/documents?file=papers%2Fpaper-3.md&where=lines+3-9', 'Line 1 of paper 3'],
      ['/memory', 'Nothing is remembered'],
      ['/devices', 'this device'],
      ['/settings', 'Appearance'],
    ];
    for (const [path, seen] of rooms) {
      await page.setViewportSize({ width: 360, height: 740 });
      await page.goto(scene.url + path);
      await page.getByText(seen).first().waitFor();
      expect([path, await accessProblems(page)]).toEqual([path, []]);
      for (const width of [360, 768, 1280, 1920]) {
        await page.setViewportSize({ width, height: 860 });
        const beyond =
          'Math.max(document.documentElement.scrollWidth, document.querySelector("main").scrollWidth + document.querySelector("main").offsetLeft) - innerWidth';
        expect([path, width, await page.evaluate(beyond)]).toEqual([path, width, 0]);
      }
      expect(await page.evaluate('window.attacked')).toBeUndefined();
    }
  });

  test('a citation of a photo opens the picture, with the cited line marked', async () => {
    const file = join(scene.app.knowledge.projects.folder('home'), 'papers', 'letter.png');
    const letter = await sheet(`Harbour Insurance Ltd${'\n'.repeat(9)}Please send us the bill`, {
      width: 900,
      height: 600,
    });
    writeFileSync(file, await letter.png().toBuffer());
    onTestFinished(() => rmSync(file));
    await scene.app.knowledge.documents.ingest('home', [file], { signal: new AbortController().signal });
    const where = 'lower half, read from a picture, uncertain';
    const turn = {
      ...{ id: 'turn_y', text: 'What do they want?', running: false, last: 0 },
      events: [{ type: 'answer', text: `The bill. [papers/letter.png, ${where}]`, stop: 'answered' }],
    };
    const page = await open('/today');
    await page.route('**/api/conversations/conv_y', (route) => route.fulfill({ json: { title: '', turns: [turn] } }));
    await page.goto(`${scene.url}/chat/conv_y`);
    await page.getByRole('link', { name: 'letter.png, lower half' }).click();
    const mark = page.locator('.photo mark');
    await mark.waitFor();
    await page.evaluate('document.querySelector(".photo img").decode()');
    expect(await page.evaluate('document.querySelector(".photo img").naturalWidth')).toBe(900);
    const [around, box] = await Promise.all([page.locator('.photo img').boundingBox(), mark.boundingBox()]);
    // The line is some 440 of 600 pixels down.
    expect(((box?.y ?? 0) - (around?.y ?? 0)) / (around?.height ?? 1)).toBeCloseTo(0.74, 1);
    expect(await accessProblems(page)).toEqual([]);
  });

  test('what an attack says in an answer, a name of a file or a job is text', async () => {
    const page = await open('/schedule');
    await page.getByText('onerror=').first().waitFor();
    await page.goto(`${scene.url}/documents`);
    await page.getByText('onerror=').first().click();
    await page.getByText('An ordinary text').waitFor();
    // The program takes most of it out of answers; the page must not rely on that.
    const remote = '![picture](https://evil.example/x.png) <iframe srcdoc="x"></iframe> [here](https://evil.example)';
    const events = [{ type: 'answer', text: `${ATTACK}\n\n${remote}\n\n<b onclick="x">block</b>`, stop: 'answered' }];
    const turn = { id: 'turn_x', text: ATTACK, running: false, events, last: 0 };
    await page.route('**/api/conversations/conv_x', (route) =>
      route.fulfill({ json: { title: ATTACK, turns: [turn] } }),
    );
    await page.goto(`${scene.url}/chat/conv_x`);
    await page.getByRole('link', { name: 'picture' }).waitFor();
    expect(await answers(page).innerText()).toContain(
      '<img src=x onerror="window.attacked=1"><script>window.attacked=1</script>go',
    );
    expect(await page.locator('wooster-turn :is(img, script, iframe, [onclick], a[href^="javascript"])').count()).toBe(
      0,
    );
    expect(await page.evaluate('window.attacked')).toBeUndefined();
  });

  test('an answer goes on over a reload: nothing is lost, and nothing is there twice', async () => {
    const held = holdBack(60);
    const words = Array.from({ length: 80 }, (_, at) => `word${at}`).join(' ');
    scene.replies.push(words);
    const page = await open('/chat');
    await send(page, 'Count.');
    await held.reached;
    await answers(page).getByText('word0 word1').waitFor();
    await page.reload();
    await answers(page).getByText('word0 word1').waitFor();
    held.goOn();
    await answers(page).getByText('word79').waitFor();
    expect([await turns(page).count(), await answers(page).innerText()]).toEqual([1, words]);
    expect(await page.locator('.asked').innerText()).toContain('Count.');
  });

  test('a request whose answer got lost on the way begins one turn', async () => {
    const page = await open('/chat');
    let cut = 0;
    await page.route('**/api/turns', async (route) => {
      if (cut > 0) return route.continue();
      cut += 1;
      await route.fetch();
      return route.abort('connectionreset');
    });
    scene.replies.push('Once.');
    await send(page, 'Do it once.');
    await answers(page).getByText('Once.').waitFor();
    expect([cut, await turns(page).count()]).toEqual([1, 1]);
    expect(await scene.app.turns.archive.search('"Do it once."')).toHaveLength(1);
  });

  test('what was written without a connection is sent when there is one again', async () => {
    const page = await open('/chat');
    await page.getByText('What can I do for you?').waitFor();
    await own.context.setOffline(true);
    await send(page, 'Written in a tunnel.');
    await page.getByText('Working').waitFor();
    scene.replies.push('Out again.');
    await own.context.setOffline(false);
    await answers(page).getByText('Out again.').waitFor();
    expect(await scene.app.turns.archive.search('"Written in a tunnel"')).toHaveLength(1);
  });

  test('what is read stays in place while an answer grows below', async () => {
    const talk = await talkOf(0);
    const held = holdBack(2);
    scene.replies.push(Array.from({ length: 60 }, (_, at) => `line ${at}\n`).join('\n'));
    const page = await open(`/chat/${talk}`);
    await turns(page).nth(19).waitFor();
    await send(page, 'Say much.');
    await held.reached;
    const log = page.getByRole('log');
    const place = () => log.evaluate((element) => element.scrollTop);
    await log.evaluate((element) => (element.scrollTop = 300));
    const before = await place();
    held.goOn();
    await answers(page).last().getByText('line 59').waitFor();
    expect([before, await place()]).toEqual([300, 300]);
  });

  test('a running answer is added to, and stopped', async () => {
    const held = holdBack(1);
    scene.replies.push('one two three');
    const page = await open('/chat');
    await send(page, 'Begin.');
    await held.reached;
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    await send(page, 'And hurry.');
    await page.getByText('Added: And hurry.').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped.').waitFor();
    held.goOn();
    expect(await page.getByRole('button', { name: 'Stop' }).isVisible()).toBe(false);
  });

  test('the steps of an answer unfold, and its citation opens the document at the line', async () => {
    scene.replies.push(
      { toolCalls: [{ name: 'query_rag', args: { query: 'boiler 7' } }] },
      'See [papers/paper-7.md, lines 5-6].',
    );
    const page = await open('/chat');
    await send(page, 'When was boiler 7 serviced?');
    await page.getByText('1 step').click();
    await page.locator('.step summary').click();
    await page.getByText('query: boiler 7').waitFor();
    await page.getByRole('link', { name: 'paper-7.md, lines 5-6' }).click();
    await page.locator('mark').waitFor();
    expect(await page.locator('mark').innerText()).toBe(
      'Line 3 of paper 7: the boiler 7 was serviced in week 2.\nLine 4 of paper 7: the boiler 7 was serviced in week 3.\n',
    );
    expect(await page.locator('mark').isVisible()).toBe(true);
  });

  test('a call is approved in the page, and two browsers decide it once', async () => {
    const other = await scene.enter();
    onTestFinished(() => other.context.close());
    scene.replies.push({ toolCalls: [{ name: 'send_mail', args: { to: 'eve@x.example' } }] }, 'Sent.');
    const page = await open('/chat');
    await send(page, 'Mail Eve.');
    await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
    const second = await other.open(new URL(page.url()).pathname);
    const buttons = await Promise.all(
      [page, second].map((each) => each.getByRole('button', { name: 'Approve', exact: true }).elementHandle()),
    );
    await Promise.all(buttons.map((button) => button?.dispatchEvent('click')));
    await Promise.all([page, second].map((each) => answers(each).getByText('Sent.').waitFor()));
    expect(scene.sent).toEqual(['eve@x.example']);
  });

  test('a call that nobody was asked about waits under Today', async () => {
    scene.replies.push({ toolCalls: [{ name: 'send_mail', args: { to: 'bob@x.example' } }] }, 'It waits.');
    const { post } = await tokenOf(['api', 'read']);
    await post('/api/turns', { text: 'Mail Bob.' });
    const page = await open('/today');
    await page.getByText('bob@x.example').first().waitFor();
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByText('bob@x.example').first().waitFor({ state: 'hidden' });
    expect(scene.sent).not.toContain('bob@x.example');
  });

  test('a notice comes to the page that is looked at, and is delivered there', async () => {
    const page = await open('/chat');
    await expect
      .poll(async () => (await scene.app.schedule.present()).filter(({ kind }) => kind === 'page').length)
      .toBe(1);
    const { notices } = scene.app.schedule.notifier;
    await notices.post({ key: 'bins', text: 'Take the bins out.' });
    await notices.advance();
    await page.locator('.toast').getByText('Take the bins out.').waitFor();
    await expect
      .poll(async () => (await notices.list()).find(({ key }) => key === 'bins'))
      .toMatchObject({ state: 'delivered', deliveredBy: 'page' });
    await page.goto(`${scene.url}/today`);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Nothing needs you.').waitFor();
    expect((await notices.list()).find(({ key }) => key === 'bins')?.state).toBe('done');
  });

  test('nothing is a link before the whole answer has been judged', async () => {
    const { reached, goOn } = holdBack(60);
    const words = Array.from({ length: 80 }, (_, at) => `word${at}`).join(' ');
    scene.replies.push(`Look [at this](https://evil.example/?q=secret) or www.evil.example/?q=secret ${words}`);
    const page = await open('/chat');
    await send(page, 'Where?');
    await reached;
    await answers(page).getByText('word0 word1').waitFor();
    expect(await answers(page).locator('a').count()).toBe(0);
    goOn();
    await page.locator('wooster-turn[aria-busy="false"]').waitFor();
    expect(await answers(page).innerText()).toContain('www.evil.example/?q=secret word0');
    expect(await answers(page).locator('a[href*="www"]').count()).toBe(0);
  });

  test('eight tabs of a browser have one stream, and each shows what comes', async () => {
    scene.replies.push('Heard by all.');
    const page = await open('/chat');
    await send(page, 'Listen.');
    await answers(page).getByText('Heard by all.').waitFor();
    const tabs = await Promise.all(Array.from({ length: 7 }, () => open(new URL(page.url()).pathname)));
    await Promise.all(tabs.map((tab) => answers(tab).getByText('Heard by all.').waitFor()));
    await expect
      .poll(async () => (await scene.app.schedule.present()).filter(({ kind }) => kind === 'page').length)
      .toBe(1);
    scene.replies.push('Again.');
    await send(page, 'Once more.');
    await Promise.all([page, ...tabs].map((tab) => answers(tab).getByText('Again.').waitFor()));
    expect(await Promise.all(tabs.map((tab) => turns(tab).count()))).toEqual(tabs.map(() => 2));
  });

  test('the settings offer the ways to act that the door takes', async () => {
    const page = await open('/settings');
    await page.getByText('Appearance').waitFor();
    const offered = page.locator('#set-mode option');
    expect(await offered.evaluateAll((all) => all.map((each) => each.getAttribute('value')))).toEqual([...MODES]);
  });

  test('an item of a list is ticked under Today, and that is undone there', async () => {
    const page = await open('/today');
    const list = join(scene.app.knowledge.projects.folder('home'), 'lists', 'shopping.md');
    const milk = page.getByRole('checkbox', { name: 'milk' });
    await milk.check({ noWaitAfter: true });
    await milk.waitFor({ state: 'detached' });
    expect(readFileSync(list, 'utf8')).toContain('- [x] milk');
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await milk.waitFor();
    expect(readFileSync(list, 'utf8')).toContain('- [ ] milk');
  });

  test('words that are refused under Today are there again', async () => {
    const page = await open('/today');
    await page.route('**/api/turns', (route) => route.fulfill({ status: 429, json: { error: { message: 'Later.' } } }));
    await send(page, 'Too much.');
    await page.locator('.toast').getByText('Later.').waitFor();
    expect(await page.getByLabel('Message').inputValue()).toBe('Too much.');
  });

  test('a page that nobody touches asks for nothing but its stream', async () => {
    const page = await own.context.newPage();
    onTestFinished(() => page.close());
    await page.clock.install();
    await page.goto(`${scene.url}/today`);
    await page.getByText('Coming up').waitFor();
    await page.waitForLoadState('load');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.clock.fastForward('20:00');
    await page.evaluate('new Promise((done) => requestAnimationFrame(done))').catch(() => undefined);
    expect([...new Set(asked)].filter((path) => path !== '/api/page/events')).toEqual([]);
  });
});

async function tokenOf(scopes: readonly string[]) {
  const { token } = await new Devices(scene.app.store).issue('a program', scopes);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return {
    post: (path: string, body: object) =>
      fetch(scene.url + path, { method: 'POST', headers, body: JSON.stringify(body) }),
  };
}
