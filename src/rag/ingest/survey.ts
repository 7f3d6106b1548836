import { statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { notDocuments } from '../project-file-names.ts';
import type { FileNote } from '../types.ts';
import { type KnownSource, type ProjectRows, sourceKey } from './project-rows.ts';
import { type FoundFile, isPassedOver, type Scope, scan, scopeOf } from './scan.ts';
import type { IngestRequest } from './types.ts';

/** Finds the files of one ingest, and which known files are gone. */
export class Survey {
  readonly #request: IngestRequest;
  readonly #records: ProjectRows;
  /** Folders that could not be opened; what is known about their files is kept. */
  readonly #closed: string[] = [];
  #found: readonly Scope[] = [];
  readonly missing: string[] = [];
  readonly skipped: FileNote[] = [];
  readonly failed: FileNote[] = [];

  constructor(request: IngestRequest, records: ProjectRows) {
    this.#request = request;
    this.#records = records;
  }

  /** Every file to look at, once. */
  async files(signal: AbortSignal): Promise<FoundFile[]> {
    this.#found = await this.#scopes();
    const ignored = new Set(notDocuments(resolve(this.#request.folder)));
    const files = new Map<string, FoundFile>();
    for (const scope of this.#found) {
      const scanned = await scan(scope, ignored, signal);
      for (const file of scanned.files) if (!files.has(file.absolute)) files.set(file.absolute, file);
      for (const { absolute, why } of scanned.closed) this.#noteClosed(absolute, why);
    }
    return [...files.values()];
  }

  async #scopes(): Promise<Scope[]> {
    const { folder, paths, ownOnly } = this.#request;
    const remembered = ownOnly || paths.length > 0 ? [] : await this.#remembered();
    const specs = paths.length > 0 ? paths : [folder, ...remembered];
    const scopes: Scope[] = [];
    for (const spec of new Set(specs)) {
      const scope = scopeOf(spec);
      if (scope) scopes.push(await this.#underKnownRoot(scope));
      else if (spec !== folder) this.missing.push(spec);
    }
    return scopes;
  }

  /** What the owner ingested by hand, and whatever inside it the configuration names. */
  async #remembered(): Promise<string[]> {
    const { folder, attached, named = [] } = this.#request;
    const roots = await this.#records.roots();
    const known = [folder, ...roots].map((path) => resolve(path));
    const mayRead = (spec: string) =>
      known.some((path) => isInside(scopeOf(spec)?.root ?? spec, path) || spec === path);
    const refused = named.filter((spec) => !mayRead(spec));
    for (const spec of refused)
      this.skipped.push({ file: spec, why: `ingest it by hand once: wooster ingest ${spec}` });
    return [...roots, ...attached.filter((spec) => !refused.includes(spec))];
  }

  /** Files inside the project's own or a remembered folder belong to that folder, so that no file is known twice. */
  async #underKnownRoot(scope: Scope): Promise<Scope> {
    const known = [this.#request.folder, ...(await this.#records.roots())];
    const folders = known.filter((path) => isInside(scope.spec, path) && !isAside(scope, path));
    const root = folders.find((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory());
    if (root !== undefined) return { ...scope, root };
    const at = new Date().toISOString();
    await this.#records.addRoot(scope.spec, at);
    return scope;
  }

  #noteClosed(folder: string, why: string): void {
    if (this.#closed.includes(folder)) return;
    this.#closed.push(folder);
    this.failed.push({ file: folder, why });
  }

  /** Known files that no longer exist, as far as the scopes can tell. */
  vanished(known: Iterable<KnownSource>, files: readonly FoundFile[]): KnownSource[] {
    const present = new Set(files.map(sourceKey));
    const folders = this.#found.filter(({ form }) => form === 'folder');
    return [...known].filter((source) => {
      if (present.has(sourceKey(source))) return false;
      const absolute = resolve(source.root, source.path);
      if (this.#closed.some((folder) => isInside(absolute, folder))) return false;
      const isCovered = folders.some(({ spec }) => isInside(absolute, spec) && !isPassedOver(spec, absolute, false));
      return isCovered || this.#wasNamed(absolute);
    });
  }

  /** Whether a file near a glob or a single file is gone from the disk: only then has it vanished. */
  #wasNamed(absolute: string): boolean {
    const near = this.#found.some((scope) => scope.form !== 'folder' && isInside(absolute, scope.root));
    return near && statSync(absolute, { throwIfNoEntry: false }) === undefined;
  }
}

/** Whether a scan of the folder around it does not come to what was named. */
function isAside({ form, spec, root }: Scope, folder: string): boolean {
  return form === 'glob' ? isPassedOver(folder, root, true) : isPassedOver(folder, spec, form === 'folder');
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
