import type { Notifier } from '../notify/contract.ts';
import { type OutboxLag, outboxLag } from '../notify/outbox-lag.ts';
import { thatRunJobs, whoIsThere } from '../notify/presence.ts';
import type { IndexLag } from '../rag/index-lag.ts';
import { clockReturn } from '../scheduler/clock-return.ts';
import { type RunLag, runLag } from '../scheduler/run-lag.ts';
import { checkStore, type StoreFacts } from '../store/check.ts';
import type { Store } from '../store/store.ts';

/** The home in numbers, for `wooster status --json` and the doctor. Names in it stay as they are. */
export interface Status {
  readonly store: StoreFacts;
  readonly runs: RunLag;
  readonly outbox: OutboxLag;
  /** The programs that run the jobs of the home now, oldest first; none: they run only while a prompt is open. */
  readonly serving: readonly Serving[];
  /** When a clock that was far ahead came back, within the last week; null: it was not. ISO 8601 in UTC. */
  readonly clockReturn: string | null;
  /** One per project with documents. */
  readonly index: readonly IndexLag[];
}

/** A program that runs the jobs of the home: `server`, or a prompt. */
export interface Serving {
  readonly kind: string;
  readonly host: string;
  readonly pid: number;
  /** ISO 8601 in UTC. */
  readonly since: string;
  readonly seenMsAgo: number;
}

export interface StatusDeps {
  readonly store: Store;
  readonly vectorDataDir: string;
  readonly notices: Pick<Notifier['notices'], 'list'>;
}

const WEEK_MS = 7 * 86_400_000;

/** Small reads only: a monitor may poll it every few seconds. */
export async function readStatus({ store, vectorDataDir, notices }: StatusDeps): Promise<Status> {
  const now = Date.parse(await store.now());
  const present = await whoIsThere({ store, now: () => new Date(now) });
  return {
    store: await checkStore(store),
    runs: await runLag(store),
    outbox: await outboxLag(store),
    serving: thatRunJobs(present).map(({ kind, host, pid, since, seenAt }) => ({
      ...{ kind, host, pid, since: since.toISOString(), seenMsAgo: now - seenAt.getTime() },
    })),
    clockReturn: clockReturn(await notices.list(), new Date(now - WEEK_MS))?.toISOString() ?? null,
    index: await (await import('../rag/index-lag.ts')).indexLags(store, vectorDataDir),
  };
}
