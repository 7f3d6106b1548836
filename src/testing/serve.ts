import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { childEnvironment, type Run, wooster } from './wooster.ts';

const PROGRAM = resolve(import.meta.dirname, '../../bin/wooster');

/** `wooster serve` while it runs. */
export interface Served {
  /** All that it showed. */
  shown(): string;
  /** Wait until `text` is shown; what came before the last hit is not looked at again. */
  see(text: string): Promise<void>;
  /** End it, unless it has ended. @returns its exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
  /** Wait until it ends by itself. @returns its exit code. */
  ended(): Promise<number | null>;
}

/** Start `wooster serve`; it is ended with the test at the latest. */
export function startServe(run: Run, ...words: string[]): Served {
  const served = openServe(run, ...words);
  onTestFinished(() => served.kill());
  return served;
}

/** The same for several tests, which have to end it. */
export interface OpenServe extends Served {
  kill(): void;
}

export function openServe(run: Run, ...words: string[]): OpenServe {
  const env = childEnvironment(run);
  const child = spawn(PROGRAM, ['serve', ...words], { cwd: run.cwd ?? '/', env, stdio: ['ignore', 'pipe', 'pipe'] });
  let shown = '';
  let seen = 0;
  let more = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      shown += part;
      more.resolve();
      more = Promise.withResolvers();
    });
  }
  const over = new Promise<number | null>((done, failed) => {
    child.once('error', failed);
    child.once('close', done);
  });
  return {
    kill: () => void child.kill('SIGKILL'),
    shown: () => shown,
    ended: () => over,
    async end(signal = 'SIGTERM') {
      child.kill(signal);
      return over;
    },
    async see(text) {
      while (shown.indexOf(text, seen) < 0) {
        const next = await Promise.race([more.promise, over.then(() => 'end' as const)]);
        if (next === 'end' && shown.indexOf(text, seen) < 0) throw new Error(`never seen: ${text}\n${shown}`);
      }
      seen = shown.indexOf(text, seen) + text.length;
    },
  };
}

/** Run `wooster serve` until what it has told the owner is enough, then end it in good order. @returns all of that. */
export async function serveUntil(home: string, enough: (told: string) => boolean): Promise<string> {
  const served = startServe({ home });
  for (;;) {
    const { stdout } = await wooster(['notices', '--json'], { home });
    const rows = stdout.split('\n').filter(Boolean);
    const told = rows.map((row) => (JSON.parse(row) as { text?: string }).text ?? '').join('\n');
    if (enough(told)) {
      await served.end();
      return told;
    }
  }
}
