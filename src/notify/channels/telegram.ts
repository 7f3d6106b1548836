import { isRecord, sha256 } from '../../base/json.ts';
import type { GatewayResponse } from '../../net/types.ts';
import { type Attempt, type ChannelDeps, defineChannel, type Outcome, type OutgoingFile } from '../channel.ts';
import { bodyOf, readFailure, readRefusal } from '../http-outcome.ts';
import { multipart } from '../multipart.ts';
import { type Api, telegramInbound } from './telegram-inbound.ts';

const DEFAULT_URL = 'https://api.telegram.org';
const SERVICE = { label: 'Telegram', env: 'TELEGRAM_BOT_TOKEN' };
const TOTAL_MS = 20_000;
const FILE_MS = 60_000;
/** Telegram counts UTF-16 units. */
const MAX_UNITS = 4096;

/**
 * A chat with a bot of Telegram, without previews of links.
 *
 * @see https://core.telegram.org/bots/api#sendmessage
 */
export const telegram = defineChannel({
  id: 'telegram',
  label: SERVICE.label,
  own: true,
  remote: true,
  needs: ['telegramBotToken'],
  maxLength: { max: MAX_UNITS, measure: (text) => text.length },
  maxFileBytes: 20 * 1024 * 1024,
  receives: {
    ...{ words: true, buttons: true, edits: true, typing: true, live: true, reactions: true },
    ...{ files: true, forwards: true, groups: true },
  },
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
      without: 'the chat that was paired first (`wooster channel pair telegram`), if any',
    },
    telegramApiUrl: {
      kind: 'url',
      key: 'telegram.apiUrl',
      env: 'TELEGRAM_API_URL',
      about: 'Server of the Bot API.',
      without: DEFAULT_URL,
    },
  },
  connect: ({ telegramBotToken: token, telegramChatId, telegramApiUrl: server = DEFAULT_URL }, deps) => {
    const own = () => telegramChatId ?? deps.pairedChat?.('telegram');
    const missing = () => {
      if (token === undefined) return `set ${SERVICE.env}`;
      return own() === undefined ? 'pair it (`wooster channel pair telegram`) or set TELEGRAM_CHAT_ID' : undefined;
    };
    const api = apiOf(token ?? '', server, deps);
    return {
      health: () => ({
        configured: missing() === undefined,
        detail: missing() ?? 'a chat with your bot',
      }),
      recipient: (chat = own()) => (token && chat !== undefined ? sha256(`${token} ${chat}`).slice(0, 16) : 'none'),
      send: async (text, signal, attempt) => {
        const chat = attempt?.chat ?? own();
        if (token === undefined || chat === undefined)
          return { state: 'failed', detail: `first ${missing()}` } satisfies Outcome;
        const method = attempt?.file ? 'sendDocument' : 'sendMessage';
        const limits = { signal, totalMs: attempt?.file ? FILE_MS : TOTAL_MS, file: attempt?.file };
        const sent = api(method, messageOf(text, chat, attempt), limits);
        return sent.then(readAnswer, (error) => readFailure(error, SERVICE.label));
      },
      inbound: token === undefined ? undefined : telegramInbound(api, sha256(token).slice(0, 16)),
    };
  },
});

/** Calls of the Bot API, each a POST of JSON; `file` gets a file. */
function apiOf(token: string, server: string, { gateway }: ChannelDeps): Api {
  const common = { caller: 'telegram', configured: [new URL(server).origin], maxRedirects: 0 };
  return async (method, body, { file, ...limits }) => {
    if (method === 'file')
      return gateway.request({
        ...common,
        ...limits,
        url: new URL(`/file/bot${token}/${String(body.path)}`, server).href,
      });
    const url = new URL(`/bot${token}/${method}`, server).href;
    return gateway.request({ ...common, ...limits, url, method: 'POST', ...(await written(body, file)) });
  };
}

async function written(body: Readonly<Record<string, unknown>>, file: OutgoingFile | undefined) {
  const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  const fields = Object.fromEntries(Object.entries(body).map(([name, value]) => [name, asText(value)]));
  if (file) return multipart(fields, 'document', file);
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

function messageOf(text: string, chat: string, attempt: Partial<Attempt> = {}): Record<string, unknown> {
  const { choices = [], file, replyTo } = attempt;
  const rows = choices.map(({ label, says }) => ({ text: label, callback_data: says }));
  return {
    chat_id: chat,
    ...(file ? { caption: text } : { ...laidOut(text), link_preview_options: { is_disabled: true } }),
    ...(replyTo !== undefined && {
      reply_parameters: { message_id: Number(replyTo), allow_sending_without_reply: true },
    }),
    ...(rows.length > 0 && { reply_markup: { inline_keyboard: [rows] } }),
  };
}

const FENCE = /^```(?<language>[\w+-]*)[^\n]*\n(?<code>[\s\S]*?)(?:\n```[^\S\n]*$|(?![\s\S]))/gmu;

/** Code in fences is marked as such by entities, whose offsets count UTF-16 units, so nothing needs escaping. */
function laidOut(text: string): { readonly text: string; readonly entities?: readonly object[] } {
  const entities: object[] = [];
  let plain = '';
  let at = 0;
  for (const { index, 0: whole, groups = {} } of text.matchAll(FENCE)) {
    const { code = '', language = '' } = groups;
    plain += text.slice(at, index);
    if (code !== '') entities.push({ type: 'pre', offset: plain.length, length: code.length, language });
    plain += code;
    at = index + whole.length;
  }
  return entities.length === 0 ? { text } : { text: plain + text.slice(at), entities };
}

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
