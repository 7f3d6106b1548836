import { AssistantError, messageOf } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import {
  type ApprovalRequest,
  type Decision,
  modeOf,
  NOBODY_TO_ASK,
  type Turn,
  type TurnContext,
  type TurnEvent,
} from '../base/turn.ts';
import type { App } from '../face/app.ts';
import type { Settings } from '../settings/settings.ts';
import { writeFailure } from '../store/write-failure.ts';
import type { Tool } from '../tools/tool.ts';
import { completing } from './provider.ts';
import { isChatModel, isModelProvider, OWN_PROVIDER } from './settings.ts';
import type { Approve, AskOptions, Assistant, AssistantOptions, EmbedAnswer } from './types.ts';

/** The parts of an assistant that our other entry points (LangChain) may use. @throws AssistantError `bad_usage`. */
export function innerOf(assistant: Assistant): EmbeddedAssistant {
  if (assistant instanceof EmbeddedAssistant) return assistant;
  throw new AssistantError('bad_usage', 'This is not an open assistant.', { hint: 'Pass what createAssistant gave.' });
}

/** The assistant behind its interface; its parts are for our own modules only. */
export class EmbeddedAssistant implements Assistant {
  readonly app: App;
  /** Aborted when the assistant is closed. */
  readonly lifetime: AbortSignal;
  readonly #settings: Settings;
  readonly #options: AssistantOptions;
  readonly #ending = new AbortController();
  readonly #running = new Set<Promise<unknown>>();
  /** The end of the newest turn of each conversation with one in progress. */
  readonly #lines = new Map<string, Promise<unknown>>();
  #closed: Promise<void> | undefined;

  constructor(app: App, settings: Settings, options: AssistantOptions) {
    this.app = app;
    this.lifetime = this.#ending.signal;
    this.#settings = settings;
    this.#options = options;
  }

