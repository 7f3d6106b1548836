import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import { closeNow, listenHere } from './listen-here.ts';

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface WebServer {
  readonly port: number;
  /** `http://127.0.0.1:port` */
  readonly origin: string;
  /** The requests so far, oldest first. */
  readonly received: readonly Received[];
}

/** A web server on loopback that is closed when the test ends. */
export async function webServer(listener: RequestListener): Promise<WebServer> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      received.push({ method, url, headers, body: Buffer.concat(parts).toString('utf8') });
      listener(request, response);
    });
  });
  const origin = await listenHere(server);
  onTestFinished(() => closeNow(server));
  return { port: Number(new URL(origin).port), origin, received };
}
