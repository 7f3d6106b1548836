import { preview } from '../base/text.ts';
import type { Output } from './command.ts';

const BAR_CHARS = 20;
/** Redrawing for every file would slow a fast ingest down and flicker. */
const REDRAW_MS = 80;
const MAX_FILE_CHARS = 40;

interface Progress {
  readonly done: number;
  readonly total: number;
  readonly file: string;
  readonly stage?: string;
}

/** Bar, count, rate and time left on one line, redrawn at most twelve times a second. Every stage is timed afresh. */
export class ProgressLine {
  readonly #out: Output;
  readonly #nowMs: () => number;
  #stage: string | undefined;
  #startedMs: number;
  #drawnMs = Number.NEGATIVE_INFINITY;

  constructor(out: Output, nowMs: () => number = () => performance.now()) {
    this.#out = out;
    this.#nowMs = nowMs;
    this.#startedMs = nowMs();
  }

  show(progress: Progress): void {
    const now = this.#nowMs();
    if (progress.stage !== this.#stage) this.#startedMs = now;
    this.#stage = progress.stage;
    if (now - this.#drawnMs < REDRAW_MS && progress.done < progress.total) return;
    this.#drawnMs = now;
    this.#out.progress(progressText(progress, now - this.#startedMs));
  }
}

/** `read [#####     ] 12/48  3.1/s  12 s left  notes/oslo.md` */
export function progressText({ done, total, file, stage }: Progress, elapsedMs: number): string {
  const filled = total === 0 ? BAR_CHARS : Math.round((done / total) * BAR_CHARS);
  const bar = `[${'#'.repeat(filled)}${' '.repeat(BAR_CHARS - filled)}]`;
  const perSecond = elapsedMs > 0 ? (done / elapsedMs) * 1000 : 0;
  const left = perSecond > 0 ? timeText((total - done) / perSecond) : '';
  const rate = perSecond > 0 ? `${perSecond.toFixed(perSecond < 10 ? 1 : 0)}/s` : '';
  return [stage ?? 'read', bar, `${done}/${total}`, rate, left, preview(file, MAX_FILE_CHARS)]
    .filter((part) => part !== '')
    .join('  ');
}

/** Seconds as people say them. */
function timeText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s left`;
  return seconds < 5400 ? `${Math.ceil(seconds / 60)} min left` : `${(seconds / 3600).toFixed(1)} h left`;
}
