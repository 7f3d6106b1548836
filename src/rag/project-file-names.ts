import { basename, join } from 'node:path';

/** Files in a project's folder that configure Wooster. */
export const CONTROL_FILES = { prompt: 'prompt.txt', config: 'wooster.config.json' } as const;

/** Lasting facts about the owner, in the home and in each project. */
export const MEMORY_FILE = 'memory.md';
/** The folder of a project that has one Markdown file per list, for people to read and change as well. */
export const LISTS_FOLDER = 'lists';
/** Of the owner's skills and programs, in a project or for all of them. */
const OWNERS_FOLDERS = new Set(['skills', 'programs']);

const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u;
/** Names that are reserved on some file system. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)|\.$|\.\.|\s$/iu;

/** Whether a project's folder can have this name on every machine. @param beside the owner's folders are there, too. */
export function isProjectName(name: string, beside: boolean): boolean {
  return NAME.test(name) && !RESERVED.test(name) && !(beside && OWNERS_FOLDERS.has(name.toLowerCase()));
}

/** The files in a project's folder, besides hidden ones, that are not documents. A journal of the same name is one. */
export function notDocuments(folder: string): readonly string[] {
  const names = [...Object.values(CONTROL_FILES), MEMORY_FILE].filter((name) => name !== `${basename(folder)}.md`);
  return names.map((name) => join(folder, name));
}
