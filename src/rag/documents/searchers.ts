import { AssistantError, messageOf } from '../../base/errors.ts';
import { fileStamp } from '../file-stamp.ts';
import { WORTH_A_FILE } from '../index/writer.ts';
import { DOCUMENTS_CHANGED } from '../ingest/chunk-changes.ts';
import { type ParsedQuery, parseQuery } from '../search/query.ts';
import { lexicalReranker, RERANK_DEPTH, type Reranker, rerank } from '../search/rerank.ts';
import type { SearchRequest, SearchResponse } from '../search/search-engine.ts';
import { closed, Thread } from '../threads/rpc.ts';
import type { SearchThreadData } from '../threads/search-thread.ts';
import { isTrial, projectOfTrial } from '../trial-name.ts';
import type { Hit, SearchOptions } from '../types.ts';
import type { Ingester } from './ingester.ts';
import type { DocumentsDeps, ProjectSetup } from './project-setup.ts';

/** Scanning a project's own folder may take at most this share of the time since the last scan. */
const SCAN_SHARE = 0.1;
/** A scan that takes no longer than this is always worth it. */
const ALWAYS_SCAN_BELOW_MS = 10;

export interface SearchersDeps extends DocumentsDeps {
  readonly setup: ProjectSetup;
  readonly ingester: Ingester;
  isRebuilding(project: string): boolean;
}

interface Scan {
  readonly at: number;
  readonly tookMs: number;
  /** The journal's stamp at the time. */
  readonly journal: string;
}

/** Searches projects, each in a thread of its own that keeps the index open. */
export class Searchers {
  readonly #deps: SearchersDeps;
  readonly #reranker: Reranker | undefined;
  readonly #threads = new Map<string, Thread>();
  readonly #refreshing = new Map<string, Promise<void>>();
  readonly #scans = new Map<string, Scan>();
  readonly #background = new Set<Promise<void>>();
  /** Projects whose thread is taking in changes. */
  readonly #looking = new Set<string>();
  readonly #catchingUp = new Set<string>();
  #stopHearing: (() => void) | undefined;
  #closed = false;

  constructor(deps: SearchersDeps) {
    this.#deps = deps;
    this.#reranker = { none: undefined, lexical: lexicalReranker, model: deps.reranker }[deps.options.rerank];
  }

  async open(project: string): Promise<void> {
    // The first search waits for it, so nobody else has to. A failure will recur there.
    this.#inBackground(this.#refresh(project).catch(() => undefined));
    await this.#thread(project).call('open', undefined);
  }

  async search(project: string, query: string | ParsedQuery, options: SearchOptions): Promise<readonly Hit[]> {
    await this.#refresh(project);
    options.signal?.throwIfAborted();
    const { text, conditions } = typeof query === 'string' ? parseQuery(query) : query;
    const { k, documents = false, neighbours = 0, signal, turn } = options;
    const vector = await this.#queryVector(project, text);
    const reranker = options.reranked === false ? undefined : this.#reranker;
    const wanted = reranker ? Math.max(k, RERANK_DEPTH) : k;
    const request: SearchRequest = { text, conditions, k: wanted, documents, neighbours, vector };
    const found = await this.#thread(project).call<SearchResponse>('search', request, { signal });
    const { hits, damaged } = found;
    if (damaged.length > 0) this.#repair(project, damaged);
    else if (found.unfiled >= WORTH_A_FILE) this.#catchUp(project);
    if (!reranker) return hits;
    const asked = { project: projectOfTrial(project), query: text, hits, signal, turn };
    return (await rerank(reranker, asked)).slice(0, k);
  }

  /** End a project's thread. A search that arrives meanwhile gets a new one. */
  async closeThread(project: string): Promise<void> {
    const thread = this.#threads.get(project);
    this.#threads.delete(project);
    await thread?.stop();
  }

