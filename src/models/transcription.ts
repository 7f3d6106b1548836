import { z } from 'zod';
import { AssistantError } from '../base/errors.ts';
import { isLoopback } from './detect.ts';
import type { ModelsOptions } from './options.ts';
import type { FetchFor } from './servers.ts';
import type { Heard, Recording, Transcriber } from './types.ts';
import type { UsageTable } from './usage-table.ts';

export interface TranscriptionDeps {
  readonly fetchFor: FetchFor;
  readonly usage: UsageTable;
  /** @throws AssistantError `local_only`, `budget_reached`. */
  readonly allow: (recording: Recording, local: boolean) => Promise<void>;
}

const URL_OF_OPENAI = 'https://api.openai.com/v1';
const WAIT_MS = 120_000;

const ANSWER = z.object({
  text: z.string(),
  duration: z.number().optional(),
  usage: z
    .object({
      seconds: z.number().optional(),
      input_tokens: z.number().optional(),
      output_tokens: z.number().optional(),
    })
    .optional()
    .catch(undefined),
});

/**
 * The configured service that writes down what is spoken; a key alone never sends a recording anywhere. The provider's
 * own key goes to its own server and to no other.
 *
 * @returns undefined when none is configured.
 * @see https://platform.openai.com/docs/api-reference/audio/createTranscription
 */
export function configuredTranscription(options: ModelsOptions, deps: TranscriptionDeps): Transcriber | undefined {
  const { model, url, apiKey, usdPerMinute } = options.transcription;
  if (model === undefined) return undefined;
  const { openai } = options.providers;
  const place = url ?? openai?.baseUrl ?? URL_OF_OPENAI;
  const service = { model, url: place, apiKey: url === undefined ? (apiKey ?? openai?.apiKey) : apiKey, usdPerMinute };
  return { name: model, hear: (recording) => hear(service, recording, deps) };
}

interface Service {
  readonly model: string;
  readonly url: string;
  readonly apiKey: string | undefined;
  readonly usdPerMinute: number | undefined;
}

async function hear(service: Service, recording: Recording, deps: TranscriptionDeps): Promise<Heard> {
  const local = isLoopback(service.url);
  await deps.allow(recording, local);
  const started = performance.now();
  const answer = await ask(service, recording, deps).catch((error: unknown) => {
    record(service, { recording, answer: undefined, latencyMs: performance.now() - started }, deps);
    throw error;
  });
  record(service, { recording, answer, latencyMs: performance.now() - started }, deps);
  return { text: answer.text.trim() };
}

type Answer = z.output<typeof ANSWER>;

/** @throws AssistantError `model_unreachable`, `model_rejected`. */
async function ask(
  { model, url, apiKey }: Service,
  recording: Recording,
  { fetchFor }: TranscriptionDeps,
): Promise<Answer> {
  const body = new FormData();
  body.set('file', new Blob([Uint8Array.from(recording.bytes)]), recording.name);
  body.set('model', model);
  body.set('response_format', 'json');
  const address = `${url.replace(/\/+$/u, '')}/audio/transcriptions`;
  const signal = AbortSignal.any([recording.signal, AbortSignal.timeout(WAIT_MS)]);
  const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  const fetch = fetchFor('transcription', [new URL(url).origin]);
  const response = await fetch(address, { method: 'POST', headers, body, signal }).catch((cause: unknown) => {
    recording.signal.throwIfAborted();
    throw failure('model_unreachable', 'The service that hears recordings cannot be reached.', cause);
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw failure('model_rejected', `The service that hears recordings refused this one (${response.status}).`);
  }
  const answer = ANSWER.safeParse(await response.json().catch(() => undefined));
  if (!answer.success) throw failure('model_rejected', 'What answers at TRANSCRIPTION_URL does not hear recordings.');
  return answer.data;
}

function record(
  { model, url, usdPerMinute }: Service,
  call: { readonly recording: Recording; readonly answer: Answer | undefined; readonly latencyMs: number },
  { usage }: TranscriptionDeps,
): void {
  const { recording, answer, latencyMs } = call;
  const { project, turnId, conversationId } = recording;
  const {
    input_tokens: inputTokens = 0,
    output_tokens: outputTokens = 0,
    seconds = answer?.duration,
  } = answer?.usage ?? {};
  const tokens = { inputTokens, outputTokens, cachedTokens: 0 };
  const known = seconds === undefined || usdPerMinute === undefined ? undefined : (seconds / 60) * usdPerMinute;
  // Nobody charges for an error, and one's own machine for nothing.
  const costUsd = !answer || isLoopback(url) ? 0 : known;
  usage.add({
    ...{ project, turnId, conversationId, mode: 'classic_tools', provider: 'transcription', model },
    ...{ purpose: 'transcription', ...tokens, costUsd, latencyMs, ok: answer !== undefined },
  });
}

function failure(code: 'model_unreachable' | 'model_rejected', message: string, cause?: unknown): AssistantError {
  const hint = 'Check TRANSCRIPTION_MODEL, TRANSCRIPTION_URL and TRANSCRIPTION_API_KEY.';
  return new AssistantError(code, message, { hint, cause });
}
