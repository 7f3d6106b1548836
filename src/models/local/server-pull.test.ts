import { expect, test } from 'vitest';
import { webServer } from '../../testing/web-server.ts';
import { readCatalogue } from './catalogue.ts';
import { findModelServers, lmStudioServer, ollamaServer } from './server-pull.ts';

const [entry] = readCatalogue();
if (entry === undefined) throw new Error('the catalogue is empty');

function how() {
  const seen: [number, number | undefined][] = [];
  const signal = new AbortController().signal;
  return {
    seen,
    fetch,
    signal,
    lookMs: 0,
    onProgress: ({ done, total }: { done: number; total: number | undefined }) => void seen.push([done, total]),
  };
}

/** An Ollama that says these lines when it is asked to pull. */
async function ollama(lines: readonly object[]) {
  const { origin, received } = await webServer((_request, response) =>
    response.end(lines.map((line) => `${JSON.stringify(line)}\n`).join('')),
  );
  return { server: ollamaServer(origin), received };
}

test('Ollama fetches by its own name for the model, and says how far it is', async () => {
  const layer = { status: 'pulling', digest: 'sha256:1', total: 20 };
  const { server, received } = await ollama([
    { status: 'pulling manifest' },
    { ...layer, completed: 5 },
    { ...layer, completed: 20 },
    { status: 'success' },
  ]);
  const pulling = how();
  await server.pull(entry, pulling);
  expect(pulling.seen).toEqual([
    [5, 20],
    [20, 20],
  ]);
  expect(JSON.parse(received[0]?.body ?? '')).toEqual({ model: 'qwen3.5:4b' });
});

test.each([
  ['an error', [{ error: 'no such model' }], 'no such model'],
  ['an early end', [{ status: 'pulling', completed: 1, total: 2 }], 'broke off'],
])('%s of Ollama is said', async (_what, lines, message) => {
  const { server } = await ollama(lines);
  await expect(server.pull(entry, how())).rejects.toMatchObject({
    code: 'model_not_installed',
    message: expect.stringContaining(message),
  });
});

/** An LM Studio whose download goes through these states. */
async function lmStudio(states: readonly object[]) {
  let at = 0;
  const { origin, received } = await webServer((_request, response) => response.end(JSON.stringify(states[at++])));
  return { server: lmStudioServer(origin), received };
}

test('LM Studio fetches by itself and is looked at until it is done', async () => {
  const { server, received } = await lmStudio([
    { job_id: 'job_1', status: 'downloading', total_size_bytes: 20 },
    { job_id: 'job_1', status: 'downloading', total_size_bytes: 20, downloaded_bytes: 12 },
    { status: 'completed' },
  ]);
  const pulling = how();
  await server.pull(entry, pulling);
  expect(pulling.seen).toEqual([
    [0, 20],
    [12, 20],
  ]);
  expect(received.map(({ url }) => url)).toEqual([
    '/api/v1/models/download',
    ...Array(2).fill('/api/v1/models/download/status/job_1'),
  ]);
});

test('a failed download of LM Studio is said', async () => {
  const { server } = await lmStudio([
    { job_id: 'j', status: 'downloading' },
    { status: 'failed', error: 'disk' },
  ]);
  await expect(server.pull(entry, how())).rejects.toMatchObject({ message: expect.stringContaining('disk') });
});

test('what listens on a usual port counts only if it speaks the language', async () => {
  const { port: ollamaPort } = await webServer((_request, response) => response.end('{"version":"0.9.0"}'));
  const { port: other } = await webServer((_request, response) => response.end('<html>'));
  const found = await findModelServers(() => fetch, 1000, { ollama: ollamaPort, lmStudio: other });
  expect(found.map(({ label }) => label)).toEqual(['Ollama']);
  expect(await findModelServers(() => fetch, 1000, { ollama: other, lmStudio: other })).toEqual([]);
});
