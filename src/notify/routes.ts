import { addToDate, fromWallClock, localDate, localTime } from '../when/calendar.ts';

/** The step that shows a notice at the face where its owner is; all other steps are channels. */
export const HERE = 'here';
/** What older jobs and settings call it. */
const FORMERLY_HERE = 'terminal';

export function isHere(name: string): boolean {
  return [HERE, FORMERLY_HERE].includes(name.toLowerCase());
}

/** One way to reach the owner. */
export interface Step {
  /** `here`, or the id of a channel. */
  readonly to: string;
  /** How long it waits, from the time of the notice, for the owner to see what came by an earlier step; in ms. */
  readonly afterMs?: number | undefined;
}

/** The steps that a notice takes, in order, until one reaches the owner. */
export type Route = readonly Step[];

const UNITS_MS = { s: 1000, m: 60_000, h: 3_600_000 } as const;
const STEP = /^(?<to>[a-z][\w-]*)(?:\s+after\s+(?<time>\S+))?$/iu;
const TIME = /^(?<count>\d{1,4})\s*(?<unit>[smh])$/iu;

/**
 * Read a route as settings and `--to` write it: `here, desktop, ntfy after 2m`, or a list of names and
 * `{ "to": "ntfy", "after": "2m" }`.
 *
 * @throws Error that names the step that was not understood.
 */
export function parseRoute(written: unknown): Route {
  const steps = typeof written === 'string' ? written.split(',') : Array.isArray(written) ? written : [written];
  return steps.map(parseStep);
}

function parseStep(written: unknown): Step {
  if (typeof written === 'object' && written !== null && 'to' in written) {
    const { to, after } = written as { readonly to: unknown; readonly after?: unknown };
    return parseStep(after === undefined ? to : `${String(to)} after ${String(after)}`);
  }
  const { to, time } = STEP.exec(String(written).trim())?.groups ?? {};
  const { count, unit } = TIME.exec(time ?? '')?.groups ?? {};
  if (to === undefined || (time !== undefined && count === undefined))
    throw new Error(`"${String(written).trim()}" is no step; write a channel, or one with a wait: ntfy after 2m`);
  const name = isHere(to) ? HERE : to.toLowerCase();
  if (unit === undefined) return { to: name };
  return { to: name, afterMs: Number(count) * UNITS_MS[unit.toLowerCase() as keyof typeof UNITS_MS] };
}

/** The route as it is written. */
export function sayRoute(route: Route): string {
  return route.map(({ to, afterMs }) => (afterMs === undefined ? to : `${to} after ${sayWait(afterMs)}`)).join(', ');
}

function sayWait(ms: number): string {
  const [unit, size] = Object.entries(UNITS_MS).findLast(([, each]) => ms % each === 0) ?? ['s', UNITS_MS.s];
  return `${ms / size}${unit}`;
}

/**
 * The next step of a notice.
 *
 * While nothing has reached its owner, that is simply the next one, without a wait. What was delivered may still not
 * have been seen: then only the steps with a wait are left, each when its wait is over.
 *
 * @param from  the first step that was not taken yet.
 * @returns undefined at the end of the route.
 */
export function nextStep(
  route: Route,
  { from, delivered, since }: { readonly from: number; readonly delivered: boolean; readonly since: Date },
): { readonly step: number; readonly at: Date } | undefined {
  if (!delivered) return from < route.length ? { step: from, at: since } : undefined;
  const step = route.findIndex(({ afterMs }, index) => index >= from && afterMs !== undefined);
  return step < 0 ? undefined : { step, at: new Date(since.getTime() + (route[step]?.afterMs ?? 0)) };
}

/** The hours of a day in which only urgent notices make a noise; they may go past midnight. */
export interface QuietHours {
  /** `HH:MM`. */
  readonly from: string;
  readonly until: string;
}

/** @param written  `22:00-07:00`. @throws Error */
export function parseQuietHours(written: string): QuietHours {
  const { from, until } =
    /^(?<from>(?:[01]\d|2[0-3]):[0-5]\d)\s*-\s*(?<until>(?:[01]\d|2[0-3]):[0-5]\d)$/u.exec(written.trim())?.groups ??
    {};
  if (from === undefined || until === undefined || from === until) throw new Error('must be like 22:00-07:00');
  return { from, until };
}

/** When the quiet hours end in which `now` lies; undefined outside them. */
export function endOfQuiet({ from, until }: QuietHours, now: Date, timeZone: string): Date | undefined {
  const time = localTime(now, timeZone).slice(11, 16);
  const overnight = from > until;
  if (overnight ? time < from && time >= until : time < from || time >= until) return undefined;
  const day = overnight && time >= from ? addToDate(now, 1, { unit: 'day', timeZone }) : now;
  return fromWallClock(`${localDate(day, timeZone)}T${until}:00Z`, timeZone);
}
