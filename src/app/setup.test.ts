import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type findLocalServer, findLocalServer as lookFor } from '../models/servers.ts';
import { loadSettings } from '../settings/settings.ts';
import { type Behaviour, FaultServer, ok, status } from '../testing/fault-server.ts';
import { temporaryFolder } from '../testing/home.ts';
import { webServer } from '../testing/web-server.ts';
import { openFoundation } from './foundation.ts';
import { openSetup } from './setup.ts';

interface Given {
  readonly env?: NodeJS.ProcessEnv;
  readonly envFile?: string;
  readonly find?: typeof findLocalServer;
}

/** The set-up of a home. It searches nothing on this machine unless `find` is given. */
async function openDesk({ env = {}, envFile, find }: Given = {}) {
  const home = temporaryFolder();
  if (envFile !== undefined) writeFileSync(join(home, '.env'), envFile);
  const given = { ROUTING_LOCAL_ENABLED: String(find !== undefined), ...env };
  const settings = loadSettings(home, given, { alone: true });
  const foundation = await openFoundation(settings, { announce: () => {}, verbose: false });
  onTestFinished(async () => {
    await foundation.gateway.close();
    await foundation.store.close();
    foundation.log.close();
  });
  const desk = openSetup(settings, foundation, find);
  const { signal } = new AbortController();
  const tryOpenAi = (variables: Readonly<Record<string, string>>) =>
    desk.tryModel('openai', variables, { project: 'home', signal });
  return { home, desk, foundation, tryOpenAi };
}

async function modelServer(...script: readonly Behaviour[]): Promise<FaultServer> {
  const server = new FaultServer();
  await server.start();
  onTestFinished(() => server.stop());
  server.play(...script);
  return server;
}

/** A server that lists these models. */
const listing = (...ids: readonly string[]) =>
  webServer((_, response) => response.end(JSON.stringify({ data: ids.map((id) => ({ id })) })));

const variablesOf = ({ url }: FaultServer, key = 'typed just now') => ({
  ...{ OPENAI_BASE_URL: url, OPENAI_MODEL_NAME: 'small-one', OPENAI_API_KEY: key },
});

test('a variable is in the file, or in the environment, which wins, or nowhere', async () => {
  const env = { GEMINI_API_KEY: 'of-the-shell', MISTRAL_API_KEY: '', SAME: 'alike' };
  const envFile = 'OPENAI_API_KEY=of-the-file\nGEMINI_API_KEY=another\nSAME=alike\n';
  const { home, desk } = await openDesk({ env, envFile });
  expect(desk.envFile).toBe(join(home, '.env'));
  const names = ['OPENAI_API_KEY', 'GEMINI_API_KEY', 'SAME', 'MISTRAL_API_KEY', 'NOWHERE'];
  expect(names.map(desk.whereSet)).toEqual(['file', 'environment', 'file', undefined, undefined]);
});

test('without a file, everything is in the environment', async () => {
  const { desk } = await openDesk({ env: { GEMINI_API_KEY: 'of-the-shell' } });
  expect(desk.whereSet('GEMINI_API_KEY')).toBe('environment');
});

test('a server on this machine is found, with the first of its models that can chat', async () => {
  const { port, origin } = await listing('nomic-embed-text', 'llama-small');
  const { desk } = await openDesk({ find: (options) => lookFor({ ...options, ports: [port] }) });
  expect(await desk.findServer()).toEqual({ baseUrl: `${origin}/v1`, model: 'llama-small' });
});

test('where no server is, none is found', async () => {
  const { port } = await listing('nomic-embed-text');
  const { desk } = await openDesk({ find: (options) => lookFor({ ...options, ports: [port] }) });
  expect(await desk.findServer()).toBeUndefined();
});

test('a server without an address or a model is none', async () => {
  const found: { model?: string; baseUrl?: string }[] = [{ model: 'm' }, { baseUrl: 'http://127.0.0.1:1' }];
  const { desk } = await openDesk({ find: async () => found.shift() as never });
  expect([await desk.findServer(), await desk.findServer()]).toEqual([undefined, undefined]);
});

test('where looking is switched off, nobody looks', async () => {
  const looked: unknown[] = [];
  const { desk } = await openDesk({
    env: { ROUTING_LOCAL_ENABLED: 'false' },
    find: async (options) => void looked.push(options),
  });
  expect(await desk.findServer()).toBeUndefined();
  expect(looked).toEqual([]);
});

