import { preview } from '../../base/text.ts';
import type { ScheduledJob } from '../../scheduler/types.ts';
import { addToDate, localDate, sayTime, sayWeekday, startOfDay } from '../../when/calendar.ts';
import type { CommandCall } from '../command.ts';

const DAYS = 7;
/** Runs of one job that are looked up; those of one day are counted, not listed. */
const MAX_TIMES = 400;
/** Above this many runs of one job on one day, they share one line. */
const MAX_LINES = 2;
const DAY_CHARS = 12;

/** One line of a day. */
interface Entry {
  readonly at: Date;
  readonly line: string;
}

/** `schedule list --week`: today and the six days after it, in the owner's zone. Rows: `{at, id}`. */
export async function listWeek({ app, out }: CommandCall): Promise<number> {
  const { timeZone } = app.home;
  const now = new Date();
  const days = Array.from({ length: DAYS }, (_, day) =>
    addToDate(startOfDay(now, timeZone), day, { unit: 'day', timeZone }),
  );
  const end = addToDate(startOfDay(now, timeZone), DAYS, { unit: 'day', timeZone });
  const byDay = new Map<string, Entry[]>(days.map((day) => [localDate(day, timeZone), []]));
  const coming = await app.schedule.jobs.ids({ before: end });
  for (const job of await app.schedule.jobs.named(coming)) {
    const { next } = await app.schedule.jobs.show(job.id, 0, MAX_TIMES);
    const times = next.filter((at) => at < end);
    for (const at of times) out.row({ at: at.toISOString(), id: job.id });
    for (const [date, ofDay] of Map.groupBy(times, (at) => localDate(at, timeZone))) {
      byDay.get(date)?.push(...entriesOf(job, ofDay, timeZone));
    }
  }
  for (const day of days) {
    const entries = (byDay.get(localDate(day, timeZone)) ?? []).sort((a, b) => a.at.getTime() - b.at.getTime());
    const label = `${sayWeekday(day, timeZone).slice(0, 3)} ${localDate(day, timeZone).slice(5)}`.padEnd(DAY_CHARS);
    for (const [index, line] of (entries.length > 0 ? entries.map(({ line }) => line) : ['-']).entries()) {
      out.line(`${index === 0 ? label : ' '.repeat(DAY_CHARS)}${line}`);
    }
  }
  return 0;
}

function entriesOf({ prompt, id }: ScheduledJob, times: readonly Date[], timeZone: string): Entry[] {
  const text = `${preview(prompt, 40)}  (${id})`;
  const clock = (at: Date) => sayTime(at, timeZone);
  const [first, last] = [times[0], times.at(-1)];
  if (times.length <= MAX_LINES || !first || !last) return times.map((at) => ({ at, line: `${clock(at)}  ${text}` }));
  return [{ at: first, line: `${clock(first)} to ${clock(last)}, ${times.length} times  ${text}` }];
}
