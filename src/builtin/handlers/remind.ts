import { isRecord } from '../../base/json.ts';
import type { CalendarEvent } from '../../models/message-data.ts';
import { fromWallClock } from '../../when/calendar.ts';
import { isPartOfRepetition, withChoice } from '../../when/choose.ts';
import { type FoundTime, findTime } from '../../when/find.ts';
import { understand } from '../../when/understand.ts';
import { NEGATIONS } from '../../words/negations.ts';
import { isPast } from '../../words/past.ts';
import { BEGINNINGS } from '../../words/question-words.ts';
import { STOP_WORDS } from '../../words/stop-words.ts';
import { type Ahead, aheadIn, at, endsAhead, isClock, type Lead, type OneTime, timeAhead } from '../ahead.ts';
import { agrees } from '../choice.ts';
import { withoutCourtesy } from '../courtesy.ts';
import { foundData } from '../found.ts';
import { type Thing, thingsDone } from '../frame.ts';
import { type Action, act, ask, askWords, type Intent, type Result, type UserRequest } from '../request.ts';
import { answerIn } from '../say-found.ts';
import { spanIn } from '../span.ts';
import { taskIn } from '../task.ts';
import { tokensOf } from '../tokens.ts';
import type { Handler, Understanding } from '../understanding.ts';
import { movedByTimeAlone } from './jobs.ts';

/** What is known of a reminder so far. */
interface Wanted {
  readonly task?: string | undefined;
  readonly time?: FoundTime | undefined;
  /** It is about getting up, so hours are in the morning. */
  readonly waking?: boolean | undefined;
  /** So long before the event, */
  readonly ahead?: Ahead | undefined;
  /** which is then; undefined: on the one day that the task names. */
  readonly event?: FoundTime | undefined;
  /** The search whose answer is the task. */
  readonly from?: Action | undefined;
}

/** `remind me {task}`, with a time or without. `kind`: what it is about where nothing is said. */
const remind: Handler = ({ task, time: said, kind }, request) => {
  const time = said as FoundTime | undefined;
  const fallback = kind === 'alarm' || kind === 'timer' ? request.tell(kind) : undefined;
  const words = typeof task === 'string' ? task : fallback;
  // "The day before" is no time by itself: it counts from what it is about.
  const ahead = time?.kind === 'unclear' ? aheadIn(time.words, request) : undefined;
  if (time?.kind === 'unclear' && !ahead && endsAhead(time.words, request)) return undefined;
  const isThat = THAT.test(words ?? (ahead ? 'that' : ''));
  const that = isThat ? whatThatIs(request) : { task: words };
  // "Erinnere mich nicht an ...".
  if (request.language === 'de' && DENIED.test(words ?? '')) return undefined;
  if (time === undefined && asks(that.task ?? '')) return undefined;
  return reminder({ ...that, ...(ahead ? { ahead } : { time, waking: kind === 'alarm' }) }, request);
};

const DENIED = /^(?:nicht|nie|niemals) (?:mehr|wieder|an|dar?an|am|um|morgen|heute|zum|zur)\b/iu;
const THAT = /^(?:that|it|this|das|es|daran|darüber)$/iu;

/** "Remind me of that": of what the request just before wrote down, else of what the documents have answered it. */
function whatThatIs(request: Understanding): Pick<Wanted, 'task' | 'event' | 'from'> {
  const { done, can, doneBefore } = request;
  const things = thingsDone(done);
  const [thing] = things;
  if (thing?.ago === 1 && thing.text !== '') return { task: thing.text, event: eventOf(thing, things, request) };
  return { from: can('query_rag') ? doneBefore().find(({ tool }) => tool === 'query_rag') : undefined };
}

/** Reminders of one thing come before it: the last of them, or the day that it names, is when it is. */
function eventOf(thing: Thing, things: readonly Thing[], request: UserRequest): FoundTime | undefined {
  const same = things.flatMap((each) => (each.text === thing.text && each.at ? [at(each.at)] : []));
  const named = dayIn(thing.text, request);
  return [...(isOneTime(named) ? [named] : []), ...same].toSorted((a, b) => b.at.getTime() - a.at.getTime())[0];
}

function isOneTime(time: FoundTime | undefined): time is OneTime {
  return time?.kind === 'once' || time?.kind === 'day';
}

/**
 * "Remind me of that" behind an answer from the documents: they are asked anew, and what we asked about it since is
 * answered again.
 */
