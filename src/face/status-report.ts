import { type OutboxLag, outboxLag } from '../notify/outbox-lag.ts';
import type { IndexLag } from '../rag/index-lag.ts';
import { type RunLag, runLag } from '../scheduler/run-lag.ts';
import { checkStore, type StoreFacts } from '../store/check.ts';
import type { Store } from '../store/store.ts';

/** The home in numbers, for `wooster status --json` and the doctor. Names in it stay as they are. */
export interface Status {
  readonly store: StoreFacts;
  readonly runs: RunLag;
  readonly outbox: OutboxLag;
  /** One per project with documents. */
  readonly index: readonly IndexLag[];
}

export interface StatusDeps {
  readonly store: Store;
  readonly vectorDataDir: string;
}

/** Small reads only: a monitor may poll it every few seconds. */
export async function readStatus({ store, vectorDataDir }: StatusDeps): Promise<Status> {
  return {
    store: await checkStore(store),
    runs: await runLag(store),
    outbox: await outboxLag(store),
    index: await (await import('../rag/index-lag.ts')).indexLags(store, vectorDataDir),
  };
}
