import { expect, onTestFinished, test } from 'vitest';
import { openCommands } from '../../testing/commands.ts';

test('beside the prompt the door lets a browser in by its link, and is closed again', async () => {
  const { app, run } = await openCommands();
  onTestFinished(() => app.doors.close().then(() => undefined));
  const { code, rows } = await run(['web', '127.0.0.1:0']);
  const [{ url, link } = { url: '', link: '' }] = rows as { url: string; link: string }[];
  expect([code, link]).toEqual([0, expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/pair#\w{8}$/u)]);
  const body = JSON.stringify({ code: new URL(link).hash.slice(1), name: 'laptop' });
  const headers = { 'content-type': 'application/json' };
  const paired = await fetch(`${url}/api/pair`, { method: 'POST', headers, body });
  expect(await paired.json()).toMatchObject({ name: 'laptop' });
  expect((await run(['web', 'stop'])).rows).toEqual([{ closed: 1 }]);
  await expect(fetch(url)).rejects.toThrow();
  expect((await run(['web', 'stop'])).lines).toEqual(['No door is open here.']);
});
