import { readFile } from 'node:fs/promises';
import { messageOf } from '../../base/errors.ts';
import { sha256 } from '../../base/json.ts';
import { CHUNKER_VERSION, chunk } from '../read/chunk.ts';
import { kindOf } from '../read/kinds.ts';
import { Unreadable } from '../read/parsed.ts';
import { READER_VERSION } from '../read/read.ts';
import { isTrial, projectOfTrial } from '../trial-name.ts';
import type { FileNote, IngestProgress, IngestReport } from '../types.ts';
import { nameDocuments } from './document-names.ts';
import { growthOf, ingestGrowth, mayHaveGrown } from './grown-journal.ts';
import { copyImported } from './import-store.ts';
import { ingestLargeText, isReadInParts, sha256OfFile } from './large-text.ts';
import { type KnownSource, type Outcome, ProjectRows, sourceKey } from './project-rows.ts';
import { readDocument } from './read-document.ts';
import { makeRelative } from './relative-rows.ts';
import type { FoundFile } from './scan.ts';
import { SeenPages } from './seen-pages.ts';
import { Survey } from './survey.ts';
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
  try {
    return await run.run();
  } finally {
    await deps.reader.rest();
  }
}

/** A file without passages. */
interface Noted extends Pick<Outcome, 'error' | 'taken'> {
  readonly sha: string;
  readonly state: 'empty' | 'skipped' | 'failed';
}

class IngestRun {
  readonly #deps: IngestDeps;
  readonly #request: IngestRequest;
  readonly #context: IngestContext;
  readonly #records: ProjectRows;
  readonly #version: string;
  #toldAt = Number.NEGATIVE_INFINITY;
  /** Every file in the database, by root and path. */
  #known = new Map<string, KnownSource>();
  #vanishedBySha = new Map<string, KnownSource>();
  #pending: Outcome[] = [];
  #pendingChunks = 0;
  /** The file that is being read, by its number. */
  #at = { done: 0, total: 0 };
  readonly #seen: SeenPages;
  #counts = { indexed: 0, unchanged: 0, removed: 0, renamed: 0 };
  readonly #notes = { empty: [] as string[], skipped: [] as FileNote[], failed: [] as FileNote[] };

  constructor(deps: IngestDeps, request: IngestRequest, context: IngestContext) {
    this.#deps = deps;
    this.#request = request;
    this.#context = context;
    this.#records = new ProjectRows(deps.store, request.project, request.places);
    this.#seen = new SeenPages(deps.store, projectOfTrial(request.project), deps.options.pictureLanguages);
    this.#version = `${READER_VERSION}.${CHUNKER_VERSION}.${deps.options.chunkWords}`;
  }

