import { setTimeout as sleep } from 'node:timers/promises';
import { counted } from '../../base/text.ts';
import type { OpenedHome } from '../../face/app.ts';
import type { OpenDoor } from '../../face/doors.ts';
import type { BareCall, Command, CommandCall } from '../command.ts';
import { askedDoor, doorCommands } from '../door-commands.ts';
import { badUsage, textFlag } from '../flags.ts';
import { BEAT_MS, Heartbeat, healthOf } from '../serving/heartbeat.ts';
import { passingTrouble, TRY_AGAIN } from '../serving/keep-serving.ts';
import { Supervisor } from '../serving/supervisor.ts';

/** A database that does not answer for this long is told as one that does not. */
const PATIENCE_MS = 12_000;

/**
 * Row: `{serving, pid}` once it is ready, with `homes`, their number, when it serves several; then only announcements.
 * What keeps it from serving is said, and tried again. A signal ends it with exit code 0. With `--health` one row
 * `{serving, line}`, and exit code 1 when the home is not served.
 */
export const serve: Command = {
  name: 'serve',
  summary: 'Run schedules and deliver messages without a terminal',
  group: 'Schedules and messages',
  usage: [
    'serve [--verbose [--json]]   one line per event, for people or as JSON',
    'serve --http [HOST:PORT]     with the HTTP door, at 127.0.0.1:4321 unless given',
    'serve --health               whether it serves this home: exit code 0 or 1, and a line that says why',
    'serve --homes all|ID,ID      several homes of a PostgreSQL server, each with its folder; also --http',
  ],
  examples: ['serve', 'serve --http', 'serve --health', 'serve --homes anna,ben'],
  flags: { homes: { type: 'string' }, health: { type: 'boolean' }, http: { type: 'boolean' } },
  only: 'argv',
  lasts: true,
  bare: true,
  async runBare({ flags, home, out }: BareCall) {
    if (flags.health !== true) return undefined;
    const health = healthOf(home.dir);
    out.show(health, health.line);
    return health.serving ? 0 : 1;
  },
  async run(call) {
    const homes = textFlag(call.flags, 'homes');
    if (homes !== undefined) return serveSeveral(call, homes);
    const { app, out } = call;
    const door = await openDoor(call);
    try {
      await app.start('server');
      await app.doors.openChats({ commands: doorCommands(app), ...placeOf(call) });
      const at = door && { url: door.url };
      const lead = 'Running schedules and delivering messages. Ctrl-C stops it.';
      out.show({ serving: true, pid: process.pid, ...at }, lead);
      if (door) out.line(`The door is at ${door.url}; "wooster pair" lets a browser in.`);
      return await whileItServes(call);
    } finally {
      await app.doors.close();
    }
  },
};

function placeOf({ session: { mode, project } }: CommandCall): Pick<CommandCall['session'], 'mode' | 'project'> {
  return { mode, project };
}

/** Before anything runs: a port that is taken ends the start. */
async function openDoor(call: CommandCall): Promise<OpenDoor | undefined> {
  const asked = addressOf(call);
  return asked && call.app.doors.openHttp({ ...asked, ...askedDoor(call.app, call.session) });
}

/** Undefined: no door is wanted. */
function addressOf({ app, args: [address], flags }: CommandCall): { readonly address: string | undefined } | undefined {
  if (flags.http === true || (address === undefined && app.doors.httpEnabled)) return { address };
  if (address !== undefined) throw badUsage(`"${address}" is for the HTTP door.`, 'Usage: serve --http HOST:PORT');
  return undefined;
}

async function serveSeveral(call: CommandCall, homes: string): Promise<number> {
  const { app, out } = call;
  const which = homes === 'all' ? 'all' : idsIn(homes);
  const address = addressOf(call);
  const door = address && (await app.doors.openSharedHttp(address.address));
  const admit = ({ app: own, mode, run }: OpenedHome) => {
    const project = own.knowledge.projects.active();
    return door?.admit({ app: own, run }, askedDoor(own, { mode, project })) ?? (async () => undefined);
  };
  try {
    const served = await app.schedule.serveHomes(which, admit);
    try {
      out.row({ serving: true, pid: process.pid, homes: served.count(), ...(door && { url: door.url }) });
      out.line(`Running schedules and delivering messages of ${counted(served.count(), 'home')}. Ctrl-C stops it.`);
      if (door) out.line(`The door is at ${door.url}; "wooster pair" of a home lets a browser in to it.`);
      return await whileItServes(call);
    } finally {
      await served.close();
    }
  } finally {
    await app.doors.close();
  }
}

/** For a home called `all`, write `all,all`. */
function idsIn(homes: string): string[] {
  const ids = [...new Set(homes.split(',').map((id) => id.trim()))].filter((id) => id !== '');
  if (ids.length > 0) return ids;
  throw badUsage('No home is named.', 'Use --homes all, or ids with commas.');
}

/**
 * Prove again and again that the home can be served: what cannot be kept must not look as if it were.
 *
 * @returns 0 at the end, `TRY_AGAIN` when the home has gone.
 * @throws what only a person can put right.
 */
async function whileItServes({ app, out, signal }: CommandCall): Promise<number> {
  const [heart, supervisor] = [new Heartbeat(app.home.dir), new Supervisor(process.env)];
  let said: string | undefined;
  // The pause keeps the process alive as well: all timers of the scheduler may be unreferenced.
  for (; !signal.aborted; await sleep(BEAT_MS, undefined, { signal }).catch(() => undefined)) {
    const trouble = await troubleOf(app, signal);
    if (trouble.why !== undefined && trouble.why !== said) out.note(`Not serving: ${trouble.why}`);
    if (trouble.why === undefined && said !== undefined) out.note('Serving again.');
    said = trouble.why;
    if (trouble.gone) return TRY_AGAIN;
    heart.beat(said ?? null);
    supervisor.alive(said === undefined ? 'serving' : `not serving: ${said}`);
  }
  return 0;
}

async function troubleOf({ home }: CommandCall['app'], signal: AbortSignal) {
  const timer = new AbortController();
  const late = sleep(PATIENCE_MS, 'late', { signal: AbortSignal.any([timer.signal, signal]) }).catch(() => 'ended');
  try {
    const first = await Promise.race([home.prove(), late]);
    return { why: first === 'late' ? 'the database does not answer.' : undefined, gone: false };
  } catch (error) {
    const why = passingTrouble(error);
    if (why === undefined) throw error;
    return { why, gone: isGone(error) };
  } finally {
    timer.abort();
  }
}

/** A home that was moved is never found again by a program that had it open. */
function isGone(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'home_moved';
}
