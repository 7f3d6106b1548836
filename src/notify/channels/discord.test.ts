import { describe, expect, test, vi } from 'vitest';
import type { Gateway } from '../../net/types.ts';
import { NO_CHANNELS } from '../../testing/no-channels.ts';
import { webServer } from '../../testing/web-server.ts';
import { channelContract } from '../channel.contract.ts';
import { discord } from './discord.ts';

channelContract(discord, async () => {
  let status = 200;
  const server = await webServer((_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ id: '42' })),
  );
  const arrived = () => server.received.map(({ body }) => String(JSON.parse(body).content));
  return {
    options: { discordWebhookUrl: `${server.origin}/api/webhooks/1/secret-token` },
    arrived: () => (status === 200 ? arrived() : []),
    fail: () => {
      status = 500;
    },
  };
});

const HOOK = 'https://discord.example/api/webhooks/1/secret-token';
const { signal } = new AbortController();

/** The channel with a webhook that answers so. */
function connected(discordWebhookUrl: string | undefined, status = 200, body = '{"id":"42"}') {
  const request = vi.fn<Gateway['request']>(async ({ url }) => {
    return { status, url, headers: {}, body: Buffer.from(body), text: () => body };
  });
  const options = { ...NO_CHANNELS, discordWebhookUrl };
  const connection = discord.connect(options, { gateway: { request } as unknown as Gateway });
  return { request, ...connection };
}

describe('Discord', () => {
  test('gets one request to its own address, which waits for the confirmation and rings nobody', async () => {
    const { request, send } = connected(`${HOOK}?thread_id=5`);
    await send('hello', signal);
    expect(request.mock.calls).toEqual([
      [
        {
          ...{ url: `${HOOK}?thread_id=5&wait=true`, method: 'POST', headers: { 'content-type': 'application/json' } },
          ...{ body: '{"content":"hello","flags":4,"allowed_mentions":{"parse":[]}}', signal, caller: 'discord' },
          ...{ configured: ['https://discord.example'], maxBytes: 262_144, totalMs: 20_000, maxRedirects: 0 },
        },
      ],
    ]);
  });

  const portal = 'the answer is not from Discord (a proxy or portal in between?)';
  test.each([
    [204, '', { state: 'sent', detail: 'accepted, not confirmed' }],
    [200, '{"id":"42"}', { state: 'sent', remoteId: '42', detail: 'confirmed' }],
    [200, '{"id":"42","content":5}', { state: 'sent', remoteId: '42', detail: 'confirmed' }],
    [200, '{"id":"42","content":"**hello**,\\n you 2"}', { state: 'sent', remoteId: '42', detail: 'confirmed' }],
    [200, '{"id":"42","content":"hello, you 3"}', { state: 'unknown', detail: 'Discord confirmed another message' }],
    [200, '{"id":42}', { state: 'unknown', detail: portal }],
    [200, '<html>', { state: 'unknown', detail: portal }],
    [404, '', { state: 'off', detail: expect.stringContaining('at Discord; set a new DISCORD_WEBHOOK_URL') }],
  ])('answers %i %s', async (status, body, outcome) => {
    expect(await connected(HOOK, status, body).send('hello, you 2!', signal)).toEqual(outcome);
  });

  test('that breaks off leaves it unknown', async () => {
    const { request, send } = connected(HOOK);
    request.mockRejectedValue(new Error('reset'));
    const detail = 'the connection broke before Discord answered';
    expect(await send('hello', signal)).toEqual({ state: 'unknown', detail });
  });

  test('is told apart by a short hash of its webhook', () => {
    const one = connected(HOOK).recipient();
    expect(one).toMatch(/^[0-9a-f]{16}$/u);
    expect(connected(`${HOOK}2`).recipient()).not.toBe(one);
  });

  test('without a webhook says what to set, and nothing is requested', async () => {
    const { request, send, health, recipient } = connected(undefined);
    expect(health()).toEqual({ configured: false, detail: 'set DISCORD_BOT_TOKEN or DISCORD_WEBHOOK_URL' });
    expect(recipient()).toBe('none');
    expect(await send('hello', signal)).toEqual({
      state: 'failed',
      detail: 'first set DISCORD_BOT_TOKEN or DISCORD_WEBHOOK_URL',
    });
    expect(request).not.toHaveBeenCalled();
  });
});
