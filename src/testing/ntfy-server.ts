import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeNow, listenHere } from './listen-here.ts';

interface Action {
  readonly label: string;
  readonly url: string;
  readonly method: string;
  readonly body: string;
}

/** A message in a topic. */
interface Published {
  readonly id: string;
  readonly topic: string;
  readonly message: string;
  readonly actions: readonly Action[];
}

/**
 * An ntfy server: messages are published as JSON or as a plain body, and read as a stream of lines that goes on behind
 * the message that `since` names.
 *
 * @see https://docs.ntfy.sh/subscribe/api/
 */
export class NtfyServer {
  readonly published: Published[] = [];
  /** The button that the phone presses at once, on each message that has not come before. */
  presses: string | undefined;
  origin = '';
  #next = 0;
  readonly #streams = new Map<ServerResponse, string>();
  readonly #server = createServer((request, response) => void this.#take(request, response));

  async listen(): Promise<this> {
    this.origin = await listenHere(this.#server);
    return this;
  }

  close(): void {
    closeNow(this.#server);
  }

  drop(): void {
    this.#server.closeAllConnections();
  }

  in(topic: string): readonly Published[] {
    return this.published.filter((each) => each.topic === topic);
  }

  /** The phone presses a button of the newest message that has it. */
  async press(label: string): Promise<void> {
    const actions = this.published.flatMap((each) => each.actions);
    const action = actions.findLast((each) => each.label === label);
    if (!action) throw new Error(`no message has a button "${label}"`);
    await fetch(action.url, { method: action.method, body: action.body });
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const [, topic = '', form] = pathname.split('/');
    if (form === 'json') return this.#stream(topic, searchParams, response);
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString('utf8');
    const given = topic === '' ? JSON.parse(body) : { topic, message: body };
    const published = { actions: [], ...given, id: `message${++this.#next}` };
    const isNew = !this.published.some(({ message }) => published.message.endsWith(message));
    this.published.push(published);
    for (const [stream, of] of this.#streams) if (of === published.topic) stream.write(lineOf(published));
    response.writeHead(200, { 'content-type': 'application/json' }).end(lineOf(published));
    if (isNew && published.actions.some(({ label }: Action) => label === this.presses))
      await this.press(this.presses ?? '');
  }

  #stream(topic: string, query: URLSearchParams, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    const since = query.get('since');
    const all = this.in(topic);
    if (query.has('poll')) return void response.end();
    response.write(`${JSON.stringify({ id: 'open', time: 1, event: 'open', topic })}\n`);
    if (since !== null)
      for (const each of all.slice(all.findIndex(({ id }) => id === since) + 1)) response.write(lineOf(each));
    this.#streams.set(response, topic);
    response.on('close', () => this.#streams.delete(response));
  }
}

function lineOf({ id, topic, message }: Published): string {
  return `${JSON.stringify({ id, time: 1, event: 'message', topic, message })}\n`;
}
