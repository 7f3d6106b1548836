import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A way to a PostgreSQL server that can be cut. */
export interface Cable {
  /** The server's, through the cable. */
  readonly url: string;
  /** `silent`: what is sent gets lost; `late`: it waits for `mend`; `broken`: all connections end. */
  readonly cut: (how: 'silent' | 'late' | 'broken') => void;
  readonly mend: () => void;
  /** Forward one of so many commits and end its connection before the reply; 0 for none of them. */
  loseReplies(oneOf: number): void;
  /** How many replies were lost so. */
  readonly lost: number;
  close(): void;
}

/** @param url  the server's. */
export async function openCable(url: string): Promise<Cable> {
  const relay = new Relay(new URL(url));
  await relay.listen();
  return relay;
}

class Relay implements Cable {
  lost = 0;
  readonly #server: URL;
  readonly #sockets = new Set<Socket>();
  readonly #relay = createServer((near) => this.#join(near));
  #silent = false;
  #oneOf = 0;
  #commits = 0;
  /** What is sent when the cable is mended. */
  #waiting: (() => void)[] | undefined;

  constructor(server: URL) {
    this.#server = server;
  }

  async listen(): Promise<void> {
    this.#relay.listen(0, '127.0.0.1');
    await once(this.#relay, 'listening');
  }

  get url(): string {
    const address = this.#relay.address();
    const port = String(typeof address === 'object' ? address?.port : '');
    return Object.assign(new URL(this.#server), { hostname: '127.0.0.1', port }).href;
  }

  readonly cut = (how: 'silent' | 'late' | 'broken'): void => {
    if (how === 'silent') this.#silent = true;
    else if (how === 'late') this.#waiting = [];
    else for (const socket of this.#sockets) socket.destroy();
  };

  readonly mend = (): void => {
    this.#silent = false;
    for (const send of this.#waiting ?? []) send();
    this.#waiting = undefined;
  };

  loseReplies(oneOf: number): void {
    this.#oneOf = oneOf;
  }

  close(): void {
    this.#relay.close();
    this.cut('broken');
  }

  #join(near: Socket): void {
    const far = connect(Number(this.#server.port), this.#server.hostname);
    let replyLost = false;
    near.on('data', (bytes) => {
      this.#pass(bytes, far);
      if (this.#silent || this.#oneOf === 0 || !/commit\0/iu.test(bytes.toString('latin1'))) return;
      if (++this.#commits % this.#oneOf !== 0) return;
      this.lost++;
      replyLost = true;
    });
    far.on('data', (bytes) => {
      if (replyLost) near.destroy();
      else this.#pass(bytes, near);
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        this.#sockets.delete(one);
        other.destroy();
      });
    }
  }

  #pass(bytes: Buffer, to: Socket): void {
    if (this.#waiting) this.#waiting.push(() => to.write(bytes));
    else if (!this.#silent) to.write(bytes);
  }
}