  async run(): Promise<IngestReport> {
    const { importedOf, project, places } = this.#request;
    for (const each of new Set([importedOf ?? project, project])) await makeRelative(this.#deps.store, each, places);
    if (importedOf !== undefined) await copyImported(this.#deps.store, importedOf, this.#request.project);
    const survey = new Survey(this.#request, this.#records);
    const files = await survey.files(this.#context.signal);
    this.#notes.skipped.push(...survey.skipped);
    this.#notes.failed.push(...survey.failed);
    this.#known = new Map((await this.#records.known()).map((source) => [sourceKey(source), source]));
    const vanished = survey.vanished(this.#known.values(), files);
    this.#vanishedBySha = new Map(
      vanished.filter(({ sha256: sha }) => sha !== '').map((source) => [source.sha256, source]),
    );
    await this.#readAll(files);
    await this.#flush();
    if (!this.#context.signal.aborted) await this.#sweep(vanished);
    if (!this.#context.signal.aborted && !isTrial(this.#request.project)) await this.#seen.sweep();
    await this.#finish();
    return {
      ...this.#counts,
      ...this.#notes,
      missing: survey.missing,
      chunks: await this.#records.chunkCount(),
      aborted: this.#context.signal.aborted,
    };
  }

  async #readAll(files: readonly FoundFile[]): Promise<void> {
    for (const [index, file] of files.entries()) {
      if (this.#context.signal.aborted) return;
      this.#at = { done: index, total: files.length };
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
    const current = known !== undefined && known.version === this.#versionOf(file) && !this.#request.rebuild;
    const { maxFileMb } = this.#deps.options;
    const tooLarge = file.size > maxFileMb * MIB;
    // A file that was too large has no hash: the limit may have changed.
    const passedOver = known?.state === 'skipped' && known.sha256 === '';
    if (current && known.size === file.size && known.mtimeUs === file.mtimeUs && (tooLarge || !passedOver))
      return this.#keep(file, known);
    if (tooLarge) return this.#skip(file, `larger than ${maxFileMb} MB (RAG_MAX_FILE_MB)`);
    try {
      if (current && mayHaveGrown(file, known) && (await this.#readGrowth(file, known))) return;
      const bytes = (await isReadInParts(file)) ? undefined : await readFile(file.absolute);
      const sha = bytes ? sha256(bytes) : await sha256OfFile(file.absolute, this.#context.signal);
      if (current && known.sha256 === sha) return await this.#touch(file, known);
      if (known === undefined && (await this.#rename(file, sha))) return;
      await (bytes ? this.#parse(file, bytes, sha) : this.#parseLarge(file, sha));
    } catch (error) {
      // Stopped by the person, which says nothing about the file. The next run reads it.
      if (this.#context.signal.aborted) return;
      if (!isOfFile(error)) throw error;
      this.#note(file, { sha: '', state: 'failed', error: messageOf(error) });
    }
  }

  async #parse(file: FoundFile, bytes: Uint8Array, sha: string): Promise<void> {
    try {
      const parsed = await readDocument(this.#deps.reader, bytes, file.path, {
        ...{ signal: this.#context.signal, sha256: sha, kept: this.#seen },
        onPages: (done, total) =>
          this.#tell({ ...this.#at, file: `${file.path}, page ${done} of ${total}`, stage: 'read' }),
      });
      const chunks = chunk(parsed, { words: this.#deps.options.chunkWords });
      const { title = null, note: error = null, taken } = parsed;
      if (chunks.length === 0) return this.#note(file, { sha, state: 'empty', error, taken });
      this.#counts.indexed++;
      this.#queue({ ...this.#outcome(file, sha), title, state: 'indexed', error, chunks, taken });
    } catch (error) {
      this.#unreadable(file, sha, error);
    }
  }

  async #parseLarge(file: FoundFile, sha: string): Promise<void> {
    await this.#flush();
    try {
      const large = { ...this.#outcome(file, sha), sha };
      const chunks = await ingestLargeText(this.#deps, this.#records, large, this.#context);
      if (chunks === 0) this.#notes.empty.push(file.path);
      else if (chunks !== undefined) this.#counts.indexed++;
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      this.#unreadable(file, sha, error);
    }
  }

  /** @returns whether only notes at the end were new, so that nothing else had to be read. */
  async #readGrowth(file: FoundFile, known: KnownSource): Promise<boolean> {
    const growth = await growthOf(file, known);
    if (!growth) return false;
    await this.#flush();
    const { sha, ...part } = growth;
    const grown = { ...this.#outcome(file, sha), known, part };
    try {
      const read = await ingestGrowth(this.#deps, this.#records, grown, this.#context);
      if (read) this.#counts.indexed++;
      return read;
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      this.#unreadable(file, sha, error);
      return true;
    }
  }

  #unreadable(file: FoundFile, sha: string, error: unknown): void {
    // The person stopped the reader, which says nothing about the file. The next run reads it.
    if (this.#context.signal.aborted) return;
    const unsupported = error instanceof Unreadable && error.reason === 'unsupported';
    this.#note(file, { sha, state: unsupported ? 'skipped' : 'failed', error: messageOf(error) });
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

  /** @returns whether the file was moved here from a place where it vanished; its chunks are kept. */
  async #rename(file: FoundFile, sha: string): Promise<boolean> {
    const before = this.#vanishedBySha.get(sha);
    if (before === undefined || before.version !== this.#versionOf(file) || kindOf(before.path) !== kindOf(file.path))
      return false;
    this.#vanishedBySha.delete(sha);
    this.#known.delete(sourceKey(before));
    await this.#records.move(before.id, file);
    this.#counts.renamed++;
    return true;
  }

  #note(file: FoundFile, { sha, ...what }: Noted): void {
    this.#queue({ ...this.#outcome(file, sha), title: null, chunks: [], ...what });
    this.#remind(file, what.state, what.error);
  }

  /** Mention a file with a problem in the report, even if it is unchanged. */
  #remind(file: FoundFile, state: KnownSource['state'], error: string | null): void {
    if (state === 'empty') this.#notes.empty.push(file.path);
    else if (state !== 'indexed') this.#notes[state].push({ file: file.path, why: error ?? 'unknown' });
  }

  #outcome(file: FoundFile, sha: string) {
    return { file, sha256: sha, kind: kindOf(file.path) ?? 'text', version: this.#versionOf(file) };
  }

  /** Another one reads otherwise. */
  #versionOf({ path }: FoundFile): string {
    const withExif = this.#deps.options.exif && kindOf(path) === 'picture';
    return withExif ? `${this.#version}.exif` : this.#version;
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
    if (indexed + removed + renamed > 0)
      await this.#deps.store.transaction(() => nameDocuments(this.#deps.store, this.#request.project));
  }
}

/** Whether the error is from the file system: an error in the database is not the file's fault. */
function isOfFile(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).syscall !== undefined;
}