test('a server is waited for as long as the settings say', async () => {
  const waits: number[] = [];
  const find: typeof findLocalServer = async ({ timeoutMs }) => void waits.push(timeoutMs);
  const { desk } = await openDesk({ env: { ROUTING_HEALTH_TIMEOUT: '321' }, find });
  await desk.findServer();
  expect(waits).toEqual([321]);
});

test('the chat models of a server are listed for whoever has its key', async () => {
  const { origin, received } = await listing('a', 'bge-large', 'b');
  const { desk } = await openDesk();
  expect(await desk.modelsOf(`${origin}/v1`, 'key-1')).toEqual(['a', 'b']);
  expect(await desk.modelsOf(`${origin}/v1`, undefined)).toEqual(['a', 'b']);
  expect(received.map(({ url, headers }) => [url, headers.authorization])).toEqual([
    ['/v1/models', 'Bearer key-1'],
    ['/v1/models', undefined],
  ]);
});

test('of a server that does not say, no models are listed', async () => {
  const { origin } = await webServer((_, response) => response.writeHead(500).end());
  const { desk } = await openDesk();
  expect(await desk.modelsOf(`${origin}/v1`, undefined)).toEqual([]);
});

test('a model is asked for a word, once, with what was typed', async () => {
  const server = await modelServer(ok('ready'));
  const { tryOpenAi, foundation } = await openDesk();
  expect(await tryOpenAi(variablesOf(server))).toBe('small-one');
  expect(server.requests.map(({ body }) => body)).toEqual([
    expect.objectContaining({
      model: 'small-one',
      messages: [{ role: 'user', content: 'Reply with the word "ready".' }],
    }),
  ]);
  const body = server.requests[0]?.body;
  expect(body?.max_tokens ?? body?.max_completion_tokens).toBe(32);
  // A key that is not in the settings yet is a secret too.
  expect(foundation.redactor.redact('It was typed just now.')).not.toContain('typed');
  const used = foundation.store.read.selectFrom('usage').select(['model', 'purpose']);
  expect(await used.execute()).toEqual([{ model: 'small-one', purpose: 'turn' }]);
});

test('what is typed wins over what is set', async () => {
  const [old, server] = [await modelServer(ok('old')), await modelServer(ok('ready'))];
  const { tryOpenAi } = await openDesk({ env: variablesOf(old, 'sk-of-the-environment') });
  await tryOpenAi(variablesOf(server));
  expect([old.requests.length, server.requests.length]).toEqual([0, 1]);
});

test('a key that is refused is said to be, though another model could answer', async () => {
  const refuses = await modelServer(status(401));
  const other = await listing('other');
  const env = {
    ROUTING_LOCAL_SERVER_URL: `${other.origin}/v1`,
    ROUTING_FAST_URL: `${other.origin}/fast/v1`,
    ROUTING_FAST_MODEL: 'other',
    ROUTING_THINKING_URL: `${other.origin}/thinking/v1`,
    ROUTING_THINKING_MODEL: 'other',
    OLLAMA_BASE_URL: other.origin,
    OLLAMA_MODEL_NAME: 'other',
  };
  const { tryOpenAi } = await openDesk({ env });
  await expect(tryOpenAi(variablesOf(refuses))).rejects.toMatchObject({
    code: 'model_rejected',
    hint: 'Check the key in OPENAI_API_KEY, for example in .env.',
  });
  expect(other.received).toEqual([]);
});

test('a model that its provider does not have is said to be missing, though it has another', async () => {
  const server = await modelServer(status(404), ok('ready'));
  const { tryOpenAi } = await openDesk({ env: { ROUTING_MODELS: 'openai:other' } });
  await expect(tryOpenAi(variablesOf(server))).rejects.toMatchObject({ name: 'AssistantError' });
  expect(server.requests.map(({ body }) => body.model)).not.toContain('other');
});

test.each([
  ['300000', 60_000],
  ['20000', 20_000],
])('with a limit of %s ms for a turn, an answer is waited for %i ms', async (limit, expected) => {
  const waits = vi.spyOn(AbortSignal, 'timeout');
  onTestFinished(() => waits.mockRestore());
  const server = await modelServer(ok('ready'));
  const { tryOpenAi } = await openDesk({ env: { MODEL_TIMEOUT_MS: limit } });
  await tryOpenAi(variablesOf(server));
  expect(Math.max(...waits.mock.calls.map(([ms]) => ms))).toBe(expected);
});

test('variables that no program would start with are refused as such', async () => {
  const { tryOpenAi } = await openDesk();
  await expect(tryOpenAi({ MODEL_TIMEOUT_MS: 'soon' })).rejects.toMatchObject({ code: 'bad_setting' });
});
