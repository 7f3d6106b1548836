/**
 * What the router, the retry layer and the accounting cost on top of a bare ChatOpenAI stream to the same loopback
 * server, whose first token takes 100 ms. Run alone: npm run bench:models.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { ChatOpenAI } from '@langchain/openai';
import { silentLog } from '../src/base/log.ts';
import { Redactor } from '../src/base/redact.ts';
import { createModels } from '../src/models/models.ts';

import { createGateway } from '../src/net/gateway.ts';
import { net } from '../src/settings/slices/net.ts';
import { openStore } from '../src/store/store.ts';
import { modelsOptions } from '../src/testing/models-options.ts';

const CALLS = Number(process.argv[2] ?? 60);
const FIRST_TOKEN_MS = 100;
const WORDS = 20;

const server = createServer((request, response) => {
  request.resume().on('end', () => setTimeout(() => answer(response), FIRST_TOKEN_MS));
});
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;

function answer(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (delta: object, finish: string | null = null) =>
    response.write(
      `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'bench', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
    );
  send({ role: 'assistant', content: '' });
  for (let word = 0; word < WORDS; word++) send({ content: `word${word} ` });
  send({}, 'stop');
  response.write(
    `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'bench', choices: [], usage: { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 } })}\n\n`,
  );
  response.end('data: [DONE]\n\n');
}

const dir = mkdtempSync(join(tmpdir(), 'wooster-bench-'));
const store = await openStore(join(dir, 'bench.sqlite3'));
const defaults = (table: object) =>
  Object.fromEntries(Object.entries(table).map(([name, setting]) => [name, (setting as { default: unknown }).default]));
const gateway = createGateway({ ...(defaults(net) as never as Parameters<typeof createGateway>[0]), log: silentLog });
const models = createModels({
  timeZone: 'UTC',
  options: modelsOptions({ providers: { openai: { baseUrl: url, model: 'bench' } } }),
  store,
  log: silentLog,
  redactor: new Redactor(),
  now: () => new Date(),
  fetchFor: (caller, origins) => gateway.fetchFor(caller, origins),
});
const bare = new ChatOpenAI({ model: 'bench', apiKey: 'none', maxRetries: 0, configuration: { baseURL: url } });
const signal = new AbortController().signal;

async function drain(model: BaseChatModel): Promise<void> {
  for await (const _chunk of await model.stream('hello')) void _chunk;
}

const ways = {
  'bare ChatOpenAI.stream': () => drain(bare),
  'pick + stream': async () =>
    drain(
      (
        await models.pick({
          profile: 'TOOL_EXECUTION',
          mode: 'classic_tools',
          project: 'home',
          purpose: 'turn',
          turnId: 't',
          signal,
        })
      ).model,
    ),
};
const times: Record<string, number[]> = { 'bare ChatOpenAI.stream': [], 'pick + stream': [] };
for (const way of Object.values(ways)) for (let warm = 0; warm < 5; warm++) await way();
for (let call = 0; call < CALLS; call++) {
  for (const [name, way] of Object.entries(ways)) {
    const started = performance.now();
    await way();
    times[name]?.push(performance.now() - started);
  }
}

const quantile = (values: readonly number[], q: number) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * q)] ?? 0;
console.log(`${CALLS} calls each, alternating; first token after ${FIRST_TOKEN_MS} ms, ${WORDS} words`);
console.log('way                        p50 ms   p95 ms');
for (const [name, values] of Object.entries(times)) {
  console.log(
    `${name.padEnd(24)} ${quantile(values, 0.5).toFixed(2).padStart(8)} ${quantile(values, 0.95).toFixed(2).padStart(8)}`,
  );
}
const [base, ours] = Object.values(times).map((values) => quantile(values, 0.5));
const overhead = (ours ?? 0) - (base ?? 0);
const ratio = (ours ?? 0) / (base ?? 1);
console.log(`overhead p50 ${overhead.toFixed(2)} ms (target <= 5), ratio ${ratio.toFixed(3)} (target <= 1.1)`);
await gateway.close();
await models.close();
await store.close();
server.close();
rmSync(dir, { recursive: true });
