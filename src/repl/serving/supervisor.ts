import { execFile } from 'node:child_process';

/** systemd waits four times as long before it takes the program for hung. */
const ALIVE_MS = 20_000;

/**
 * Tells systemd how the program is doing, when it was started by it with `Type=notify`. Node cannot send to the socket
 * itself: datagram sockets of the file system are missing.
 *
 * @see https://www.freedesktop.org/software/systemd/man/latest/sd_notify.html
 */
export class Supervisor {
  readonly #tell: ((...words: readonly string[]) => void) | undefined;
  #ready = false;
  #said = '';
  #aliveAtMs = Number.NEGATIVE_INFINITY;

  constructor(env: NodeJS.ProcessEnv, tell = notify) {
    this.#tell = env.NOTIFY_SOCKET === undefined ? undefined : tell;
  }

  /**
   * The program runs, and this is what it does. A service that waits for its database has started too: systemd would
   * end one that takes long.
   */
  alive(status: string, nowMs = performance.now()): void {
    const changed = status !== this.#said;
    if (!this.#tell || (!changed && nowMs - this.#aliveAtMs < ALIVE_MS)) return;
    this.#tell(...(this.#ready ? [] : ['--ready']), `--status=${status}`, 'WATCHDOG=1');
    this.#ready = true;
    this.#said = status;
    this.#aliveAtMs = nowMs;
  }
}

/** A message that is lost is made up for by the next one. */
function notify(...words: readonly string[]): void {
  execFile('systemd-notify', ['--no-block', ...words], () => {});
}