function ofAnswer(
  from: Action,
  wanted: Wanted,
  { request, answers }: { readonly request: UserRequest; readonly answers: readonly string[] },
): Intent {
  const answered = (intent: Intent, answer: string): Intent => {
    const next = intent.kind === 'ask' ? intent.complete(answer) : undefined;
    return typeof next === 'object' ? next : intent;
  };
  return {
    kind: 'act',
    actions: [{ ...from, say: () => '' }],
    next: ([found]) =>
      answers.reduce(answered, reminder({ ...wanted, ...(found && answeredBefore(found, request)) }, request)),
    complete: (answer) => {
      const isOpen = wanted.time?.kind !== 'once' && wanted.time?.kind !== 'repeats';
      const asked = isOpen ? ask('', timed(wanted, request)) : reminder(wanted, request);
      const fits = asked.kind === 'ask' && typeof asked.complete(answer) === 'object';
      return fits ? ofAnswer(from, wanted, { request, answers: [...answers, answer] }) : undefined;
    },
  };
}

/**
 * The answer without where it stands, if it is the one that was given: a note may have been the better one. What came
 * with that question is not searched any more, and the sentence that was quoted from it is all there is.
 */
function answeredBefore(found: Result, request: UserRequest): Pick<Wanted, 'task' | 'event'> {
  const answer = answerIn(found, request);
  const given = request.earlier.at(-1)?.text ?? '';
  const isSame = answer !== '' && given.includes(answer);
  const said = isSame ? answer : QUOTED.exec(given)?.[0];
  const [event, ...others] = isSame ? foundData(found).answer.flatMap((part) => part.event ?? []) : [];
  const task = said && taskIn(said.replace(/(?<!\s)\s*\[[^[\]]*\]/gu, ''));
  return { task, event: event && others.length === 0 ? startOf(event, request) : undefined };
}

/** When an event of a calendar begins. */
function startOf({ day, time, zone }: CalendarEvent, request: UserRequest): FoundTime | undefined {
  if (time === undefined) return findTime(day, request);
  return at(fromWallClock(`${day}T${time}:00Z`, zone ?? request.timeZone));
}

/** One sentence and its place. */
const QUOTED = /^[^[\]\n]{1,300}\[[^[\]\n]{1,300}\]$/u;

/** `wake me at {hour}`: an hour without a word of time in front. */
const remindAtHour: Handler = ({ task, hour, kind }, request) => {
  const words = request.tell('at hour', { hour });
  return remind({ task, kind, time: findTime(words, { ...request, waking: kind === 'alarm' }) }, request);
};

/** `{event}, remind me {ahead}`, `{lead} before {event}`; without an event it is "that", which was talked about. */
const remindAhead: Handler = ({ event, lead, ahead: given }, request) => {
  const ahead = lead === undefined ? (given as Ahead | undefined) : { lead: lead as Lead };
  const that = event === undefined ? whatThatIs(request) : eventIn(String(event), request);
  if (that.task === undefined && that.from === undefined) return undefined;
  if (ahead) return reminder({ ...that, ahead }, request);
  return ask(request.tell('ask how long before'), (answer) => {
    const said = withoutCourtesy(answer);
    const span = spanIn(said.replace(BEFORE, ''), request, isNothing);
    const long = aheadIn(said, request) ?? (span && { lead: span });
    return long && reminder({ ...that, ahead: long }, request);
  });
};

const BEFORE = /(?<!\s)\s*(?:before(?:hand)?|vorher|davor|earlier|früher)[.!]*$/iu;

/** A thing with its time, which is before none that comes again. */
function eventIn(words: string, request: UserRequest): Pick<Wanted, 'task' | 'event' | 'from'> {
  const time = findTime(words, request);
  return time ? { task: taskIn(time.rest.replace(HAVING, '')), event: time } : {};
}

/** The one day that words name. */
function dayIn(words: string, request: UserRequest): OneTime | undefined {
  const found = findTime(words, request);
  return isOneTime(found) && findTime(found.rest, request) === undefined ? found : undefined;
}

/** What stands in front of the name of an event, and is no part of it. */
const HAVING =
  /^(?:(?:ich|wir|habe?|haben|es|da|ist|gibt|steht|i|i've|we|we've|have|got|there|there's|is)\b['’]?s? )+/iu;

/** A reminder, or the question for what is missing. */
function reminder(wanted: Wanted, request: UserRequest): Intent {
  const { task, ahead, from } = wanted;
  const { now, saying, tell } = request;
  if (from) return ofAnswer(from, { ...wanted, from: undefined }, { request, answers: [] });
  const event = ahead && (wanted.event ?? dayIn(task ?? '', request));
  // "An hour before" says nothing yet where the event has a day alone.
  if (event?.kind === 'unclear' || (event?.kind === 'day' && ahead?.lead.days === undefined)) {
    const then = (time: FoundTime) => reminder({ ...wanted, event: time }, request);
    return ask(whenQuestion({ task, time: event }, request), timed({ task, time: event }, request, then));
  }
  const time = ahead ? (isOneTime(event) ? timeAhead(event, ahead, request) : undefined) : wanted.time;
  if (!time || time.kind === 'unclear' || time.kind === 'day')
    return ask(whenQuestion({ task, time, ahead }, request), timed({ ...wanted, time }, request));
  if (time.kind === 'repeats')
    return task === undefined
      ? whatQuestion(wanted, time.words, request)
      : scheduled({ when: time.words, task }, request);
  const when = time.at.toISOString();
  if (time.at.getTime() < now.getTime() - 1000)
    return ask(tell('ask later time', { at: when }), timed({ ...wanted, time: undefined, ahead: undefined }, request));
  if (task !== undefined) return scheduled({ when, task }, request);
  return whatQuestion(wanted, countsFromNow(time, request) ? time.words : saying.nearAndTime(time.at), request);
}

