import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Replacement, replaceFile as replace } from '../base/replace-file.ts';
import type { ToolContext } from '../tools/tool.ts';

/**
 * Changes a file for a call, and keeps what it was.
 *
 * @param content  undefined: it is deleted.
 * @returns false for a file elsewhere, which is left alone.
 */
export type KeepFile = (path: string, content: string | Uint8Array | undefined, call: ToolContext) => Promise<boolean>;

type Keep = (path: string, content: string | Uint8Array | undefined) => Promise<boolean>;

const CALL = new AsyncLocalStorage<Keep>();

/** Run a tool so that `wooster undo` brings back the files that it changes by `replaceFile` and `removeFile`. */
export function keepingFiles<T>(keep: KeepFile, call: ToolContext, work: () => T): T {
  return CALL.run((path, content) => keep(path, content, call), work);
}

/** As that of `base/`; what a tool replaces in the home or in a project is kept. */
export async function replaceFile(path: string, content: string | Uint8Array, options?: Replacement): Promise<void> {
  if (await CALL.getStore()?.(path, content)) return;
  await mkdir(dirname(path), { recursive: true });
  await replace(path, content, options);
}

/** Delete a file; what a tool deletes in the home or in a project is kept. */
export async function removeFile(path: string): Promise<void> {
  if (!(await CALL.getStore()?.(path, undefined))) await rm(path);
}
