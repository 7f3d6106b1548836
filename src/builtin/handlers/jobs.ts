import { isRecord } from '../../base/json.ts';
import { addToDate, localDate } from '../../when/calendar.ts';
import { withMinutes } from '../../when/choose.ts';
import { type FoundTime, findTime } from '../../when/find.ts';
import { nextTimes } from '../../when/timing.ts';
import { chosenFrom } from '../choice.ts';
import { jobMade, jobMeant } from '../frame.ts';
import { REPLIES } from '../reply.ts';
import { type Action, act, ask, askWords, type Intent, say, type UserRequest } from '../request.ts';
import type { Span } from '../span.ts';
import { taskIn } from '../task.ts';
import { tokensOf } from '../tokens.ts';
import type { Handler } from '../understanding.ts';
import { JOB_WORDS, type Job, jobsOf, REMINDER, sayJobs } from './jobs-said.ts';

/**
 * `move {what} to {when}`, or `by` a length, `sooner` or not.
 * Without `what` it is the one that was talked about; `bare`: the words mean nothing where there is none.
 */
const moveJob: Handler = ({ what, time, hour, by, sooner, either: isEither, bare }, request) => {
  const id = what === undefined ? jobMeant(request.done)?.id : nameIn(String(what));
  if (id === undefined && bare === true) return undefined;
  if (what !== undefined && isOther(String(what), request)) return undefined;
  // "To Tuesday at 10" has a time of its own, of which the hour is a part.
  if (what !== undefined && hour !== undefined && findTime(String(what), request)) return undefined;
  if (by !== undefined && isEither === true)
    return ask(request.tell('ask earlier or later'), (answer) => {
      const way = /(?<way>earlier|sooner|früher|eher|vor)|later|back|später|hinten/iu.exec(answer);
      return way ? moved(id, shift(by as Span, way.groups?.way !== undefined, request), request) : undefined;
    });
  if (by !== undefined) return moved(id, shift(by as Span, sooner === true, request), request);
  const words = hour === undefined ? (time as FoundTime | undefined)?.words : request.tell('at hour', { hour });
  return words === undefined ? undefined : movedTo(id, words, request);
};

/** "Doch erst um 11", "Saturday", straight after a reminder was made or moved. */
export function movedByTimeAlone(time: FoundTime, request: UserRequest): Intent | undefined {
  const job = jobMeant(request.done);
  return job?.ago === 1 ? movedTo(job.id, time.words, request) : undefined;
}

/** By how much something is moved, as `reschedule` reads it. */
function shift({ words }: Span, sooner: boolean, { tell }: UserRequest): string {
  return tell('by a while', { words, sooner, later: !sooner });
}

const TO = /^(?:to|until|till|auf|zu|bis) /iu;

/** Asks for the half of the day where the words leave it open. */
function movedTo(id: string | undefined, said: string, request: UserRequest): Intent {
  const when = said.replace(TO, '');
  const { now, timeZone, tell } = request;
  const tomorrow = localDate(addToDate(now, 1, { unit: 'day', timeZone }), timeZone);
  const found = findTime(`${tomorrow} ${when}`, request);
  const between = found?.kind === 'unclear' && found.between.length === 2 ? found.between : undefined;
  if (!between) return moved(id, when, request);
  // Nobody wants to be woken in the evening.
  const text = jobMeant(request.done)?.text ?? '';
  if (/wake up|aufstehen/iu.test(text)) return moved(id, between[0] ?? when, request);
  return ask(tell('ask which time', { bare: true, between }), (answer) => {
    const chosen = withMinutes(answer.replace(/[.!?]+$/u, ''), between);
    const words = /^\d{1,2}$/u.test(chosen) ? tell('at hour', { hour: chosen }) : chosen;
    return findTime(words, request) ? moved(id, words, request) : undefined;
  });
}

function moved(id: string | undefined, when: string, request: UserRequest): Intent {
  if (id === undefined)
    return askWords(request.tell('ask which to move'), (answer) => moved(nameIn(answer), when, request));
  return act({ tool: 'reschedule', input: { id, when }, say: ({ value, text }) => sayMoved(value, text, request) });
}

/** `every Monday at 9 [0 9 * * 1] (Europe/Oslo)`, as jobs are described. */
const REPEATS = /^([^[]+) \[([^\]]+)\] \(([^\s()]+)\)$/u;

function sayMoved(value: unknown, text: string, { saying, tell }: UserRequest): string {
  const next = isRecord(value) ? new Date(String(value.next)) : undefined;
  if (!isRecord(value) || !next || Number.isNaN(next.getTime())) return text;
  const what = String(value.text ?? '').replace(REMINDER, '');
  const [, repeats, expression, timeZone] = REPEATS.exec(String(value.description ?? '')) ?? [];
  const isCron = expression !== undefined && timeZone !== undefined;
  const others = isCron ? nextTimes({ kind: 'cron', expression, timeZone, anchor: next }, next, 2) : [];
  return tell('moved', { what, repeats, runs: saying.runs([next, ...others]) });
}