  /** What the options ask for beyond the composition. */
  async open(): Promise<void> {
    const { model, plugins = [], project, background, signal } = this.#options;
    signal?.addEventListener('abort', this.#closeQuietly, { once: true });
    if (isChatModel(model)) this.app.models.registerProvider(OWN_PROVIDER, async () => model);
    if (isModelProvider(model)) this.app.models.registerProvider(OWN_PROVIDER, completing(model));
    for (const [name, factory] of Object.entries(this.#options.providers ?? {}))
      this.app.models.registerProvider(name, factory);
    this.#checkPlugins(plugins.map(({ name }) => name));
    if (project !== undefined && !this.app.knowledge.projects.exists(project))
      this.app.knowledge.projects.create(project);
    // Whoever takes its messages is where the owner sees them.
    if (background) await this.app.start('chat');
  }

  async ask(text: string, options: AskOptions = {}): Promise<EmbedAnswer> {
    let failure: (TurnEvent & { type: 'error' }) | undefined;
    const answer = await this.#take(text, options, (event) => {
      if (event.type === 'error') failure = event;
    });
    if (failure && (answer.stop === 'failed' || answer.stop === 'budget')) throw errorOf(failure);
    return answer;
  }

  async *stream(text: string, options: AskOptions = {}): AsyncGenerator<TurnEvent, void, undefined> {
    const left = new AbortController();
    const queue = new EventQueue();
    const signal = options.signal ? AbortSignal.any([left.signal, options.signal]) : left.signal;
    const done = this.#take(text, { ...options, signal }, (event) => queue.push(event)).finally(() => queue.end());
    // Awaited below; without this, a reader who leaves early would cause an unhandled rejection.
    done.catch(() => undefined);
    try {
      yield* queue.read();
      await done;
    } finally {
      left.abort(new Error('nobody reads the events any more'));
      await done.catch(() => undefined);
    }
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Which project a call is for. @throws AssistantError `unknown_project`. */
  projectFor(wanted: string | undefined): string {
    const project = wanted ?? this.#options.project ?? this.app.knowledge.projects.active();
    this.app.knowledge.projects.check(project);
    return project;
  }

  /** @throws AssistantError `unknown_tool` for an unknown tool. */
  chosenTools(names: readonly string[] | undefined): readonly Tool[] {
    const { toolbox } = this.app.tools;
    if (!names) return toolbox.list();
    return names.map((name) => {
      const tool = toolbox.find(name);
      if (tool) return tool;
      throw new AssistantError('unknown_tool', toolbox.explainUnknown(name), {
        hint: 'Run `wooster tools` for a list.',
      });
    });
  }

  /** For turns that name none. */
  get mode(): Turn['mode'] {
    return this.#options.mode ?? modeOf(this.#settings.agent.chatMode).mode;
  }

  /** The context of a turn for the agent. `show` gets each event first. */
  context(show: (event: TurnEvent) => void, { signal, onEvent, approve = this.#options.approve }: ContextOptions) {
    const whole = signal ? AbortSignal.any([this.lifetime, signal]) : this.lifetime;
    const context: TurnContext = {
      signal: whole,
      now: () => new Date(),
      timeZone: this.app.home.timeZone,
      show: (event) => {
        show(event);
        this.#tell(onEvent, event);
      },
      approve: (request) => decide(approve, request, whole),
    };
    return context;
  }

  /** Keep `work` alive: `close` waits for it. @throws AssistantError `bad_usage` when the assistant is closed. */
  track<T>(work: () => Promise<T>): Promise<T> {
    if (this.lifetime.aborted) return Promise.reject(closedError());
    const promise = work();
    const ended = promise.then(
      () => undefined,
      () => undefined,
    );
    this.#running.add(ended);
    void ended.then(() => this.#running.delete(ended));
    return promise;
  }

  #take(text: string, options: AskOptions, show: (event: TurnEvent) => void): Promise<EmbedAnswer> {
    return this.track(async () => {
      const turn: Turn = {
        id: newId('turn'),
        conversationId: options.conversationId ?? newId('conv'),
        text,
        origin: 'embed',
        ...modeOf(options.mode ?? this.#options.mode ?? this.#settings.agent.chatMode),
        project: this.projectFor(options.project),
      };
      const context = this.context(show, options);
      const answer = await this.#inLine(turn.conversationId, () => this.app.turns.run(turn, context));
      return { ...answer, conversationId: turn.conversationId, turnId: turn.id };
    }).catch((error: unknown) => Promise.reject(this.#known(error)));
  }

  /** A conversation has one turn at a time, since the next one reads the answer of this one. */
  async #inLine<T>(conversationId: string, work: () => Promise<T>): Promise<T> {
    const before = this.#lines.get(conversationId) ?? Promise.resolve();
    const mine = before.then(work);
    const ended = mine.then(
      () => undefined,
      () => undefined,
    );
    this.#lines.set(conversationId, ended);
    try {
      return await mine;
    } finally {
      if (this.#lines.get(conversationId) === ended) this.#lines.delete(conversationId);
    }
  }

  #tell(onEvent: AskOptions['onEvent'], event: TurnEvent): void {
    try {
      onEvent?.(event);
    } catch (error) {
      this.app.home.log.warn('a listener failed', { event: event.type, error: messageOf(error) });
    }
  }

  #known(error: unknown): AssistantError {
    const known = writeFailure(error) ?? error;
    if (known instanceof AssistantError) return known;
    this.app.home.log.error('a turn rejected', { error: messageOf(error) });
    const hint = 'This is a fault of Wooster; logs/ has the details.';
    return new AssistantError('internal', messageOf(error), { hint, cause: error });
  }

  #checkPlugins(given: readonly string[]): void {
    const broken = this.app.tools.plugins.list().find(({ name, state }) => state === 'failed' && given.includes(name));
    if (!broken) return;
    const hint = 'Fix the plugin, or leave it out of the options.';
    throw new AssistantError('plugin_broken', `The plugin ${broken.name} did not start: ${broken.detail}.`, { hint });
  }

  readonly #closeQuietly = () => void this.close();

  async #close(): Promise<void> {
    this.#options.signal?.removeEventListener('abort', this.#closeQuietly);
    this.#ending.abort(new Error('the assistant is closed'));
    await Promise.all(this.#running);
    await this.app.close();
  }
}

type ContextOptions = Pick<AskOptions, 'signal' | 'onEvent'> & { readonly approve?: Approve | undefined };

/** Never rejects: a callback that throws is a no. */
async function decide(approve: Approve | undefined, request: ApprovalRequest, signal: AbortSignal): Promise<Decision> {
  if (!approve) return NOBODY_TO_ASK;
  try {
    const decision = await approve(request, { signal });
    return typeof decision === 'string' ? { verdict: decision, by: 'the embedding program' } : decision;
  } catch (error) {
    return { verdict: 'denied', by: `an approve function that failed (${messageOf(error)})` };
  }
}

function errorOf({ code, message, hint }: TurnEvent & { type: 'error' }): AssistantError {
  return new AssistantError(code as AssistantError['code'], message, { hint });
}

function closedError(): AssistantError {
  return new AssistantError('bad_usage', 'The assistant is closed.', { hint: 'Make a new one with createAssistant.' });
}

/**
 * Events between a turn, which does not wait, and a reader, who may be slow. Nothing is lost; tokens that pile up
 * become one event, so that the queue is never larger than the text itself.
 */
export class EventQueue {
  #waiting: TurnEvent[] = [];
  #ended = false;
  #wake: (() => void) | undefined;

  push(event: TurnEvent): void {
    const last = this.#waiting.at(-1);
    if (event.type === 'token' && last?.type === 'token') {
      this.#waiting[this.#waiting.length - 1] = { type: 'token', text: last.text + event.text };
    } else this.#waiting.push(event);
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** For one reader. Ends when `end` was called and everything was read. */
  async *read(): AsyncGenerator<TurnEvent, void, undefined> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next) yield next;
      else if (this.#ended) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
