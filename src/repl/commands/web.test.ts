import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openCommands } from '../../testing/commands.ts';

interface Opened {
  readonly url: string;
  readonly link: string;
}

test('web opens the door beside the prompt and lets one browser in, until it is stopped', async () => {
  const { run } = await openCommands();
  const { rows, lines } = await run(['web', '127.0.0.1:0']);
  const [{ url, link }] = rows as [Opened];
  expect(lines.join('\n')).toContain(link);
  const [, code] = link.split('#');
  const pair = () =>
    fetch(`${url}/api/pair`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code, name: 'phone' }),
    });
  expect([(await pair()).status, (await pair()).status]).toEqual([200, 401]);
  expect((await run(['web', 'stop'])).rows).toEqual([{ closed: 1 }]);
  await expect(pair()).rejects.toThrow();
  expect((await run(['web', 'stop'])).rows).toEqual([{ closed: 0 }]);
});

test('web takes no other port than the one that was asked for', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await new Promise((resolve) => taken.once('listening', resolve));
  const { port } = taken.address() as AddressInfo;
  const { run } = await openCommands();
  await expect(run(['web', `127.0.0.1:${port}`])).rejects.toMatchObject({ code: 'bad_usage' });
});
