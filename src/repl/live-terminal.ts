import { wholeText, withText } from './edit/editor.ts';
import type { HistoryEntry } from './edit/history.ts';
import { type Above, Board, type Draft } from './prompt/board.ts';
import { ChoiceQueue } from './prompt/choice-queue.ts';
import { type KeySource, readKeys } from './prompt/keyboard.ts';
import { press } from './prompt/press.ts';
import {
  type Choice,
  type Completions,
  type Effect,
  newPrompt,
  type PromptState,
  type Sent,
  withCompletions,
  withEditor,
  withoutQuestion,
  withQuestion,
  withQueueTakenBack,
} from './prompt/state.ts';
import { echoRows, viewOf } from './prompt/view.ts';
import type { Terminal } from './terminal.ts';
import type { Key } from './tty/keys.ts';
import { type Tty, type TtyStream, ttyOn } from './tty/live.ts';
import type { Ink } from './tty/wrap.ts';

/**
 * The prompt of the REPL on a real terminal. The line stays at the bottom, also while an answer comes; everything that
 * is finished is printed above it once.
 */
export class LiveTerminal implements Terminal {
  readonly interactive = true;
  readonly isTerminal = true;
  readonly drafts = true;
  readonly ink: Ink;
  readonly #deps: LiveTerminalDeps;
  readonly #tty: Tty;
  readonly #board: Board;
  #state: PromptState;
  #status: readonly string[] = [];
  #waiting: ((line: string | undefined) => void) | undefined;
  #answer: ((text: string | undefined) => void) | undefined;
  readonly #choices: ChoiceQueue;
  readonly #outside: Outside;
  readonly #idle: Idle;
  #open = true;
  #interrupt: (again: boolean) => void = () => {};
  #steer: (text: string) => void = () => {};

