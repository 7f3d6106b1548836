/** What the person reads when an address is not reached: the whole sentence, and what to do. */
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { freePort } from '../testing/server-process.ts';
import { webServer } from '../testing/web-server.ts';
import { createGateway } from './gateway.ts';
import { judgeTarget, type ReachRules } from './target.ts';
import type { GatewayDeps, GatewayRequest } from './types.ts';

const NOBODY: ReachRules = { configured: [], allowPrivate: [] };
const ONLY_PUBLIC = 'Only public addresses can be reached; allow a private one with EGRESS_ALLOW_PRIVATE=host:port.';

test.each<[string, Partial<ReachRules>, string, string]>([
  ['nonsense', {}, 'This is not a web address.', 'Give a full address such as https://example.org/page.'],
  ['ftp://example.org', {}, 'ftp: addresses are not fetched.', 'Only http and https can be reached.'],
  [
    'https://ann@example.org',
    {},
    'Addresses with a user name or password are not fetched.',
    'Remove the part before the @.',
  ],
  [
    'https://example.org',
    { onlyHosts: ['example.com'] },
    'example.org is not on the list of hosts for this tool.',
    'Add it to EGRESS_TOOL_HOSTS.',
  ],
  [
    'https://example.org',
    { reach: { hosts: ['a.test:443'], named: ['b.test'] } },
    'example.org:443 is not among the hosts of this plugin (a.test:443, b.test).',
    'Name it in the "hosts" of the plugin.',
  ],
  [
    'http://example.org',
    { reach: { hosts: [], named: [] } },
    'example.org:80 is not among the hosts of this plugin (none).',
    'Name it in the "hosts" of the plugin.',
  ],
  ['http://10.0.0.1/', {}, '10.0.0.1 is a private or special address.', ONLY_PUBLIC],
  ['http://localhost/', {}, 'localhost is this machine.', ONLY_PUBLIC],
  ['http://example.org:8080/', {}, 'Port 8080 is not allowed.', 'Only ports 80 and 443 are.'],
])('%s with %j', (address, rules, message, hint) => {
  expect(() => judgeTarget(address, { ...NOBODY, ...rules })).toThrow(
    expect.objectContaining({ code: 'egress_refused', message, hint }),
  );
});

function gateway(deps: Partial<GatewayDeps> = {}) {
  const made = createGateway({ allowPrivate: [], log: silentLog, ...deps });
  onTestFinished(() => made.close());
  return made;
}

function ask(origin: string, rest: Partial<GatewayRequest> = {}): GatewayRequest {
  return { url: `${origin}/`, caller: 'x', signal: new AbortController().signal, configured: [origin], ...rest };
}

test('a page that leads in circles, one that is too long, and one of another kind', async () => {
  const server = await webServer((request, response) => {
    if (request.url === '/long') return response.end('x'.repeat(100));
    if (request.url === '/image') return response.writeHead(200, { 'content-type': 'image/png' }).end('x');
    if (request.url === '/bare') return response.end('x');
    return response.writeHead(302, { location: '/' }).end();
  });
  const way = gateway();
  await expect(way.request(ask(server.origin))).rejects.toMatchObject({
    code: 'egress_refused',
    message: `127.0.0.1:${server.port} redirects too often.`,
    hint: 'Try the address that it redirects to.',
  });
  await expect(way.fetchFor('x', [server.origin])(server.origin)).rejects.toMatchObject({
    code: 'egress_refused',
    message: `127.0.0.1:${server.port} redirects too often.`,
    hint: 'Set the address that it redirects to.',
  });
  const long = way.request(ask(server.origin, { url: `${server.origin}/long`, maxBytes: 10 }));
  await expect(long).rejects.toMatchObject({
    message: 'The answer is longer than 10 bytes.',
    hint: 'Ask for a smaller page or file.',
  });
  const accept = ['text/', 'application/json'];
  const hint = 'Check the address and the network connection.';
  await expect(way.request(ask(server.origin, { url: `${server.origin}/image`, accept }))).rejects.toMatchObject({
    ...{ code: 'egress_failed', hint },
    message: '127.0.0.1 could not be reached: the answer is image/png, not text/ or application/json.',
  });
  await expect(way.request(ask(server.origin, { url: `${server.origin}/bare`, accept }))).rejects.toMatchObject({
    message: '127.0.0.1 could not be reached: the answer is of an unknown type, not text/ or application/json.',
  });
});

test('a server that says nothing, and one that is not there', async () => {
  const server = await webServer(() => {});
  const late = gateway().request(ask(server.origin, { totalMs: 50 }));
  await expect(late).rejects.toMatchObject({
    code: 'egress_failed',
    message: '127.0.0.1 could not be reached: no complete answer within 50 ms.',
  });
  const port = await freePort();
  await expect(gateway().request(ask(`http://127.0.0.1:${port}`))).rejects.toMatchObject({
    message: `127.0.0.1 could not be reached: connect ECONNREFUSED 127.0.0.1:${port}.`,
  });
});

test('names that lead nowhere, or inside', async () => {
  const none = gateway({ resolve: async () => [] }).request(ask('https://mail.test', { configured: [] }));
  await expect(none).rejects.toMatchObject({
    message: 'mail.test could not be reached: mail.test has no address.',
  });
  const resolve = async () => [{ address: '10.0.0.1', family: 4 }];
  await expect(gateway({ resolve }).request(ask('https://mail.test.', { configured: [] }))).rejects.toMatchObject({
    ...{ code: 'egress_refused', message: 'mail.test resolves to a private or special address.', hint: ONLY_PUBLIC },
  });
});

test('another address than the configured one', async () => {
  const way = gateway().fetchFor('embeddings', ['https://example.org', 'nonsense']);
  await expect(way('https://example.com/v1')).rejects.toMatchObject({
    ...{ code: 'egress_refused', message: 'embeddings may not reach https://example.com.' },
    hint: 'Set its address in the settings.',
  });
});

test('a network that was closed is not opened again', async () => {
  const way = gateway();
  await way.close();
  await expect(way.request(ask('https://example.org'))).rejects.toThrow('the network is closed');
});

test('what plugins and models reach without settings of their own is public', async () => {
  const way = gateway();
  const reach = { hosts: ['127.0.0.1:1'], named: [] };
  for (const each of [way.publicFetch('p'), way.modelFetch('m'), way.fetchWithin('p', reach)])
    await expect(each('http://127.0.0.1:1/')).rejects.toMatchObject({ code: 'egress_refused' });
  const open = gateway({ allowPrivate: ['127.0.0.1:1'] });
  for (const each of [open.publicFetch('p'), open.modelFetch('m')])
    await expect(each('http://127.0.0.1:1/')).rejects.toMatchObject({ code: 'egress_failed' });
});
