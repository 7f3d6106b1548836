import { resolve } from 'node:path';
import {
  chunksBeside,
  documentTexts,
  filesNamed,
  passageSources,
  picturePassages,
  sectionNumbered,
} from './documents/document-texts.ts';
import { Ingester } from './documents/ingester.ts';
import { readFields } from './documents/paper-fields.ts';
import { papers } from './documents/papers.ts';
import { type DocumentsDeps, ProjectSetup } from './documents/project-setup.ts';
import { Rebuilder } from './documents/rebuild.ts';
import { Searchers } from './documents/searchers.ts';
import { countSources, importsOf, sourcePages, sourceRange } from './documents/source-list.ts';
import { clearProject } from './documents/trial.ts';
import { ProjectRows } from './ingest/project-rows.ts';
import { passedOverIn } from './ingest/scan.ts';
import type { ParsedQuery } from './search/query.ts';
import type {
  Documents,
  DocumentText,
  FileChunk,
  FileNote,
  Hit,
  ImportedFolder,
  ImportOptions,
  ImportReport,
  IngestOptions,
  IngestReport,
  Papers,
  PassageSources,
  PicturePassage,
  SearchOptions,
  SourceCounts,
  SourceInfo,
  SourceRange,
  SourcesOptions,
  WatchOptions,
} from './types.ts';
import { watchPaths } from './watch.ts';

/** How often to poll a folder that gives no events. */
const POLL_MS = 10_000;

/** Creates the documents of all projects. Reading, indexing and searching run in threads, until `close`. */
export function createDocuments(deps: DocumentsDeps): Documents {
  return new ThreadedDocuments(deps);
}

class ThreadedDocuments implements Documents {
  readonly #deps: DocumentsDeps;
  readonly #setup: ProjectSetup;
  readonly #ingester: Ingester;
  readonly #searchers: Searchers;
  readonly #rebuilder: Rebuilder;

  constructor(deps: DocumentsDeps) {
    this.#deps = deps;
    const setup = new ProjectSetup(deps);
    const ingester = new Ingester(deps, setup);
    const isRebuilding = (project: string) => this.#rebuilder.isRunning(project);
    this.#setup = setup;
    this.#ingester = ingester;
    this.#searchers = new Searchers({ ...deps, setup, ingester, isRebuilding });
    this.#rebuilder = new Rebuilder({ store: deps.store, setup, ingester, searchers: this.#searchers });
  }

  get #listed() {
    const { store, projects } = this.#deps;
    return { store, places: projects.places };
  }

  async ingest(project: string, paths: readonly string[], options: IngestOptions): Promise<IngestReport> {
    const absolute = paths.map((path) => resolve(path));
    const report = options.rebuild
      ? await this.#rebuilder.rebuild(project, absolute, options)
      : await this.#ingest(project, absolute, options);
    const { store, log, fieldReader: reader, options: own } = this.#deps;
    if (reader && own.fields === 'model') await readFields(store, project, { ...options, reader, log });
    return report;
  }

  async #ingest(project: string, paths: readonly string[], options: IngestOptions): Promise<IngestReport> {
    await this.#setup.refuseMixing(project);
    await this.#rebuilder.clearAbandoned(project);
    return this.#ingester.ingest(project, { ...this.#setup.ingestRequest(project), paths }, options);
  }

  importStore(project: string, folder: string, options: ImportOptions): Promise<ImportReport> {
    return this.#ingester.importStore(project, folder, options);
  }

  removeImported(project: string, folder: string, options: Pick<IngestOptions, 'signal'>): Promise<number> {
    return this.#ingester.removeImported(project, folder, options);
  }

  open(project: string): Promise<void> {
    return this.#searchers.open(project);
  }

  search(project: string, query: string | ParsedQuery, options: SearchOptions): Promise<readonly Hit[]> {
    return this.#searchers.search(project, query, options);
  }

  async watch(project: string, options: WatchOptions): Promise<void> {
    const { store, sharedFolders = false, pollMs = POLL_MS } = this.#deps;
    const onChange = async () => {
      const report = await this.ingest(project, [], { signal: options.signal });
      if (report.indexed + report.removed + report.renamed > 0) options.onReport(report);
    };
    await watchPaths(await this.#specs(project), options.signal, onChange, {
      shared: sharedFolders,
      everyMs: pollMs,
      lock: () => store.lock(`poll:${project}`),
      onBlind: ({ message }) => this.#deps.log.warn('a watched folder is polled', { project, error: message }),
    });
  }

  async passedOver(project: string, signal: AbortSignal): Promise<readonly FileNote[]> {
    const passed = await passedOverIn(await this.#specs(project), signal);
    return passed.map(({ absolute, why }) => ({ file: absolute, why }));
  }

  /** The folders, files and globs that the documents come from. */
  async #specs(project: string): Promise<readonly string[]> {
    const { folder, attached } = this.#setup.ingestRequest(project);
    const roots = await new ProjectRows(this.#deps.store, project, this.#deps.projects.places).roots();
    return [folder, ...attached, ...roots];
  }

  async any(project: string): Promise<boolean> {
    const files = this.#deps.store.read.selectFrom('sources').select('id').where('project', '=', project).limit(1);
    return (await files.executeTakeFirst()) !== undefined;
  }

  texts(project: string, name: string): Promise<readonly DocumentText[]> {
    return documentTexts(this.#listed, project, name);
  }

  filesNamed(project: string, fits: (path: string) => boolean): Promise<readonly FileChunk[]> {
    return filesNamed(this.#deps.store, project, fits);
  }

  chunksBeside(chunkId: number, most: number): Promise<readonly string[]> {
    return chunksBeside(this.#deps.store, chunkId, most);
  }

  section(project: string, chunkId: number, number: string): Promise<Hit | undefined> {
    return sectionNumbered(this.#deps.store, project, { chunkId, number });
  }

  picturePassages(project: string): Promise<readonly PicturePassage[]> {
    return picturePassages(this.#deps.store, project);
  }

  papers(project: string): Promise<Papers> {
    return papers(this.#deps.store, project);
  }

  sourcesOf(project: string, chunkIds: readonly number[]): Promise<PassageSources> {
    return passageSources(this.#deps, project, chunkIds);
  }

  async sources(project: string): Promise<readonly SourceInfo[]> {
    const files: SourceInfo[] = [];
    for await (const page of this.sourcePages(project)) files.push(...page);
    return files;
  }

  sourcePages(project: string, options: SourcesOptions = {}): AsyncIterable<readonly SourceInfo[]> {
    return sourcePages(this.#listed, project, options);
  }

  sourceRange(project: string, range: SourceRange): Promise<readonly SourceInfo[]> {
    return sourceRange(this.#listed, project, range);
  }

  imports(project: string): Promise<readonly ImportedFolder[]> {
    return importsOf(this.#listed, project);
  }

  sourceCounts(project: string): Promise<SourceCounts> {
    return countSources(this.#deps.store, project);
  }

  withheldFrom(project: string): string | undefined {
    return this.#setup.withheldFrom(project);
  }

  async forget(project: string): Promise<void> {
    await this.#searchers.closeThread(project);
    await clearProject(this.#deps.store, project, this.#setup.dir(project));
  }

  async close(): Promise<void> {
    await Promise.all([this.#ingester.stop(), this.#searchers.stop()]);
    await this.#searchers.idle();
  }
}