function whatQuestion(wanted: Wanted, when: string, request: UserRequest): Intent {
  return askWords(request.tell('ask what to remind of', { when }), (answer) =>
    ASKED.test(answer) ? undefined : reminder({ ...wanted, task: taskIn(answer) }, request),
  );
}

/** What asks something is a request of its own, and nothing to be reminded of. */
const ASKED = /\?\s*$/u;

/**
 * "In 20 minutes". It is named by its words: a question of ours is known by asking it again, when the instant is
 * another one. The time then counts from the answer.
 */
function countsFromNow({ words, at }: { readonly words: string; readonly at: Date }, request: UserRequest): boolean {
  const later = findTime(words, { ...request, now: new Date(request.now.getTime() + 1000) });
  return later?.kind === 'once' && later.at.getTime() !== at.getTime();
}

/** What an answer to "when?" makes of it; undefined where it names no time. */
function timed(
  wanted: Wanted,
  request: UserRequest,
  then = (time: FoundTime): Intent => reminder({ ...wanted, time, ahead: undefined }, request),
): (answer: string) => string | Intent | undefined {
  return (said) => {
    const { time: known, ahead } = wanted;
    const answer = withoutCourtesy(said.trim().replace(/(?<!\d)[.!?]+$/u, ''));
    if (known?.kind === 'unclear' && known.corrected !== undefined && agrees(answer)) return known.corrected;
    const hour = /^\d{1,2}$/u.test(answer) ? request.tell('at hour', { hour: answer }) : answer;
    // "The day before", "at 8": an hour alone would drop the day that was said.
    const clock = ahead?.lead.days !== undefined && isClock(hour, request) ? { ...ahead, clock: hour } : undefined;
    const before = clock ?? aheadIn(answer, request);
    if (before) return reminder({ ...wanted, ahead: before }, request);
    const words = known?.words ?? '';
    const ways = [
      ...(known?.kind === 'unclear' ? [withChoice(words, answer, request), withChoice(words, hour, request)] : []),
      // "At half eight", "tonight": it is not evening that is meant, but half past eight of it.
      ...(known?.kind === 'unclear' ? [`${words} ${answer}`] : []),
      ...(known?.kind === 'day' || isPartOfRepetition(words, answer) ? [`${words} ${hour}`] : []),
      hour,
      answer,
    ].filter((way) => way !== undefined);
    const read = ways.map((way) => findTime(way, { ...request, waking: wanted.waking }));
    const exact = read.find((time) => (time?.kind === 'once' || time?.kind === 'repeats') && isNothing(time.rest));
    const time = exact ?? read.find((each) => each && isNothing(each.rest));
    return time && then(time);
  };
}

/** Besides a time, an answer has nothing to say: "10am is fine", "how about 5 then". */
function isNothing(rest: string): boolean {
  return tokensOf(rest).every(
    ({ word }) => word === '' || FINE.has(word) || STOP_WORDS.en.has(word) || STOP_WORDS.de.has(word),
  );
}

const FINE = new Set(
  `fine good great ok okay perfect best better works work suits suit sounds please maybe perhaps instead rather only say
  passt gut besser lieber eher erst bitte vielleicht waere geht reicht recht prima sagen meine halt`.split(/\s+/u),
);

function whenQuestion({ task, time, ahead }: Wanted, { saying, timeZone, tell }: UserRequest): string {
  if (time?.kind === 'day') return tell('ask time of day', { task, day: saying.near(time.at) });
  if (time === undefined && ahead) return tell('ask before what', { task });
  if (time?.kind !== 'unclear') return tell(task === undefined ? 'ask what and when' : 'ask when', { task });
  if (time.corrected !== undefined) return time.question;
  const between = time.between.map((each) =>
    /^\d{4}-\d\d-\d\d$/u.test(each) ? saying.day(fromWallClock(`${each}T12:00:00Z`, timeZone)) : each,
  );
  return tell(between.length > 0 ? 'ask which time' : 'ask exact time', { task, between, why: time.why });
}

