import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { newId } from './ids.ts';

export interface Replacement {
  /** Permissions of a new file; one that is replaced keeps its own. By default only for the owner. */
  readonly mode?: number;
  /** When it has fired, the file stays as it is. */
  readonly signal?: AbortSignal;
}

/**
 * Write a whole file, so that readers on any machine see either the old or the new content, and a crash leaves one of
 * them. Resolves when it is on disk. The folder has to exist.
 *
 * @throws the system's error, or the signal's reason; the file is as it was then.
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  { mode = 0o600, signal }: Replacement = {},
): Promise<void> {
  const folder = dirname(path);
  const kept = await stat(path).catch(() => undefined);
  const draft = join(folder, `.${newId('draft')}`);
  try {
    const handle = await open(draft, 'wx', mode);
    try {
      if (kept) await handle.chmod(kept.mode & 0o777);
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    signal?.throwIfAborted();
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/** Some file systems cannot, and what they have written is there all the same. */
async function syncFolder(folder: string): Promise<void> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(folder, 'r');
    await handle.sync();
  } catch {
    // See above.
  } finally {
    await handle?.close();
  }
}
