import type { PluginHost } from '#plugin';

/** A connection through the gateway. */
export type Socket = Awaited<ReturnType<PluginHost['dial']>>;

/** A server that says more than this before it is trusted says too much. */
const MAX_CHARS = 8192;

/**
 * Prepare an unencrypted IMAP connection for TLS (RFC 3501, 6.2.1): greeting, STARTTLS, OK. None of the owner's data
 * is sent before that.
 *
 * @throws Error when the server has no TLS, disconnects, or injects data after its OK.
 */
export async function startTls(socket: Socket, timeoutMs: number): Promise<void> {
  const lines = new Lines(socket, timeoutMs);
  try {
    const greeting = await lines.next();
    if (!/^\* OK\b/iu.test(greeting)) throw new Error('it does not greet as an IMAP server that can begin TLS does');
    socket.write('a STARTTLS\r\n');
    let answer = await lines.next();
    while (answer.startsWith('* ')) answer = await lines.next();
    if (!/^a OK\b/iu.test(answer)) throw new Error('it has no TLS on this port; Wooster sends no password without');
    if (lines.rest !== '') throw new Error('somebody on the way slipped text into the beginning of TLS');
  } finally {
    lines.end();
  }
}

/** What a socket says, line by line. */
class Lines {
  rest = '';
  readonly #socket: Socket;
  readonly #timer: NodeJS.Timeout;
  #problem: Error | undefined;
  #wake: () => void = () => {};

  constructor(socket: Socket, timeoutMs: number) {
    this.#socket = socket;
    this.#timer = setTimeout(() => this.#fail(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    socket.on('data', this.#take).on('error', this.#fail).on('close', this.#closed);
  }

  async next(): Promise<string> {
    for (;;) {
      const end = this.rest.indexOf('\n');
      if (end >= 0) {
        const line = this.rest.slice(0, end).trimEnd();
        this.rest = this.rest.slice(end + 1);
        return line;
      }
      if (this.#problem) throw this.#problem;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Hand the socket over to TLS. */
  end(): void {
    clearTimeout(this.#timer);
    this.#socket.pause();
    this.#socket.off('data', this.#take).off('error', this.#fail).off('close', this.#closed);
  }

  readonly #take = (part: Buffer): void => {
    this.rest += part.toString('latin1');
    if (this.rest.length > MAX_CHARS) this.#fail(new Error('it says more than a mail server does'));
    this.#wake();
  };

  readonly #fail = (error: Error): void => {
    this.#problem ??= error;
    this.#wake();
  };

  readonly #closed = (): void => this.#fail(new Error('it closed the connection'));
}
