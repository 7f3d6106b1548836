import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdir, realpath, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Replacement, replaceFile as replace } from '../base/replace-file.ts';
import type { ToolContext } from '../tools/tool.ts';

/** Keeps what the files were that tools change. */
export interface FileKeeper {
  /** Whether it saves versions of a file, whichever project a call is in. */
  versioned(path: string): boolean;
  /**
   * Change a file for a call, and keep what it was.
   *
   * @param content  undefined: it is deleted.
   * @returns false for a file elsewhere, which is left alone.
   */
  change(path: string, content: string | Uint8Array | undefined, call: ToolContext): Promise<boolean>;
}

type Keep = (path: string, content: string | Uint8Array | undefined) => Promise<boolean>;

const CALL = new AsyncLocalStorage<Keep>();

/** Run a tool so that `wooster undo` brings back the files that it changes by `replaceFile` and `removeFile`. */
export function keepingFiles<T>(keeper: FileKeeper, call: ToolContext, work: () => T): T {
  return CALL.run((path, content) => keeper.change(path, content, call), work);
}

/** As that of `base/`; what a tool replaces in the home or in a project is kept. */
export async function replaceFile(path: string, content: string | Uint8Array, options?: Replacement): Promise<void> {
  if (await CALL.getStore()?.(path, content)) return;
  await mkdir(dirname(path), { recursive: true });
  // The owner's link to a file stays one.
  await replace(await realpath(path).catch(() => path), content, options);
}

const CHANGES = new Map<string, Promise<unknown>>();

/** Change a file by what it holds after the changes that were begun before: of two at once, none is lost. */
export function changeInTurn<T>(path: string, change: () => Promise<T>): Promise<T> {
  const before = CHANGES.get(path) ?? Promise.resolve();
  const work = before.catch(() => {}).then(change);
  CHANGES.set(path, work);
  return work;
}

/** Delete a file; what a tool deletes in the home or in a project is kept. */
export async function removeFile(path: string): Promise<void> {
  if (!(await CALL.getStore()?.(path, undefined))) await rm(path);
}
