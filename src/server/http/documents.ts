import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../base/folders.ts';
import { replaceFile } from '../../base/replace-file.ts';
import type { App } from '../../face/app.ts';
import type { DoorCommands } from '../../face/doors.ts';
import { Refused, refusedCommand } from './problem.ts';

/** Where files go that came over HTTP: below it no program obeys anything. */
const FOLDER = 'uploads';
const MAX_PART_CHARS = 120;
/** A part of a path: no way up, nothing hidden, and no name that some system takes for something else. */
const PART = /^[^\s.\p{C}/\\:*?"<>|](?:[^\p{C}/\\:*?"<>|]*[^\s.\p{C}/\\:*?"<>|])?$/u;

/** @throws Refused 400 for a path that could lead elsewhere. */
export function uploadPath(given: string): string {
  const parts = given.normalize('NFC').split('/');
  if (parts.length <= 8 && parts.every((part) => part.length <= MAX_PART_CHARS && PART.test(part)))
    return parts.join('/');
  throw new Refused(400, 'bad_path', 'This cannot be the name of a document.', 'Use names without leading dots.');
}

interface Upload {
  readonly project: string;
  /** One that `uploadPath` gave. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly signal: AbortSignal;
}

/**
 * Keep a file and take it into the documents of the project.
 *
 * @returns the counts of `ingest`. @throws Refused 409 when another file has this name: nothing is overwritten.
 */
export async function uploadDocument(
  {
    app,
    commands,
    mode,
  }: { app: Pick<App, 'knowledge'>; commands: DoorCommands; mode: 'classic_tools' | 'code_agent' },
  { project, path, bytes, signal }: Upload,
): Promise<{ readonly path: string; readonly ingested: unknown }> {
  const file = join(app.knowledge.projects.folder(project), FOLDER, path);
  const before = await readFile(file).catch(() => undefined);
  if (before !== undefined && !before.equals(bytes))
    throw new Refused(409, 'exists', `There is another document "${path}".`, 'Give this one another name.');
  if (before === undefined) {
    makeFolder(dirname(file));
    await replaceFile(file, bytes, { signal });
  }
  const result = await commands.run(['ingest', file], { mode, project, signal });
  if (result.code !== 0) throw refusedCommand(result, 400, 'unreadable');
  return { path: `${FOLDER}/${path}`, ingested: result.rows.at(-1) };
}
