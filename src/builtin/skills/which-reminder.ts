import { pattern } from '../../base/pattern.ts';
import { type Action, act, type Intent, type UserRequest } from '../request.ts';
import { jobsOf, moreOf, sayJob } from './jobs-said.ts';

/** @param id of a job, or words of it; "all" in front of them means each that fits. */
export function cancelled(id: string, request: UserRequest): Intent {
  return act(cancellation(id, request));
}

const JOB_ID = / \(job_\w+\)/gu;

function cancellation(id: string, request: UserRequest): Action {
  return {
    tool: 'cancel_schedule',
    input: { id },
    say: ({ text }) =>
      request.in(
        text.replace(JOB_ID, ''),
        text.replace(JOB_ID, '').replace(/^Cancelled "(.*)".*$/gmu, 'Abgesagt: $1.'),
      ),
  };
}

/** Without a name: show what there is. */
export function whichOne(request: UserRequest): Intent {
  return act({
    tool: 'list_schedules',
    input: {},
    say: ({ value }) => {
      const jobs = jobsOf(value);
      if (jobs.length === 0) return request.in('Nothing is scheduled.', 'Es ist nichts geplant.');
      const more = moreOf(value, jobs.length, request);
      const lines = [...jobs.map((job) => `- ${sayJob(job, request)}`), ...(more ? [more] : [])].join('\n');
      const question = request.in(
        'Which one? Say "cancel" and its words or its id.',
        'Welche davon? Sag „storniere“ und ihre Worte oder ihre Nummer.',
      );
      return `${lines}\n${question}`;
    },
  });
}

const ASKED = /\n(?:Which one\? Say "cancel"|Welche davon\? Sag „storniere“)[^\n]*$/u;
const LISTED = /^- (?<text>[^\n]+) \((?<id>job_\w+)\)$/gmu;
const ALL = pattern(
  'iu',
  '^(?:ja,? |yes,? )?(?:(?:bitte |please )?(?:lösche?|storniere|cancel|delete) )?(?:sie )?(?:alle|alles|all|both|beide',
  '|them all|everything)(?: davon| of them| bitte| please| löschen| stornieren)*$',
);
const PLACE =
  /^(?:die|den|das|the|nummer|number|nr\.?|only|nur)? ?(?:die |den )?(?<place>\p{L}+|\d)\.?(?: one| davon)?$/iu;
const PLACES = [
  /^(?:1|erste[n]?|first)$/iu,
  /^(?:2|zweite[n]?|second)$/iu,
  /^(?:3|dritte[n]?|third)$/iu,
  /^(?:4|vierte[n]?|fourth)$/iu,
  /^(?:5|fünfte[n]?|fifth)$/iu,
];
const LAST = /^(?:letzte[n]?|last)$/iu;

/** What is said to "Which one?": all of them, its place among them, or words of it. */
export function chosen(request: UserRequest): Intent | undefined {
  const asked = request.earlier.at(-1);
  if (asked?.by !== 'assistant' || !ASKED.test(asked.text) || request.plain.length > 60) return undefined;
  const jobs = [...asked.text.matchAll(LISTED)].map(({ groups = {} }) => ({
    id: groups.id ?? '',
    text: groups.text ?? '',
  }));
  if (ALL.test(request.plain)) return act(...jobs.map(({ id }) => cancellation(id, request)));
  const place = PLACE.exec(request.plain)?.groups?.place ?? '';
  const byPlace = LAST.test(place) ? jobs.at(-1) : jobs[PLACES.findIndex((form) => form.test(place))];
  if (byPlace) return cancelled(byPlace.id, request);
  const words = request.plain.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? [];
  const fitting = jobs.filter(({ text }) => words.some((word) => text.toLowerCase().includes(word)));
  return fitting.length === 1 && fitting[0] ? cancelled(fitting[0].id, request) : undefined;
}
