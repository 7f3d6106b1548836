import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { sha256 } from '../../base/json.ts';
import { notDocuments } from '../project-file-names.ts';
import { CHUNKER_VERSION, chunk } from '../read/chunk.ts';
import { kindOf } from '../read/kinds.ts';
import { Unreadable } from '../read/parsed.ts';
import { READER_VERSION } from '../read/read.ts';
import type { IngestProgress, IngestReport } from '../types.ts';
import { copyImported } from './import-store.ts';
import { type KnownSource, type Outcome, ProjectRows, sourceKey } from './project-rows.ts';
import { makeRelative } from './relative-rows.ts';
import { type FoundFile, type Scope, scan, scopeOf } from './scan.ts';
import type { IngestContext, IngestDeps, IngestRequest } from './types.ts';

/** Progress is reported at most this often. */
const TELL_EVERY_MS = 50;

/** A transaction ends after this many files or chunks, whichever comes first. */
const FILES_PER_TRANSACTION = 64;
const CHUNKS_PER_TRANSACTION = 2000;
const MIB = 1024 * 1024;

/** Bring one project's rows up to date with its files. An interrupted run is continued by the next. */
export async function ingest(deps: IngestDeps, request: IngestRequest, context: IngestContext): Promise<IngestReport> {
  const run = new IngestRun(deps, request, context);
  return run.run();
}

class IngestRun {
  readonly #deps: IngestDeps;
  readonly #request: IngestRequest;
  readonly #context: IngestContext;
  readonly #records: ProjectRows;
  readonly #version: string;
  #toldAt = Number.NEGATIVE_INFINITY;
  readonly #missing: string[] = [];
  /** Folders that could not be opened: what is known of their files is kept. */
  readonly #closed: string[] = [];
  /** Every file in the database, by root and path. */
  #known = new Map<string, KnownSource>();
  #vanishedBySha = new Map<string, KnownSource>();
  #pending: Outcome[] = [];
  #pendingChunks = 0;
  #counts = { indexed: 0, unchanged: 0, removed: 0, renamed: 0 };
  readonly #notes = { empty: [] as string[], skipped: [] as Note[], failed: [] as Note[] };

  constructor(deps: IngestDeps, request: IngestRequest, context: IngestContext) {
    this.#deps = deps;
    this.#request = request;
    this.#context = context;
    this.#records = new ProjectRows(deps.store, request.project, request.places);
    this.#version = `${READER_VERSION}.${CHUNKER_VERSION}.${deps.options.chunkWords}`;
  }

