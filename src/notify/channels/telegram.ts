import { isRecord, sha256 } from '../../base/json.ts';
import type { GatewayResponse } from '../../net/types.ts';
import { defineChannel, type Outcome } from '../channel.ts';
import { bodyOf, readFailure, readRefusal } from '../http-outcome.ts';

const DEFAULT_URL = 'https://api.telegram.org';
const SERVICE = { label: 'Telegram', env: 'TELEGRAM_BOT_TOKEN' };
const TOTAL_MS = 20_000;
/** Telegram counts UTF-16 units. */
const MAX_UNITS = 4096;

/**
 * A chat with a bot of Telegram, in plain text and without previews of links.
 *
 * @see https://core.telegram.org/bots/api#sendmessage
 */
export const telegram = defineChannel({
  id: 'telegram',
  label: SERVICE.label,
  own: true,
  remote: true,
  needs: ['telegramBotToken', 'telegramChatId'],
  maxLength: { max: MAX_UNITS, measure: (text) => text.length },
  options: {
    telegramBotToken: {
      kind: 'secret',
      key: 'telegram.botToken',
      env: 'TELEGRAM_BOT_TOKEN',
      about: 'Token of your bot, from @BotFather.',
      without: 'nothing can be sent by Telegram',
    },
    telegramChatId: {
      kind: 'text',
      key: 'telegram.chatId',
      env: 'TELEGRAM_CHAT_ID',
      about: 'Number of your chat with the bot; write to it first, @userinfobot tells the number.',
      without: 'nothing can be sent by Telegram',
    },
    telegramApiUrl: {
      kind: 'url',
      key: 'telegram.apiUrl',
      env: 'TELEGRAM_API_URL',
      about: 'Server of the Bot API.',
      without: DEFAULT_URL,
    },
  },
  connect: ({ telegramBotToken: token, telegramChatId: chat, telegramApiUrl: api = DEFAULT_URL }, { gateway }) => {
    const unset = token === undefined ? SERVICE.env : chat === undefined ? 'TELEGRAM_CHAT_ID' : undefined;
    return {
      health: () => ({ configured: unset === undefined, detail: unset ? `set ${unset}` : 'a chat with your bot' }),
      recipient: () => (unset === undefined ? sha256(`${token} ${chat}`).slice(0, 16) : 'none'),
      send: async (text, signal) => {
        if (unset !== undefined) return { state: 'failed', detail: `${unset} is not set` };
        const sent = gateway.request({
          ...{ url: new URL(`/bot${token}/sendMessage`, api).href, method: 'POST', signal, caller: 'telegram' },
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ chat_id: chat, text, link_preview_options: { is_disabled: true } }),
          ...{ configured: [new URL(api).origin], totalMs: TOTAL_MS, maxRedirects: 0 },
        });
        return sent.then(readAnswer, (error) => readFailure(error, SERVICE.label));
      },
    };
  },
});

/** Every answer of the Bot API says whether it is `ok`. */
function readAnswer(response: GatewayResponse): Outcome {
  const body = bodyOf(response);
  if (!isRecord(body) || typeof body.ok !== 'boolean') {
    const strange = `the answer is not from ${SERVICE.label} (a proxy or portal in between?)`;
    return response.status === 200 ? { state: 'unknown', detail: strange } : readRefusal(response, SERVICE);
  }
  const { result, parameters, description } = body;
  if (body.ok && isRecord(result)) return { state: 'sent', remoteId: String(result.message_id), detail: 'confirmed' };
  const seconds = isRecord(parameters) ? parameters.retry_after : undefined;
  if (response.status === 429 && typeof seconds === 'number')
    return { state: 'retry', detail: `${SERVICE.label} asks to wait`, why: 'busy', waitMs: seconds * 1000 };
  if (response.status === 400) return { state: 'failed', detail: `${SERVICE.label} refused: ${String(description)}` };
  return readRefusal(response, SERVICE);
}
