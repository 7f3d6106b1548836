import { sha256 } from '../base/json.ts';
import type { ScheduledJob } from './types.ts';

const CHARS = 8;

/**
 * Names what a job does, so that an approval is of what its owner was shown: with another text, time or option it is
 * another code.
 *
 * @returns 8 hexadecimal digits.
 */
export function approvalCode(job: ScheduledJob): string {
  const { prompt, said, timeZone, project, task, taskKey, options } = job;
  return sha256(JSON.stringify([prompt, said, timeZone, project, task, taskKey ?? '', options])).slice(0, CHARS);
}
