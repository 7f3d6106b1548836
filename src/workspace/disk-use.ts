import { runProcess } from './run-process.ts';

const DU_TIMEOUT_MS = 5000;

/** The size of a folder in bytes; 0 when measuring takes too long, so that a slow disk does not end a command. */
export async function diskUse(dir: string): Promise<number> {
  const signal = AbortSignal.timeout(DU_TIMEOUT_MS);
  const { stdout } = await runProcess({ file: 'du', args: ['-sk', dir], timeoutMs: DU_TIMEOUT_MS, signal });
  return (Number.parseInt(stdout, 10) || 0) * 1024;
}
