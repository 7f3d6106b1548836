import { expect, test } from 'vitest';
import { testNotifier } from '../../testing/notifier.ts';
import { webServer } from '../../testing/web-server.ts';
import { channelContract } from '../channel.contract.ts';
import { telegram } from './telegram.ts';

const TOKEN = '123456:AAsecretSecret';

/** The Bot API: `/bot<token>/sendMessage`, and `ok` in every answer. */
async function botApi(answer: { status?: number; body: unknown } = { body: { ok: true, result: { message_id: 7 } } }) {
  let now = answer;
  const server = await webServer((_request, response) =>
    response
      .writeHead(now.status ?? 200, { 'content-type': 'application/json' })
      .end(typeof now.body === 'string' ? now.body : JSON.stringify(now.body)),
  );
  return Object.assign(server, {
    options: { telegramBotToken: TOKEN, telegramChatId: '42', telegramApiUrl: server.origin },
    say: (next: typeof now) => {
      now = next;
    },
  });
}

channelContract(telegram, async () => {
  let down = false;
  const { options, received, say } = await botApi();
  return {
    options,
    arrived: () => (down ? [] : received.map(({ body }) => String(JSON.parse(body).text))),
    fail: () => {
      down = true;
      say({ status: 502, body: '<html>' });
    },
  };
});

test('a notice goes to the chat by the bot, as plain text without previews', async () => {
  const { options, received } = await botApi();
  await (await testNotifier(options)).send('see https://example.org', 'telegram');
  expect(received.map(({ method, url, body }) => [method, url, JSON.parse(body)])).toEqual([
    [
      'POST',
      `/bot${TOKEN}/sendMessage`,
      { chat_id: '42', text: 'see https://example.org', link_preview_options: { is_disabled: true } },
    ],
  ]);
});

test.each([
  [429, { ok: false, error_code: 429, parameters: { retry_after: 35 } }, 'queued', 'asks to wait'],
  [400, { ok: false, description: 'Bad Request: chat not found' }, 'failed', 'refused: Bad Request: chat not found'],
  [401, { ok: false, description: 'Unauthorized' }, 'failed', 'set a new TELEGRAM_BOT_TOKEN'],
  [403, { ok: false, description: 'Forbidden: bot was blocked by the user' }, 'failed', 'refuses access'],
  [200, '<html>', 'unknown', 'proxy or portal'],
  [500, { ok: false, description: 'Internal Server Error' }, 'unknown', 'answered 500'],
])('an answer %i %j is %s', async (status, body, state, detail) => {
  const { options } = await botApi({ status, body });
  const delivery = await (await testNotifier(options)).send('tea', 'telegram');
  expect(delivery).toMatchObject({ state, detail: expect.stringContaining(detail) });
  expect(JSON.stringify(delivery)).not.toContain(TOKEN);
});

test('the wait that Telegram asks for is kept', async () => {
  const { options } = await botApi({ status: 429, body: { ok: false, parameters: { retry_after: 35 } } });
  const { send, notifier, clock } = await testNotifier(options);
  await send('tea', 'telegram');
  const next = (await notifier.nextFlush(clock.now()))?.getTime() ?? 0;
  expect(next - clock.now().getTime()).toBeGreaterThanOrEqual(35_000);
});
