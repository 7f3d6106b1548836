import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** One way of answering a chat request, good or bad. */
export type Behaviour = (response: ServerResponse, request: ChatRequest) => void | Promise<void>;

export interface ChatRequest {
  readonly stream: boolean;
  readonly body: Record<string, unknown>;
  readonly path: string;
}

export interface ToolCallSketch {
  readonly name: string;
  /** Raw argument text, whole or not. */
  readonly args: string;
}

/** A raw OpenAI-compatible server that misbehaves to order: one behaviour per request, the last one again and again. */
export class FaultServer {
  readonly requests: ChatRequest[] = [];
  #script: Behaviour[] = [ok('fine')];
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response));

  /** @param port of before, when it comes back. */
  async start(port = 0): Promise<void> {
    await new Promise<void>((done) => this.#server.listen(port, '127.0.0.1', done));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/v1`;
  }

  /** From now on, and with a fresh list of requests. */
  play(...script: readonly Behaviour[]): void {
    this.#script = [...script];
    this.requests.length = 0;
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    // It lists no models, and does not say what they hold.
    if (incoming.method === 'GET') return void response.writeHead(404).end();
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}') as Record<string, unknown>;
    const request = { stream: body.stream === true, body, path: incoming.url ?? '' };
    this.requests.push(request);
    const next = this.#script.length > 1 ? this.#script.shift() : this.#script[0];
    await next?.(response, request);
  }
}

export function status(
  code: number,
  body: unknown = { error: { message: `status ${code}` } },
  headers: Record<string, string> = {},
): Behaviour {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? 'text/html' : 'application/json';
  return (response) => void response.writeHead(code, { 'content-type': type, ...headers }).end(text);
}

/** A whole answer in the way it was asked for. */
export function ok(
  text: string,
  options: { finish?: string | null; calls?: readonly ToolCallSketch[]; usage?: boolean } = {},
): Behaviour {
  const { calls = [], usage = true } = options;
  const finish = options.finish === undefined ? (calls.length > 0 ? 'tool_calls' : 'stop') : options.finish;
  return (response, { stream }) => {
    if (!stream) return whole(response, { text, finish, calls, usage });
    events(response, [
      ...textEvents(text),
      ...callEvents(calls),
      ...(finish === null ? [] : [delta({}, finish)]),
      ...(usage ? [USAGE] : []),
      DONE,
    ]);
    response.end();
  };
}

/** An event stream of exactly these events, then what `then` says. */
export function stream(list: readonly string[], then: 'end' | 'stall' | 'reset' = 'end', everyMs = 0): Behaviour {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of list) {
      response.write(event);
      if (everyMs > 0) await sleep(everyMs);
    }
    if (then === 'end') response.end();
    if (then !== 'reset') return;
    await sleep(20);
    response.destroy();
  };
}

/** A body of this type, whole. */
export function raw(body: string, type: string | undefined): Behaviour {
  return (response) => void response.writeHead(200, type === undefined ? {} : { 'content-type': type }).end(body);
}

/** The beginning of a JSON body, then silence or a broken connection. */
export function halfJson(then: 'stall' | 'reset'): Behaviour {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"choices": [{"mess');
    await sleep(20);
    if (then === 'reset') response.destroy();
  };
}

export const hang: Behaviour = () => {};
export const reset: Behaviour = (response) => void response.destroy();

const MODEL = { id: 'chatcmpl-1', created: 1, model: 'fault' };
export const DONE = 'data: [DONE]\n\n';
const USAGE = sse({ ...MODEL, object: 'chat.completion.chunk', choices: [], usage: tokens() });

export function delta(fields: Record<string, unknown>, finish: string | null = null): string {
  return sse({
    ...MODEL,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: fields, finish_reason: finish }],
  });
}

export function textEvents(text: string): string[] {
  return [
    delta({ role: 'assistant', content: '' }),
    ...(text.match(/\S+\s*/gu) ?? []).map((content) => delta({ content })),
  ];
}

/** Each call in two parts, as servers send them. */
export function callEvents(calls: readonly ToolCallSketch[]): string[] {
  return calls.flatMap(({ name, args }, index) => [
    delta({
      role: 'assistant',
      tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name, arguments: '' } }],
    }),
    delta({ tool_calls: [{ index, function: { arguments: args } }] }),
  ]);
}

export function sse(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

interface Whole {
  readonly text: string;
  readonly finish: string | null;
  readonly calls: readonly ToolCallSketch[];
  readonly usage: boolean;
}

function whole(response: ServerResponse, { text, finish, calls, usage }: Whole): void {
  const toolCalls = calls.map(({ name, args }, index) => ({
    id: `call_${index}`,
    type: 'function',
    function: { name, arguments: args },
  }));
  const message = { role: 'assistant', content: text, ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}) };
  const body = {
    ...MODEL,
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: finish }],
    ...(usage ? { usage: tokens() } : {}),
  };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function events(response: ServerResponse, list: readonly string[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of list) response.write(event);
}

function tokens() {
  return { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120, prompt_tokens_details: { cached_tokens: 40 } };
}
