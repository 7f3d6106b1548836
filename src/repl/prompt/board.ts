import { type Frame, LiveRegion, type Tty } from '../tty/live.ts';
import { type Ink, inkRow, wrapText } from '../tty/wrap.ts';

/** Streaming text at the bottom of the screen. */
export interface Draft {
  /** Lay out for the window's present size. Rows of `finished` are handed out once and do not change any more. */
  render(columns: number): { readonly finished: readonly string[]; readonly open: readonly string[] };
}

/** What stands above the line. */
export interface Above {
  readonly draft: readonly string[];
  readonly activity: string | undefined;
}

/** Streamed text is laid out at most this often: often enough to flow. */
const FRAME_MS = 33;
/** Text that is slow to lay out, such as a very long table, is laid out less often, so as not to take a whole core. */
const PAUSE_PER_WORK = 4;
/** Anything quicker than this needs no progress message. */
const QUIET_MS = 300;
const TICK_MS = 1000;

/** The current activity, and since when. */
interface Activity {
  what: string;
  readonly sinceMs: number;
  shown: boolean;
}

/** The bottom of the terminal: keeps the pieces of the frame and draws it when one has changed. */
export class Board {
  readonly #tty: Tty;
  readonly #ink: Ink;
  readonly #region: LiveRegion;
  readonly #view: (above: Above) => Frame;
  #draft: Draft | undefined;
  #openRows: readonly string[] = [];
  #activity: Activity | undefined;
  #progress: string | undefined;
  #frameTimer: NodeJS.Timeout | undefined;
  #layOutMs = 0;
  #activityTimer: NodeJS.Timeout | undefined;
  #closed = false;
  /** Rows to print above as soon as another program has returned the terminal. */
  #held: string[] | undefined;

  /** @param view  the whole frame, from what stands above the line. */
  constructor(tty: Tty, ink: Ink, view: (above: Above) => Frame) {
    this.#tty = tty;
    this.#ink = ink;
    this.#view = view;
    this.#region = new LiveRegion(tty);
    this.#region.onSettled = (finished) => this.paint(finished, true);
  }

  /** Draw now. Rows of `finished` are printed above for good. @param fresh  lay the draft out again. */
  paint(finished: readonly string[] = [], fresh = false): void {
    if (this.#closed) return;
    if (this.#held) {
      this.#held.push(...finished);
      return;
    }
    const done = fresh ? this.#layOut() : [];
    this.#region.paint(this.#view({ draft: this.#openRows, activity: this.#activityText() }), [...finished, ...done]);
  }

  /** Print lines for good; long ones are wrapped at words. */
  line(text: string, style?: string): void {
    const rows = text.split('\n').flatMap((line) => (line === '' ? [''] : wrapText(line, this.#tty.columns - 1)));
    this.paint(rows.map((row) => inkRow([{ text: row, style }], this.#ink)));
  }

  /** Show a streaming text, or remove it; call again whenever it has grown. */
  draft(draft: Draft | undefined): void {
    this.#draft = draft;
    if (draft) this.#soon();
    else if (this.#openRows.length > 0) {
      this.#openRows = [];
      this.#soon();
    }
  }

  /** The current activity, shown when it takes long; undefined when it is over. */
  activity(what: string | undefined): void {
    clearTimeout(this.#activityTimer);
    const before = this.#activity;
    if (what === undefined) this.#activity = undefined;
    else {
      this.#activity = { what, sinceMs: before?.sinceMs ?? performance.now(), shown: before?.shown === true };
      const kept = before?.shown === true && before.what === what;
      if (!kept) this.#activity.shown = false;
      this.#activityTimer = setTimeout(() => this.#tick(), kept ? TICK_MS : QUIET_MS);
      this.#activityTimer.unref();
    }
    if (before?.shown === true && this.#activity?.shown !== true) this.#soon();
  }

  /** A progress line, shown at once. */
  progress(text: string | undefined): void {
    if (this.#progress === text) return;
    this.#progress = text;
    this.#soon();
  }

  resized(): void {
    this.#region.resize();
  }

  /** The terminal's answer to a question of the region. */
  cursorAt(column: number): void {
    this.#region.cursorAt(column);
  }

  /** Remove the live rows; `paint` brings them back unless the region is closed. */
  leave(forGood = true): void {
    clearTimeout(this.#frameTimer);
    this.#frameTimer = undefined;
    if (forGood) clearTimeout(this.#activityTimer);
    this.#closed = forGood;
    this.#region.leave();
  }

  /** Leave the terminal to another program until `back`: output is held back meanwhile, and nothing is lost. */
  lend(): void {
    this.leave(false);
    this.#held = [];
  }

  back(): void {
    const held = this.#held;
    this.#held = undefined;
    this.paint(held, true);
  }

  #tick(): void {
    if (!this.#activity) return;
    this.#activity.shown = true;
    this.#activityTimer = setTimeout(() => this.#tick(), TICK_MS);
    this.#activityTimer.unref();
    this.paint();
  }

  #activityText(): string | undefined {
    if (this.#progress !== undefined) return this.#progress;
    if (this.#activity?.shown !== true) return undefined;
    const seconds = Math.round((performance.now() - this.#activity.sinceMs) / 1000);
    return `${this.#activity.what}, ${seconds} s, Ctrl-C stops`;
  }

  #soon(): void {
    this.#frameTimer ??= setTimeout(
      () => {
        this.#frameTimer = undefined;
        this.paint([], true);
      },
      Math.max(FRAME_MS, PAUSE_PER_WORK * this.#layOutMs),
    );
  }

  #layOut(): readonly string[] {
    if (!this.#draft) return [];
    const startedMs = performance.now();
    const { finished, open } = this.#draft.render(this.#tty.columns);
    this.#layOutMs = performance.now() - startedMs;
    this.#openRows = open;
    return finished;
  }
}
