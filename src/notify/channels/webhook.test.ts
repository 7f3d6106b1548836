import { createHmac, timingSafeEqual } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { testNotifier } from '../../testing/notifier.ts';
import { type Received, webServer } from '../../testing/web-server.ts';
import { channelContract } from '../channel.contract.ts';
import { webhook } from './webhook.ts';

const RAW = Buffer.from('0123456789abcdef0123456789abcdef');
const SECRET = `whsec_${RAW.toString('base64')}`;

/** What a receiver of Standard Webhooks does with a request. @returns whether it comes from who knows the key. */
function isGenuine({ headers, body }: Received, key: Buffer): boolean {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    String(headers[`webhook-${name}`]),
  );
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false;
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  return String(signatures)
    .split(' ')
    .some((each) => {
      const given = Buffer.from(each.replace(/^v1,/u, ''), 'base64');
      return each.startsWith('v1,') && given.length === expected.length && timingSafeEqual(given, expected);
    });
}

/** A receiver that answers 401 to everything that is not signed with the key. */
async function receiver(key = RAW, status = 204) {
  let now = status;
  const server = await webServer((_request, response) => {
    const genuine = isGenuine(server.received.at(-1) as Received, key);
    response.writeHead(genuine ? now : 401).end();
  });
  return Object.assign(server, {
    options: { webhookUrl: `${server.origin}/hooks/secret-path`, webhookSecret: SECRET },
    say: (next: number) => {
      now = next;
    },
  });
}

channelContract(webhook, async () => {
  let down = false;
  const { options, received, say } = await receiver();
  return {
    options,
    arrived: () => (down ? [] : received.map(({ body }) => String(JSON.parse(body).data.text))),
    fail: () => {
      down = true;
      say(500);
    },
  };
});

describe('what is posted', () => {
  test('says what it is, when it was sent, and is signed', async () => {
    const { options, received } = await receiver();
    expect(await (await testNotifier(options)).send('tea', 'webhook')).toMatchObject({ state: 'sent' });
    const [{ method, headers, body } = {} as Received] = received;
    expect([method, headers['content-type']]).toEqual(['POST', 'application/json']);
    expect(JSON.parse(body)).toEqual({
      type: 'notice',
      timestamp: expect.stringMatching(/Z$/u),
      data: { text: 'tea' },
    });
    expect(isGenuine(received[0] as Received, Buffer.from('another key'))).toBe(false);
  });

  test('is signed with the bytes of a secret of another form as they are', async () => {
    const { options } = await receiver(Buffer.from('my own words'));
    const notifier = await testNotifier({ ...options, webhookSecret: 'my own words' });
    expect(await notifier.send('tea', 'webhook')).toMatchObject({ state: 'sent' });
  });

  test('has the same id when it is tried again, for receivers that know what they have', async () => {
    const { options, received, say } = await receiver(RAW, 503);
    const { send, clock, notifier } = await testNotifier(options);
    await send('tea', 'webhook');
    say(200);
    clock.advance(10_000);
    await notifier.flush();
    expect(received).toHaveLength(2);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });
});

test.each([
  [410, 'set a new WEBHOOK_URL'],
  [401, 'set a new WEBHOOK_URL'],
  [302, 'refused the message (302)'],
])('an answer %i ends it', async (status, detail) => {
  const { options } = await receiver(RAW, status);
  const delivery = await (await testNotifier(options)).send('tea', 'webhook');
  expect(delivery).toMatchObject({ state: 'failed', detail: expect.stringContaining(detail) });
});

test('a fresh secret has the form of the specification', () => {
  const { webhookSecret = '' } = webhook.fresh?.() ?? {};
  expect(Buffer.from(webhookSecret.replace(/^whsec_/u, ''), 'base64')).toHaveLength(24);
});