/** `cancel {what}`. Without `what` the one that was talked about; `all`: each that fits. */
const cancelJob: Handler = ({ what, all, other, bare }, request) => {
  if (what !== undefined) {
    if (isOther(String(what), request)) return undefined;
    return act(cancelled(`${all === true ? 'all ' : ''}${nameIn(String(what))}`, request));
  }
  const job = all === true ? undefined : jobMeant(request.done, { other: other === true });
  // "Cancel it" about something else is for those who know what that is.
  if (job?.id === undefined && bare === true && (request.done ?? []).some(({ ago }) => ago === 1)) return undefined;
  return job?.id === undefined ? whichJob(request) : act(cancelled(job.id, request));
};

const TIMER = /timer|countdown/iu;

/** The timer that this conversation has set, else one that says nothing but that it is over. */
const cancelTimer: Handler = (_input, request) => {
  const made = jobMade(request, TIMER);
  if (made !== undefined) return act(cancelled(made, request));
  const isTimer = ({ text }: Job) => TIMER.test(text) || Object.values(REPLIES.timer).includes(text);
  return {
    kind: 'act',
    actions: [{ tool: 'list_schedules', input: {}, say: () => '' }],
    next: ([listed]) => {
      const timers = jobsOf(listed?.value).filter(isTimer);
      const [only, ...others] = timers;
      if (only && others.length === 0) return act(cancelled(only.id, request));
      if (!only) return say(request.tell('no timer'));
      return say(`${sayJobs(listed?.value, (jobs) => jobs.filter(isTimer), request)}\n${request.tell('which timer')}`);
    },
  };
};

function cancelled(id: string, { tell }: UserRequest): Action {
  return { tool: 'cancel_schedule', input: { id }, say: ({ value }) => tell('cancelled', { jobs: value }).trimEnd() };
}

const ALL =
  /^(?:all|everything|both|them all|all of them|alle|alles|beide|sie alle)(?: of them| davon| bitte| please)?$/iu;

/** Without a name: what there is, and which of it. */
function whichJob(request: UserRequest): Intent {
  const list = (say: Action['say']): Action => ({ tool: 'list_schedules', input: {}, say });
  const asked = list(({ value }) => {
    const jobs = sayJobs(value, (all) => all, request);
    return jobsOf(value).length === 0 ? jobs : `${jobs}\n${request.tell('which job')}`;
  });
  return {
    kind: 'act',
    actions: [asked],
    complete: (answer) => ({
      kind: 'act',
      actions: [list(() => '')],
      next: ([listed]) => {
        const chosen = chosenJobs(answer, jobsOf(listed?.value));
        if (chosen.length > 0) return act(...chosen.map(({ id }) => cancelled(id, request)));
        return say(request.tell('unknown choice'));
      },
    }),
  };
}

function chosenJobs(answer: string, jobs: readonly Job[]): readonly Job[] {
  if (ALL.test(answer.trim().replace(/[.!?]+$/u, ''))) return jobs;
  const texts = jobs.map(({ text }) => text);
  const chosen = jobs[chosenFrom(answer, texts) ?? -1];
  return chosen ? [chosen] : [];
}

/** `list my reminders`. `about`: those that speak of it, else the documents are asked; `first`: the next one. */
const listJobs: Handler = ({ about, first }, request) => {
  const words = about === undefined ? [] : contentOf(String(about));
  const fits = (job: Job) => words.every((word) => job.text.toLowerCase().includes(word));
  const keep = (jobs: readonly Job[]) => (first === true ? jobs.slice(0, 1) : jobs.filter(fits));
  const listed: Action = {
    tool: 'list_schedules',
    input: {},
    say: ({ value }) => sayJobs(value, keep, request),
  };
  return act(listed);
};

/** The words of a name that tell it from others. */
function contentOf(what: string): readonly string[] {
  return (
    nameIn(what)
      .toLowerCase()
      .match(/[\p{L}\p{N}]{2,}/gu) ?? []
  ).filter((word) => !JOB_WORDS.has(word));
}

const ARTICLE = /^(?:reminder|alarm|timer|the|my|that|our|den|die|das|der|dem|meine?[nmr]?)\s+/iu;
/** "Friseurtermin", "Friseur-Termin". */
const COMPOUND = /(?<=\p{L}{3})-?(?:termin|erinnerung|wecker|timer)$/iu;
/** What the reminders are about that people call by their kind. */
const CALLED: readonly (readonly [RegExp, string])[] = [
  [/^(?:alarm(?: clock)?|wake-?up(?: call)?|morning alarm)$/iu, REPLIES.alarm.en],
  [/^wecker$/iu, REPLIES.alarm.de],
];

/** What a job is called; the tool finds the one that the words fit, or the only one there is. */
function nameIn(words: string): string {
  const name = (taskIn(words) ?? words).replace(ARTICLE, '').replace(COMPOUND, '');
  return CALLED.find(([form]) => form.test(name))?.[1] ?? name;
}

const NO_NAME = /^(?:it|that|this|them|an?|another|es|das|sie|ihn|eine?n?|noch)\b/iu;

/** A note, a list or a file is none; nor is a pronoun, a time, or "a reminder", which is one to be made. */
function isOther(what: string, request: UserRequest): boolean {
  if (NO_NAME.test(what) || findTime(what, request)?.rest === '') return true;
  return tokensOf(what).some(({ word }) =>
    /^(?:notes?|lists?|files?|documents?|notiz\w*|\w*liste|datei|dokument)$/u.test(word),
  );
}

export const JOBS = { cancel_job: cancelJob, cancel_timer: cancelTimer, list_jobs: listJobs, move_job: moveJob };
