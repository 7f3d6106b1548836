import { messageOf } from '../../base/errors.ts';
import { oneAtATime } from '../../base/one-at-a-time.ts';
import type { App } from '../../face/app.ts';
import { type KnownNotice, NOTICES_TOPIC } from '../../notify/types.ts';
import { RUNS_TOPIC } from '../../scheduler/due.ts';
import type { ScheduledJob } from '../../scheduler/types.ts';

/** Something that no turn tells: a row as its list has it, new or different, or what is gone from the list. */
export type NewsEvent =
  | ({ readonly type: 'notice' } & KnownNotice)
  | ({ readonly type: 'job' } & Pick<ScheduledJob, (typeof OF_A_JOB)[number]>)
  | { readonly type: 'job'; readonly id: string; readonly gone: true };

const OF_A_JOB = ['id', 'prompt', 'description', 'project', 'enabled', 'pausedBecause', 'next', 'failures'] as const;
/** What changes together is told together. */
const TOGETHER_MS = 500;

/**
 * Notices and jobs as events. They are compared with how they were when somebody last read, so nothing has to be told
 * while nobody reads, and whoever comes back is told what is different.
 */
export class HomeNews {
  readonly #app: Pick<App, 'home' | 'schedule' | 'store'>;
  readonly #told: (event: NewsEvent) => void;
  /** Each row as it was told, by what it is. */
  #known: ReadonlyMap<string, string> | undefined;
  #readers = 0;
  #unlisten: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #look = oneAtATime(() => this.#lookOnce());

  constructor(app: Pick<App, 'home' | 'schedule' | 'store'>, told: (event: NewsEvent) => void) {
    this.#app = app;
    this.#told = told;
  }

  /** Somebody reads from now on. @returns what ends it. */
  async follow(): Promise<() => void> {
    this.#readers += 1;
    this.#unlisten ??= this.#listen();
    await this.#look();
    return () => {
      this.#readers -= 1;
      if (this.#readers > 0) return;
      this.#unlisten?.();
      this.#unlisten = undefined;
      clearTimeout(this.#timer);
      this.#timer = undefined;
    };
  }

  #listen(): () => void {
    const soon = () => {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        void this.#look();
      }, TOGETHER_MS);
    };
    const ends = [NOTICES_TOPIC, RUNS_TOPIC].map((topic) => this.#app.store.wake.on(topic, soon));
    return () => {
      for (const end of ends) end();
    };
  }

  /** What cannot be read now is told by the next look. */
  async #lookOnce(): Promise<void> {
    const { jobs, notifier } = this.#app.schedule;
    try {
      const rows: NewsEvent[] = [
        ...(await notifier.notices.list()).map((notice) => ({ type: 'notice', ...notice }) as const),
        ...(await jobs.list()).map((job) => ({ type: 'job', ...pick(job) }) as const),
      ];
      this.#tell(rows);
    } catch (error) {
      this.#app.home.log.warn('notices and jobs were not read', { error: messageOf(error) });
    }
  }

  #tell(rows: readonly NewsEvent[]): void {
    const before = this.#known;
    const now = new Map(rows.map((row) => [nameOf(row), JSON.stringify(row)]));
    this.#known = now;
    if (!before) return;
    // Oldest first, as everything else here.
    for (const row of rows.toReversed()) if (before.get(nameOf(row)) !== now.get(nameOf(row))) this.#told(row);
    for (const name of before.keys())
      if (name.startsWith(JOB) && !now.has(name)) this.#told({ type: 'job', id: name.slice(JOB.length), gone: true });
  }
}

/** Events that are of no turn. */
export const NO_TURN = '';
const JOB = 'job ';

const nameOf = (row: NewsEvent) => (row.type === 'job' ? `${JOB}${row.id}` : `notice ${row.key}`);

function pick(job: ScheduledJob) {
  return Object.fromEntries(OF_A_JOB.map((name) => [name, job[name]])) as Pick<ScheduledJob, (typeof OF_A_JOB)[number]>;
}
