import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { needs } from '../../testing/needs.ts';
import { type OwnBrowser, openPageScene, type PageScene } from '../../testing/page-browser.ts';
import { sheet } from '../../testing/pictures.ts';

// A browser and the reading of pictures, beside whatever else the machine does.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 180_000 });

const LINES = ['Harbour Insurance Ltd', '', '', '', '', 'Please send us the form', 'by 18 December 2096.'];
const DEADLINE = 'Please send us the form by 18 December 2096.';

let scene: PageScene;
let own: OwnBrowser;

/** As a file manager does. */
async function dropPhoto(page: Page, target: string, name: string): Promise<void> {
  const photo = await (await sheet(LINES.join('\n'), { width: 900, height: 600 })).jpeg().toBuffer();
  const dataTransfer = await page.evaluateHandle(`(() => {
    const bytes = Uint8Array.from(atob('${photo.toString('base64')}'), (each) => each.charCodeAt(0));
    const held = new DataTransfer();
    held.items.add(new File([bytes], '${name}', { type: 'image/jpeg' }));
    return held;
  })()`);
  await page.locator(target).dispatchEvent('drop', { dataTransfer });
}

async function send(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message').fill(text);
  await page.keyboard.press('Enter');
}

/** What the model was told last. */
const told = () => JSON.stringify(scene.model.requests.at(-1)?.messages.at(-1)?.content);

describe.runIf(needs('chromium'))('a photo of a letter', () => {
  beforeAll(async () => {
    scene = await openPageScene();
    own = await scene.enter();
  });

  afterAll(() => scene?.end());

  test('that is dropped on the documents is asked about, and its citation shows the place on it', async () => {
    const page = await own.open('/documents');
    await dropPhoto(page, '.drop', 'dropped.jpg');
    await page.getByText('dropped.jpg can be searched now.').waitFor({ timeout: 0 });
    const query = 'What is the deadline in the letter from Harbour Insurance?';
    scene.replies.push(
      { toolCalls: [{ name: 'query_rag', args: { query } }] },
      'See [uploads/dropped.jpg, lower half].',
    );
    await page.goto(`${scene.url}/chat`);
    await send(page, query);
    await page.getByRole('link', { name: 'dropped.jpg, lower half' }).click({ timeout: 0 });
    await page.locator('.photo mark').first().waitFor({ timeout: 0 });
    expect(told()).toContain(`${DEADLINE} [uploads/dropped.jpg, lower half]`);
    await page.close();
  });

  test('that is dropped on the chat is read with the question', async () => {
    const page = await own.open('/chat');
    await dropPhoto(page, 'wooster-composer', 'attached.jpg');
    await page.getByRole('button', { name: 'Remove: attached.jpg' }).waitFor({ timeout: 0 });
    scene.replies.push('By the 18th.');
    await send(page, 'What do they want?');
    await page.getByText('By the 18th.').waitFor({ timeout: 0 });
    expect(told()).toContain(DEADLINE);
    await page.close();
  });
});