  /** Resolves when no background work is running. */
  async idle(): Promise<void> {
    await Promise.all(this.#background);
  }

  /** End all threads; no new ones are started. */
  async stop(): Promise<void> {
    this.#closed = true;
    this.#stopHearing?.();
    await Promise.all([...this.#threads.values()].map((thread) => thread.stop()));
  }

  /**
   * A note just written must be found, so the project's own folder is scanned before a search if the journal has
   * changed, and otherwise as long as scanning is cheap. One scan at a time: the next one sees what was written during
   * the first.
   */
  async #refresh(project: string): Promise<void> {
    const before = this.#refreshing.get(project);
    const work = Promise.allSettled([before]).then(() => this.#scan(project));
    this.#refreshing.set(project, work);
    try {
      await work;
    } finally {
      if (this.#refreshing.get(project) === work) this.#refreshing.delete(project);
    }
  }

  async #scan(project: string): Promise<void> {
    const { projects, ingester, log, isRebuilding } = this.#deps;
    const at = performance.now();
    const journal = fileStamp(projects.journal(projectOfTrial(project)));
    if (!isDue(this.#scans.get(project), { at, journal })) return;
    if (isTrial(project) || ingester.busy || isRebuilding(project)) return;
    try {
      const { tookMs } = await ingester.refresh(project);
      this.#scans.set(project, { at, tookMs, journal });
    } catch (error) {
      if (!(error instanceof AssistantError)) throw error;
      // Another machine is scanning the same folder.
      if (error.code === 'index_busy' && this.#deps.store.kind === 'postgres') return;
      log.warn("the project's own documents were not scanned", { project, error: error.message });
    }
  }

  /** Undefined if the model fails: the query is then searched by words and n-grams only. */
  async #queryVector(project: string, query: string): Promise<Float32Array | undefined> {
    try {
      return await this.#deps.setup.embedderOf(project)?.embedQuery(query);
    } catch (error) {
      this.#deps.log.warn('the embedding model did not embed the query', { error: messageOf(error) });
      return undefined;
    }
  }

  #repair(project: string, damaged: readonly string[]): void {
    const { log, ingester } = this.#deps;
    log.warn('damaged index files were moved aside and are being rebuilt', { project, damaged });
    const work = ingester.rebuildIndex(project).catch((error: unknown) => {
      log.warn('the index could not be rebuilt', { project, error: messageOf(error) });
    });
    this.#inBackground(work);
  }

  /**
   * When machines share an index, finish what a killed machine left unfinished. On a single machine the next ingest
   * does that.
   */
  #catchUp(project: string): void {
    const { store, log, ingester, isRebuilding } = this.#deps;
    if (store.kind === 'sqlite' || isTrial(project) || isRebuilding(project)) return;
    if (this.#catchingUp.has(project) || ingester.busy) return;
    this.#catchingUp.add(project);
    const work = ingester.catchUp(project).catch((error: unknown) => {
      log.warn('the index could not be brought up to date', { project, error: messageOf(error) });
    });
    this.#inBackground(work.finally(() => this.#catchingUp.delete(project)));
  }

  /** Take in other machines' changes before the next search. Only an optimization: each search checks anyway. */
  #hear(): void {
    for (const [project, thread] of this.#threads) {
      if (this.#looking.has(project)) continue;
      this.#looking.add(project);
      const look = thread.call<void>('open', undefined).catch(() => undefined);
      this.#inBackground(look.finally(() => this.#looking.delete(project)));
    }
  }

  /** @param work must not reject. */
  #inBackground(work: Promise<void>): void {
    this.#background.add(work);
    void work.finally(() => this.#background.delete(work));
  }

  #thread(project: string): Thread {
    const known = this.#threads.get(project);
    if (known) return known;
    if (this.#closed) throw closed();
    const { store, setup } = this.#deps;
    if (store.kind === 'postgres') this.#stopHearing ??= store.wake.on(DOCUMENTS_CHANGED, () => this.#hear());
    const model = setup.embedderOf(project)?.id;
    const data: SearchThreadData = { location: store.location, project, dir: setup.dir(project), model };
    const thread = new Thread(new URL('../threads/search-thread.ts', import.meta.url), data);
    this.#threads.set(project, thread);
    return thread;
  }
}

function isDue(last: Scan | undefined, now: Pick<Scan, 'at' | 'journal'>): boolean {
  if (!last || last.journal !== now.journal) return true;
  return last.tookMs < ALWAYS_SCAN_BELOW_MS || last.tookMs < (now.at - last.at) * SCAN_SHARE;
}
