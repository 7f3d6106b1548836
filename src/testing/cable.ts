import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A way to a PostgreSQL server that can be cut. */
export interface Cable {
  /** The server's, through the cable. */
  readonly url: string;
  /** `silent`: what is sent gets lost; `late`: it waits for `mend`; `broken`: all connections end. */
  readonly cut: (how: 'silent' | 'late' | 'broken') => void;
  readonly mend: () => void;
  /** Forward the next commit and end its connection before the reply. */
  loseReply(): void;
  /** How many replies were lost so, and whether one more is to be. */
  readonly replies: { readonly lost: number; readonly losing: boolean };
  close(): void;
}

/** @param url  the server's. */
export async function openCable(url: string): Promise<Cable> {
  const relay = new Relay(new URL(url));
  await relay.listen();
  return relay;
}

class Relay implements Cable {
  readonly replies = { lost: 0, losing: false };
  readonly #server: URL;
  readonly #sockets = new Set<Socket>();
  readonly #relay = createServer((near) => this.#join(near));
  #silent = false;
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

  loseReply(): void {
    this.replies.losing = true;
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
      if (this.#silent || !this.replies.losing || !/commit\0/iu.test(bytes.toString('latin1'))) return;
      this.replies.losing = false;
      this.replies.lost++;
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
