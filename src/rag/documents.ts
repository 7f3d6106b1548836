import { resolve } from 'node:path';
import { isIn } from '../store/portable.ts';
import { relatedWords } from './analysis/reader.ts';
import { documentTexts } from './documents/document-texts.ts';
import { Ingester } from './documents/ingester.ts';
import { type DocumentsDeps, ProjectSetup } from './documents/project-setup.ts';
import { Rebuilder } from './documents/rebuild.ts';
import { Searchers } from './documents/searchers.ts';
import { countSources, sourcePages } from './documents/source-list.ts';
import { clearProject } from './documents/trial.ts';
import { IMPORTED_KIND } from './ingest/import-root.ts';
import { ProjectRows } from './ingest/project-rows.ts';
import { absoluteRoot } from './places.ts';
import { LISTS_FOLDER } from './project-file-names.ts';
import { extractAnswer } from './search/answer.ts';
import type { Asked } from './search/coverage.ts';
import { resolveQuery } from './search/follow-up/follow-up.ts';
import { withNextDays } from './search/next-event.ts';
import { parseQuery } from './search/query.ts';
import { isTable, type TableText, tableFigure } from './search/table-figure.ts';
import { isNamedBy, isNameLike, type TableQuestion, tableQuestion } from './search/table-question.ts';
import type {
  AnswerOptions,
  Documents,
  DocumentText,
  ExtractiveAnswer,
  Hit,
  ImportOptions,
  ImportReport,
  IngestOptions,
  IngestReport,
  PassageSource,
  SearchOptions,
  SourceCounts,
  SourceInfo,
  SourcesOptions,
  SupportingHit,
  TableFigure,
  WatchOptions,
} from './types.ts';
import { watchPaths } from './watch.ts';

/** How many hits the sentences of an extractive answer are taken from. */
const ANSWER_DEPTH = 8;
/** An answer that covers less of its question is looked for in other words, too. */
const UNSURE = 0.4;
const TABLE_FILE = /\.(?:csv|tsv|xlsx|ods)$/iu;
/** A table is added up from so many of its chunks at most: some 50,000 rows. */
const MOST_TABLE_CHUNKS = 2000;
/** How often a folder is looked at that gives no events. */
const POLL_MS = 10_000;

/** Creates the documents of all projects. Reading, indexing and searching run in threads, until `close`. */
export function createDocuments(deps: DocumentsDeps): Documents {
  return new ThreadedDocuments(deps);
}

/** What is to be bought or done answers no question to the documents. */
const tells = ({ file, text }: Hit) => !(file.startsWith(`${LISTS_FOLDER}/`) && /^[ \t]*[-*+] \[[ x]\]/imu.test(text));

interface RelatedAnswer {
  readonly answer: string;
  readonly confidence: number;
  readonly hits: readonly Hit[];
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

