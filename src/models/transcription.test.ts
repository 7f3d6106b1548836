import { expect, test } from 'vitest';
import { type ModelsChanges, modelsOptions } from '../testing/models-options.ts';
import { configuredTranscription } from './transcription.ts';
import type { UsageEntry, UsageTable } from './usage-table.ts';

const recording = { bytes: Buffer.from('x'), name: 'a.ogg', project: 'home', signal: new AbortController().signal };

interface Asked {
  readonly url: string;
  readonly key: string | null;
}

/** A service that answers like this, and what it was asked and what was written down. */
function service(options: ModelsChanges, answer: unknown) {
  const asked: Asked[] = [];
  const entries: UsageEntry[] = [];
  const fetchFor = () => async (input: string | URL | Request, init?: RequestInit) => {
    asked.push({ url: String(input), key: new Headers(init?.headers).get('authorization') });
    return Response.json(answer);
  };
  const transcriber = configuredTranscription(modelsOptions(options), {
    ...{ fetchFor, usage: { add: (entry: UsageEntry) => void entries.push(entry) } as unknown as UsageTable },
    allow: async (_recording, local) => {
      if (local === undefined) throw new Error('unknown');
    },
  });
  return { transcriber, asked, entries };
}

const SET = { model: 'whisper-1', url: undefined, apiKey: undefined, usdPerMinute: 0.006 };
const OPENAI = { openai: { apiKey: 'sk-openai' } };

test('a key alone sends nothing anywhere', () => {
  const { transcriber } = service({ providers: OPENAI, transcription: { ...SET, model: undefined } }, {});
  expect(transcriber).toBeUndefined();
});

test('the key of a provider goes to its own server, and to no other', async () => {
  const own = service({ providers: OPENAI, transcription: SET }, { text: 'hi' });
  await own.transcriber?.hear(recording);
  expect(own.asked).toEqual([{ url: 'https://api.openai.com/v1/audio/transcriptions', key: 'Bearer sk-openai' }]);
  const other = { ...SET, url: 'https://hear.example/v1/' };
  const { transcriber, asked } = service({ providers: OPENAI, transcription: other }, { text: 'hi' });
  await transcriber?.hear(recording);
  expect(asked).toEqual([{ url: 'https://hear.example/v1/audio/transcriptions', key: null }]);
});

test.each([
  ['by its length', {}, { text: 'hi', usage: { seconds: 120 } }, 0.012],
  ['by the length of an older service', {}, { text: 'hi', duration: 30 }, 0.003],
  ['not, where its price is not known', { usdPerMinute: undefined }, { text: 'hi', usage: { seconds: 60 } }, undefined],
  ['not, where its length is not known', {}, { text: 'hi', usage: { input_tokens: 9, output_tokens: 2 } }, undefined],
  ['as nothing on this machine', { url: 'http://127.0.0.1:9/v1' }, { text: 'hi' }, 0],
])('what it cost is written down %s', async (_how, set, answer, costUsd) => {
  const { transcriber, entries } = service({ transcription: { ...SET, ...set } }, answer);
  await transcriber?.hear(recording);
  expect(entries).toMatchObject([{ purpose: 'transcription', model: 'whisper-1', ok: true, costUsd }]);
});

test('an answer that is none is an error, and costs nothing', async () => {
  const { transcriber, entries } = service({ transcription: SET }, { words: [] });
  await expect(transcriber?.hear(recording)).rejects.toMatchObject({ code: 'model_rejected' });
  expect(entries).toMatchObject([{ ok: false, costUsd: 0 }]);
});
