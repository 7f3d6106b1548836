import { isRecord } from '../../base/json.ts';
import type { RawRequest } from '../request.ts';

/** Rows of a list of reminders end so: the only place where people are shown ids. */
const LISTED = /\((?<id>job_[0-9a-z]+)\)$/gmu;

/** The one that was made, changed or shown last; none where several were. */
export function jobTalkedAbout({ done = [], earlier }: RawRequest): string | undefined {
  const answers = answersByTurn(earlier);
  const last = Math.max(answers.length, ...done.map(({ ago }) => ago));
  for (let ago = 1; ago <= last; ago += 1) {
    const jobs = jobsOf(ago, { done, answers });
    if (jobs.size > 0) return jobs.size === 1 ? [...jobs][0] : undefined;
  }
  return undefined;
}

/** "Cancel it" is about what the request just before did or showed. */
export function jobJustMade({ done = [], earlier }: RawRequest): string | undefined {
  const jobs = jobsOf(1, { done, answers: answersByTurn(earlier) });
  return jobs.size === 1 ? [...jobs][0] : undefined;
}

interface Before {
  readonly done: NonNullable<RawRequest['done']>;
  readonly answers: readonly string[];
}

function jobsOf(ago: number, { done, answers }: Before): ReadonlySet<string> {
  const changed = done.flatMap(({ ago: then, value }) =>
    then === ago && isRecord(value) && /^job_/u.test(String(value.id)) ? [String(value.id)] : [],
  );
  const listed = [...(answers[ago - 1] ?? '').matchAll(LISTED)].flatMap(({ groups }) => groups?.id ?? []);
  return new Set(changed.length > 0 ? changed : listed);
}

/** What was answered to each request, the newest first. */
function answersByTurn(earlier: RawRequest['earlier']): readonly string[] {
  const answers: string[] = [];
  for (const { by, text } of earlier) {
    if (by === 'person' || answers.length === 0) answers.unshift('');
    if (by === 'assistant') answers[0] = `${answers[0]}\n${text}`;
  }
  return answers;
}
