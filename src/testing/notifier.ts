import { onTestFinished } from 'vitest';
import { silentLog } from '../base/log.ts';
import { createGateway } from '../net/gateway.ts';
import type { ChannelOptions } from '../notify/channels.ts';
import { createNotifier, type NotifierDeps } from '../notify/notifier.ts';
import { sayAtPrompt } from '../notify/say-notices.ts';
import type { Message, ShownNotice } from '../notify/types.ts';
import type { Store } from '../store/store.ts';
import { FakeClock } from './clock.ts';
import { NO_CHANNELS } from './no-channels.ts';
import { sqlAll } from './sql.ts';
import { openTestStore } from './stores.ts';

interface TestNotifierDeps extends Partial<Omit<NotifierDeps, 'options' | 'store'>> {
  /** Whether its owner sits at a prompt, which shows what is `printed`. */
  readonly watched?: boolean;
}

/** A notifier on an empty database with the real gateway, which reaches loopback because the options name it. */
export async function testNotifier(
  options: Partial<ChannelOptions>,
  given?: Store,
  { watched = true, ...deps }: TestNotifierDeps = {},
) {
  const store = given ?? (await openTestStore());
  const clock = new FakeClock('2026-11-20T11:00:00Z');
  const printed: string[] = [];
  const gateway = createGateway({ allowPrivate: [], log: silentLog });
  const notifier = createNotifier({
    options: { ...NO_CHANNELS, signalTimeoutMs: 5000, ...options },
    store,
    gateway,
    log: silentLog,
    now: clock.now,
    timeZone: 'UTC',
    ...deps,
  });
  const show = (notices: readonly ShownNotice[]) => {
    for (const notice of notices) printed.push(sayAtPrompt([notice], { now: notice.at, timeZone: 'UTC' }));
  };
  const face = watched && (await notifier.notices.openFace({ kind: 'prompt', runsJobs: true, show }));
  onTestFinished(async () => {
    await notifier.close();
    await gateway.close();
  });
  const send = (text: string, to?: string, more: Partial<Message> = {}) =>
    notifier.send({ text, to, ...more }, new AbortController().signal);
  const states = async () =>
    (await sqlAll(store, 'SELECT state FROM outbox ORDER BY created_at, part')).map((row) => row.state);
  return { clock, printed, notifier, send, store, states, face };
}
