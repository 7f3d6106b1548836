import type { Command } from '../command.ts';

export const serve: Command = {
  name: 'serve',
  summary: 'Run schedules and deliver messages without a terminal, until stopped',
  usage: ['serve'],
  only: 'argv',
  async run({ app, out, signal }) {
    await app.start();
    out.row({ serving: true, pid: process.pid });
    out.line('Wooster serves schedules and messages. Ctrl-C ends it.');
    await untilAborted(signal);
    return 0;
  },
};

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  // The scheduler's own timers may all be unreferenced; this one keeps the program alive.
  const alive = setInterval(() => {}, 60_000);
  await promise;
  clearInterval(alive);
}
