import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Let the person edit a text in VISUAL, EDITOR or vi. The terminal must be in its usual mode.
 *
 * @returns the text as it was saved; undefined when the editor could not be started or failed.
 */
export async function editOutside(text: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'wooster-edit-'));
  const file = join(folder, 'message.md');
  try {
    await writeFile(file, text, { mode: 0o600 });
    const command = env.VISUAL || env.EDITOR || 'vi';
    // The shell splits `code --wait`; the file is passed as an argument, so its name is never read as a command.
    const child = spawn('/bin/sh', ['-c', `${command} "$1"`, 'sh', file], { stdio: 'inherit', env });
    const code = await new Promise<number | null>((resolve) => {
      child.once('error', () => resolve(null)).once('close', resolve);
    });
    if (code !== 0) return undefined;
    return (await readFile(file, 'utf8')).replace(/\r\n?/gu, '\n').replace(/\n$/u, '');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
