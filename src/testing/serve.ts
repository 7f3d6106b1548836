import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { childEnvironment } from './wooster.ts';

const PROGRAM = resolve(import.meta.dirname, '../../bin/wooster');

/** Run `wooster serve` until what it shows is enough, then end it in good order. @returns all that it showed. */
export function serveUntil(home: string, enough: (shown: string) => boolean): Promise<string> {
  const env = childEnvironment({ home });
  const child = spawn(PROGRAM, ['serve'], { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const { promise, resolve: done, reject } = Promise.withResolvers<string>();
  let shown = '';
  const look = (chunk: Buffer) => {
    shown += chunk;
    if (enough(shown)) child.kill('SIGTERM');
  };
  child.stdout.on('data', look);
  child.stderr.on('data', look);
  child.once('error', reject);
  child.once('close', () => done(shown));
  return promise;
}
