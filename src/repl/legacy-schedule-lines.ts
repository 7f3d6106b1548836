import { preview } from '../base/text.ts';
import type { LegacyJob, LegacyReport } from '../scheduler/legacy-import.ts';

/** Only the number of further jobs is printed. */
const MAX_LINES = 20;

/** The result of importing the legacy Wooster's schedule, for people. */
export function legacyScheduleLines({ path, found, problem, jobs }: LegacyReport): string[] {
  if (!found) return [`There is no legacy schedule at ${path}.`];
  if (problem !== undefined) return [`The legacy schedule at ${path} could not be read and is unchanged: ${problem}.`];
  const fresh = jobs.filter(({ state }) => state !== 'known');
  const known = jobs.length - fresh.length;
  const imported = fresh.filter(({ state }) => state !== 'left').length;
  const more = fresh.length > MAX_LINES ? [`  … and ${fresh.length - MAX_LINES} more`] : [];
  return [
    `Legacy schedule (${path}): ${imported} imported${known > 0 ? `, ${known} known already` : ''}.`,
    ...fresh.slice(0, MAX_LINES).map(lineOf),
    ...more,
  ];
}

function lineOf({ what, when, state, why, id }: LegacyJob): string {
  const name = `  "${preview(what, 60)}" (${when}): `;
  if (state === 'active') return `${name}${id}`;
  return state === 'paused' ? `${name}${id}, paused: ${why}` : `${name}not imported: ${why}`;
}
