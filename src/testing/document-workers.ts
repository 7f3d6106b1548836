import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Hit, IngestReport } from '../rag/types.ts';
import type { WorkerSetup } from './document-worker.ts';

/** A worker in a process of its own. */
export class DocumentWorker {
  readonly #child: ChildProcess;
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  #next = 1;

  constructor(setup: WorkerSetup) {
    const file = join(import.meta.dirname, 'document-worker.ts');
    this.#child = spawn(process.execPath, [file, JSON.stringify(setup)], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child.stdin?.on('error', () => {});
    if (this.#child.stdout) createInterface({ input: this.#child.stdout }).on('line', (line) => this.#hear(line));
    this.#child.once('exit', () => {
      for (const { reject } of this.#pending.values()) reject(new Error('the worker ended'));
    });
  }

  search(query: string, k = 10): Promise<Hit[]> {
    return this.#ask({ search: query, k }) as Promise<Hit[]>;
  }

  ingest(paths: readonly string[] = []): Promise<IngestReport> {
    return this.#ask({ ingest: paths }) as Promise<IngestReport>;
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.stdin?.end();
    await gone;
  }

  #ask(request: object): Promise<unknown> {
    const id = this.#next++;
    const reply = Promise.withResolvers<unknown>();
    this.#pending.set(id, reply);
    this.#child.stdin?.write(`${JSON.stringify({ id, ...request })}\n`);
    return reply.promise;
  }

  #hear(line: string): void {
    const { id, result, error } = JSON.parse(line) as { id: number; result?: unknown; error?: string };
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (error === undefined) pending?.resolve(result);
    else pending?.reject(new Error(error));
  }
}
