import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { askedDoor } from '../../repl/door-commands.ts';
import { openApp } from '../../testing/app.ts';
import { mailTool } from '../../testing/tools.ts';
import { Devices } from './devices.ts';
import { openHttp } from './serve.ts';

const PLACE = { mode: 'classic_tools', project: 'home' } as const;

/** The door as `serve` opens it, and the official client. */
async function scene(scopes: readonly string[] = ['mcp']) {
  const sent: string[] = [];
  const { app } = await openApp({ additions: { tools: [mailTool(sent)] } });
  const at = { host: '127.0.0.1', port: 0, names: [], proxies: [] };
  const open = async () => {
    const door = await openHttp(app, { ...at, ...askedDoor(app, PLACE) });
    onTestFinished(() => door.close());
    return door;
  };
  const door = await open();
  const { token } = await new Devices(app.store).issue('client', scopes);
  const connect = async (headers: Record<string, string> = { authorization: `Bearer ${token}` }, to = door) => {
    const client = new Client({ name: 'official', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${to.url}/mcp`), { requestInit: { headers } }));
    onTestFinished(() => client.close());
    return client;
  };
  /** The same client, at the door of the program that comes after this one. */
  const again = async () => {
    await door.close();
    return connect(undefined, await open());
  };
  return { app, connect, again, sent, url: `${door.url}/mcp`, token };
}

test('another program sees the tools and calls them through the gate', async () => {
  const { app, connect } = await scene();
  const client = await connect();
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('write_note');
  await client.callTool({ name: 'write_note', arguments: { text: 'milk' } });
  expect(app.knowledge.projects.journalEntries('home')).toHaveLength(1);
});

test('a call that needs the owner waits as a proposal', async () => {
  const { app, connect, sent } = await scene();
  const result = await (await connect()).callTool({ name: 'send_mail', arguments: { to: 'eve@x.example' } });
  const [proposal] = await app.tools.proposals.list();
  expect(JSON.stringify(result)).toContain(proposal?.id);
  expect(sent).toEqual([]);
});

test('what a client has read counts after a restart of the program, too', async () => {
  const { app, connect, again } = await scene();
  const readPrivate = async () =>
    (await app.store.read.selectFrom('conversations').select('read_private').execute()).map((row) => row.read_private);
  const client = await connect();
  await client.callTool({ name: 'write_note', arguments: { text: 'milk' } });
  expect(await readPrivate()).toEqual([0]);
  await client.callTool({ name: 'read_notes', arguments: {} });
  expect(await readPrivate()).toEqual([1]);
  const later = await again();
  await later.callTool({ name: 'write_note', arguments: { text: 'bread' } });
  expect(await readPrivate()).toEqual([1]);
});

test('nobody enters without a token for it, or from another page', async () => {
  const { connect, url, token } = await scene();
  await expect(connect({})).rejects.toThrow();
  await expect(connect({ authorization: 'Bearer wst_none_such_token' })).rejects.toThrow();
  const post = (headers: Record<string, string>) =>
    fetch(url, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json', ...headers } });
  const bearer = { authorization: `Bearer ${token}` };
  expect((await post({ ...bearer, origin: 'https://evil.example' })).status).toBe(403);
  expect((await post({ ...bearer, 'content-type': 'text/plain' })).status).toBe(415);
  const other = await scene(['api', 'read']);
  await expect(other.connect()).rejects.toThrow();
});
