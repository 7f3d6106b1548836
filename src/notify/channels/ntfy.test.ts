import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { testNotifier } from '../../testing/notifier.ts';
import { webServer } from '../../testing/web-server.ts';
import { channelContract } from '../channel.contract.ts';
import { ntfy } from './ntfy.ts';

type Reply = (response: ServerResponse) => void;

const ok: Reply = (response) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"x1","event":"message","topic":"t"}');
const answer =
  (status: number, body = '', headers = {}): Reply =>
  (response) =>
    response.writeHead(status, headers).end(body);

/** A server that speaks ntfy's protocol for publishing: JSON to its root, an event with an id as the answer. */
async function ntfyServer(reply: Reply = ok) {
  let how = reply;
  const server = await webServer((_request, response) => how(response));
  return Object.assign(server, {
    options: { ntfyUrl: server.origin, ntfyTopic: 'wooster-abc' },
    say: (next: Reply) => {
      how = next;
    },
  });
}

channelContract(ntfy, async () => {
  let down = false;
  const { options, received, say } = await ntfyServer();
  return {
    options: { ...options, ntfyToken: 'tk_secret_token' },
    arrived: () => (down ? [] : received.map(({ body }) => String(JSON.parse(body).message))),
    fail: () => {
      down = true;
      say(answer(500));
    },
  };
});

test('a notice goes to the topic, with the token if there is one', async () => {
  const { options, received } = await ntfyServer();
  await (await testNotifier(options)).send('tea', 'ntfy');
  await (await testNotifier({ ...options, ntfyToken: 'tk_1' })).send('tea', 'ntfy');
  expect(received.map(({ method, url, headers, body }) => [method, url, headers.authorization, body])).toEqual([
    ['POST', '/', undefined, '{"topic":"wooster-abc","message":"tea"}'],
    ['POST', '/', 'Bearer tk_1', '{"topic":"wooster-abc","message":"tea"}'],
  ]);
});

test.each([
  ['a portal', answer(200, '<html>log in</html>'), 'unknown', 'proxy or portal'],
  ['another event', answer(200, '{"id":"1","event":"open"}'), 'unknown', 'proxy or portal'],
  ['no access', answer(403, '{"code":40301}'), 'failed', 'set a new NTFY_TOKEN'],
  ['too much today', answer(429, '{"code":42908}', { 'retry-after': '30' }), 'queued', 'asks to wait'],
  ['a broken server', answer(507), 'unknown', 'answered 507'],
  ['too long', answer(413), 'failed', 'refused the message (413)'],
])('%s is told as it is', async (_name, reply, state, detail) => {
  const { options } = await ntfyServer(reply);
  expect(await (await testNotifier(options)).send('tea', 'ntfy')).toMatchObject({
    state,
    detail: expect.stringContaining(detail),
  });
});

test('a fresh topic cannot be guessed, and the phone is told where it is', () => {
  const [one, other] = [ntfy.fresh?.(), ntfy.fresh?.()];
  expect(one?.ntfyTopic).toMatch(/^wooster-[0-9a-f]{20}$/u);
  expect(one).not.toEqual(other);
  const { url, text } =
    ntfy.subscribe?.({
      ntfyUrl: 'https://ntfy.example/',
      ntfyTopic: 't',
      ntfyAnswers: undefined,
      ntfyToken: undefined,
    }) ?? {};
  expect([url, text]).toEqual(['https://ntfy.example/t', expect.stringContaining('topic t there')]);
});
