import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../../base/errors.ts';
import { preview } from '../../base/text.ts';
import { OutcomeUnknown } from '../../tools/tool.ts';
import { CallAnswer } from './call-result.ts';
import { Catalog } from './catalog.ts';
import { type ConnectDeps, connect, type Link, whyOf } from './connect.ts';
import { type AskOptions, listPrompts, listTools } from './listed-tools.ts';
import { mayHaveActed } from './may-have-acted.ts';
import { Patience } from './patience.ts';
import { HELD, watchPulse } from './pulse.ts';
import { answerSampling, type Sample } from './sampling.ts';
import type { ServerSettings } from './server-settings.ts';

export interface ServerDeps extends ConnectDeps {
  /** The file of the server's catalog. */
  readonly catalogPath: string;
  /** Called when its tools or prompts have changed. */
  readonly changed: () => void;
  /**
   * Called with the reason when a process of ours was stopped for blocking. Absent for third-party servers, which
   * may compute for as long as they like.
   */
  readonly held?: ((why: string) => void) | undefined;
  /** Serves sampling requests; absent: the server may not sample. */
  readonly sample?: Sample | undefined;
}

/** Limit of a call, however active it is. */
export const LONGEST_CALL_MS = 600_000;

/** Options of a tool call. */
export interface CallOptions {
  /** Inactivity timeout of the call, paused while a person is asked. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Gets the progress of the call, in words. */
  readonly progress?: ((text: string) => void) | undefined;
  /** Answers the server's forms during the call; absent: there is nobody to ask. */
  readonly elicit?: ((params: unknown) => Promise<unknown>) | undefined;
}

export type ServerState = 'idle' | 'starting' | 'ready' | 'down';

/** Backoff before the first, second and third restart of a server that keeps crashing. */
const BACKOFF_MS = [250, 1000, 4000];
/** After that it rests for this long. A server that has run this long gets the backoff from the start. */
const REST_MS = 60_000;
const LIST_MS = 10_000;
/** Debounce for a list that keeps changing. */
const RELIST_MS = 1000;

const NOBODY = { action: 'cancel' };

/** One server: started on first use, restarted when it ends, listed and called. */
export class McpServer {
  readonly settings: ServerSettings;
  readonly catalog: Catalog;
  readonly #deps: ServerDeps;
  /** The connection, or the attempt to make one. */
  #linking: Promise<Link> | undefined;
  #link: Link | undefined;
  /** Consecutive crashes. */
  #ends = 0;
  #since = 0;
  #notBefore = 0;
  #problem: string | undefined;
  #closed = false;
  #keepUp = false;
  #relisting: NodeJS.Timeout | undefined;
  #listing: Promise<void> | undefined;
  /** Calls that can ask the person, newest last. */
  readonly #asking: NonNullable<CallOptions['elicit']>[] = [];
  readonly #closing = new AbortController();

  constructor(settings: ServerSettings, deps: ServerDeps) {
    this.settings = settings;
    this.#deps = deps;
    this.catalog = new Catalog(deps.catalogPath, settings);
  }

  get name(): string {
    return this.settings.name;
  }

