import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { needs } from '../../src/testing/needs.ts';
import { startPlugin } from '../../src/testing/plugin.ts';
import { freePort, type ServerProcess, startServer } from '../../src/testing/server-process.ts';
import calendar from './index.ts';

const ACCOUNT = { username: 'anna', password: 'opensesame' };
const folder = mkdtempSync(join(tmpdir(), 'wooster-radicale-'));
let server: ServerProcess;
let url: string;
const withRadicale = test.runIf(needs('radicale'));

/** Ask the server as another program of the owner would. */
async function ask(method: string, path: string, body = '', type = 'application/xml') {
  const authorization = `Basic ${Buffer.from(`${ACCOUNT.username}:${ACCOUNT.password}`).toString('base64')}`;
  const headers = { authorization, 'content-type': type };
  return fetch(`${url}${path}`, { method, headers, ...(body && { body }) });
}

beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  writeFileSync(join(folder, 'users'), `${ACCOUNT.username}:${ACCOUNT.password}\n`);
  const auth = `[auth]\ntype = htpasswd\nhtpasswd_filename = ${join(folder, 'users')}\nhtpasswd_encryption = plain\ndelay = 0`;
  const storage = `[storage]\nfilesystem_folder = ${join(folder, 'collections')}`;
  writeFileSync(join(folder, 'config'), `[server]\nhosts = 127.0.0.1:${port}\n${auth}\n${storage}\n`);
  server = await startServer('radicale', ['-C', join(folder, 'config')], port);
  for (const name of ['home', 'work']) {
    const kind = '<resourcetype><collection/><C:calendar/></resourcetype>';
    const set = `<set><prop>${kind}<displayname>${name}</displayname></prop></set>`;
    await ask(
      'MKCOL',
      `/anna/${name}/`,
      `<?xml version="1.0"?><mkcol xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">${set}</mkcol>`,
    );
  }
});

afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const start = (config: Record<string, unknown> = {}) =>
  startPlugin(calendar, {
    config: { url, ...ACCOUNT, calendar: 'work', ...config },
    decide: { verdict: 'once', by: 'terminal' },
  });
const day = (text: string) => ({ from: text, to: text });

withRadicale('an event is added to the chosen calendar, found, moved and removed', async () => {
  const { call } = await start();
  await call('add_event', { title: 'Review', start: '2026-02-02 10:00', minutes: 30 });
  const found = (await call('calendar_events', day('2026-02-02'))) as { events: { id: string }[] };
  expect(found.events).toMatchObject([
    { title: 'Review', start: '2026-02-02 10:00', end: '2026-02-02 10:30', calendar: 'work' },
  ]);
  const id = found.events[0]?.id;
  await call('move_event', { id, start: '2026-02-02 10:00', to: '2026-02-03 11:00' });
  expect(await call('calendar_events', day('2026-02-02'))).toEqual({ events: [] });
  expect(await call('calendar_events', day('2026-02-03'))).toMatchObject({
    events: [{ start: '2026-02-03 11:00', end: '2026-02-03 11:30' }],
  });
  await call('remove_event', { id, start: '2026-02-03 11:00' });
  expect(await call('calendar_events', day('2026-02-03'))).toEqual({ events: [] });
});

withRadicale('a series that another program keeps there is shown on its days, and one day of it is moved', async () => {
  const series =
    'UID:s1\nDTSTAMP:20260101T000000Z\nDTSTART;TZID=Europe/Berlin:20200106T090000\nDURATION:PT1H\nRRULE:FREQ=WEEKLY\nSUMMARY:Team';
  const text =
    `BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\nBEGIN:VEVENT\n${series}\nEND:VEVENT\nEND:VCALENDAR\n`.replaceAll(
      '\n',
      '\r\n',
    );
  expect((await ask('PUT', '/anna/home/s1.ics', text, 'text/calendar')).status).toBe(201);
  const { call } = await start();
  const list = async () =>
    (await call('calendar_events', { from: '2026-03-23', to: '2026-04-07' })) as {
      events: { id: string; start: string }[];
    };
  const before = await list();
  expect(before.events.map(({ start }) => start)).toEqual(['2026-03-23 09:00', '2026-03-30 09:00', '2026-04-06 09:00']);
  await call('move_event', { id: before.events[0]?.id, start: '2026-03-30 09:00', to: '2026-03-31' });
  expect((await list()).events.map(({ start }) => start)).toEqual([
    '2026-03-23 09:00',
    '2026-03-31 09:00',
    '2026-04-06 09:00',
  ]);
});

withRadicale('what another program changed meanwhile is not overwritten', async () => {
  const event = (title: string) =>
    `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:e1\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:20260501T080000Z\r\nSUMMARY:${title}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;
  const { caldavSource } = await import('./caldav-source.ts');
  await ask('PUT', '/anna/home/e1.ics', event('first'), 'text/calendar');
  const source = caldavSource({ url, ...ACCOUNT }, fetch);
  const span = { from: new Date('2026-05-01T00:00Z'), to: new Date('2026-05-02T00:00Z') };
  const [stored] = (await source.read(span)).stored;
  await ask('PUT', '/anna/home/e1.ics', event('second'), 'text/calendar');
  if (!stored) throw new Error('the event is not there');
  await expect(source.replace(stored, event('third'))).rejects.toThrow('changed by another program');
  expect((await source.read(span)).stored[0]?.text).toContain('second');
});

withRadicale('a wrong password, a calendar that is not there and a server that is away are named', async () => {
  const ask = { from: '2026-02-02' };
  await expect((await start({ password: 'wrong' })).call('calendar_events', ask)).rejects.toThrow('CALDAV_URL');
  await expect(
    (await start({ calendar: 'none' })).call('add_event', { title: 'x', start: '2026-02-02' }),
  ).rejects.toThrow('no calendar none');
  await expect(
    (await start({ url: `http://127.0.0.1:${await freePort()}` })).call('calendar_events', ask),
  ).rejects.toThrow('CALDAV_URL');
});
