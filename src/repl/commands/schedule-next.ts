import { readIso } from '../../when/one-off.ts';
import { showWall, zoneOf } from '../../when/zone.ts';
import type { CommandCall } from '../command.ts';
import { badUsage, countFlag, textFlag } from '../flags.ts';

/** `schedule next`: preview a time without saving anything. */
export async function previewTimes({ app, out, flags, args }: CommandCall): Promise<number> {
  const when = textFlag(flags, 'when') ?? args.slice(1).join(' ');
  const timeZone = textFlag(flags, 'tz');
  if (timeZone !== undefined) zoneOf(timeZone);
  const from = readFrom(textFlag(flags, 'from'), timeZone ?? app.home.timeZone);
  const count = countFlag(flags, 'count', { fallback: 3 });
  const understood = app.schedule.jobs.preview(when, { timeZone, from, count });
  out.line(understood.description);
  for (const warning of understood.warnings) out.line(`  note: ${warning}`);
  for (const at of understood.next) {
    out.show({ at: at.toISOString() }, `  ${showWall(at, understood.timeZone)}  (${at.toISOString()})`);
  }
  return 0;
}

/** An instant in ISO 8601; without an offset it is local time in `timeZone`, without a time of day its midnight. */
function readFrom(from: string | undefined, timeZone: string): Date | undefined {
  if (from === undefined) return undefined;
  const read = readIso(from.length === 10 ? `${from}T00:00` : from, timeZone);
  if (read) return read.at;
  throw badUsage(`"--from ${from}" is not valid.`, 'Use ISO 8601, like 2026-12-24T18:00:00Z.');
}
