import { randomBytes } from 'node:crypto';
import { isRecord, sha256 } from '../../base/json.ts';
import type { GatewayResponse } from '../../net/types.ts';
import { type Attempt, defineChannel, type Outcome } from '../channel.ts';
import { bodyOf, readFailure, readRefusal } from '../http-outcome.ts';
import { utf8Bytes } from '../split.ts';
import { ntfyInbound } from './ntfy-inbound.ts';

const DEFAULT_URL = 'https://ntfy.sh';
const SERVICE = { label: 'ntfy', env: 'NTFY_TOPIC' };
const TOTAL_MS = 20_000;
/** Longer ones become attachments. */
const MAX_BYTES = 4096;
const MAX_BUTTONS = 3;

/**
 * A topic of ntfy, to which a phone subscribes. Without a token a topic can be read by everybody who knows its name, so
 * a fresh one cannot be guessed.
 *
 * @see https://docs.ntfy.sh/publish/#publish-as-json
 */
export const ntfy = defineChannel({
  id: 'ntfy',
  label: SERVICE.label,
  own: true,
  remote: true,
  needs: ['ntfyTopic'],
  receives: {
    ...{ words: false, buttons: true, edits: false, typing: false, live: false, reactions: false },
    ...{ files: false, forwards: false, groups: false },
  },
  fresh: () => ({ ntfyTopic: freshTopic(), ntfyAnswers: freshTopic() }),
  subscribe: ({ ntfyUrl = DEFAULT_URL, ntfyTopic = '' }) => ({
    text: `Install the app ntfy on your phone, and subscribe to the topic ${ntfyTopic} there.`,
    url: `${withoutSlash(ntfyUrl)}/${ntfyTopic}`,
  }),
  maxLength: { max: MAX_BYTES, measure: utf8Bytes },
  options: {
    ntfyUrl: {
      kind: 'url',
      key: 'ntfy.url',
      env: 'NTFY_URL',
      about: 'Server of ntfy.',
      without: DEFAULT_URL,
    },
    ntfyTopic: {
      kind: 'text',
      key: 'ntfy.topic',
      env: 'NTFY_TOPIC',
      about: 'Topic that notices go to; on a public server one that cannot be guessed.',
      without: 'nothing can be sent by ntfy',
      unguessable: true,
    },
    ntfyAnswers: {
      kind: 'text',
      key: 'ntfy.answers',
      env: 'NTFY_ANSWERS',
      about:
        'Another topic, to which the buttons of reminders on your phone post; anybody must be able to write there.',
      without: 'reminders have no buttons',
      unguessable: true,
    },
    ntfyToken: {
      kind: 'secret',
      key: 'ntfy.token',
      env: 'NTFY_TOKEN',
      about: 'Access token for a topic that is not open to everybody.',
      without: 'the topic is used without an account',
    },
  },
  connect: ({ ntfyUrl = DEFAULT_URL, ntfyTopic: topic, ntfyAnswers: answers, ntfyToken: token }, { gateway }) => ({
    health: () => ({
      configured: topic !== undefined,
      detail: topic === undefined ? `set ${SERVICE.env}` : `a topic at ${new URL(ntfyUrl).host}`,
    }),
    recipient: () => (topic === undefined ? 'none' : sha256(`${ntfyUrl} ${topic}`).slice(0, 16)),
    send: async (message, signal, attempt) => {
      if (topic === undefined) return { state: 'failed', detail: `${SERVICE.env} is not set` };
      const headers = { 'content-type': 'application/json', ...authorization(token) };
      const actions = answers === undefined ? [] : buttonsOf(attempt, `${withoutSlash(ntfyUrl)}/${answers}`);
      const body = JSON.stringify({ topic, message, ...(actions.length > 0 && { actions }) });
      const request = { url: ntfyUrl, method: 'POST', headers, body } as const;
      const from = { caller: 'ntfy', configured: [new URL(ntfyUrl).origin], totalMs: TOTAL_MS, maxRedirects: 0 };
      const sent = gateway.request({ ...request, ...from, signal });
      return sent.then(readAnswer, (error) => readFailure(error, SERVICE.label));
    },
    toReceive: answers === undefined ? 'set NTFY_ANSWERS' : undefined,
    inbound:
      topic === undefined || answers === undefined
        ? undefined
        : ntfyInbound({ url: ntfyUrl, topic: answers, headers: authorization(token), gateway }),
  }),
});

function freshTopic(): string {
  return `wooster-${randomBytes(10).toString('hex')}`;
}

function authorization(token: string | undefined): Readonly<Record<string, string>> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

/** Each posts what its choice says; whoever reads the topic could, so the access token is not among it. */
function buttonsOf({ choices = [] }: Partial<Attempt> = {}, url: string): readonly object[] {
  const shown = choices.length > MAX_BUTTONS ? [...choices.slice(0, MAX_BUTTONS - 1), ...choices.slice(-1)] : choices;
  return shown.map(({ label, says }) => ({ action: 'http', label, url, method: 'POST', body: says, clear: true }));
}

/** Only an answer with an id confirms a message. */
function readAnswer(response: GatewayResponse): Outcome {
  const { status } = response;
  if (status === 401 || status === 403) return readRefusal(response, { ...SERVICE, env: 'NTFY_TOKEN' });
  if (status !== 200) return readRefusal(response, SERVICE);
  const body = bodyOf(response);
  if (isRecord(body) && typeof body.id === 'string' && body.event === 'message')
    return { state: 'sent', remoteId: body.id, detail: 'confirmed' };
  return { state: 'unknown', detail: `the answer is not from ${SERVICE.label} (a proxy or portal in between?)` };
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/u, '');
}
