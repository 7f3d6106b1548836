import { basename, join } from 'node:path';

/** Files in a project's folder that configure Wooster. */
export const CONTROL_FILES = { prompt: 'prompt.txt', config: 'wooster.config.json' } as const;

/** Lasting facts about the owner, in the home and in each project. */
export const MEMORY_FILE = 'memory.md';

/** The files in a project's folder that are no documents, besides hidden ones: what its journal is called stays one. */
export function notDocuments(folder: string): readonly string[] {
  const names = [...Object.values(CONTROL_FILES), MEMORY_FILE].filter((name) => name !== `${basename(folder)}.md`);
  return names.map((name) => join(folder, name));
}