  async run(): Promise<IngestReport> {
    const { importedOf, project, places } = this.#request;
    for (const each of new Set([importedOf ?? project, project])) await makeRelative(this.#deps.store, each, places);
    if (importedOf !== undefined) await copyImported(this.#deps.store, importedOf, this.#request.project);
    const scopes = await this.#scopes();
    const files = await this.#scanAll(scopes);
    this.#known = new Map((await this.#records.known()).map((source) => [sourceKey(source), source]));
    const vanished = this.#findVanished(scopes, files);
    this.#vanishedBySha = new Map(
      vanished.filter(({ sha256: sha }) => sha !== '').map((source) => [source.sha256, source]),
    );
    await this.#readAll(files);
    await this.#flush();
    if (!this.#context.signal.aborted) await this.#sweep(vanished);
    await this.#finish();
    return {
      ...this.#counts,
      ...this.#notes,
      missing: this.#missing,
      chunks: await this.#records.chunkCount(),
      aborted: this.#context.signal.aborted,
    };
  }

  async #scopes(): Promise<Scope[]> {
    const { folder, paths, ownOnly } = this.#request;
    const remembered = ownOnly || paths.length > 0 ? [] : await this.#remembered();
    const specs = paths.length > 0 ? paths : [folder, ...remembered];
    const scopes: Scope[] = [];
    for (const spec of new Set(specs)) {
      const scope = scopeOf(spec);
      if (scope) scopes.push(await this.#underKnownRoot(scope));
      else if (spec !== folder) this.#missing.push(spec);
    }
    return scopes;
  }

  /** What the owner ingested by hand, and of what the configuration names, what is inside of that. */
  async #remembered(): Promise<string[]> {
    const { folder, attached, named = [] } = this.#request;
    const roots = await this.#records.roots();
    const known = [folder, ...roots].map((path) => resolve(path));
    const mayRead = (spec: string) =>
      known.some((path) => isInside(scopeOf(spec)?.root ?? spec, path) || spec === path);
    const refused = named.filter((spec) => !mayRead(spec));
    for (const spec of refused)
      this.#notes.skipped.push({ file: spec, why: `ingest it by hand once: wooster ingest ${spec}` });
    return [...roots, ...attached.filter((spec) => !refused.includes(spec))];
  }

  /** Files inside the project's own or a remembered folder belong to that folder, so that no file is known twice. */
  async #underKnownRoot(scope: Scope): Promise<Scope> {
    const known = [this.#request.folder, ...(await this.#records.roots())];
    const folders = known.filter((path) => isInside(scope.spec, path));
    const root = folders.find((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory());
    if (root !== undefined) return { ...scope, root };
    const at = new Date().toISOString();
    await this.#records.addRoot(scope.spec, at);
    return scope;
  }

  async #scanAll(scopes: readonly Scope[]): Promise<FoundFile[]> {
    const ignored = new Set(notDocuments(resolve(this.#request.folder)));
    const files = new Map<string, FoundFile>();
    for (const scope of scopes) {
      const scanned = await scan(scope, ignored, this.#context.signal);
      for (const file of scanned.files) if (!files.has(file.absolute)) files.set(file.absolute, file);
      for (const { absolute, why } of scanned.closed) this.#noteClosed(absolute, why);
    }
    return [...files.values()];
  }

  #noteClosed(folder: string, why: string): void {
    if (this.#closed.includes(folder)) return;
    this.#closed.push(folder);
    this.#notes.failed.push({ file: folder, why });
  }

  /** Known files that no longer exist, as far as the scopes can tell. */
  #findVanished(scopes: readonly Scope[], files: readonly FoundFile[]): KnownSource[] {
    const present = new Set(files.map(sourceKey));
    const folders = scopes.filter(({ form }) => form === 'folder');
    return [...this.#known.values()].filter((source) => {
      if (present.has(sourceKey(source))) return false;
      const absolute = resolve(source.root, source.path);
      if (this.#closed.some((folder) => isInside(absolute, folder))) return false;
      return folders.some((scope) => isInside(absolute, scope.spec)) || this.#wasNamed(scopes, absolute);
    });
  }

  /** Whether a file near a glob or a single file is gone from the disk: only then has it vanished. */
  #wasNamed(scopes: readonly Scope[], absolute: string): boolean {
    const near = scopes.some((scope) => scope.form !== 'folder' && isInside(absolute, scope.root));
    return near && statSync(absolute, { throwIfNoEntry: false }) === undefined;
  }

  async #readAll(files: readonly FoundFile[]): Promise<void> {
    for (const [index, file] of files.entries()) {
      if (this.#context.signal.aborted) return;
      await this.#readOne(file);
      if (this.#pending.length >= FILES_PER_TRANSACTION || this.#pendingChunks >= CHUNKS_PER_TRANSACTION)
        await this.#flush();
      this.#tell({ done: index + 1, total: files.length, file: file.path, stage: 'read' });
    }
  }

  /** Report progress, but not for each of thousands of unchanged files. */
  #tell(progress: IngestProgress): void {
    const now = performance.now();
    if (now - this.#toldAt < TELL_EVERY_MS && progress.done < progress.total) return;
    this.#toldAt = now;
    this.#context.progress(progress);
  }

  /** Size and time are compared first, then the content's hash: an unchanged file is not parsed again. */
  async #readOne(file: FoundFile): Promise<void> {
    const known = this.#known.get(sourceKey(file));
    const current = known !== undefined && known.version === this.#version && !this.#request.rebuild;
    if (current && known.size === file.size && known.mtimeUs === file.mtimeUs) return this.#keep(file, known);
    if (file.size > this.#deps.options.maxFileMb * MIB)
      return this.#skip(file, `larger than ${this.#deps.options.maxFileMb} MB`);
    let bytes: Uint8Array;
    try {
      bytes = await readFile(file.absolute);
    } catch (error) {
      return this.#note(file, { sha: '', state: 'failed', error: messageOf(error) });
    }
    const sha = sha256(bytes);
    if (current && known.sha256 === sha) return this.#touch(file, known);
    if (known === undefined && (await this.#rename(file, sha))) return;
    await this.#parse(file, bytes, sha);
  }

  async #parse(file: FoundFile, bytes: Uint8Array, sha: string): Promise<void> {
    try {
      const parsed = await this.#deps.read(bytes, file.path, this.#context.signal);
      const chunks = chunk(parsed, { words: this.#deps.options.chunkWords });
      if (chunks.length === 0) return this.#note(file, { sha, state: 'empty', error: parsed.note ?? null });
      this.#counts.indexed++;
      this.#queue({
        ...this.#outcome(file, sha),
        title: parsed.title ?? null,
        state: 'indexed',
        error: parsed.note ?? null,
        chunks,
      });
    } catch (error) {
      // The person stopped the reader, which says nothing about the file. The next run reads it.
      if (this.#context.signal.aborted) return;
      const unsupported = error instanceof Unreadable && error.reason === 'unsupported';
      const state = unsupported ? 'skipped' : 'failed';
      this.#note(file, { sha, state, error: messageOf(error) });
    }
  }

  #keep(file: FoundFile, known: KnownSource): void {
    this.#counts.unchanged++;
    this.#remind(file, known.state, known.error);
  }

  /** The content is the same although size or time differ. */
  async #touch(file: FoundFile, known: KnownSource): Promise<void> {
    await this.#records.touch(known.id, file);
    this.#keep(file, known);
  }

  #skip(file: FoundFile, error: string): void {
    this.#note(file, { sha: '', state: 'skipped', error });
  }

  /** @returns whether the file is one that vanished elsewhere; its chunks are kept. */
  async #rename(file: FoundFile, sha: string): Promise<boolean> {
    const before = this.#vanishedBySha.get(sha);
    if (before === undefined || before.version !== this.#version || kindOf(before.path) !== kindOf(file.path))
      return false;
    this.#vanishedBySha.delete(sha);
    this.#known.delete(sourceKey(before));
    await this.#records.move(before.id, file);
    this.#counts.renamed++;
    return true;
  }

  #note(file: FoundFile, what: { sha: string; state: 'empty' | 'skipped' | 'failed'; error: string | null }): void {
    this.#queue({ ...this.#outcome(file, what.sha), title: null, state: what.state, error: what.error, chunks: [] });
    this.#remind(file, what.state, what.error);
  }

  /** Mention a file with a problem in the report, also when it is unchanged. */
  #remind(file: FoundFile, state: KnownSource['state'], error: string | null): void {
    if (state === 'empty') this.#notes.empty.push(file.path);
    else if (state !== 'indexed') this.#notes[state].push({ file: file.path, why: error ?? 'unknown' });
  }

  #outcome(file: FoundFile, sha: string) {
    return { file, sha256: sha, kind: kindOf(file.path) ?? 'text', version: this.#version };
  }

  #queue(outcome: Outcome): void {
    this.#pending.push(outcome);
    this.#pendingChunks += outcome.chunks.length;
  }

  async #flush(): Promise<void> {
    if (this.#pending.length === 0) return;
    const at = new Date().toISOString();
    await this.#deps.store.transaction(async () => {
      const { changes } = await this.#records.save(this.#pending, at);
      await this.#records.bumpRevision(changes);
    });
    this.#pending = [];
    this.#pendingChunks = 0;
  }

  /** Delete what is gone and was not renamed. */
  async #sweep(vanished: readonly KnownSource[]): Promise<void> {
    const gone = vanished.filter((source) => this.#known.has(sourceKey(source)));
    if (gone.length === 0) return;
    await this.#deps.store.transaction(async () => {
      await this.#records.bumpRevision(await this.#records.remove(gone));
    });
    this.#counts.removed += gone.length;
  }

  async #finish(): Promise<void> {
    const { indexed, removed, renamed } = this.#counts;
    if (indexed + removed + renamed > 0) await this.#deps.store.transaction(() => this.#records.nameDocuments());
  }
}

interface Note {
  readonly file: string;
  readonly why: string;
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
