import { counted } from '../../base/text.ts';
import type { OpenDoor } from '../../face/doors.ts';
import type { Command, CommandCall } from '../command.ts';
import { doorCommands } from '../door-commands.ts';
import { badUsage, textFlag } from '../flags.ts';

/**
 * Row: `{serving, pid}` once it is ready, with `homes`, their number, when it serves several; then only announcements.
 * A signal ends it with exit code 0.
 */
export const serve: Command = {
  name: 'serve',
  summary: 'Run schedules and deliver messages without a terminal',
  group: 'Schedules and messages',
  usage: [
    'serve',
    'serve --http [HOST:PORT]    with the HTTP door, at 127.0.0.1:4321 unless given',
    'serve --homes all|ID,ID  of several homes of a PostgreSQL server, each with a folder of its own',
  ],
  examples: ['serve', 'serve --http', 'serve --homes anna,ben'],
  flags: { homes: { type: 'string' }, http: { type: 'boolean' } },
  only: 'argv',
  async run(call) {
    const homes = textFlag(call.flags, 'homes');
    if (homes !== undefined) return serveSeveral(call, homes);
    const { app, out, signal } = call;
    const door = await openDoor(call);
    try {
      await app.start('server');
      const at = door && { url: door.url };
      out.show(
        { serving: true, pid: process.pid, ...at },
        'Running schedules and delivering messages. Ctrl-C stops it.',
      );
      if (door) out.line(`The door is at ${door.url}; "wooster pair" lets a browser in.`);
      await untilAborted(signal);
      return 0;
    } finally {
      await door?.close();
    }
  },
};

/** Before anything runs: a port that is taken ends the start. */
async function openDoor({ app, args, flags, session: { mode, project } }: CommandCall): Promise<OpenDoor | undefined> {
  const [address] = args;
  if (flags.http !== true) {
    if (address !== undefined) throw badUsage(`"${address}" is for the HTTP door.`, 'Usage: serve --http HOST:PORT');
    if (!app.doors.httpEnabled) return undefined;
  }
  return app.doors.openHttp({ address, commands: doorCommands(app), mode, project });
}

async function serveSeveral({ app, out, signal }: CommandCall, homes: string): Promise<number> {
  const served = await app.schedule.serveHomes(homes === 'all' ? 'all' : idsIn(homes));
  try {
    out.row({ serving: true, pid: process.pid, homes: served.count() });
    out.line(`Running schedules and delivering messages of ${counted(served.count(), 'home')}. Ctrl-C stops it.`);
    await untilAborted(signal);
    return 0;
  } finally {
    await served.close();
  }
}

/** For a home called `all`, write `all,all`. */
function idsIn(homes: string): string[] {
  const ids = [...new Set(homes.split(',').map((id) => id.trim()))].filter((id) => id !== '');
  if (ids.length > 0) return ids;
  throw badUsage('No home is named.', 'Use --homes all, or ids with commas.');
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  // All timers of the scheduler may be unreferenced; this one keeps the process alive.
  const alive = setInterval(() => {}, 60_000);
  await promise;
  clearInterval(alive);
}
