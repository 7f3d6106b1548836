import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { AssistantError } from '../../base/errors.ts';
import { nearest } from '../../base/text.ts';
import type { ListedProgram } from './listed.ts';
import { wordsOf } from './program-name.ts';

/** A file in one of the folders. */
export interface ProgramFile extends Pick<ListedProgram, 'place' | 'file' | 'path'> {
  /** The key of its pin. */
  readonly id: string;
}

export interface ProgramPlaces {
  /** The project whose `programs/` are available in every project. */
  readonly ownerDir: string;
  readonly projectFolder: (project: string) => string;
}

const FOLDER = 'programs';

/** The folders whose programs can be tools: `programs/` of the home and of each project. */
export class ProgramFolders {
  readonly #places: ProgramPlaces;

  constructor(places: ProgramPlaces) {
    this.#places = places;
  }

  /** That of the home. */
  get home(): string {
    return join(this.#places.ownerDir, FOLDER);
  }

  /** Those of the project first. */
  async files(project: string): Promise<readonly ProgramFile[]> {
    const ofProject = await programsIn(join(this.#places.projectFolder(project), FOLDER));
    const ofHome = await programsIn(this.home);
    return [
      ...ofProject.map((each) => ({ ...each, place: 'project' as const, id: `projects/${project}/${each.file}` })),
      ...ofHome.map((each) => ({ ...each, place: 'home' as const, id: `home/${each.file}` })),
    ];
  }

  /**
   * The program that a person means: a file by its path, or one of these by its name, `morning brief` or
   * `morning-brief.tl`.
   *
   * @returns an absolute path. @throws AssistantError `file_not_found`.
   */
  async find(said: string, project: string): Promise<string> {
    const isPath = said !== basename(said) || (said.endsWith('.tl') && existsSync(said));
    if (isPath) return resolve(said);
    const files = await this.files(project);
    const named = files.find(({ file }) => titleOf(file) === titleOf(said));
    if (named) return named.path;
    const guess = nearest(
      titleOf(said),
      files.map(({ file }) => titleOf(file)),
    );
    const question = guess === undefined ? '' : ` Did you mean "${guess}"?`;
    throw new AssistantError('file_not_found', `There is no program "${said}".${question}`, {
      hint: '"wooster think list" shows the names of those in programs/.',
    });
  }
}

function titleOf(name: string): string {
  return wordsOf(name).join(' ');
}

/** Symbolic links are not followed, since anybody may control their target. */
async function programsIn(dir: string): Promise<readonly { readonly file: string; readonly path: string }[]> {
  // Every turn checks, and there is mostly no such folder: an error with its stack costs more than a look.
  const entries = existsSync(dir) ? await readdir(dir, { withFileTypes: true }).catch(() => []) : [];
  const files = entries.filter((entry) => entry.isFile() && /^[^.].*(?<!\.test)\.tl$/u.test(entry.name));
  return files
    .map(({ name }) => ({ file: name, path: join(dir, name) }))
    .toSorted((a, b) => (a.file < b.file ? -1 : 1));
}
