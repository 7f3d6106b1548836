import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdir, realpath, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Replacement, replaceFile as replace } from '../base/replace-file.ts';
import type { ToolContext } from '../tools/tool.ts';

/** Keeps earlier versions of the files that tools change. */
export interface FileKeeper {
  /** Whether it saves versions of a file, whichever project a call is in. */
  versioned(path: string): boolean;
  /**
   * Change a file on behalf of a call, and keep its previous version.
   *
   * @param content  undefined: it is deleted.
   * @returns false for a file outside the versioned folders, which is left alone.
   */
  change(path: string, content: string | Uint8Array | undefined, call: ToolContext): Promise<boolean>;
}

type Keep = (path: string, content: string | Uint8Array | undefined) => Promise<boolean>;

const CALL = new AsyncLocalStorage<Keep>();

/** Run a tool so that `wooster undo` brings back the files that it changes by `replaceFile` and `removeFile`. */
export function keepingFiles<T>(keeper: FileKeeper, call: ToolContext, work: () => T): T {
  return CALL.run((path, content) => keeper.change(path, content, call), work);
}

/** Like the one of `base/`, but keeps the previous version of a file in the home or in a project. */
export async function replaceFile(path: string, content: string | Uint8Array, options?: Replacement): Promise<void> {
  if (await CALL.getStore()?.(path, content)) return;
  await mkdir(dirname(path), { recursive: true });
  // If the owner made it a symbolic link, it stays one.
  await replace(await realpath(path).catch(() => path), content, options);
}

const CHANGES = new Map<string, Promise<unknown>>();

/** Read, edit and write a file, one change at a time, so that no concurrent change is lost. */
export function changeInTurn<T>(path: string, change: () => Promise<T>): Promise<T> {
  const before = CHANGES.get(path) ?? Promise.resolve();
  const work = before.catch(() => {}).then(change);
  CHANGES.set(path, work);
  return work;
}

/** Delete a file; a version is kept of one in the home or in a project. */
export async function removeFile(path: string): Promise<void> {
  if (!(await CALL.getStore()?.(path, undefined))) await rm(path);
}
