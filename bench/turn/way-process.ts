import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Asked, Taken } from './way-program.ts';

/** A way to take turns in a process of its own. */
export class WayProcess {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** @param options.under a command that runs it, such as strace with its words. */
  static async start(
    name: string,
    url: string,
    options: { readonly under?: readonly string[] } = {},
  ): Promise<WayProcess> {
    const program = join(import.meta.dirname, 'way-program.ts');
    const node = [process.execPath, '--disable-warning=ExperimentalWarning', '--no-sparkplug', program, name, url];
    const [command = '', ...words] = [...(options.under ?? []), ...node];
    const child = spawn(command, words, { stdio: ['ignore', 2, 2, 'ipc'] });
    const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${name} ended early`)));
    await Promise.race([once(child, 'message'), ended]);
    ended.catch(() => undefined);
    return new WayProcess(child);
  }

  async take(text: string, turns: number, profile: Pick<Asked, 'profile' | 'interval'> = {}): Promise<Taken> {
    const taken = once(this.#child, 'message');
    this.#child.send({ text, turns, ...profile } satisfies Asked);
    return ((await taken) as [Taken])[0];
  }

  async end(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.disconnect();
    await ended;
  }
}
