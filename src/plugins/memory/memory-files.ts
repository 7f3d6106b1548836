import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { AssistantError, messageOf } from '../../base/errors.ts';
import { sha256 } from '../../base/json.ts';
import { storedPath } from '../../rag/places.ts';
import { MEMORY_FILE } from '../../rag/project-file-names.ts';
import type { Projects } from '../../rag/projects.ts';
import { lineDiff } from '../../tools/builtin/line-diff.ts';
import type { ProjectFiles } from '../../tools/builtin/project-files.ts';
import type { ControlChange } from '../../tools/stakes.ts';
import { type Author, HOME_FILES } from '../../tools/undo/kept-states.ts';
import { isText, type MemoryEntry, type MemoryProblem, parseMemory } from './entries.ts';

/** The scope of facts: the owner's everywhere, or one project's. */
export type MemoryScope = 'home' | 'project';

/** An entry and the file it is in. */
export interface KnownFact extends MemoryEntry {
  readonly scope: MemoryScope;
}

/** One memory file with its content. */
export interface MemoryFile {
  readonly scope: MemoryScope;
  /** For people: relative to the home if it is inside. */
  readonly path: string;
  readonly entries: readonly KnownFact[];
  readonly problems: readonly MemoryProblem[];
  /** Why it is ignored as a whole. */
  readonly unused?: string | undefined;
}

export interface MemoryFilesDeps {
  readonly files: Pick<ProjectFiles, 'read' | 'edit' | 'exists' | 'look'>;
  readonly projects: Pick<Projects, 'folder' | 'journal' | 'ownerDir' | 'places'>;
  /** Why a file is not trusted, if somebody else may have written it. */
  readonly whyNot: (path: string) => Promise<string | undefined>;
}

/** The largest size of a file; nobody reads a longer one. */
const MAX_FILE_CHARS = 200_000;

/** The memory files of the home and of the projects, read every time, since their owner may edit them at any moment. */
export class MemoryFiles {
  readonly #deps: MemoryFilesDeps;

  constructor(deps: MemoryFilesDeps) {
    this.#deps = deps;
  }

  /** The files that exist for a project, the home's first. */
  async read(project: string): Promise<MemoryFile[]> {
    const scopes: readonly MemoryScope[] = this.hasOwn(project) ? ['home', 'project'] : ['home'];
    const files = await Promise.all(scopes.map((scope) => this.#readOne(scope, project)));
    return [...this.#leftBehind(), ...files.filter((file) => file !== undefined)];
  }

  /** A project whose journal has the same file name has no memory file. */
  hasOwn(project: string): boolean {
    return this.#deps.projects.journal(project) !== join(this.#deps.projects.folder(project), MEMORY_FILE);
  }

  /**
   * Change a file under its lock; the previous version is kept.
   *
   * @throws AssistantError `path_refused` for a file that is not text; `project_busy`.
   */
  async edit(scope: MemoryScope, project: string, change: (text: string) => string, by?: Author): Promise<void> {
    const path = this.pathOf(scope, project);
    await this.#deps.files.edit(
      placeOf(scope, project),
      MEMORY_FILE,
      (before = '') => {
        if (!isText(before)) throw noText(path);
        const after = change(before);
        if (after.length > MAX_FILE_CHARS && after.length > before.length) throw full(path);
        return after;
      },
      by,
    );
  }

  /** The text of a file, empty if it does not exist. */
  async textOf(scope: MemoryScope, project: string): Promise<string> {
    // Called several times per turn, mostly for a missing file: checking that first costs a hundredth of a safe read.
    if (!lstatSync(this.#absolute(scope, project), { throwIfNoEntry: false })) return '';
    const place = placeOf(scope, project);
    return (await this.#deps.files.exists(place, MEMORY_FILE)) ? this.#deps.files.read(place, MEMORY_FILE) : '';
  }

  /** What `edit` would change; undefined where that is nothing. */
  async wouldChange(
    scope: MemoryScope,
    project: string,
    change: (text: string) => string,
  ): Promise<ControlChange | undefined> {
    const before = await this.#deps.files.look(placeOf(scope, project), MEMORY_FILE);
    const after = change(before?.text ?? '');
    if (after === (before?.text ?? '')) return undefined;
    return { diff: lineDiff(before?.text, after), stakes: [{ before: before?.hash, after: sha256(after) }] };
  }

  /** For people. */
  pathOf(scope: MemoryScope, project: string): string {
    return storedPath(this.#deps.projects.places, this.#absolute(scope, project));
  }

  async #readOne(scope: MemoryScope, project: string): Promise<MemoryFile | undefined> {
    const path = this.pathOf(scope, project);
    const nothing = { scope, path, entries: [], problems: [] };
    try {
      const text = await this.textOf(scope, project);
      if (text === '') return undefined;
      if (!isText(text)) return { ...nothing, unused: 'it is not text in UTF-8' };
      if (text.length > MAX_FILE_CHARS) return { ...nothing, unused: `it is longer than ${MAX_FILE_CHARS} characters` };
      const why = await this.#deps.whyNot(this.#absolute(scope, project));
      if (why !== undefined) return { ...nothing, unused: `${why}; if its text is right: wooster trust ${path}` };
      const { entries, problems } = parseMemory(text);
      return { scope, path, problems, entries: entries.map((entry) => ({ ...entry, scope })) };
    } catch (error) {
      return { ...nothing, unused: messageOf(error) };
    }
  }

  /** The home's, from before the projects lay elsewhere. */
  #leftBehind(): MemoryFile[] {
    const { places, ownerDir } = this.#deps.projects;
    if (ownerDir === places.home || !existsSync(join(places.home, MEMORY_FILE))) return [];
    const unused = `the projects are elsewhere: move it to ${ownerDir}`;
    return [{ scope: 'home', path: MEMORY_FILE, entries: [], problems: [], unused }];
  }

  #absolute(scope: MemoryScope, project: string): string {
    const { projects } = this.#deps;
    return join(scope === 'home' ? projects.ownerDir : projects.folder(project), MEMORY_FILE);
  }
}

function placeOf(scope: MemoryScope, project: string): string {
  return scope === 'home' ? HOME_FILES : project;
}

function noText(path: string): AssistantError {
  const hint = 'Save the file as text in UTF-8, or give it another name.';
  return new AssistantError('path_refused', `${path} was not changed: it is not text in UTF-8.`, { hint });
}

function full(path: string): AssistantError {
  const hint = 'Delete what is no longer true: wooster memory forget TEXT.';
  return new AssistantError('path_refused', `${path} is full: it may have ${MAX_FILE_CHARS} characters.`, { hint });
}
