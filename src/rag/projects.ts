import { existsSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { z } from 'zod';
import { AssistantError, messageOf } from '../base/errors.ts';
import { makeFolder } from '../base/folders.ts';
import type { Log } from '../base/log.ts';
import { growFile, replaceFile } from '../base/replace-file.ts';
import { nearest } from '../base/text.ts';
import type { Store } from '../store/store.ts';
import { localTime } from '../when/calendar.ts';
import { entriesOf, entryAt, type JournalEntry, minusEntry, plusEntry } from './journal.ts';
import type { Places } from './places.ts';
import { CONTROL_FILES, isProjectName } from './project-file-names.ts';
import { asOnlyWriter } from './project-lock.ts';

const DEFAULT_PROJECT = 'home';

/** Before the umask. */
const NEW_JOURNAL_MODE = 0o666;

const configSchema = z.looseObject({
  /** Further folders, files and globs that belong to the project. */
  documents: z.array(z.string()).default([]),
  mode: z.enum(['classic_tools', 'code_agent']).optional(),
  /** Whether anything is remembered about the owner here, and used. */
  memory: z.boolean().default(true),
  /** Absolute: the owner's work, on which the file tools work instead of the project's own folder. */
  folder: z.string().optional(),
  /** Folders that an editor opened and that the owner does not want to be a project. */
  apart: z.array(z.string()).default([]),
});
export type ProjectConfig = z.infer<typeof configSchema>;

const oldProjectsSchema = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

/** The person's projects: one folder each, with documents, a journal and a prompt. */
export interface Projects {
  /** Where the folders are on this machine. */
  readonly places: Places;
  /** Where memory.md and skills/ for all projects are. */
  readonly ownerDir: string;
  /** Names in alphabetical order, the default project first. */
  list(): readonly string[];
  exists(name: string): boolean;
  /** @throws AssistantError `bad_usage` for a name that cannot be a folder's. */
  create(name: string): void;
  /** @throws AssistantError `unknown_project`, with the nearest name; the default project always exists. */
  check(name: string): void;
  /** The project last chosen with `use`; the default one if there is none, or it was deleted. */
  active(): string;
  /** Make it the active project, permanently. @throws AssistantError `unknown_project`. */
  use(name: string): void;
  /** Delete the folder and everything in it. The caller asks the person first. */
  deleteFolder(name: string): void;
  /** Absolute path. @throws AssistantError `bad_usage` for a name that would lead elsewhere. */
  folder(name: string): string;
  /** The folder that the file tools work on: its own one, or the owner's work elsewhere. @throws as `config`. */
  files(name: string): string;
  /** The path of the journal, which need not exist. */
  journal(name: string): string;
  /**
   * Add an entry headed by date and time in the zone, an IANA name. Entries that several programs add at once are all
   * kept.
   *
   * @param keep called with the whole entry as the only writer, just before it is written.
   * @returns the journal's path, once the entry is on disk. @throws AssistantError `project_busy`.
   */
  appendJournal(
    name: string,
    text: string,
    written: { at: Date; timeZone: string },
    keep?: (entry: string) => Promise<void>,
  ): Promise<string>;
  /** Whether an entry is in the journal, with its heading, as `appendJournal` wrote it. */
  hasEntry(name: string, entry: string): boolean;
  /** Add an entry again. @param keep called as the only writer, just before. @throws AssistantError `project_busy`. */
  addEntry(name: string, entry: string, keep?: () => Promise<void>): Promise<void>;
  /** Take an entry out, the last one if several are equal. @throws AssistantError `project_busy`. */
  removeEntry(name: string, entry: string, keep?: () => Promise<void>): Promise<void>;
  /** The journal's entries, oldest first; `at` is the heading: date and time as the owner's clock showed them. */
  journalEntries(name: string): readonly JournalEntry[];
  /** The files in its folder that Wooster obeys, whether they exist or not. */
  controlFiles(name: string): readonly string[];
  /** The project's `prompt.txt`, undefined when it has none or must not follow it. */
  prompt(name: string): string | undefined;
  /** @throws AssistantError `bad_setting` naming the file and its problem. */
  config(name: string): ProjectConfig;
  /** Change fields of its configuration; all others stay. @throws AssistantError as `config`; `project_busy`. */
  configure(name: string, change: Partial<ProjectConfig>): Promise<void>;
  /** Absolute folders and globs outside its folder, from its configuration and the legacy `projects.json`. */
  attached(name: string): readonly string[];
  /** Those of them that its configuration names: they count only inside what the owner ingested by hand. */
  named(name: string): readonly string[];
}

export interface ProjectsDeps {
  readonly projectsDir: string;
  /** Where the legacy `projects.json` is; its relative paths start here. */
  readonly homeDir: string;
  /** Where memory.md and skills/ for all projects are; absent: in the home. */
  readonly ownerDir?: string | undefined;
  /** All of the machine that is the owner's; absent: they have the machine. */
  readonly only?: string | undefined;
  readonly log: Log;
  /** For the lock of each project's files. */
  readonly store: Pick<Store, 'lock'>;
  /** Whether a control file may be followed; absent: all are. */
  readonly isObeyed?: ((path: string) => boolean) | undefined;
}

export const createProjects = (deps: ProjectsDeps): Projects => new FolderProjects(deps);

class FolderProjects implements Projects {
  readonly places: Places;
  readonly ownerDir: string;
  readonly #deps: ProjectsDeps;

  constructor(deps: ProjectsDeps) {
    this.#deps = deps;
    this.places = { home: resolve(deps.homeDir), projects: resolve(deps.projectsDir) };
    this.ownerDir = resolve(deps.ownerDir ?? deps.homeDir);
  }

  list(): readonly string[] {
    const { projectsDir } = this.#deps;
    const entries = existsSync(projectsDir) ? readdirSync(projectsDir, { withFileTypes: true }) : [];
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    const others = new Set([...folders, ...Object.keys(this.#oldProjects())].filter((name) => this.#isName(name)));
    others.delete(DEFAULT_PROJECT);
    return [DEFAULT_PROJECT, ...[...others].sort((a, b) => a.localeCompare(b))];
  }

  exists(name: string): boolean {
    return this.list().includes(name);
  }

  create(name: string): void {
    makeFolder(this.folder(name));
  }

  active(): string {
    const chosen = readIfThere(this.#activeFile())?.trim();
    return chosen !== undefined && this.exists(chosen) ? chosen : DEFAULT_PROJECT;
  }

  use(name: string): void {
    this.check(name);
    makeFolder(dirname(this.#activeFile()));
    writeFileSync(this.#activeFile(), `${name}\n`);
  }

  check(name: string): void {
    if (this.exists(name)) return;
    const close = nearest(name, this.list());
    const hint = close ? `Did you mean ${close}?` : `Create it: wooster project create ${name}`;
    throw new AssistantError('unknown_project', `There is no project "${name}".`, { hint });
  }

  deleteFolder(name: string): void {
    rmSync(this.folder(name), { recursive: true, force: true });
  }

  folder(name: string): string {
    if (this.#isName(name)) return join(this.#deps.projectsDir, name);
    const hint = 'Use letters, digits, spaces, ".", "-" and "_", at most 64 of them.';
    throw new AssistantError('bad_usage', `"${name}" cannot be a project's name.`, { hint });
  }

  files(name: string): string {
    const { folder } = this.config(name);
    return folder !== undefined && isWithin(folder, this.#deps.only) ? folder : this.folder(name);
  }

  journal(name: string): string {
    const own = join(this.folder(name), `${name}.md`);
    const older = join(this.folder(name), 'journal.md');
    return !existsSync(own) && existsSync(older) ? older : own;
  }

  async appendJournal(
    name: string,
    text: string,
    { at, timeZone }: { at: Date; timeZone: string },
    keep?: (entry: string) => Promise<void>,
  ): Promise<string> {
    const entry = `## ${localTime(at, timeZone).slice(0, 16)}\n\n${text.trim()}\n`;
    return this.#changeJournal(name, async (before) => {
      await keep?.(entry);
      return plusEntry(before, entry);
    });
  }

  hasEntry(name: string, entry: string): boolean {
    const path = this.journal(name);
    return existsSync(path) && entryAt(readFileSync(path), entry) >= 0;
  }

  async addEntry(name: string, entry: string, keep?: () => Promise<void>): Promise<void> {
    await this.#changeJournal(name, async (before) => {
      await keep?.();
      return plusEntry(before, entry);
    });
  }

  async removeEntry(name: string, entry: string, keep?: () => Promise<void>): Promise<void> {
    await this.#changeJournal(name, async (before) => {
      await keep?.();
      return minusEntry(before, entry);
    });
  }

  /** As bytes, so that text in other encodings is kept. An empty journal is deleted. */
  #changeJournal(name: string, change: (before: Buffer) => Promise<Buffer>): Promise<string> {
    return asOnlyWriter(this.#deps.store, name, async (signal) => {
      const path = this.journal(name);
      makeFolder(this.folder(name));
      const there = existsSync(path);
      const before = there ? readFileSync(path) : undefined;
      const after = await change(before ?? Buffer.alloc(0));
      const content = { before, after };
      signal.throwIfAborted();
      // A journal may be a link to a file elsewhere, which stays a link.
      if (after.length > 0)
        await growFile(there ? realpathSync(path) : path, content, { mode: NEW_JOURNAL_MODE, signal });
      else rmSync(path, { force: true });
      return path;
    });
  }

  journalEntries(name: string): readonly JournalEntry[] {
    return entriesOf(readIfThere(this.journal(name)) ?? '');
  }

  prompt(name: string): string | undefined {
    return this.#obeyed(this.#controlFile(name, 'prompt'))?.trim() || undefined;
  }

  config(name: string): ProjectConfig {
    const path = this.#controlFile(name, 'config');
    const text = this.#obeyed(path);
    return text === undefined ? configSchema.parse({}) : parseFile(path, text, configSchema);
  }

  async configure(name: string, change: Partial<ProjectConfig>): Promise<void> {
    await asOnlyWriter(this.#deps.store, name, async (signal) => {
      const path = this.#controlFile(name, 'config');
      const before = parseFile(path, readIfThere(path) ?? '{}', z.looseObject({}));
      makeFolder(this.folder(name));
      await replaceFile(path, `${JSON.stringify({ ...before, ...change }, null, 2)}\n`, { signal });
    });
  }

  attached(name: string): readonly string[] {
    const old = [this.#oldProjects()[name] ?? []].flat();
    return [...this.named(name), ...old.map((path) => resolve(this.#deps.homeDir, path))];
  }

  named(name: string): readonly string[] {
    return this.config(name).documents.map((path) => resolve(this.folder(name), path));
  }

  controlFiles(name: string): readonly string[] {
    return [this.#controlFile(name, 'prompt'), this.#controlFile(name, 'config')];
  }

  #controlFile(name: string, which: keyof typeof CONTROL_FILES): string {
    return join(this.folder(name), CONTROL_FILES[which]);
  }

  /** The text of a control file, if it exists and may be followed. */
  #obeyed(path: string): string | undefined {
    return this.#deps.isObeyed?.(path) === false ? undefined : readIfThere(path);
  }

  #activeFile(): string {
    return join(this.#deps.homeDir, 'state', 'project.txt');
  }

  #oldProjects(): Record<string, string | string[]> {
    const path = join(this.#deps.homeDir, 'projects.json');
    const text = readIfThere(path);
    if (text === undefined) return {};
    try {
      return parseFile(path, text, oldProjectsSchema);
    } catch (error) {
      this.#deps.log.warn('projects.json was ignored', { error: messageOf(error) });
      return {};
    }
  }

  #isName(name: string): boolean {
    return isProjectName(name, this.ownerDir === this.places.projects);
  }
}

/** Whether a folder, by where it really is, lies in what its owner has of the machine. */
function isWithin(folder: string, only: string | undefined): boolean {
  if (only === undefined) return true;
  try {
    return `${realpathSync(folder)}${sep}`.startsWith(`${realpathSync(only)}${sep}`);
  } catch {
    return false;
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

function parseFile<T>(path: string, text: string, schema: z.ZodType<T>): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error).replaceAll('\n', ' ') : messageOf(error);
    const hint = 'Fix the file: it must be valid JSON in the form that docs/documents.md shows.';
    throw new AssistantError('bad_setting', `${path} cannot be used: ${why}.`, { hint, cause: error });
  }
}
