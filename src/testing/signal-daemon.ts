import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeNow, listenHere } from './listen-here.ts';

export const SIGNAL_NUMBER = '+4915100000011';
/** Where Wooster has a number of its own. */
export const SIGNAL_OWN_NUMBER = '+4915100000099';
export const SIGNAL_OWNER = '11111111-1111-4111-8111-111111111111';
export const SIGNAL_STRANGER = '66666666-6666-4666-8666-666666666666';

/** What somebody writes. */
export interface SignalWriting {
  /** The owner, to themselves, unless given: then to the owner's account. */
  readonly from?: string;
  readonly timestamp?: number;
  readonly more?: Readonly<Record<string, unknown>>;
  readonly file?: { readonly name: string; readonly bytes: Uint8Array; readonly type?: string };
}

interface Event {
  readonly id: string;
  readonly data: string;
}

type Params = Readonly<Record<string, unknown>>;

/**
 * A signal-cli daemon for one account, linked to its owner's phone: JSON-RPC with status 200 even for errors, and a
 * stream of envelopes as its manual page and the records of its sources describe them.
 *
 * @see https://github.com/AsamK/signal-cli/blob/master/man/signal-cli-jsonrpc.5.adoc
 */
export class SignalDaemonServer {
  /** The messages that were sent, by JSON-RPC. */
  readonly sent: { readonly to: readonly string[]; readonly text: string; readonly timestamp: number }[] = [];
  readonly calls: { readonly method: string; readonly params: Params }[] = [];
  /** Errors in place of an answer, by method: the first that fits is used up. */
  readonly faults: { readonly method: string; readonly code: number; readonly message: string }[] = [];
  /** Whether what is sent to the owner comes back, as from another device. */
  echoes = false;
  /** Older versions give no ids, and what nobody hears is lost. */
  keepsEvents = true;
  origin = '';
  #time = Date.now();
  readonly #events: Event[] = [];
  readonly #files = new Map<string, Uint8Array>();
  readonly #streams = new Set<ServerResponse>();
  readonly #server = createServer((request, response) => void this.#take(request, response));

  async listen(): Promise<this> {
    this.origin = await listenHere(this.#server);
    return this;
  }

  close(): void {
    closeNow(this.#server);
  }

  /** The connections break. */
  drop(): void {
    this.#server.closeAllConnections();
  }

  get listeners(): number {
    return this.#streams.size;
  }

  write(text: string | null, { from, timestamp = this.#now(), more, file }: SignalWriting = {}): number {
    const attachments = file ? [this.#keep(file)] : [];
    const data = { timestamp, message: text, expiresInSeconds: 0, viewOnce: false, attachments, ...more };
    const note = { destination: SIGNAL_NUMBER, destinationNumber: SIGNAL_NUMBER, destinationUuid: SIGNAL_OWNER };
    this.add(
      from ?? SIGNAL_OWNER,
      from ? { dataMessage: data } : { syncMessage: { sentMessage: { ...note, ...data } } },
    );
    return timestamp;
  }

  /** An envelope as signal-cli writes it. */
  add(source: string, content: Readonly<Record<string, unknown>>): void {
    const number = source === SIGNAL_OWNER ? SIGNAL_NUMBER : null;
    const about = { source: number ?? source, sourceNumber: number, sourceUuid: source, sourceName: 'Somebody' };
    const envelope = { ...about, sourceDevice: 1, timestamp: this.#time, ...content };
    const event = {
      id: `1764000000000-${this.#events.length + 1}`,
      data: JSON.stringify({ account: SIGNAL_NUMBER, envelope }),
    };
    this.#events.push(event);
    for (const stream of this.#streams) this.#send(stream, event);
  }

  texts(): string[] {
    return this.sent.map(({ text }) => text);
  }

  #now(): number {
    this.#time += 1;
    return this.#time;
  }

  #keep({ name, bytes, type = 'text/plain' }: NonNullable<SignalWriting['file']>): object {
    const id = `file${this.#files.size + 1}.bin`;
    this.#files.set(id, bytes);
    const rest = { width: null, height: null, caption: null, uploadTimestamp: null };
    return { contentType: type, filename: name, id, size: bytes.length, ...rest };
  }

  #send(stream: ServerResponse, { id, data }: Event): void {
    stream.write(`${this.keepsEvents ? `id: ${id}\n` : ''}event: receive\ndata: ${data}\n\n`);
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/api/v1/events') return this.#listen(request, response);
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    if (pathname !== '/api/v1/rpc') return void response.writeHead(404).end();
    const { id, method, params } = JSON.parse(Buffer.concat(parts).toString('utf8'));
    const answered = this.#call(method, params);
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', ...answered, id }));
  }

  #listen(request: IncomingMessage, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n');
    const last = request.headers['last-event-id'];
    const behind = this.#events.findIndex(({ id }) => id === last) + 1;
    if (this.keepsEvents && last !== undefined)
      for (const event of this.#events.slice(behind)) this.#send(response, event);
    this.#streams.add(response);
    response.on('close', () => this.#streams.delete(response));
  }

  #call(method: string, params: Params): object {
    this.calls.push({ method, params });
    const fault = this.faults.findIndex((each) => each.method === method);
    const [used] = fault < 0 ? [] : this.faults.splice(fault, 1);
    if (used) return { error: { code: used.code, message: used.message, data: null } };
    const act = this.#methods[method];
    return act ? { result: act(params) } : { error: { code: -32_601, message: 'Method not implemented', data: null } };
  }

  readonly #methods: Readonly<Record<string, (params: Params) => unknown>> = {
    version: () => ({ version: '0.14.4' }),
    sendTyping: () => ({}),
    sendReaction: () => this.#sentTo([SIGNAL_OWNER]),
    getAttachment: ({ id }) => ({ data: Buffer.from(this.#files.get(String(id)) ?? []).toString('base64') }),
    send: ({ recipient, groupId, message }) => {
      const to = groupId === undefined ? [recipient].flat().map(String) : [`group ${groupId}`];
      const report = this.#sentTo(to);
      this.sent.push({ to, text: String(message), timestamp: report.timestamp });
      if (this.echoes) this.write(String(message), { timestamp: report.timestamp });
      return report;
    },
  };

  #sentTo(to: readonly string[]) {
    const results = to.map((each) => ({
      recipientAddress: each.startsWith('+') ? { uuid: SIGNAL_OWNER, number: each } : { uuid: each, number: null },
      type: 'SUCCESS',
    }));
    return { timestamp: this.#now(), results };
  }
}
