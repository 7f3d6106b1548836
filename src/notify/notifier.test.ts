import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { testNotifier as setUp } from '../testing/notifier.ts';
import { testScheduler } from '../testing/scheduler.ts';
import { sqlAll, sqlGet, sqlRun } from '../testing/sql.ts';
import { openTestStore } from '../testing/stores.ts';

interface Hook {
  readonly url: string;
  readonly bodies: { content: string; allowed_mentions: unknown }[];
  readonly paths: string[];
}

type Reply = (response: ServerResponse, request: IncomingMessage) => void;

/** A webhook on loopback that answers with `replies` in turn, the last one for ever. */
async function webhook(...replies: readonly Reply[]): Promise<Hook> {
  const bodies: Hook['bodies'] = [];
  const paths: string[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    bodies.push(JSON.parse(text));
    paths.push(request.url ?? '');
    const reply = replies[Math.min(bodies.length, replies.length) - 1];
    reply?.(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/api/webhooks/1/secret-token`, bodies, paths };
}

const answer =
  (status: number, body: unknown = '', headers: Record<string, string> = {}): Reply =>
  (response) => {
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  };
const ok = answer(200, { id: '42' });

test('a message without a channel goes to the first that is configured, else to where its owner is', async () => {
  const bare = await setUp({});
  expect(await bare.send('hello')).toEqual({ channel: 'prompt', state: 'sent', detail: '' });
  expect(bare.printed).toEqual(['hello']);
  const hook = await webhook(ok);
  expect(await (await setUp({ discordWebhookUrl: hook.url })).send('hello')).toMatchObject({
    channel: 'discord',
    state: 'sent',
  });
});

test('a channel that is not configured says so and what to set', async () => {
  await expect((await setUp({})).send('hello', 'discord')).rejects.toMatchObject({
    code: 'not_sent',
    hint: 'To use it, set DISCORD_BOT_TOKEN or DISCORD_WEBHOOK_URL.',
  });
  await expect((await setUp({})).send('hello', 'dicsord')).rejects.toMatchObject({
    code: 'unknown_channel',
    hint: 'Did you mean discord?',
  });
});

test('a Discord message waits for confirmation and can ring nobody', async () => {
  const hook = await webhook(ok);
  const { send, store } = await setUp({ discordWebhookUrl: hook.url });
  await send('hello @everyone and <@&99>');
  expect(hook.paths).toEqual(['/api/webhooks/1/secret-token?wait=true']);
  expect(hook.bodies[0]?.allowed_mentions).toEqual({ parse: [] });
  expect(hook.bodies[0]?.content).not.toMatch(/@everyone|<@&/u);
  expect(await sqlGet(store, 'SELECT remote_id FROM outbox')).toEqual({ remote_id: '42' });
});

test('the address of a webhook is never stored or shown', async () => {
  const hook = await webhook(answer(404, { code: 10015 }));
  const { send, store, notifier } = await setUp({ discordWebhookUrl: hook.url });
  const delivery = await send('hello', 'discord');
  const everything = JSON.stringify([delivery, await notifier.channels(), await sqlAll(store, 'SELECT * FROM outbox')]);
  expect(everything).not.toContain('secret-token');
});

test('the same idempotency key is one message', async () => {
  const hook = await webhook(ok);
  const { send } = await setUp({ discordWebhookUrl: hook.url });
  expect(await send('hello', 'discord', { idempotencyKey: 'k' })).toMatchObject({ state: 'sent' });
  expect(await send('hello', 'discord', { idempotencyKey: 'k' })).toMatchObject({ state: 'sent' });
  expect(hook.bodies).toHaveLength(1);
});

test('a long text goes out in numbered parts, in order, each within the limit', async () => {
  const hook = await webhook(ok);
  const { send } = await setUp({ discordWebhookUrl: hook.url });
  const words = Array.from({ length: 900 }, (_, index) => `word${index}`).join(' ');
  expect(await send(words, 'discord')).toMatchObject({ state: 'sent', detail: '4 parts' });
  const contents = hook.bodies.map((body) => body.content);
  expect(contents.every((content, index) => content.length <= 2000 && content.startsWith(`(${index + 1}/4) `))).toBe(
    true,
  );
  expect(contents.map((content) => content.replace(/^\(\d\/4\) /u, '')).join(' ')).toBe(words);
});

test('a part that fails stops the parts after it', async () => {
  const hook = await webhook(ok, answer(400, { code: 50035 }));
  const { send, states } = await setUp({ discordWebhookUrl: hook.url });
  expect(await send('x '.repeat(3000), 'discord')).toMatchObject({ state: 'failed' });
  expect(await states()).toEqual(['sent', 'failed', 'suppressed', 'suppressed']);
  expect(hook.bodies).toHaveLength(2);
});

describe('what Discord answers decides what happens', () => {
  const reset: Reply = (response) => response.destroy();
  const cases: readonly [string, Reply, string, number | undefined][] = [
    ['200 with an id', ok, 'sent', undefined],
    ['204', answer(204), 'sent', undefined],
    ['200 with a page of HTML', answer(200, '<html>log in</html>'), 'unknown', 2],
    ['200 with broken JSON', answer(200, '{"id":'), 'unknown', 2],
    ['201', answer(201, { id: '1' }), 'unknown', 2],
    ['200 for another message', answer(200, { id: '1', content: 'good bye' }), 'unknown', 2],
    ['200 for this one, with other blanks', answer(200, { id: '1', content: '**hello**\n' }), 'sent', undefined],
    ['400', answer(400, { code: 50006 }), 'failed', undefined],
    ['401', answer(401), 'failed', undefined],
    ['403', answer(403), 'failed', undefined],
    ['404', answer(404, { code: 10015 }), 'failed', undefined],
    ['413', answer(413), 'failed', undefined],
    ['422', answer(422), 'failed', undefined],
    ['429 with a header', answer(429, '', { 'retry-after': '3' }), 'queued', 3],
    ['429 with a fraction', answer(429, '', { 'retry-after': '1.5' }), 'queued', 1.5],
    ['429 with a body', answer(429, { retry_after: 64.57, global: false }), 'queued', 64.57],
    ['429 for everybody', answer(429, { retry_after: 5, global: true }), 'queued', 5],
    ['429 shared', answer(429, { retry_after: 1336.57 }, { 'x-ratelimit-scope': 'shared' }), 'queued', 1336.57],
    ['429 as HTML', answer(429, '<html>'), 'queued', 60],
    ['429 with a negative wait', answer(429, '', { 'retry-after': '-1' }), 'queued', 60],
    ['429 with words', answer(429, '', { 'retry-after': 'soon' }), 'queued', 60],
    ['429 with NaN', answer(429, { retry_after: 'NaN' }), 'queued', 60],
    ['500', answer(500), 'unknown', 2],
    ['502', answer(502, '<html>'), 'unknown', 2],
    ['503', answer(503), 'unknown', 2],
    ['504', answer(504), 'unknown', 2],
    ['a reset after the body', reset, 'unknown', 2],
  ];
  test.each(cases)('%s', async (_name, reply, state, waitSeconds) => {
    const hook = await webhook(reply);
    const { send, clock, store } = await setUp({ discordWebhookUrl: hook.url });
    expect(await send('hello', 'discord')).toMatchObject({ state });
    expect(hook.bodies).toHaveLength(1);
    const row = await sqlGet(store, 'SELECT due_at FROM outbox');
    const waited = (Date.parse(String(row?.due_at)) - clock.now().getTime()) / 1000;
    expect(waited).toBeGreaterThanOrEqual(waitSeconds ?? 0);
    expect(waited).toBeLessThanOrEqual((waitSeconds ?? 0) * 1.1 + 0.01);
  });

  test.each([
    ['a refused connection', 'http://127.0.0.1:49151/api/webhooks/1/t'],
    ['a name that does not exist', 'http://nowhere.invalid/api/webhooks/1/t'],
  ])('%s: nothing was sent, so it waits', async (_name, discordWebhookUrl) => {
    expect(await (await setUp({ discordWebhookUrl })).send('hello', 'discord')).toMatchObject({
      state: 'queued',
      detail: 'Discord cannot be reached',
    });
  });
});

test.each([401, 403, 404])('after %i the webhook is left alone, and what is sent there fails', async (status) => {
  const hook = await webhook(answer(status));
  const { send, notifier, store } = await setUp({ discordWebhookUrl: hook.url });
  await send('first', 'discord');
  expect(await send('second', 'discord', { idempotencyKey: 'run:1', runId: 'run_1' })).toMatchObject({
    state: 'failed',
  });
  expect(hook.bodies).toHaveLength(1);
  expect(await notifier.defaultChannel()).toBe('here');
  const other = await webhook(ok);
  expect(await (await setUp({ discordWebhookUrl: other.url }, store)).send('third', 'discord')).toMatchObject({
    state: 'sent',
  });
});

test('the history of a job tells later what became of its report, not how it stood when the run ended', async () => {
  const hook = await webhook(answer(503), ok, answer(503), answer(404));
  const { clock, notifier, store } = await setUp({ discordWebhookUrl: hook.url }, undefined, { watched: false });
  const { scheduler, tick } = await testScheduler({
    ...{ store, clock },
    notices: notifier.notices,
    reported: (runIds) => notifier.notices.reported(runIds),
  });
  const { id } = await scheduler.add({ when: 'every hour', prompt: 'tides', project: 'home', untrusted: false });
  const report = async () => (await scheduler.show(id)).history[0]?.delivery;
  for (const then of ['delivered (discord)', expect.stringMatching(/^waiting \(not sent to discord: /u)]) {
    clock.advance(3_600_000);
    await tick();
    expect(await report()).toMatch(/^waiting \(unknown whether it reached discord: Discord answered 503/u);
    clock.advance(60_000);
    await notifier.flush();
    expect(await report()).toEqual(then);
  }
});

test('what waits is delivered later by flush, once', async () => {
  const hook = await webhook(answer(429, '', { 'retry-after': '30' }), ok);
  const { send, clock, notifier, states } = await setUp({ discordWebhookUrl: hook.url });
  expect(await send('one', 'discord')).toMatchObject({ state: 'queued' });
  clock.advance(1);
  expect(await send('two', 'discord')).toMatchObject({ state: 'queued' });
  await notifier.flush();
  expect(hook.bodies).toHaveLength(1);
  clock.advance(34_000);
  await notifier.flush();
  await notifier.flush();
  expect(hook.bodies.map((body) => body.content)).toEqual(['one', 'one', 'two']);
  expect(await states()).toEqual(['sent', 'sent']);
});

test('an unknown outcome is repeated once, marked, and then stays unknown', async () => {
  const hook = await webhook(answer(200, 'portal'));
  const { send, clock, notifier, states } = await setUp({ discordWebhookUrl: hook.url });
  expect(await send('hello', 'discord')).toMatchObject({ state: 'unknown' });
  for (let n = 0; n < 5; n++) {
    clock.advance(60_000);
    await notifier.flush();
  }
  expect(hook.bodies.map((body) => body.content)).toEqual(['hello', '(may be repeated) hello']);
  expect(await states()).toEqual(['unknown']);
});

test('a broken server is tried five times, then the message is given up and shown here', async () => {
  const hook = await webhook(answer(500));
  const { send, clock, notifier, states, printed } = await setUp({ discordWebhookUrl: hook.url });
  await send('hello', 'discord');
  for (let n = 0; n < 10; n++) {
    clock.advance(400_000);
    await notifier.flush();
  }
  const marked = '(may be repeated) hello';
  expect(hook.bodies.map((body) => body.content)).toEqual(['hello', marked, marked, marked, marked]);
  expect(await states()).toEqual(['unknown']);
  expect(printed.join()).toContain('hello');
});

test('an hour of outage with 1,000 messages makes few requests', async () => {
  const hook = await webhook(answer(429, '<html>'));
  const { clock, notifier, store, send } = await setUp({ discordWebhookUrl: hook.url });
  for (let n = 0; n < 1000; n++) await send(`message ${n}`, 'discord');
  for (let second = 0; second < 3600; second += 10) {
    clock.advance(10_000);
    await notifier.flush();
  }
  expect(hook.bodies.length).toBeLessThanOrEqual(20);
  expect((await sqlGet(store, "SELECT count(*) AS n FROM outbox WHERE state = 'pending'"))?.n).toBe(1000);
});

test('messages that waited a day expire, and the owner is told', async () => {
  const hook = await webhook(answer(429, '<html>'));
  const { send, clock, notifier, printed, states } = await setUp({ discordWebhookUrl: hook.url });
  await send('old news', 'discord');
  clock.advance(24 * 3_600_000);
  await notifier.flush();
  expect(await states()).toEqual(['expired']);
  expect(printed.join()).toContain('could not be sent within a day');
});

test('a message that was about to be sent when the program stopped is sent later, as if for the first time', async () => {
  const hook = await webhook(answer(429, '', { 'retry-after': '30' }), ok);
  const claimed = { hear: () => {} };
  const beforeStatement = (sql: string) => {
    if (sql.startsWith('update "outbox"') && sql.includes('"attempts" +')) claimed.hear();
  };
  const store = await openTestStore(undefined, { beforeStatement });
  const first = await setUp({ discordWebhookUrl: hook.url }, store);
  await first.send('hello', 'discord');
  claimed.hear = () => void first.notifier.close();
  first.clock.advance(34_000);
  await first.notifier.flush();
  expect(await sqlAll(store, 'SELECT state, attempts, repeats FROM outbox')).toEqual([
    { state: 'pending', attempts: 1, repeats: 0 },
  ]);
  const second = await setUp({ discordWebhookUrl: hook.url }, store);
  second.clock.advance(34_000);
  await second.notifier.flush();
  expect(hook.bodies.map((body) => body.content)).toEqual(['hello', 'hello']);
});

test('closing waits until the outcome of a message is stored', async () => {
  const hook = await webhook(() => {});
  const { send, notifier, states } = await setUp({ discordWebhookUrl: hook.url });
  const sending = send('hello', 'discord');
  await vi.waitFor(() => expect(hook.bodies).toHaveLength(1));
  await notifier.close();
  expect(await states()).toEqual(['pending']);
  expect(await sending).toMatchObject({ state: 'unknown' });
});

test('a message that was being sent when its process died goes out once more, marked', async () => {
  const hook = await webhook(ok);
  const { send, clock, notifier, store } = await setUp({ discordWebhookUrl: hook.url });
  await send('hello', 'discord');
  await sqlRun(
    store,
    "UPDATE outbox SET state = 'sending', owner = 'elsewhere:1:x', lease_until = '2026-11-20T11:00:05.000Z'",
  );
  await notifier.flush();
  expect(hook.bodies).toHaveLength(1);
  clock.advance(10_000);
  await notifier.flush();
  clock.advance(10_000);
  await notifier.flush();
  expect(hook.bodies.map((body) => body.content)).toEqual(['hello', '(may be repeated) hello']);
});

test('a message is sent by the program that sends it, also while others flush the outbox', async () => {
  const hook = await webhook(ok);
  const mine = await setUp({ discordWebhookUrl: hook.url });
  const other = await setUp({ discordWebhookUrl: hook.url }, mine.store);
  let sending = true;
  const flushing = (async () => {
    // Statements on a file are answered at once, so make room for the timer.
    while (sending) {
      await other.notifier.flush();
      await new Promise(setImmediate);
    }
  })();
  const long = (n: number) => Array.from({ length: 400 }, (_, word) => `${n}.${word}`).join(' ');
  const texts = Array.from({ length: 20 }, (_, n) => (n % 5 === 0 ? long(n) : `${n}`));
  const deliveries = [];
  for (const text of texts) deliveries.push(await mine.send(text));
  sending = false;
  await flushing;
  expect(deliveries.filter(({ state }) => state !== 'sent')).toEqual([]);
  const got = hook.bodies.map(({ content }) => content);
  expect(got).toHaveLength(new Set(got).size);
});