/** What is known when nothing is left to ask. @property when an instant, or the words of a repetition. */
interface Planned {
  readonly when: string;
  readonly task: string;
  /** The words are a request that is to be carried out then, not a thing to be reminded of. */
  readonly isPrompt?: boolean;
}

function scheduled({ when, task, isPrompt = false }: Planned, request: UserRequest): Intent {
  const input = { when, text: task, as: isPrompt ? 'prompt' : 'reminder' };
  return act({ tool: 'schedule', input, say: (result) => confirmed(result, task, request) });
}

/** Written large at the start of the request alone. */
const FIRST_WORD = /^(?:A[mnb]|Um|In|Jed\p{L}+|Alle|Every|Each|On|At)\b/u;

/** Said from what was handed to the tool: read again, "in 1 minute" would be later by the time that the call took. */
function confirmed({ input, value }: Result, task: string, request: UserRequest): string {
  const { tell } = request;
  const when = String(input.when);
  const { note, next, missing, warning } = isRecord(value) ? value : {};
  const once = /^\d{4}-\d\d-\d\dT/u.test(when) ? new Date(when) : undefined;
  const first = once ?? new Date(String(next));
  const repeats = once ? undefined : when.replace(FIRST_WORD, (word) => word.toLowerCase());
  const runs = once ? [first] : following(when, first, request);
  const coming = Number.isNaN(first.getTime()) ? undefined : comingOn(first, runs, request);
  // The tool made no second one of what was there already.
  const isKnown = typeof note === 'string';
  const said = tell(isKnown ? 'scheduled already' : 'scheduled', { repeats, task, coming });
  // Where nothing would bring it: that, and the one command that mends it.
  return isKnown || missing === undefined ? said : `${said} ${tell('nothing brings it', { missing, warning })}`;
}

/** `tomorrow, Tuesday 24 November 2026 at 09:00 (Europe/Oslo)`. */
function comingOn(first: Date, runs: readonly Date[], { saying, tell }: UserRequest): string {
  const near = runs.length === 1 ? saying.near(first) : '';
  const isNear = near !== '' && !near.includes(saying.day(first));
  return tell('on near day', { near: isNear && near, far: !isNear, runs: saying.runs(runs) });
}

/** The first run and the two after it. Read as of the request: "every second Tuesday" counts from the first one. */
function following(words: string, first: Date, { timeZone, now }: UserRequest): Date[] {
  return [first, ...understand(words, { timeZone, from: now, count: 3 }).next.slice(1)];
}

/** "Remind me to do the dishes", "have a look", not "remind me do I have to pay". */
const IS_DONE = /^(?:do|have) (?!(?:i|you|we|they)\b)/iu;

/** No request of its own asks so: "what happens tomorrow at 9", "if it rains on Friday". */
function asks(words: string): boolean {
  const first = tokensOf(words).find(({ word }) => word !== '')?.word ?? '';
  const isAsked = BEGINNINGS.en.has(first) || BEGINNINGS.de.has(first) || words.includes('?');
  return isAsked && !IS_DONE.test(words);
}

/** What is not to be, is nothing to be reminded of, unless an example says otherwise: "remind me not to be late". */
function isDenied(task: string): boolean {
  return tokensOf(task).some(({ word }) => NEGATIONS.has(word));
}

/**
 * The last resort for a sentence with an exact time: "call Anna tomorrow at 5pm". What would be understood without the
 * time is carried out then.
 *
 * @param kindOf whether words are a request to us, a thing that people do, or something else, as far as that is known.
 */
export function looseReminder(
  request: UserRequest,
  kindOf: (text: string) => 'request' | 'thing' | 'other' | undefined,
): Intent | undefined {
  const text = withoutCourtesy(request.text);
  if (asks(text)) return undefined;
  const time = findTime(text, request);
  const isExact =
    time?.kind === 'once' || time?.kind === 'repeats' || (time?.kind === 'unclear' && time.between.length === 2);
  const kind = time ? kindOf(time.rest) : undefined;
  const task = isExact || (time?.kind === 'day' && kind === 'thing') ? taskIn(time.rest) : undefined;
  if (time && time.kind !== 'repeats' && isNothing(time.rest)) return movedByTimeAlone(time, request);
  if (!time || task === undefined || isNothing(task) || isPast(task) || kind === 'other' || isDenied(task))
    return undefined;
  const isPrompt = kind === 'request';
  if (!isPrompt || time.kind === 'unclear') return reminder({ task, time }, request);
  if (time.kind === 'once')
    return time.at < request.now ? undefined : scheduled({ when: time.at.toISOString(), task, isPrompt }, request);
  return scheduled({ when: time.words, task, isPrompt }, request);
}

export const REMINDERS = { remind, remind_ahead: remindAhead, remind_at_hour: remindAtHour };
