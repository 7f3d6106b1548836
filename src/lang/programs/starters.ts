import { constants, copyFile, readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { makeFolder } from '../../base/folders.ts';
import type { Around, Programs } from './programs.ts';

/** The programs that come along, each with its test and the answers that the test was recorded with. */
const FOLDER = join(import.meta.dirname, '../starters');

/** What became of a program that came along. */
export interface InstalledStarter {
  readonly name: string;
  readonly path: string;
  /** `kept`: there is another program of that name, which stays as it is. */
  readonly state: 'on' | 'kept';
}

/** What they are, for whoever is asked whether to have them. */
export async function starterNames(): Promise<readonly string[]> {
  return (await readdir(FOLDER)).filter(isProgram).map((file) => basename(file, '.tl'));
}

/**
 * Copy the programs that come along into `programs/` of the home, and switch them on. Call it when the owner has
 * agreed. No file is replaced.
 */
export async function installStarters(programs: Programs, around: Around): Promise<readonly InstalledStarter[]> {
  const { home } = programs.folders;
  makeFolder(home);
  const files = await readdir(FOLDER);
  for (const file of files)
    await copyFile(join(FOLDER, file), join(home, file), constants.COPYFILE_EXCL).catch(ifThere);
  const installed: InstalledStarter[] = [];
  for (const file of files.filter(isProgram)) {
    const path = join(home, file);
    const [ours, there] = await Promise.all([readFile(join(FOLDER, file)), readFile(path)]);
    const state = ours.equals(there) ? 'on' : 'kept';
    if (state === 'on') await programs.trust(await programs.load(path, around), around.project);
    installed.push({ name: basename(file, '.tl'), path, state });
  }
  return installed;
}

function isProgram(file: string): boolean {
  return file.endsWith('.tl') && !file.endsWith('.test.tl');
}

function ifThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
