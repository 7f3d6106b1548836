import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCatalogue } from '../../models/local/catalogue.ts';
import { ModelInstaller } from '../../models/local/installer.ts';
import { LocalModels } from '../../models/local/local-models.ts';
import { ollamaServer } from '../../models/local/server-pull.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { webServer } from '../../testing/web-server.ts';
import { offeredServer, planText } from './models-local.ts';

/** A machine on which Ollama runs, and what a person who answers so is asked. */
async function machine(answer: boolean) {
  const lines = [{ status: 'pulling', completed: 5, total: 10 }, { status: 'success' }];
  const ollama = await webServer((_request, response) => {
    response.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  });
  const home = temporaryFolder();
  const enginesDir = join(home, 'engines');
  const options = { contextTokens: 8192, idleMinutes: 10, thinking: false, threads: undefined } as const;
  const installer = new ModelInstaller({
    ...{ local: new LocalModels({ modelsDir: join(home, 'models'), enginesDir, options }), enginesDir },
    ...{ hubUrl: 'https://hub.example', downloadFetch: () => fetch, fetchFor: () => fetch },
    findServers: async () => [ollamaServer(ollama.origin)],
  });
  const asked: string[] = [];
  const questions = {
    yes: async (question: string) => {
      asked.push(question);
      return answer;
    },
  };
  return { installer, questions, asked, ollama };
}
const [ENTRY] = readCatalogue();

test('where Ollama runs it is offered first, and fetches the model with progress', async () => {
  if (!ENTRY) throw new Error('the catalogue is empty');
  const { installer, questions, asked, ollama } = await machine(true);
  const server = await offeredServer(installer, ENTRY, questions);
  expect(asked).toEqual([expect.stringMatching(/^Ollama runs on this machine\. Shall it fetch .+ GB, .+\?$/u)]);
  if (!server) throw new Error('no server was chosen');
  const seen: unknown[] = [];
  const signal = new AbortController().signal;
  await installer.pull(server, ENTRY, { signal, onProgress: (progress) => seen.push(progress) });
  expect(seen).toEqual([{ stage: 'download', done: 5, total: 10 }]);
  expect(ollama.received.map(({ url, body }) => [url, JSON.parse(body)])).toEqual([
    ['/api/pull', { model: ENTRY.ollama }],
  ]);
});

test('after a no, the question is about an engine of our own, with its size, source and licence', async () => {
  if (!ENTRY) throw new Error('the catalogue is empty');
  const { installer, questions, ollama } = await machine(false);
  expect(await offeredServer(installer, ENTRY, questions)).toBeUndefined();
  expect(ollama.received).toEqual([]);
  const wish = { what: 'https://hub.example/model.gguf', sha256: 'a'.repeat(64), licence: 'MIT' };
  expect(planText(installer.plan(wish))).toMatch(
    /^model: a file of unknown size from hub\.example, licence MIT\. Nothing you write .+ the engine, \d+ MB from npm, MIT\.$/u,
  );
});
