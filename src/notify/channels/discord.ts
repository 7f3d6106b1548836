import { isRecord, sha256 } from '../../base/json.ts';
import type { Gateway, GatewayRequest, GatewayResponse } from '../../net/types.ts';
import { type Attempt, defineChannel, type Outcome } from '../channel.ts';
import { bodyOf, readFailure, readRefusal } from '../http-outcome.ts';
import { characters } from '../split.ts';
import { DEFAULT_URL, discordApi, LABEL, written } from './discord-api.ts';
import { discordInbound } from './discord-inbound.ts';

const TOTAL_MS = 20_000;
const MAX_ANSWER_BYTES = 256 * 1024;
/** A preview would fetch the address, with whatever it carries. */
const SUPPRESS_EMBEDS = 4;
const WEBHOOK = { label: LABEL, env: 'DISCORD_WEBHOOK_URL' };
const BOT = { label: LABEL, env: 'DISCORD_BOT_TOKEN' };
const BUTTONS_IN_A_ROW = 5;

/**
 * A bot of Discord, or a webhook, which is one way. Where both are set the bot speaks, once somebody is paired with it.
 * No mentions, no previews of links. Token and URL are secrets and appear nowhere.
 *
 * @see https://discord.com/developers/docs/resources/message#create-message
 * @see https://discord.com/developers/docs/resources/webhook#execute-webhook
 */
export const discord = defineChannel({
  id: 'discord',
  label: LABEL,
  own: true,
  remote: true,
  needs: [['discordBotToken', 'discordWebhookUrl']],
  maxLength: { max: 2000, measure: characters },
  maxFileBytes: 10 * 1024 * 1024,
  receives: {
    ...{ words: true, buttons: true, edits: true, typing: true, live: true, reactions: true },
    ...{ files: true, forwards: true, groups: true },
  },
  options: {
    discordBotToken: {
      kind: 'secret',
      key: 'discord.botToken',
      env: BOT.env,
      about: 'Token of your bot, from the Discord Developer Portal.',
      without: 'a webhook sends, and nothing can come in',
    },
    discordWebhookUrl: {
      kind: 'secretUrl',
      key: 'discord.webhookUrl',
      env: WEBHOOK.env,
      about: 'Webhook of the Discord channel that notices go to.',
      without: 'a bot sends, or nothing can be sent to Discord',
    },
    discordApiUrl: {
      kind: 'url',
      key: 'discord.apiUrl',
      env: 'DISCORD_API_URL',
      about: 'Server of the Discord API.',
      without: DEFAULT_URL,
    },
  },
  connect: ({ discordBotToken: token, discordWebhookUrl: webhook, discordApiUrl: server = DEFAULT_URL }, deps) => {
    const own = () => (token === undefined ? undefined : deps.pairedChat?.('discord'));
    const byWebhook = (chat: string | undefined) =>
      webhook !== undefined && (token === undefined || chat === undefined);
    const missing = () => {
      if (token === undefined) return `set ${BOT.env} or ${WEBHOOK.env}`;
      return 'pair it (`wooster channel pair discord`)';
    };
    const api = discordApi(token ?? '', server, deps);
    return {
      health: () => {
        if (own() !== undefined) return { configured: true, detail: 'a chat with your bot' };
        return webhook === undefined
          ? { configured: false, detail: missing() }
          : { configured: true, detail: 'a webhook' };
      },
      // Hashes, so that the outbox can tell when the settings have changed without keeping secrets.
      recipient: (chat = own()) => {
        if (byWebhook(chat)) return sha256(webhook ?? '').slice(0, 16);
        return token && chat !== undefined ? sha256(`${token} ${chat}`).slice(0, 16) : 'none';
      },
      send: async (text, signal, attempt) => {
        const chat = attempt?.chat ?? own();
        if (webhook !== undefined && byWebhook(chat))
          return sendByWebhook(deps.gateway, webhook, contentOf(text), { signal, attempt });
        if (token === undefined || chat === undefined)
          return { state: 'failed', detail: `first ${missing()}` } satisfies Outcome;
        const message = messageOf(text, attempt);
        const sent = api.call('POST', `/channels/${chat}/messages`, message, { signal, file: attempt?.file });
        return sent.then(
          (answer) => readAnswer(answer, text, BOT),
          (error) => readFailure(error, LABEL),
        );
      },
      inbound: token === undefined ? undefined : discordInbound(api, token, deps),
    };
  },
});

function contentOf(content: string) {
  return { content, flags: SUPPRESS_EMBEDS, allowed_mentions: { parse: [] } };
}

/** The service makes one message of attempts with the same nonce that follow each other within minutes. */
function messageOf(text: string, attempt: Partial<Attempt> = {}): object {
  const { id, choices = [], replyTo } = attempt;
  const buttons = choices.map(({ label, says }) => ({ type: 2, style: 2, label, custom_id: says }));
  const rows = Array.from({ length: Math.ceil(buttons.length / BUTTONS_IN_A_ROW) }, (_, row) => ({
    ...{ type: 1, components: buttons.slice(row * BUTTONS_IN_A_ROW, (row + 1) * BUTTONS_IN_A_ROW) },
  }));
  return {
    ...contentOf(text),
    ...(id !== undefined && { nonce: sha256(id).slice(0, 25), enforce_nonce: true }),
    ...(rows.length > 0 && { components: rows }),
    ...(replyTo !== undefined && { message_reference: { message_id: replyTo, fail_if_not_exists: false } }),
  };
}

type Webhooked = { readonly signal: AbortSignal; readonly attempt: Attempt | undefined };

async function sendByWebhook(
  gateway: Gateway,
  webhook: string,
  message: ReturnType<typeof contentOf>,
  { signal, attempt }: Webhooked,
): Promise<Outcome> {
  const request = { ...addressOf(webhook), ...(await written(message, attempt?.file)), signal };
  return gateway.request(request).then(
    (answer) => readAnswer(answer, message.content, WEBHOOK),
    (error) => readFailure(error, LABEL),
  );
}

function addressOf(webhook: string): Omit<GatewayRequest, 'signal'> {
  const url = new URL(webhook);
  // Otherwise Discord answers before it has stored the message, and a loss goes unnoticed.
  url.searchParams.set('wait', 'true');
  return {
    url: url.href,
    method: 'POST',
    caller: 'discord',
    configured: [url.origin],
    maxBytes: MAX_ANSWER_BYTES,
    totalMs: TOTAL_MS,
    maxRedirects: 0,
  };
}

/** Only an answer with an id confirms a message: a captive portal answers 200 as well. */
function readAnswer(response: GatewayResponse, text: string, service: typeof BOT): Outcome {
  if (response.status === 204) return { state: 'sent', detail: 'accepted, not confirmed' };
  if (response.status !== 200) return readRefusal(response, service);
  const body = bodyOf(response);
  if (!isRecord(body) || typeof body.id !== 'string')
    return { state: 'unknown', detail: `the answer is not from ${LABEL} (a proxy or portal in between?)` };
  return isAnother(body.content, text)
    ? { state: 'unknown', detail: `${LABEL} confirmed another message` }
    : { state: 'sent', remoteId: body.id, detail: 'confirmed' };
}

/** Whether the text is that of another message; Discord may change whitespace and punctuation. */
function isAnother(content: unknown, text: string): boolean {
  const words = (said: string) => said.replace(/[^\p{L}\p{N}]+/gu, '');
  return typeof content === 'string' && words(content) !== words(text);
}
