import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { getEncoding } from 'js-tiktoken';

/** A request as OpenAI's protocol has it, as far as it is looked at here. */
export interface ChatRequest {
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly stream?: boolean;
}

/** What the model says: text, or calls of tools, all in one message. */
export type Reply = { readonly text: string } | { readonly calls: readonly Call[] };
export interface Call {
  readonly name: string;
  readonly input: unknown;
}

export interface LoopbackModel extends AsyncDisposable {
  /** With `/v1`. */
  readonly url: string;
  /** What was asked since the last `forget`. */
  readonly requests: readonly ChatRequest[];
  forget(): void;
}

/** An OpenAI-compatible server on loopback that replies at once as `reply` says, streaming when it is asked to. */
export async function loopbackModel(reply: (request: ChatRequest) => Reply): Promise<LoopbackModel> {
  const requests: ChatRequest[] = [];
  let replies = 0;
  const server = createServer((request, response) => void answer(request, response));
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!request.url?.endsWith('/chat/completions')) {
      send(response, { object: 'list', data: [{ id: 'bench', object: 'model' }] });
      return;
    }
    const asked = JSON.parse(await text(request)) as ChatRequest;
    requests.push(asked);
    // Some clients take two replies of one id for one.
    const id = `reply-${++replies}`;
    const message = messageOf(reply(asked), id);
    if (asked.stream) stream(response, id, message);
    else send(response, whole(id, message));
  }
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    forget: () => void requests.splice(0),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Tokens of what a request tells the model: its messages and the declarations of its tools, as JSON. */
export function promptTokens(requests: readonly ChatRequest[]): number {
  const encoding = getEncoding('o200k_base');
  const told = requests.map(({ messages, tools = [] }) => JSON.stringify([messages, tools]));
  return told.reduce((sum, each) => sum + encoding.encode(each, 'all').length, 0);
}

function messageOf(reply: Reply, id: string) {
  if ('text' in reply) return { role: 'assistant', content: reply.text };
  const calls = reply.calls.map(({ name, input }, index) => ({
    ...{ index, id: `call-${id}-${index}`, type: 'function' },
    function: { name, arguments: JSON.stringify(input) },
  }));
  return { role: 'assistant', content: '', tool_calls: calls };
}

type Message = ReturnType<typeof messageOf>;

const ABOUT = { created: 1, model: 'bench' };
const USAGE = { prompt_tokens: 1000, completion_tokens: 20, total_tokens: 1020 };

function send(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function whole(id: string, message: Message) {
  const choices = [{ index: 0, message, finish_reason: finishOf(message) }];
  return { ...ABOUT, id, object: 'chat.completion', choices, usage: USAGE };
}

function stream(response: ServerResponse, id: string, message: Message): void {
  const about = { ...ABOUT, id, object: 'chat.completion.chunk' };
  const chunk = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ ...about, choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const usage = `data: ${JSON.stringify({ ...about, choices: [], usage: USAGE })}\n\n`;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`${chunk(message, null)}${chunk({}, finishOf(message))}${usage}data: [DONE]\n\n`);
}

const finishOf = (message: Message) => ('tool_calls' in message ? 'tool_calls' : 'stop');
