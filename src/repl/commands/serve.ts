import type { Command } from '../command.ts';

/** Row: `{serving, pid}` once it is ready; then only announcements. A signal ends it with exit code 0. */
export const serve: Command = {
  name: 'serve',
  summary: 'Run schedules and deliver messages without a terminal',
  group: 'Schedules and messages',
  usage: ['serve'],
  only: 'argv',
  async run({ app, out, signal }) {
    await app.start();
    out.row({ serving: true, pid: process.pid });
    out.line('Running schedules and delivering messages. Ctrl-C stops it.');
    await untilAborted(signal);
    return 0;
  },
};

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  // All timers of the scheduler may be unreferenced; this one keeps the process alive.
  const alive = setInterval(() => {}, 60_000);
  await promise;
  clearInterval(alive);
}
