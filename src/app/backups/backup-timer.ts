import { messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Notice } from '../../notify/types.ts';
import type { HomeBackups } from './home-backups.ts';

export interface BackupTimerDeps {
  readonly backups: Pick<HomeBackups, 'list' | 'make' | 'thin'>;
  readonly everyMs: number;
  readonly log: Log;
  now(): Date;
  /** Tell the owner. */
  tell(notice: Pick<Notice, 'key' | 'text'>): Promise<unknown>;
}

const LOOK_MS = 10 * 60_000;

/** Backs the home up when the newest backup is too old, and makes older ones rarer. */
export class BackupTimer {
  readonly #deps: BackupTimerDeps;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;

  constructor(deps: BackupTimerDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.look(), LOOK_MS).unref();
    void this.look();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#looking;
  }

  /** Make a backup if one is due. Never rejects: the owner is told, once a day, and it is tried again. */
  look(): Promise<void> {
    this.#looking ??= this.#lookOnce()
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  async #lookOnce(): Promise<void> {
    const { backups, everyMs, log, now } = this.#deps;
    const [newest] = await backups.list();
    // One from the future, before the clock was set, says nothing.
    const ageMs = newest ? now().getTime() - Date.parse(newest.manifest.at) : everyMs;
    if (ageMs >= 0 && ageMs < everyMs) return;
    const { path, bytes } = await backups.make();
    log.info('the home was backed up', { path, bytes, deleted: await backups.thin() });
  }

  async #failed(error: unknown): Promise<void> {
    const { log, now, tell } = this.#deps;
    log.error('the home was not backed up', { error: messageOf(error) });
    const text = `The home could not be backed up: ${messageOf(error)} It is tried again every ten minutes.`;
    const key = `backup-failed:${now().toISOString().slice(0, 10)}`;
    await tell({ text, key }).catch((failed: unknown) => log.error('nobody was told', { error: messageOf(failed) }));
  }
}
