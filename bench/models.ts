/**
 * What the router, the retry layer and the accounting cost on top of a bare ChatOpenAI stream to the same loopback
 * server, whose first token takes 100 ms. `npm run bench -- models [CALLS]`
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
import { report } from './harness/report.ts';
import { interleave, timed } from './harness/statistics.ts';

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
const samples = await interleave(
  {
    'bare ChatOpenAI.stream': () => timed(ways['bare ChatOpenAI.stream']),
    'pick + stream': () => timed(ways['pick + stream']),
  },
  { rounds: CALLS, warm: 5 },
);
const [bareMs, ourMs] = [samples['bare ChatOpenAI.stream'], samples['pick + stream']];
report([
  { what: 'bare ChatOpenAI.stream', unit: 'ms', samples: bareMs },
  { what: 'pick + stream', unit: 'ms', samples: ourMs, against: 'bare ChatOpenAI.stream', must: 1.1 },
  { what: 'added', unit: 'ms', samples: ourMs.map((ms, call) => ms - (bareMs[call] ?? 0)), must: 5 },
]);
await gateway.close();
await models.close();
await store.close();
server.close();
rmSync(dir, { recursive: true });
