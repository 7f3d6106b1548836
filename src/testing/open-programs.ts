import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { ProgramFiles } from '../lang/lsp/files.ts';
import type { Files } from './checked-programs.ts';
import { temporaryFolder } from './home.ts';

interface OpenPrograms {
  /** What the editor has open; the rest of the files are on the disk alone. */
  readonly open?: Files;
  readonly disk?: Files;
  /** The editor's folders, inside the temporary one. */
  readonly folders?: readonly string[];
  readonly tools?: readonly string[];
}

/** Programs as a server sees them that has an editor to serve. */
export function openPrograms({ open = {}, disk = {}, folders = [], tools = [] }: OpenPrograms) {
  const folder = temporaryFolder();
  const pathOf = (name: string) => join(folder, name);
  const uriOf = (name: string) => pathToFileURL(pathOf(name)).href;
  const documents = new Map<string, TextDocument>();
  /** A second time with the same version: the text of which nothing was told. */
  const show = (name: string, text: string, version = 1) =>
    documents.set(uriOf(name), TextDocument.create(uriOf(name), 'thinklang', version, text));
  const write = (name: string, text: string) => {
    mkdirSync(dirname(pathOf(name)), { recursive: true });
    writeFileSync(pathOf(name), text);
  };
  for (const [name, text] of Object.entries(disk)) write(name, text);
  for (const [name, text] of Object.entries(open)) show(name, text);
  const files = new ProgramFiles({ get: (uri) => documents.get(uri), all: () => [...documents.values()] }, tools);
  files.folders = folders.map(pathOf);
  return {
    ...{ folder, files, documents, pathOf, uriOf, show, write },
    nameOf: (path: string) => relative(folder, path),
    module: (name: string) => {
      const module = files.module(uriOf(name));
      if (!module) throw new Error(`${name} is not open`);
      return module;
    },
  };
}
