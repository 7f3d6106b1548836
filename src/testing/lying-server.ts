import type { ServerResponse } from 'node:http';
import { type Behaviour, type ChatRequest, hang, raw, reset } from './fault-server.ts';

/** What a server would have said. */
export interface Said {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Makes a bad behaviour of a good one. The good one takes what it is sent: a message, a call, a question. */
type Lie = (good: (request: ChatRequest) => Said, elsewhere: string) => Behaviour;

const PAGE = '<html><title>Welcome to the hotel</title>Please log in.</html>';
const NOISE_BYTES = 16_384;
const NOISE_MS = 5;

/** Ways in which a server is dead or lies. Whoever tries `it is not there` closes its port. */
export const SERVER_FAULTS = {
  'it is not there': () => reset,
  'it hangs': () => hang,
  'it takes it and hangs': (good) => (_response, request) => void good(request),
  'it breaks off': () => reset,
  'it takes it and breaks off': (good) => (response, request) => {
    good(request);
    response.destroy();
  },
  'it breaks off in its answer': (good) => (response, request) => {
    half(response, good(request));
    setTimeout(() => response.destroy(), 20);
  },
  'it falls silent in its answer': (good) => (response, request) => half(response, good(request)),
  'it ends too early': (good) => (response, request) => {
    const { status, headers, body } = good(request);
    response.writeHead(status, headers).end(body.slice(0, body.length / 2));
  },
  'it answers with a web page': () => raw(PAGE, 'text/html'),
  'it answers with other JSON': () => raw('{"status":"ok","data":[1,2,3]}', 'application/json'),
  'it answers with nothing': () => raw('', 'application/json'),
  'it answers with noise': () => raw('\u0000\uFFFD{"'.repeat(1000), undefined),
  'it says 200 and takes it, with a web page': (good) => (response, request) => {
    good(request);
    return raw(PAGE, 'text/html')(response, request);
  },
  'it fails': () => (response) => void response.writeHead(500).end('{"message":"oops"}'),
  'it takes it and fails': (good) => (response, request) => {
    good(request);
    response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad gateway</html>');
  },
  'it is too busy': () => (response) => void response.writeHead(429, { 'retry-after': '0' }).end('{}'),
  'it sends elsewhere': (_good, elsewhere) => (response) => void response.writeHead(307, { location: elsewhere }).end(),
  'it sends in a circle':
    () =>
    (response, { path }) =>
      void response.writeHead(302, { location: path }).end(),
  'it answers another request': () => (response, request) => {
    const type = request.stream ? 'text/event-stream' : 'application/json';
    return raw(another(request), type)(response, request);
  },
  'its answer has no end': (good) => (response, request) => {
    const { status, headers, body } = good(request);
    response.writeHead(status, headers);
    response.write(body.slice(0, body.length / 2));
    const more = body.startsWith('data:') ? ENDLESS_EVENT : ' '.repeat(NOISE_BYTES);
    const timer = setInterval(() => response.write(more), NOISE_MS);
    response.once('close', () => clearInterval(timer));
  },
} as const satisfies Readonly<Record<string, Lie>>;
export type ServerFault = keyof typeof SERVER_FAULTS;

const ENDLESS_EVENT = `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta: { content: 'and so on ' } }] })}\n\n`;

/** A good behaviour gone wrong. @param elsewhere where redirects go. */
export function lie(fault: ServerFault, good: Behaviour, elsewhere: string): Behaviour {
  return SERVER_FAULTS[fault]((request) => said(good, request), elsewhere);
}

/** What a behaviour would say, without anybody hearing it. */
function said(behaviour: Behaviour, request: ChatRequest): Said {
  const heard = { status: 200, headers: {} as Record<string, string>, body: '' };
  const response = {
    writeHead: (status: number, headers: Record<string, string> = {}) => {
      Object.assign(heard, { status, headers });
      return response;
    },
    write: (part: string) => {
      heard.body += part;
      return true;
    },
    end: (part = '') => {
      heard.body += part;
      return response;
    },
  };
  void behaviour(response as unknown as ServerResponse, request);
  return heard;
}

function half(response: ServerResponse, { status, headers, body }: Said): void {
  response.writeHead(status, headers);
  response.write(body.slice(0, body.length / 2));
}

/** In the words of each service: a chat, a message of Discord, a result of MCP. */
function another({ body, stream }: ChatRequest): string {
  const said = { role: 'assistant', content: 'Bonjour.' };
  const choices = [{ index: 0, message: said, delta: said, finish_reason: 'stop' }];
  if (body.jsonrpc !== undefined) return JSON.stringify({ jsonrpc: '2.0', id: 'another', result: { content: [] } });
  if (body.content !== undefined) return JSON.stringify({ id: '77', content: 'the words of somebody else' });
  const chat = JSON.stringify({ id: 'another', object: 'chat.completion', choices });
  return stream ? `data: ${chat}\n\n` : chat;
}
