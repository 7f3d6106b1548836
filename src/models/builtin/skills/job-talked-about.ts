import { pattern } from '../../../base/pattern.ts';
import type { UserRequest } from '../request.ts';

const JOB = /\bjob_[0-9a-z]+\b/gu;

/** An answer of ours that names a reminder by its words alone. */
const MOVED = pattern(
  'u',
  String.raw`^(?:Moved|Verschoben|Renamed|Umbenannt): (?:[^\n]{1,200}? (?:is now|heißt jetzt) )?(.{1,200}?)`,
  String.raw`(?: now comes| kommt jetzt|\. )`,
);

/** The only one in the newest answer that names any. */
export function jobTalkedAbout({ earlier }: UserRequest): string | undefined {
  for (const { by, text } of earlier.toReversed()) {
    if (by !== 'assistant') continue;
    const [, moved] = MOVED.exec(text) ?? [];
    if (moved !== undefined) return moved;
    const ids = new Set(text.match(JOB) ?? []);
    if (ids.size > 0) return ids.size === 1 ? [...ids][0] : undefined;
  }
  return undefined;
}

const ABOUT_A_JOB = /^(?:Moved|Verschoben|Scheduled|Geplant)\b|^- .*\bjob_/u;

/** "Cancel it" is about the newest answer, or what that one changed. */
export function jobJustMade(request: UserRequest): string | undefined {
  const answers = request.earlier.filter(({ by }) => by === 'assistant');
  const [newest] = answers.slice(-1);
  if (newest === undefined || !ABOUT_A_JOB.test(newest.text)) return undefined;
  return jobTalkedAbout(request);
}
