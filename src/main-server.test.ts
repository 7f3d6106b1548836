import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type ChatCompletionRequest, LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MODES, type Mode } from './base/turn.ts';
import { temporaryFolder } from './testing/home.ts';
import { ownJobs, rows, wooster } from './testing/wooster.ts';

/** A request, and the call that a model makes for it in each mode. */
const REQUESTS = [
  {
    say: 'note: buy oat milk',
    tool: 'write_note',
    input: { text: 'buy oat milk' },
    script: "writeNote('buy oat milk')",
  },
  {
    say: 'in 1 minute say hello',
    tool: 'schedule',
    input: { when: 'in 1 minute', text: 'say hello' },
    script: "schedule('in 1 minute', 'say hello')",
  },
  {
    say: 'when was the boiler serviced?',
    tool: 'query_rag',
    input: { query: 'boiler serviced' },
    script: "queryRAG('boiler serviced')",
  },
] as const;

const mock = new LLMock({ port: 0, chunkSize: 7 });
/** The same model behind a server that cannot stream: whatever is asked, it answers with one JSON body. */
let plain: Server;

beforeAll(async () => {
  mock.on(
    { userMessage: 'what can you do' },
    { content: 'I take notes, keep the time, and find what your documents say.' },
  );
  for (const { say, tool, input, script } of REQUESTS) {
    const offersTools = (request: ChatCompletionRequest) => (request.tools ?? []).length > 0;
    const of = (predicate: (request: ChatCompletionRequest) => boolean) => ({ userMessage: say, predicate });
    mock.on(
      { ...of(offersTools), hasToolResult: false },
      { toolCalls: [{ name: tool, arguments: JSON.stringify(input) }] },
    );
    mock.on({ ...of(offersTools), hasToolResult: true }, (request) => ({ content: `Done: ${lastText(request)}` }));
    const block = `\`\`\`js\nconst result = await ${script};\nfinalAnswer('Done: ' + JSON.stringify(result));\n\`\`\``;
    mock.on(
      of((request) => !offersTools(request)),
      { content: block },
    );
  }
  await mock.start();
  plain = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => {
      body += part.toString();
    });
    request.on('end', async () => {
      const {
        stream: _stream,
        stream_options: _options,
        ...rest
      } = JSON.parse(body || '{}') as Record<string, unknown>;
      const headers = { 'content-type': 'application/json' };
      const method = request.method ?? 'GET';
      const reply = await fetch(`${mock.url}${request.url}`, {
        method,
        headers,
        ...(method === 'POST' ? { body: JSON.stringify(rest) } : {}),
      });
      response.writeHead(reply.status, headers).end(await reply.text());
    });
  });
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  plain.close();
  await mock.stop();
});

function lastText(request: ChatCompletionRequest): string {
  const content = request.messages.at(-1)?.content;
  return typeof content === 'string' ? content : JSON.stringify(content);
}

const SERVERS = { 'that streams': () => mock.url, 'that cannot stream': () => portOf(plain) };
const portOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const CASES = Object.keys(SERVERS).flatMap((name) =>
  MODES.map((mode) => [name as keyof typeof SERVERS, mode] as const),
);

describe.each(CASES)('against an OpenAI-compatible server %s, in %s', (name, mode) => {
  const ask = (text: string, home: string) => say(text, { home, mode, url: SERVERS[name]() });

  test('answers', async () => {
    const { ran } = await ask('what can you do?', temporaryFolder());
    expect([ran.code, answerOf(ran.stdout)]).toEqual([
      0,
      'I take notes, keep the time, and find what your documents say.',
    ]);
  });

  test('takes a note', async () => {
    const { ran, home } = await ask(REQUESTS[0].say, temporaryFolder());
    expect(ran.code, ran.stdout).toBe(0);
    expect(readFileSync(join(home, 'projects/home/home.md'), 'utf8')).toContain('buy oat milk');
  });

  test('schedules', async () => {
    const { ran, home } = await ask(REQUESTS[1].say, temporaryFolder());
    expect(ran.code, ran.stdout).toBe(0);
    const listed = ownJobs((await wooster(['schedule', 'list', '--json'], { home })).stdout);
    expect(listed).toMatchObject([{ prompt: 'say hello' }]);
  });

  test('answers from the documents with a citation', async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'papers'));
    writeFileSync(join(home, 'papers/house.md'), '# Boiler\n\nThe boiler was serviced on 12 March.\n');
    expect((await wooster(['ingest', 'papers'], { home })).code).toBe(0);
    const { ran } = await ask(REQUESTS[2].say, home);
    expect(answerOf(ran.stdout)).toMatch(/12 March[\s\S]*house\.md, Boiler, lines? \d+/u);
  });
});

test('a streaming server is shown word by word', async () => {
  const { ran } = await say('what can you do?', { home: temporaryFolder(), mode: 'classic_tools', url: mock.url });
  const tokens = rows(ran.stdout).filter((event) => event.type === 'token');
  expect(tokens.length).toBeGreaterThan(2);
  expect(tokens.map((event) => event.text).join('')).toBe(
    'I take notes, keep the time, and find what your documents say.',
  );
});

test('an unreachable server: what was tried, what to set, and the conversation is kept', async () => {
  const home = temporaryFolder();
  const url = await unusedAddress();
  const { ran } = await say('where is the blue house?', { home, mode: 'classic_tools', url });
  expect(ran.code).toBe(1);
  expect(rows(ran.stdout)).toContainEqual(
    expect.objectContaining({
      type: 'error',
      code: 'model_unreachable',
      message: expect.stringContaining(new URL(url).host),
      hint: expect.stringContaining('OPENAI_BASE_URL'),
    }),
  );
  mock.clearRequests();
  await say('what can you do?', { home, mode: 'classic_tools', url: mock.url });
  expect(JSON.stringify(mock.getRequests())).toContain('where is the blue house?');
});

test.each<[Mode, string, RegExp]>([
  ['classic_tools', 'remind me to call the plumber tomorrow at 9', /model is unreachable; the built-in assistant/u],
  ['code_agent', 'setz Milch auf die Einkaufsliste', /nicht erreichbar; .* der eingebaute Assistent/u],
])('an unreachable server, %s: "%s" is done here', async (mode, text, said) => {
  const home = temporaryFolder();
  const { ran } = await say(text, { home, mode, url: await unusedAddress() });
  expect([ran.code, answerOf(ran.stdout)]).toEqual([0, expect.stringMatching(said)]);
  const undo = await say('undo that', { home, mode, url: await unusedAddress() });
  expect([undo.ran.code, answerOf(undo.ran.stdout)]).toEqual([0, expect.stringMatching(/unreachable/u)]);
  const changed = rows(undo.ran.stdout).find((event) => event.type === 'tool');
  expect(changed).toMatchObject({ name: 'undo_change', ok: true });
});

/** Where nothing listens: the port was free a moment ago. */
async function unusedAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return address;
}

interface Say {
  readonly home: string;
  readonly mode: Mode;
  readonly url: string;
}

async function say(text: string, { home, mode, url }: Say) {
  const env = { OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL_NAME: 'test-model' };
  const ran = await wooster(['ask', text, '--mode', mode, '--json', '-c', 'one'], { home, env });
  return { ran, home };
}

function answerOf(stdout: string): unknown {
  return rows(stdout).findLast((event) => event.type === 'answer')?.text;
}
