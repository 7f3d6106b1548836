import { existsSync } from 'node:fs';
import { chmod, readFile, realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { makeFolder } from '../../base/folders.ts';
import { replaceFile } from '../../base/replace-file.ts';
import type { SetupDesk, Variables } from '../../face/setup-desk.ts';
import { withoutVariables, withVariables } from './env-lines.ts';

/**
 * Write variables into `.env`. Existing lines and links stay. The file's permissions are restricted before a key is
 * written.
 */
export function writeVariables({ envFile }: Pick<SetupDesk, 'envFile'>, variables: Variables, signal: AbortSignal) {
  if (Object.keys(variables).length === 0) return Promise.resolve();
  return change(envFile, (text) => withVariables(text, variables), signal);
}

/** Take variables out of `.env`. */
export async function removeVariables(
  { envFile }: Pick<SetupDesk, 'envFile'>,
  names: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  if (existsSync(envFile)) await change(envFile, (text) => withoutVariables(text, names), signal);
}

async function change(envFile: string, to: (text: string) => string, signal: AbortSignal): Promise<void> {
  const exists = existsSync(envFile);
  const path = exists ? await realpath(envFile) : envFile;
  const changed = to(exists ? await readFile(path, 'utf8') : '');
  makeFolder(resolve(envFile, '..'));
  if (exists) await chmod(path, 0o600);
  await replaceFile(path, changed, { signal });
}
