import { constants } from 'node:fs';
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

/** Longer additions might be cut by a kill. */
const MAX_ADDED_BYTES = 64 * 1024;

/**
 * Write a whole file as `replaceFile` does, but where it only grows, add what is new to its end. That waits for the
 * disk once, where replacing waits for the file and for its folder. A power cut before this resolves may leave a part
 * of what is new, and never touches what was there.
 *
 * @param content.before what is in the file, or was a moment ago; undefined where it is not there.
 */
export async function growFile(
  path: string,
  { before, after }: { readonly before: Buffer | undefined; readonly after: Buffer },
  options: Replacement = {},
): Promise<void> {
  options.signal?.throwIfAborted();
  const isGrown =
    before !== undefined && before.length < after.length && before.equals(after.subarray(0, before.length));
  const added = isGrown ? after.subarray(before.length) : undefined;
  if (added === undefined || added.length > MAX_ADDED_BYTES || !(await appended(path, before?.length ?? 0, added)))
    await replaceFile(path, after, options);
}

/** @returns false where the file cannot be added to, or is not the one that was read. */
async function appended(path: string, size: number, added: Buffer): Promise<boolean> {
  // A file that its owner made read-only can still be replaced.
  const handle = await open(path, constants.O_WRONLY | constants.O_APPEND).catch(() => undefined);
  if (handle === undefined) return false;
  try {
    if ((await handle.stat()).size !== size) return false;
    try {
      await handle.writeFile(added);
      await handle.sync();
    } catch (error) {
      // A full disk may have taken a part.
      await handle.truncate(size).catch(() => undefined);
      throw error;
    }
    return true;
  } finally {
    await handle.close();
  }
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
