import { sha256 } from '../base/json.ts';
import type { Gateway } from '../net/types.ts';
import type { Channel } from './channel.ts';
import { readAnswer, readFailure } from './discord-answer.ts';
import { characters, splitText } from './split.ts';

const MAX_CONTENT = 2000;
const TOTAL_MS = 20_000;
const MAX_ANSWER_BYTES = 256 * 1024;

/** A Discord channel through its webhook: one way, no mentions. The URL is a secret and appears nowhere. */
export function createDiscord(parts: { webhookUrl: string | undefined; gateway: Gateway }): Channel {
  const { webhookUrl, gateway } = parts;
  return {
    name: 'discord',
    status: () => ({
      name: 'discord',
      configured: webhookUrl !== undefined,
      detail: webhookUrl === undefined ? 'set DISCORD_WEBHOOK_URL' : 'a webhook',
    }),
    address: () => (webhookUrl === undefined ? 'none' : sha256(webhookUrl).slice(0, 16)),
    split: (text) => splitText(text, { max: MAX_CONTENT, measure: characters }),
    deliver: async (text, signal) => {
      if (webhookUrl === undefined) return { state: 'failed', detail: 'DISCORD_WEBHOOK_URL is not set' };
      const url = new URL(webhookUrl);
      // Without it a message that was not kept gives no error.
      url.searchParams.set('wait', 'true');
      try {
        const response = await gateway.request({
          url: url.href,
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ content: text, allowed_mentions: { parse: [] } }),
          signal,
          caller: 'discord',
          configured: [url.origin],
          maxBytes: MAX_ANSWER_BYTES,
          totalMs: TOTAL_MS,
          maxRedirects: 0,
        });
        return readAnswer(response);
      } catch (error) {
        return readFailure(error);
      }
    },
  };
}
