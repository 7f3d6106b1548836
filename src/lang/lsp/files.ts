import { globSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { TextDocuments } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { AssistantError } from '../../base/errors.ts';
import { checkSource, type Module } from '../check/check.ts';
import { readSource } from '../source.ts';

/** The most files of a folder that are searched for the uses of a name. */
const MOST_FILES = 2_000;

/** Texts of changed files, by path. They override open documents, which override the files on disk. */
export type Overlay = ReadonlyMap<string, string>;

/** The texts that an editor has open. */
export type Documents = Pick<TextDocuments<TextDocument>, 'get' | 'all'>;

/** The programs that are open in an editor, and those in the same folders. */
export class ProgramFiles {
  readonly #documents: Documents;
  readonly #tools: readonly string[];
  readonly #checked = new Map<string, { readonly version: number; readonly module: Module }>();
  /** The editor's workspace folders. */
  folders: readonly string[] = [];

  constructor(documents: Documents, tools: readonly string[]) {
    this.#documents = documents;
    this.#tools = tools;
  }

  /** The checked text of an open document; imports are read from other open documents first. */
  module(uri: string): Module | undefined {
    const document = this.#documents.get(uri);
    if (!document) return undefined;
    const known = this.#checked.get(uri);
    if (known && known.version === document.version) return known.module;
    const module = this.check(pathOf(uri), document.getText());
    this.#checked.set(uri, { version: document.version, module });
    return module;
  }

  /** Drop the cached checks of open programs that import a file. @returns their URIs. */
  forgetImporting(path: string): string[] {
    const stale = [...this.#checked].filter(([, { module }]) => imports(module, path)).map(([uri]) => uri);
    for (const uri of stale) this.#checked.delete(uri);
    return stale;
  }

  /** Forget a closed program: when it is opened again, its versions start over. */
  forget(uri: string): void {
    this.#checked.delete(uri);
  }

  check(path: string, source: string, overlay: Overlay = new Map()): Module {
    const read = (other: string) => overlay.get(other) ?? this.#openText(other) ?? readSource(other);
    return checkSource(source, path, { read, tools: this.#tools }).main;
  }

  /** Every program that may use a name: open ones, and those in the workspace folders or else the file's own. */
  *mentioning(name: string, { path: from }: Module, overlay: Overlay = new Map()): Generator<Module> {
    for (const path of new Set([...this.#openPaths(), ...this.#inFolders(dirname(from))])) {
      const source = overlay.get(path) ?? this.text(path);
      if (source?.includes(name)) yield this.check(path, source, overlay);
    }
  }

  /** The text of a file; undefined where it cannot be read. */
  text(path: string): string | undefined {
    try {
      return this.#openText(path) ?? readSource(path);
    } catch (error) {
      if (error instanceof AssistantError) return undefined;
      throw error;
    }
  }

  /** The URI of a file as the editor writes it. */
  uri(path: string): string {
    return this.#documents.all().find(({ uri }) => pathOf(uri) === path)?.uri ?? pathToFileURL(path).href;
  }

  #openText(path: string): string | undefined {
    return this.#documents
      .all()
      .find(({ uri }) => pathOf(uri) === path)
      ?.getText();
  }

  #openPaths(): string[] {
    return this.#documents.all().map(({ uri }) => pathOf(uri));
  }

  #inFolders(beside: string): string[] {
    const exclude = (name: string) => name.endsWith('node_modules') || /(?:^|\/)\.[^./]/u.test(name);
    const paths = this.folders.flatMap((cwd) => globSync('**/*.tl', { cwd, exclude }).map((path) => join(cwd, path)));
    if (this.folders.length === 0) paths.push(...programsIn(beside));
    return paths.slice(0, MOST_FILES);
  }
}

function programsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.tl'))
      .map((name) => join(folder, name));
  } catch {
    // A document that was never saved has no folder.
    return [];
  }
}

function imports(module: Module, path: string): boolean {
  return [...module.imports.values()].some((each) => each.path === path || imports(each, path));
}

/** The path of a document; one that is not a file keeps its URI. */
export function pathOf(uri: string): string {
  return uri.startsWith('file:') ? fileURLToPath(uri) : uri;
}
