import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as fault from './testing/fault-server.ts';
import { temporaryFolder } from './testing/home.ts';
import { rows, wooster } from './testing/wooster.ts';

const server = new fault.FaultServer();
beforeAll(async () => server.start());
afterAll(async () => server.stop());

const QUESTION = 'when does the ferry leave';

/** Ranks the passage that names a timetable first; as the assistant it looks the question up and quotes what it got. */
const model: fault.Behaviour = (response, request) => {
  const { messages = [] } = request.body as { messages?: { role: string; content: string }[] };
  const lines = messages.at(-1)?.content.split('\n') ?? [];
  const number = /^\[(\d+)\]/u.exec(lines.find((line) => line.includes('timetable')) ?? '')?.[1];
  const result = messages.find(({ role }) => role === 'tool')?.content;
  const calls = [{ name: 'query_rag', args: JSON.stringify({ query: QUESTION }) }];
  if (number !== undefined) return fault.ok(`{"ranking": [${number}]}`)(response, request);
  return (result === undefined ? fault.ok('', { calls }) : fault.ok(result))(response, request);
};

async function ingested() {
  const home = temporaryFolder();
  mkdirSync(join(home, 'docs'));
  writeFileSync(join(home, 'docs', 'a.md'), 'When the ferry leaves there is a queue, and the ferry leaves late.');
  writeFileSync(join(home, 'docs', 'b.md'), 'The timetable of the ferry hangs by the pier; it leaves at six.');
  await wooster(['ingest', 'docs'], { home });
  return home;
}

const env = () => ({ RAG_RERANK: 'model', OPENAI_BASE_URL: server.url, OPENAI_MODEL_NAME: 'fault' });
const search = ['rag', 'search', QUESTION, '--json'];

test('with RAG_RERANK=model the configured model orders what a search finds, and doctor names it', async () => {
  const home = await ingested();
  server.play(model);
  const found = rows((await wooster(search, { home, env: env() })).stdout);
  expect(found.map(({ file }) => file)).toEqual(['b.md', 'a.md']);
  expect(server.requests).toHaveLength(1);
  const doctor = rows((await wooster(['doctor', '--json'], { home, env: env() })).stdout);
  expect(doctor).toContainEqual({
    name: 'reranker',
    state: 'ok',
    detail: 'compatible:fault reranks the passages that a search finds',
  });
});

test('a turn that asks the documents gets them in that order, and the call is paid for as reranking', async () => {
  const home = await ingested();
  server.play(model);
  const { stdout } = await wooster(['ask', 'look it up'], { home, env: env() });
  expect(stdout.indexOf('b.md')).toBeGreaterThan(-1);
  expect(stdout.indexOf('b.md', stdout.indexOf('passages'))).toBeLessThan(stdout.lastIndexOf('a.md'));
  expect(server.requests).toHaveLength(3);
  const usage = rows((await wooster(['usage', '--by', 'purpose', '--json'], { home })).stdout);
  expect(usage).toContainEqual(expect.objectContaining({ group: 'rerank', calls: 1, inputTokens: 100 }));
});

test('without a model the search goes on, and log and doctor say that the setting has no effect', async () => {
  const home = await ingested();
  const { code, stdout } = await wooster(search, { home, env: { RAG_RERANK: 'model' } });
  expect(code).toBe(0);
  expect(rows(stdout).map(({ file }) => file)).toEqual(['a.md', 'b.md']);
  const logs = readdirSync(join(home, 'logs')).filter((name) => name.endsWith('.jsonl'));
  const log = logs.map((name) => readFileSync(join(home, 'logs', name), 'utf8')).join('');
  expect(log.match(/RAG_RERANK=model has no effect here/gu)).toHaveLength(1);
  const doctor = rows((await wooster(['doctor', '--json'], { home, env: { RAG_RERANK: 'model' } })).stdout);
  expect(doctor).toContainEqual({
    name: 'reranker',
    state: 'warn',
    detail: 'RAG_RERANK=model has no effect here: the built-in model cannot rank passages.',
    hint: expect.stringContaining('wooster models'),
  });
});