  async ingest(project: string, paths: readonly string[], options: IngestOptions): Promise<IngestReport> {
    const absolute = paths.map((path) => resolve(path));
    if (options.rebuild) return this.#rebuilder.rebuild(project, absolute, options);
    await this.#setup.refuseMixing(project);
    await this.#rebuilder.clearAbandoned(project);
    return this.#ingester.ingest(project, { ...this.#setup.ingestRequest(project), paths: absolute }, options);
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

  search(project: string, query: string, options: SearchOptions): Promise<readonly Hit[]> {
    return this.#searchers.search(project, query, options);
  }

  async answer(project: string, question: string, options: AnswerOptions): Promise<ExtractiveAnswer> {
    const k = Math.max(options.k, ANSWER_DEPTH);
    const hits = await this.search(project, question, { ...options, k });
    const { text } = parseQuery(question);
    const asked = { question: text, resolved: resolveQuery(text, options.history ?? []) };
    const own = extractAnswer(asked, hits.slice(0, ANSWER_DEPTH).filter(tells).map(coming(options.today)));
    const related = own.confidence < UNSURE ? await this.#inRelatedWords(project, asked, options) : undefined;
    const better = related && related.confidence > own.confidence ? related : undefined;
    const { answer, confidence } = better ?? own;
    const passages = passagesOf(hits.slice(0, options.k));
    const given = [
      ...hits.filter((hit, index) => index < options.k || answer.includes(hit.citation)),
      ...(better?.hits ?? []).filter((hit) => answer.includes(hit.citation)),
    ];
    const table = await this.#tableFigure(project, text, { hits: hits.slice(0, ANSWER_DEPTH), today: options.today });
    // The figure may be of a document that no passage is of, and it is as untrusted as that one.
    const sources = await this.#sourcesOf([...given, ...(table ? [table] : [])].map(({ chunkId }) => chunkId));
    const journal = this.#deps.projects.journal(project);
    const journalOnly = sources.every(({ path }) => path === journal);
    return { answer, confidence, passages, sources, journalOnly, ...(table && { table: table.figure }) };
  }

  /**
   * What the papers may say instead is looked for where no sentence surely answers, and only to find one that does:
   * the passages stay those of the question.
   */
  async #inRelatedWords(project: string, asked: Asked, options: AnswerOptions): Promise<RelatedAnswer | undefined> {
    const more = relatedWords(asked.question);
    if (more.length === 0) return undefined;
    const query = `${asked.resolved} ${more.join(' ')}`;
    const hits = await this.search(project, query, {
      ...options,
      history: [],
      neighbours: 0,
      k: ANSWER_DEPTH,
      reranked: false,
    });
    const found = extractAnswer(asked, hits.filter(tells).map(coming(options.today)));
    return found.answer === '' ? undefined : { ...found, hits };
  }