  get state(): ServerState {
    if (this.#link) return 'ready';
    if (this.#linking) return 'starting';
    return this.#problem === undefined ? 'idle' : 'down';
  }

  /** Why it is down. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Start it in the background, and restart it whenever it ends. */
  keepUp(): void {
    if (this.#keepUp) return;
    this.#keepUp = true;
    this.refresh().catch(() => undefined);
  }

  /** List its tools and prompts. @throws Error that names the server. */
  refresh(): Promise<void> {
    this.#listing ??= this.#refresh().finally(() => {
      this.#listing = undefined;
    });
    return this.#listing;
  }

  /** @throws Error when the tool fails; OutcomeUnknown when its server was lost or fell silent while it ran. */
  async call(tool: string, args: unknown, options: CallOptions): Promise<typeof CallAnswer._output> {
    const link = await this.link();
    const { client } = link;
    const { timeoutMs, signal, progress, elicit } = options;
    signal.throwIfAborted();
    const patience = new Patience(timeoutMs);
    const ask = elicit && ((params: unknown) => patience.whileAsking(() => elicit(params)));
    if (ask) this.#asking.push(ask);
    const endPulse = this.#deps.held && watchPulse(client, () => this.#stopHeld(link));
    const request = { method: 'tools/call', params: { name: tool, arguments: args as object } };
    try {
      return await client.request(request, CallAnswer, {
        ...{ signal: AbortSignal.any([signal, patience.signal]), timeout: LONGEST_CALL_MS },
        onprogress: (step) => {
          patience.heard();
          progress?.(progressText(step));
        },
      });
    } catch (error) {
      signal.throwIfAborted();
      throw this.#callError(error, patience.signal.aborted);
    } finally {
      patience.end();
      endPulse?.();
      if (ask) this.#asking.splice(this.#asking.indexOf(ask), 1);
    }
  }

  /** The open connection, opened if necessary. @throws Error that names the server. */
  async link(): Promise<Link> {
    if (this.#link) return this.#link;
    this.#linking ??= this.#connect().finally(() => {
      this.#linking = undefined;
    });
    return this.#linking;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#closing.abort();
    clearTimeout(this.#relisting);
    const link = this.#link ?? (await this.#linking?.catch(() => undefined));
    this.#link = undefined;
    await link?.client.close();
  }

  async #connect(): Promise<Link> {
    this.#refuseNow();
    const waitMs = this.#notBefore - Date.now();
    if (waitMs > 0) await delay(waitMs, undefined, { signal: this.#closing.signal });
    try {
      const link = await connect(this.settings, this.#deps, this.#handlers(), this.#closing.signal);
      this.#opened(link);
      return link;
    } catch (error) {
      this.#failed(messageOf(error));
      await this.catalog.failed();
      throw this.#down();
    }
  }

  #opened(link: Link): void {
    this.#since = Date.now();
    this.#problem = undefined;
    this.#link = link;
    link.client.onclose = () => this.#lost(link);
    // It may have ended before the listener was attached.
    if (link.client.transport === undefined) this.#lost(link);
  }

  #lost(link: Link): void {
    if (this.#link !== link) return;
    this.#link = undefined;
    if (this.#closed) return;
    if (Date.now() - this.#since > REST_MS) this.#ends = 0;
    this.#failed(link.reason() || 'the connection was closed');
    if (!this.#keepUp || this.#ends > BACKOFF_MS.length) return;
    this.link()
      .then(() => this.refresh())
      .catch(() => undefined);
  }

  #stopHeld(link: Link): void {
    link.stop(HELD);
    this.#deps.held?.(HELD);
  }

  #failed(problem: string): void {
    this.#problem = problem;
    this.#ends += 1;
    this.#notBefore = Date.now() + (BACKOFF_MS[this.#ends - 1] ?? REST_MS);
    this.#deps.log.warn('mcp server is down', { server: this.name, problem, ends: this.#ends });
  }

  /** @throws Error while a server that crashed too often rests. */
  #refuseNow(): void {
    if (this.#closed) throw new Error(`the MCP server ${this.name} is closed`);
    if (this.#ends <= BACKOFF_MS.length) return;
    if (Date.now() < this.#notBefore) throw this.#down();
    this.#ends = 0;
  }

  #down(): Error {
    return new Error(`the MCP server ${this.name} is down: ${this.#problem ?? 'unknown'}`);
  }

  #callError(error: unknown, isLate: boolean): Error {
    if (this.#link && !isLate && !mayHaveActed(error)) return new Error(whyOf(error));
    const why = `the MCP server ${this.name} ${this.#lossOf(error, isLate)}`;
    return new OutcomeUnknown(`${why}; whether the call has acted is unknown`);
  }

  #lossOf(error: unknown, isLate: boolean): string {
    if (isLate) return 'did not answer in time';
    if (this.#link) return `gave no clear answer (${preview(whyOf(error), 60)})`;
    return `ended during the call (${this.#problem ?? 'no reason given'})`;
  }

  #handlers(): Parameters<typeof connect>[2] {
    const { sample } = this.#deps;
    return {
      elicit: (params) => this.#asking.at(-1)?.(params) ?? Promise.resolve(NOBODY),
      sample: this.settings.sampling && sample ? (params) => answerSampling(params, sample) : undefined,
      changed: () => this.#relist(),
    };
  }

  #relist(): void {
    if (this.#relisting || this.#closed) return;
    this.#relisting = setTimeout(() => {
      this.#relisting = undefined;
      this.refresh().catch((error: unknown) =>
        this.#deps.log.warn('mcp list', { server: this.name, error: messageOf(error) }),
      );
    }, RELIST_MS);
    this.#relisting.unref();
  }

  async #refresh(): Promise<void> {
    const { client } = await this.link();
    const options: AskOptions = { timeoutMs: LIST_MS, signal: this.#closing.signal };
    try {
      const hasTools = client.getServerCapabilities()?.tools !== undefined;
      const tools = hasTools ? await listTools(client, options) : [];
      if (await this.catalog.update(tools, await listPrompts(client, options))) this.#deps.changed();
    } catch (error) {
      await this.catalog.failed();
      const why = this.#link ? whyOf(error) : (this.#problem ?? whyOf(error));
      throw new Error(`the MCP server ${this.name} did not list its tools: ${why}`, { cause: error });
    }
  }
}

function progressText(step: { progress: number; total?: number | undefined; message?: string | undefined }): string {
  const { progress, total, message = '' } = step;
  const far = total && total > 0 ? `${Math.round((100 * progress) / total)} %` : `step ${progress}`;
  return message === '' ? far : `${far}, ${preview(message, 80)}`;
}
