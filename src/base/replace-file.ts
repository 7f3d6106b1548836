import { constants } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isGone, leaseHolder } from './process-identity.ts';

export interface Replacement {
  /** Permissions of a new file, by default for the owner only; an existing file keeps its own. */
  readonly mode?: number;
  /** Once it has fired, the file is left as it is. */
  readonly signal?: AbortSignal;
}

const DRAFT = '.draft_';

/** The path of a new file that gets its real name once it is whole. Its name says which program is writing it. */
export function draftIn(folder: string): string {
  return join(folder, `${DRAFT}${Buffer.from(leaseHolder()).toString('base64url')}`);
}

/** Remove what programs of this machine that were killed have left half-written. Never rejects. */
export async function sweepDrafts(folder: string): Promise<void> {
  const makerOf = (name: string) => Buffer.from(name.slice(DRAFT.length), 'base64url').toString();
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(DRAFT) && isGone(makerOf(each))))
    await rm(join(folder, name), { force: true }).catch(() => undefined);
}

/**
 * Replace a file atomically: readers on any machine see either the old or the new content, and so does everybody after
 * a crash. Resolves when it is on disk. The folder has to exist; drafts of killed programs are removed from it.
 *
 * @throws the system's error or the signal's reason; the file is then unchanged.
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  { mode = 0o600, signal }: Replacement = {},
): Promise<void> {
  const folder = dirname(path);
  const kept = await stat(path).catch(() => undefined);
  const draft = draftIn(folder);
  await sweepDrafts(folder);
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

/** A longer append might be cut short by a kill. */
const MAX_ADDED_BYTES = 64 * 1024;

/**
 * Like `replaceFile`, but appends when the file only grows. Appending syncs once, whereas replacing syncs the file and
 * its folder. A power cut before this resolves may leave part of the addition; it never affects what was there before.
 *
 * @param content.before what the file contains, or contained a moment ago; undefined if there is no file.
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

/** @returns false when the file cannot be appended to, or is not the one that was read. */
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
      // A full disk may have written part of it.
      await handle.truncate(size).catch(() => undefined);
      throw error;
    }
    return true;
  } finally {
    await handle.close();
  }
}

/** Some file systems do not support it; what was written is there all the same. */
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