  constructor(deps: LiveTerminalDeps) {
    this.#deps = deps;
    this.ink = deps.ink;
    this.#state = newPrompt(deps.history);
    this.#tty = ttyOn(deps.output, true);
    this.#board = new Board(this.#tty, deps.ink, (above) => this.#view(above));
    this.#outside = new Outside(deps, this.#board);
    this.#idle = new Idle(() => this.#isFree(), deps.idleMs);
    this.#choices = new ChoiceQueue({
      print: (text) => this.line(text),
      show: (choice) => this.#set({ ...this.#state, choice }),
      nowMs: () => performance.now(),
    });
    readKeys(
      deps.input,
      (keys) => this.#keys(keys),
      () => this.#ended(),
    );
    deps.output.on('resize', () => this.#board.resized());
    deps.raw.enter();
  }

  get columns(): number {
    return this.#tty.columns;
  }

  get hinted(): boolean {
    return this.#state.hint !== undefined;
  }

  prompt(): void {
    this.#board.paint();
  }

  next(): Promise<string | undefined> {
    const [queued, ...queue] = this.#state.queue;
    if (queued) {
      this.#state = { ...this.#state, queue, hint: undefined };
      // The sent line stays on the screen, above its answer.
      this.print(echoRows(queued, this.columns));
      return Promise.resolve(queued.text);
    }
    if (!this.#open) return Promise.resolve(undefined);
    this.#set({ ...this.#state, running: false, hint: undefined });
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  onInterrupt(handler: (again: boolean) => void): void {
    this.#interrupt = handler;
  }

  onSteer(handler: (text: string) => void): void {
    this.#steer = handler;
  }

  hint(text: string): void {
    this.#set({ ...this.#state, hint: text });
  }

  takeBack(): void {
    this.#set(withQueueTakenBack(this.#state));
  }

  /** Text that was typed before the question appeared is kept until it is answered. */
  async ask(question: string, signal?: AbortSignal): Promise<string | undefined> {
    if (!this.#open || signal?.aborted) return undefined;
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    const stop = () => resolve(undefined);
    signal?.addEventListener('abort', stop, { once: true });
    this.#answer = resolve;
    this.#set(withQuestion(this.#state, question));
    try {
      const text = await promise;
      if (text !== undefined) this.line(`${question.trimEnd()} ${text}`);
      return text;
    } finally {
      signal?.removeEventListener('abort', stop);
      this.#answer = undefined;
      this.#set(withoutQuestion(this.#state));
    }
  }

  async choose(choice: Choice, signal: AbortSignal): Promise<string | undefined> {
    return this.#open && !signal.aborted ? this.#choices.choose(choice, signal) : undefined;
  }

  async offer(choice: Choice, stillOpen: () => Promise<boolean>): Promise<string | undefined> {
    do {
      await this.#idle.wait();
      if (!this.#open || !(await stillOpen())) return undefined;
    } while (this.#open && !this.#isFree());
    return this.#open ? this.#choices.choose(choice, new AbortController().signal, true) : undefined;
  }

  line(text: string, look?: 'dim'): void {
    this.#board.line(text, look === 'dim' ? '2' : undefined);
  }

  print(rows: readonly string[]): void {
    this.#board.paint(rows);
  }

  note(text: string): void {
    if (this.#deps.note) this.#deps.note(text);
    else this.line(text);
  }

  announce(text: string): void {
    this.line(text);
  }

  draft(draft: Draft | undefined): void {
    this.#board.draft(draft);
  }

  activity(what: string | undefined): void {
    this.#board.activity(what);
  }

  progress(text: string | undefined): void {
    this.#board.progress(text);
  }

  copy(text: string): boolean {
    this.#tty.write(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`);
    return true;
  }

  status(parts: readonly string[]): void {
    this.#status = parts;
    this.#board.paint();
  }

  project(name: string): void {
    this.#state = { ...this.#state, project: name };
  }

  close(): void {
    if (this.#open) this.#ended();
    this.#board.leave();
    this.#deps.raw.leave();
  }

  #isFree(): boolean {
    const { editor, question, choice, search, menu } = this.#state;
    return !!this.#waiting && !this.#outside.away && !(editor.text || question || choice || search || menu);
  }

  #view({ draft, activity }: Above) {
    const around = { draft, activity, status: this.#status, ink: this.ink };
    return viewOf(this.#state, around, this.#tty);
  }

  #set(state: PromptState): void {
    this.#state = state;
    this.#board.paint();
  }

  #keys(keys: readonly Key[]): void {
    if (this.#outside.away || !this.#open) return;
    this.#idle.stirred();
    for (const key of keys) {
      if (key.kind === 'cursor') {
        this.#board.cursorAt(key.column);
        continue;
      }
      const again = this.hinted;
      const window = { columns: this.columns, rows: this.#tty.rows, nowMs: performance.now() };
      const { state, effects } = press(this.#state, key, window);
      this.#state = state;
      for (const effect of effects) this.#do(effect, again);
    }
    this.#board.paint();
  }

  #do(effect: Effect, again: boolean): void {
    switch (effect.kind) {
      case 'submit':
        this.#submit(effect.sent);
        break;
      case 'steer':
        this.#steer(effect.text);
        break;
      case 'answer':
        this.#answer?.(effect.text);
        break;
      case 'choose':
        this.#choices.pick(effect.key);
        break;
      case 'interrupt':
      case 'stop':
        this.#interrupt(again && effect.kind === 'interrupt');
        break;
      case 'remember':
        this.#deps.remember(effect.entry);
        break;
      case 'complete':
        this.#complete(effect.asked);
        break;
      default:
        this.#away(effect.kind);
    }
  }

  #away(kind: 'leave' | 'suspend' | 'external-editor'): void {
    if (kind === 'leave') this.#ended();
    else if (kind === 'suspend') this.#outside.suspend();
    else void this.#editOutside();
  }

  #submit(sent: Sent): void {
    const waiting = this.#waiting;
    if (!waiting) {
      this.#state = { ...this.#state, queue: [...this.#state.queue, sent] };
      return;
    }
    this.#waiting = undefined;
    this.#state = { ...this.#state, running: true };
    this.print(echoRows(sent, this.columns));
    waiting(sent.text);
  }

  #complete(asked: boolean): void {
    const { text, cursor } = this.#state.editor;
    const apply = (found: Completions | undefined) => {
      const now = this.#state.editor;
      if (now.text === text && now.cursor === cursor) this.#set(withCompletions(this.#state, found, asked));
    };
    this.#deps.complete(text, cursor).then(apply, () => apply(undefined));
  }

  async #editOutside(): Promise<void> {
    const text = await this.#outside.edit(wholeText(this.#state.editor));
    const hint = '(the editor failed: set VISUAL or EDITOR to one that is installed)';
    const now = this.#state;
    this.#set(text === undefined ? { ...now, hint } : withEditor(now, withText(now.editor, text)));
  }

  /** Ctrl-D, or the terminal is gone. */
  #ended(): void {
    this.#open = false;
    this.#answer?.(undefined);
    this.#choices.end();
    this.#idle.end();
    this.#waiting?.(undefined);
    this.#waiting = undefined;
  }
}

/** Hands the terminal to another program for a while, and redraws when it is back. */
class Outside {
  readonly #deps: Pick<LiveTerminalDeps, 'raw' | 'editOutside'>;
  readonly #board: Board;
  #away = false;

  constructor(deps: Pick<LiveTerminalDeps, 'raw' | 'editOutside'>, board: Board) {
    this.#deps = deps;
    this.#board = board;
  }

  /** Another program has it; keys that it leaves unread are not ours. */
  get away(): boolean {
    return this.#away;
  }

  /** Suspend to the shell, until `fg`. */
  suspend(): void {
    this.#board.leave(false);
    this.#deps.raw.suspend(() => this.#board.paint([], true));
  }

  /** Hand over to the person's editor. @returns the text as it was saved; undefined when that failed. */
  async edit(text: string): Promise<string | undefined> {
    this.#away = true;
    this.#board.lend();
    this.#deps.raw.leave();
    try {
      return await this.#deps.editOutside(text).catch(() => undefined);
    } finally {
      this.#deps.raw.enter();
      this.#away = false;
      this.#board.back();
    }
  }
}

/** After this long without a key, the person is unlikely to be about to type. */
const IDLE_MS = 1500;

/** Tells when the person has nothing else to do. */
class Idle {
  readonly #isFree: () => boolean;
  readonly #afterMs: number;
  #waiting: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @param isFree  the line is empty, and nothing is going on. */
  constructor(isFree: () => boolean, afterMs = IDLE_MS) {
    this.#isFree = isFree;
    this.#afterMs = afterMs;
  }

  /** For one caller at a time. Resolves once nothing has happened for a moment. */
  wait(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting = resolve;
    this.stirred();
    return promise;
  }

  /** A key was pressed: start waiting again. */
  stirred(): void {
    clearTimeout(this.#timer);
    if (this.#waiting) this.#timer = setTimeout(() => this.#look(), this.#afterMs).unref();
  }

  /** The terminal is closed: stop waiting. */
  end(): void {
    clearTimeout(this.#timer);
    this.#waiting?.();
    this.#waiting = undefined;
  }

  #look(): void {
    if (this.#isFree()) this.end();
    else this.stirred();
  }
}

/** Dependencies of the live terminal. */
interface LiveTerminalDeps {
  readonly input: KeySource;
  readonly output: TtyStream;
  /** Where notes go when stderr is not this terminal. */
  readonly note: ((text: string) => void) | undefined;
  /** Reads keys one by one; the terminal can be handed over in between. */
  readonly raw: { enter(): void; leave(): void; suspend(resumed: () => void): void };
  readonly ink: Ink;
  /** Oldest first. */
  readonly history: readonly HistoryEntry[];
  readonly remember: (entry: HistoryEntry) => void;
  /** How long the keyboard must be idle before something is offered. */
  readonly idleMs?: number | undefined;
  /** Completions of the word at the cursor; may be slow. */
  readonly complete: (text: string, cursor: number) => Promise<Completions | undefined>;
  /** Edit a text in the person's own editor; undefined when that failed. */
  readonly editOutside: (text: string) => Promise<string | undefined>;
}
