import { createHmac, randomBytes } from 'node:crypto';
import { newId } from '../../base/ids.ts';
import { sha256 } from '../../base/json.ts';
import type { GatewayResponse } from '../../net/types.ts';
import { defineChannel, type Outcome } from '../channel.ts';
import { readFailure, readRefusal } from '../http-outcome.ts';

const SERVICE = { label: 'the webhook', env: 'WEBHOOK_URL' };
const TOTAL_MS = 20_000;
const PREFIX = 'whsec_';

/**
 * Notices as signed JSON to any address, for programs of the owner's own: `{ type: "notice", timestamp, data: { text }
 * }`.
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export const webhook = defineChannel({
  id: 'webhook',
  label: 'the webhook',
  own: true,
  remote: true,
  needs: ['webhookUrl', 'webhookSecret'],
  fresh: () => ({ webhookSecret: `${PREFIX}${randomBytes(24).toString('base64')}` }),
  options: {
    webhookUrl: {
      kind: 'secretUrl',
      key: 'webhook.url',
      env: 'WEBHOOK_URL',
      about: 'Address that notices are posted to as JSON.',
      without: 'nothing is posted',
    },
    webhookSecret: {
      kind: 'secret',
      key: 'webhook.secret',
      env: 'WEBHOOK_SECRET',
      about: 'Secret that they are signed with, as Standard Webhooks do: whsec_ and base64, or any text.',
      without: 'nothing is posted',
    },
  },
  connect: ({ webhookUrl: url, webhookSecret: secret }, { gateway }) => ({
    health: () => {
      const unset = url === undefined ? SERVICE.env : secret === undefined ? 'WEBHOOK_SECRET' : undefined;
      return { configured: unset === undefined, detail: unset ? `set ${unset}` : 'an address of your own' };
    },
    recipient: () => (url === undefined ? 'none' : sha256(url).slice(0, 16)),
    send: async (text, signal, attempt) => {
      if (url === undefined || secret === undefined)
        return { state: 'failed', detail: `${url === undefined ? SERVICE.env : 'WEBHOOK_SECRET'} is not set` };
      const now = new Date();
      const body = JSON.stringify({ type: 'notice', timestamp: now.toISOString(), data: { text } });
      const signed = signatureOf({ id: attempt?.id ?? newId('msg', now), body, secret, at: now });
      const headers = { 'content-type': 'application/json', ...signed };
      const from = { caller: 'webhook', configured: [new URL(url).origin], totalMs: TOTAL_MS, maxRedirects: 0 };
      const sent = gateway.request({ url, method: 'POST', headers, body, signal, ...from });
      return sent.then(readAnswer, (error) => readFailure(error, SERVICE.label));
    },
  }),
});

/** The headers of a message. The id is the same for every attempt, so that a receiver recognises a repetition. */
function signatureOf({ id, body, secret, at }: { id: string; body: string; secret: string; at: Date }) {
  const seconds = String(Math.floor(at.getTime() / 1000));
  const key = secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret);
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}` };
}

/** Any 2xx accepts it; 410 says that there is nobody any more. */
function readAnswer(response: GatewayResponse): Outcome {
  const { status } = response;
  if (status >= 200 && status < 300) return { state: 'sent', detail: 'accepted' };
  if (status === 410) return { state: 'off', detail: `${SERVICE.label} is gone; set a new ${SERVICE.env}` };
  return readRefusal(response, SERVICE);
}
