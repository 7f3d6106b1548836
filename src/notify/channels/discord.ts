import { isRecord, sha256 } from '../../base/json.ts';
import type { GatewayRequest, GatewayResponse } from '../../net/types.ts';
import { defineChannel, type Outcome } from '../channel.ts';
import { bodyOf, readFailure, readRefusal } from '../http-outcome.ts';
import { characters } from '../split.ts';

const TOTAL_MS = 20_000;
const MAX_ANSWER_BYTES = 256 * 1024;
/** A preview would fetch the address, with whatever it carries. */
const SUPPRESS_EMBEDS = 4;
const SERVICE = { label: 'Discord', env: 'DISCORD_WEBHOOK_URL' };

/**
 * A Discord channel through its webhook: one way, no mentions, no previews of links. The URL is a secret and appears
 * nowhere.
 *
 * @see https://discord.com/developers/docs/resources/webhook#execute-webhook
 */
export const discord = defineChannel({
  id: 'discord',
  label: SERVICE.label,
  own: true,
  remote: true,
  needs: ['discordWebhookUrl'],
  maxLength: { max: 2000, measure: characters },
  options: {
    discordWebhookUrl: {
      kind: 'secretUrl',
      key: 'discord.webhookUrl',
      env: SERVICE.env,
      about: 'Webhook of the Discord channel that notices go to.',
      without: 'nothing can be sent to Discord',
    },
  },
  connect: ({ discordWebhookUrl: webhook }, { gateway }) => ({
    health: () => ({
      configured: webhook !== undefined,
      detail: webhook === undefined ? `set ${SERVICE.env}` : 'a webhook',
    }),
    // A hash, so that the outbox can tell when the webhook was replaced without keeping it.
    recipient: () => (webhook === undefined ? 'none' : sha256(webhook).slice(0, 16)),
    send: (text, signal) =>
      webhook === undefined
        ? Promise.resolve({ state: 'failed', detail: `${SERVICE.env} is not set` })
        : gateway.request(requestFor(webhook, text, signal)).then(
            (answer) => readAnswer(answer, text),
            (e) => readFailure(e, SERVICE.label),
          ),
  }),
});

function requestFor(webhook: string, text: string, signal: AbortSignal): GatewayRequest {
  const url = new URL(webhook);
  // Otherwise Discord answers before it has stored the message, and a loss goes unnoticed.
  url.searchParams.set('wait', 'true');
  return {
    url: url.href,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ content: text, flags: SUPPRESS_EMBEDS, allowed_mentions: { parse: [] } }),
    signal,
    caller: 'discord',
    configured: [url.origin],
    maxBytes: MAX_ANSWER_BYTES,
    totalMs: TOTAL_MS,
    maxRedirects: 0,
  };
}

/** With `wait=true` only an answer with an id confirms a message: a captive portal answers 200 as well. */
function readAnswer(response: GatewayResponse, text: string): Outcome {
  if (response.status === 204) return { state: 'sent', detail: 'accepted, not confirmed' };
  if (response.status !== 200) return readRefusal(response, SERVICE);
  const body = bodyOf(response);
  if (!isRecord(body) || typeof body.id !== 'string')
    return { state: 'unknown', detail: `the answer is not from ${SERVICE.label} (a proxy or portal in between?)` };
  return isAnother(body.content, text)
    ? { state: 'unknown', detail: `${SERVICE.label} confirmed another message` }
    : { state: 'sent', remoteId: body.id, detail: 'confirmed' };
}

/** Whether the text is that of another message; Discord may change whitespace and punctuation. */
function isAnother(content: unknown, text: string): boolean {
  const words = (said: string) => said.replace(/[^\p{L}\p{N}]+/gu, '');
  return typeof content === 'string' && words(content) !== words(text);
}
