import { posix } from 'node:path';
import { z } from 'zod';
import type { Turn } from '../../base/turn.ts';
import type { ToolContext } from '../tool.ts';
import type { KnownFiles } from './known-files.ts';
import type { FileSpace } from './project-files.ts';

/** Called before a file is written, which waits for it. */
export type OnWrite = (turn: Turn, path: string, content: string) => Promise<void>;

/** What the file tools share. */
export interface FileToolParts {
  /** The files that a call works on: of its project, or of its conversation's workspace. */
  readonly spaceOf: (context: ToolContext) => FileSpace;
  readonly onWrite: OnWrite;
  readonly known: KnownFiles;
}

export const PATH = z.string().trim().min(1).max(1000);
export const PATH_ALIASES = ['file', 'filename', 'file_path', 'filePath', 'relativeFilePath'];

/** The name by which a file's text is read later. Writing to the journal's file counts as writing the journal. */
export function nameOf(file: string, project: string): string {
  const isJournal = posix.normalize(file).toLowerCase() === `${project}.md`.toLowerCase();
  return isJournal ? `journal:${project}` : `file:${project}/${file}`;
}
