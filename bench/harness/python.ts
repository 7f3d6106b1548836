import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './results.ts';

/** The numbers that one of the programs in scripts/ prints. */
export function python(program: string, words: readonly string[], env: NodeJS.ProcessEnv): number[] {
  const said = execFileSync('python3', [join(ROOT, 'scripts', program), ...words], { encoding: 'utf8', env });
  return said.trim().split(/\s+/u).map(Number);
}
