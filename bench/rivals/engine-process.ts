import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

export interface Said {
  readonly value?: unknown;
  readonly error?: string;
}

/** What became of the host of a hostile program. */
export type Fate = 'stands' | 'stood still' | 'never ends' | 'died';

/** A program and its engine, alone in a process. */
export class EngineProcess {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (said: Said | undefined) => void>();
  #ids = 0;

  /** @param words the program with its words, and flags for Node before it. */
  constructor(words: readonly string[]) {
    this.#child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...words], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#child.on('message', ({ id, ...said }: Said & { id: number }) => this.#settle(id, said));
    this.#child.once('exit', () => {
      for (const id of this.#waiting.keys()) this.#settle(id, undefined);
    });
  }

  /** Resolves when it takes programs. */
  async ready(withinMs: number): Promise<boolean> {
    return (await this.#answer(0, withinMs)) !== undefined;
  }

  /** @returns nothing when it died or does not answer in time. */
  run(source: string, withinMs: number): Promise<Said | undefined> {
    return this.#send({ source }, withinMs);
  }

  /** Run a hostile program, see whether the host still moves meanwhile and works afterwards. */
  async suffer(source: string, { endMs, stillMs }: { endMs: number; stillMs: number }): Promise<Fate> {
    const ended = this.run(source, endMs);
    await Promise.race([ended, delay(300)]);
    const moved = (await this.#send({}, stillMs)) !== undefined;
    const said = await ended;
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return 'died';
    if (!said) return moved ? 'never ends' : 'stood still';
    const after = await this.run('$return 1 + 1', endMs);
    if (this.#child.exitCode !== null || this.#child.signalCode !== null || after === undefined) return 'died';
    return moved ? 'stands' : 'stood still';
  }

  end(): void {
    this.#child.kill('SIGKILL');
  }

  async #send(message: object, withinMs: number): Promise<Said | undefined> {
    const id = ++this.#ids;
    const said = this.#answer(id, withinMs);
    if (this.#child.connected) this.#child.send({ id, ...message }, () => undefined);
    return said;
  }

  #answer(id: number, withinMs: number): Promise<Said | undefined> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#settle(id, undefined), withinMs);
      this.#waiting.set(id, (said) => {
        clearTimeout(timer);
        resolve(said);
      });
    });
  }

  #settle(id: number, said: Said | undefined): void {
    this.#waiting.get(id)?.(said);
    this.#waiting.delete(id);
  }
}