  async watch(project: string, options: WatchOptions): Promise<void> {
    const { folder, attached } = this.#setup.ingestRequest(project);
    const roots = await new ProjectRows(this.#deps.store, project, this.#deps.projects.places).roots();
    const { store, sharedFolders = false, pollMs = POLL_MS } = this.#deps;
    const onChange = async () => {
      const report = await this.ingest(project, [], { signal: options.signal });
      if (report.indexed + report.removed + report.renamed > 0) options.onReport(report);
    };
    await watchPaths([folder, ...attached, ...roots], options.signal, onChange, {
      shared: sharedFolders,
      everyMs: pollMs,
      lock: () => store.lock(`poll:${project}`),
    });
  }

  async any(project: string): Promise<boolean> {
    const files = this.#deps.store.read.selectFrom('sources').select('id').where('project', '=', project).limit(1);
    return (await files.executeTakeFirst()) !== undefined;
  }

  texts(project: string, name: string): Promise<readonly DocumentText[]> {
    return documentTexts({ store: this.#deps.store, places: this.#deps.projects.places }, project, name);
  }

  async sources(project: string): Promise<readonly SourceInfo[]> {
    const files: SourceInfo[] = [];
    for await (const page of this.sourcePages(project)) files.push(...page);
    return files;
  }

  sourcePages(project: string, options: SourcesOptions = {}): AsyncIterable<readonly SourceInfo[]> {
    return sourcePages({ store: this.#deps.store, places: this.#deps.projects.places }, project, options);
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

  /** From the first of the tables found that has rows which fit: a passage has only some of its rows. */
  async #tableFigure(
    project: string,
    question: string,
    { hits, today }: { hits: readonly Hit[]; today: string | undefined },
  ): Promise<{ readonly figure: TableFigure; readonly chunkId: number } | undefined> {
    const asked = tableQuestion(question, today);
    if (asked === undefined) return undefined;
    const named = await this.#tableNamedIn(project, question, asked);
    const tables = [...named, ...hits.filter(({ text }) => isTable(text))];
    // A file that is named is the one that is meant, whatever else was found.
    const files = new Map((named.length > 0 ? named : tables).map((table) => [table.file, table])).values();
    for (const table of files) {
      const figure = tableFigure(asked, { ...(await this.#wholeTable(table)), isNamed: named.length > 0 });
      if (figure) return { figure, chunkId: table.chunkId };
    }
    return undefined;
  }

  /** A chunk of the table that the question names by its file: "in expenses.csv", or "my phone bill" by all it says. */
  async #tableNamedIn(
    project: string,
    question: string,
    asked: TableQuestion,
  ): Promise<Pick<Hit, 'chunkId' | 'file'>[]> {
    const words = question.split(/\s/u).map((word) => word.replace(/^["'„“(]|["'”“),.;:?!]{1,3}$/gu, ''));
    const name = words.find((word) => TABLE_FILE.test(word));
    if (name === undefined && !isNameLike(asked)) return [];
    const rows = await this.#deps.store.read
      .selectFrom('sources as s')
      .innerJoin('chunks as c', 'c.source_id', 's.id')
      .select(['c.id', 's.path'])
      .where('s.project', '=', project)
      .where('c.ordinal', '=', 0)
      .execute();
    const found = rows.filter(({ path }) =>
      name === undefined
        ? TABLE_FILE.test(path) && isNamedBy(path, asked)
        : `/${path.toLowerCase()}`.endsWith(`/${name.toLowerCase()}`),
    );
    return found.map(({ id, path }) => ({ chunkId: id, file: path }));
  }

  async #wholeTable({ chunkId, file }: Pick<Hit, 'chunkId' | 'file'>): Promise<TableText> {
    const rows = await this.#deps.store.read
      .selectFrom('chunks as hit')
      .innerJoin('chunks as c', 'c.source_id', 'hit.source_id')
      .select('c.text')
      .where('hit.id', '=', chunkId)
      .orderBy('c.ordinal')
      .limit(MOST_TABLE_CHUNKS + 1)
      .execute();
    const texts = rows.slice(0, MOST_TABLE_CHUNKS).map(({ text }) => text);
    return { file, texts: texts.filter(isTable), isCut: rows.length > MOST_TABLE_CHUNKS };
  }

  /** The documents that chunks are of, each once. Of a chunk that has gone since it was found, nothing is known. */
  async #sourcesOf(chunkIds: readonly number[]): Promise<readonly PassageSource[]> {
    const { store, projects } = this.#deps;
    const rows = await store.read
      .selectFrom('chunks as c')
      .innerJoin('sources as s', 's.id', 'c.source_id')
      .select(['c.id', 's.id as source', 's.root', 's.path', 's.kind', 's.sha256'])
      .where(isIn(store, 'c.id', chunkIds))
      .execute();
    const known = new Set(rows.map(({ id }) => id));
    const sources = new Map(rows.map((row) => [row.source, row])).values();
    const found = [...sources].map(({ root, path, kind, sha256 }) => {
      const isImported = kind === IMPORTED_KIND;
      return { path: isImported ? undefined : resolve(absoluteRoot(projects.places, root), path), sha256 };
    });
    return chunkIds.every((id) => known.has(id)) ? found : [...found, { path: undefined, sha256: '' }];
  }
}

/** A calendar has the first day of what is repeated: the answer says when it is next. */
function coming(today: string | undefined): (hit: Hit) => Hit {
  return (hit) =>
    today !== undefined && /\.ics$/iu.test(hit.file) ? { ...hit, text: withNextDays(hit.text, today) } : hit;
}

/** The hits, and their copies without the text, in the order of the search. */
function passagesOf(hits: readonly Hit[]): SupportingHit[] {
  const passages = hits.flatMap(({ text, citation, score, chunkId, context, copies = [] }): SupportingHit[] => [
    { ...{ text, citation, score, chunkId }, ...(context && { context }) },
    ...copies.map((copy) => ({ ...copy, text: '', sameAs: citation })),
  ]);
  return passages.sort((a, b) => b.score - a.score);
}
