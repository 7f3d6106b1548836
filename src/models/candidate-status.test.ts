import { expect, test } from 'vitest';
import type { Candidate } from './candidate.ts';
import { type StatusDeps, statusOf, statusOfUnusable } from './candidate-status.ts';
import { Catalog } from './catalog.ts';
import type { Endpoint } from './detect.ts';
import { Health, type HealthReport } from './health.ts';

const health = new Health(30_000, () => new Date('2026-11-20T10:00:00Z'));
const UNKNOWN = health.of('');
const down: HealthReport = { ...UNKNOWN, state: 'down', lastError: 'answered 500' };
const ready: HealthReport = { ...UNKNOWN, state: 'ready' };
const price = { input: 1, output: 2 };

interface Setting {
  readonly provider?: string;
  readonly local?: boolean;
  readonly baseUrl?: string;
  readonly health?: HealthReport;
  readonly server?: 'up' | 'down';
  readonly missing?: string;
}

async function status({ provider = 'openai', local = false, baseUrl, server, missing, ...rest }: Setting) {
  const candidate = {
    ...{ provider, name: 'm', local, health: rest.health ?? UNKNOWN, facts: { price, contextWindow: 8192 } },
    endpoint: { source: 'OPENAI_API_KEY', baseUrl },
  } as unknown as Candidate;
  const deps = {
    registry: { state: async () => ({ state: server, detail: 'nothing listens' }) },
    providers: { missingPackage: () => missing },
  } as unknown as StatusDeps;
  return statusOf(candidate, deps);
}

test('a model is told with what is known of it', async () => {
  expect(await status({ health: ready })).toEqual({
    ...{ provider: 'openai', name: 'm', local: false, source: 'OPENAI_API_KEY', price, contextWindow: 8192 },
    ...{ state: 'ready', detail: "at the provider's own address", health: ready },
  });
});

test.each<[Setting, string, string]>([
  [{}, 'unknown', "at the provider's own address"],
  [{ baseUrl: 'https://m.example/v1' }, 'unknown', 'https://m.example/v1'],
  [{ health: down }, 'down', 'answered 500'],
  [{ health: { ...down, lastError: undefined } }, 'down', 'it failed recently'],
  [{ health: { ...down, state: 'half_open' } }, 'unknown', "at the provider's own address"],
  [{ missing: '@langchain/x', health: down }, 'missing_package', 'npm install @langchain/x'],
  [{ server: 'down' }, 'unknown', "at the provider's own address"],
  [{ local: true, server: 'down', health: down }, 'down', 'nothing listens'],
  [{ local: true, server: 'up', health: down }, 'down', 'answered 500'],
  [{ local: true, server: 'up', baseUrl: 'http://127.0.0.1:1/v1' }, 'ready', 'http://127.0.0.1:1/v1'],
  [{ provider: 'builtin' }, 'ready', 'in this process'],
  [{ provider: 'of a plugin' }, 'unknown', "at the provider's own address"],
])('%j', async (setting, state, detail) => expect(await status(setting)).toMatchObject({ state, detail }));

test.each([
  ['qwen3:8b', 'qwen3:8b', 16_384],
  [undefined, '(unknown)', 32_768],
])('an endpoint that cannot be asked for %j is down', (model, name, contextWindow) => {
  const endpoint = { provider: 'ollama', local: true, source: 'OLLAMA_HOST', model } as Endpoint;
  const deps = { catalog: new Catalog(), health } as StatusDeps;
  expect(statusOfUnusable({ endpoint, detail: 'it names no chat model', away: false }, deps)).toEqual({
    ...{ provider: 'ollama', local: true, source: 'OLLAMA_HOST', name, contextWindow },
    ...{ state: 'down', detail: 'it names no chat model', health: UNKNOWN },
    price: { input: 0, output: 0, cachedInput: 0 },
  });
});
