import { z } from 'zod';
import { AssistantError } from '../../base/errors.ts';
import { parseJson, sha256 } from '../../base/json.ts';
import type { Gateway } from '../../net/types.ts';
import type { Inbound } from '../inbound.ts';
import { linesOf } from '../lines.ts';

/** The topic to which the buttons of a phone post. */
export interface AnswerTopic {
  readonly url: string;
  readonly topic: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly gateway: Gateway;
}

/** Of a nonce; longer texts are somebody else's. */
const MAX_NONCE_CHARS = 64;
const event = z.object({ id: z.string(), event: z.string(), message: z.string().catch('') });

/**
 * Receiving what buttons post. Anybody may post there, so the text counts for nothing unless it is a nonce of ours.
 *
 * @see https://docs.ntfy.sh/subscribe/api/
 */
export function ntfyInbound(answers: AnswerTopic): Inbound {
  const { url, topic } = answers;
  const account = sha256(`${url} ${topic}`).slice(0, 16);
  return {
    account,
    probe: async (signal) => {
      await (await open(answers, '?poll=1', signal)).cancel();
      return `a topic for answers at ${new URL(url).host}`;
    },
    receive: async function* (since, signal) {
      const body = await open(answers, `?since=${encodeURIComponent(since || 'all')}`, signal);
      let mark = since ?? '';
      for await (const line of linesOf(body)) {
        const { data } = event.safeParse(parseJson(line));
        const isMessage = data?.event === 'message';
        if (isMessage) mark = data.id;
        const where = { account, chat: topic, alone: true } as const;
        const press = { kind: 'press', ...where, id: mark, message: '', text: data?.message ?? '' } as const;
        yield { mark, events: isMessage && press.text.length <= MAX_NONCE_CHARS ? [press] : [] };
      }
      throw refused('ntfy ended the connection.');
    },
    download: async () => {
      throw refused('Files do not come in by ntfy.');
    },
  };
}

/** @throws AssistantError `not_received`, `egress_failed`. */
async function open({ url, topic, headers, gateway }: AnswerTopic, query: string, signal: AbortSignal) {
  const address = `${url.replace(/\/+$/u, '')}/${topic}/json${query}`;
  const response = await gateway.fetchFor('ntfy', [new URL(url).origin])(address, { headers, signal });
  const { body } = response;
  if (response.status === 200 && body) return body;
  await body?.cancel();
  throw refused(`ntfy does not let Wooster read the topic for answers (${response.status}).`);
}

function refused(message: string): AssistantError {
  return new AssistantError('not_received', message, { hint: 'It is tried again.' });
}
