import { preview } from '../base/text.ts';
import type { EarlierJob, EarlierReport } from '../scheduler/earlier.ts';

const MOST_LINES = 20;

/** What became of the schedule of an earlier Wooster, for people. */
export function earlierLines({ path, found, problem, jobs }: EarlierReport): string[] {
  if (!found) return [`There is no schedule of an earlier Wooster at ${path}.`];
  if (problem !== undefined)
    return [`The schedule of an earlier Wooster at ${path} could not be read and was left as it is: ${problem}.`];
  const fresh = jobs.filter(({ state }) => state !== 'known');
  const known = jobs.length - fresh.length;
  const taken = fresh.filter(({ state }) => state !== 'left').length;
  const more = fresh.length > MOST_LINES ? [`  … and ${fresh.length - MOST_LINES} more`] : [];
  return [
    `Schedules of an earlier Wooster (${path}): ${taken} taken over${known > 0 ? `, ${known} earlier` : ''}.`,
    ...fresh.slice(0, MOST_LINES).map(lineOf),
    ...more,
  ];
}

function lineOf({ what, when, state, why, id }: EarlierJob): string {
  const name = `  "${preview(what, 60)}" (${when}): `;
  if (state === 'active') return `${name}${id}`;
  return state === 'paused' ? `${name}${id}, paused: ${why}` : `${name}not taken over: ${why}`;
}
