import { isRecord } from '../../base/json.ts';
import { pattern } from '../../base/pattern.ts';
import { addToDate, fromWallClock, localDate } from '../../when/calendar.ts';
import { isPartOfRepetition, withChoice } from '../../when/choose.ts';
import { type FoundTime, findTime } from '../../when/find.ts';
import { understand } from '../../when/understand.ts';
import { NEGATIONS } from '../../words/negations.ts';
import { isPast } from '../../words/past.ts';
import { STOP_WORDS } from '../../words/stop-words.ts';
import { agrees } from '../choice.ts';
import { withoutCourtesy } from '../courtesy.ts';
import { thingsDone } from '../frame.ts';
import { type Action, act, ask, askWords, type Intent, type Result, type UserRequest } from '../request.ts';
import { answerIn } from '../say-found.ts';
import { type Span, spanBefore, spanIn } from '../span.ts';
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
  /** So long before the time of the event. */
  readonly lead?: Span | undefined;
  /** The search whose answer is the task. */
  readonly from?: Action | undefined;
}

/** `remind me {task}`, with a time or without. `kind`: what it is about where nothing is said. */
export const remind: Handler = ({ task, time, kind }, request) => {
  const fallback = kind === 'alarm' || kind === 'timer' ? request.tell(kind) : undefined;
  const words = typeof task === 'string' ? task : fallback;
  const isThat = THAT.test(words ?? '');
  const said = isThat ? whatWasDone(request) : words;
  if (time === undefined && QUESTION.test(said ?? '') && !IS_DONE.test(said ?? '')) return undefined;
  const from = isThat && said === undefined ? searchBefore(request) : undefined;
  return reminder({ task: said, time: time as FoundTime | undefined, waking: kind === 'alarm', from }, request);
};

const THAT = /^(?:that|it|this|das|es|daran|darüber)$/iu;

/** "Remind me of that": of what the request just before wrote down. */
function whatWasDone({ done }: UserRequest): string | undefined {
  const [thing] = thingsDone(done);
  return thing?.ago === 1 && thing.text !== '' ? thing.text : undefined;
}

function searchBefore({ can, doneBefore }: Understanding): Action | undefined {
  return can('query_rag') ? doneBefore().find(({ tool }) => tool === 'query_rag') : undefined;
}

/** "Remind me of that" behind an answer from the documents: they are asked anew. */
function ofAnswer(from: Action, { time, ...others }: Wanted, request: UserRequest): Intent {
  const wanted = { ...others, time, from: undefined };
  return {
    kind: 'act',
    actions: [{ ...from, say: () => '' }],
    next: ([found]) => reminder({ ...wanted, task: found && answeredBefore(found, request) }, request),
    complete: (answer) => {
      // What it came to is done: what follows goes on from there.
      if (thingsDone(request.done)[0]?.ago === 1) return undefined;
      const isOpen = time?.kind !== 'once' && time?.kind !== 'repeats';
      const asked = isOpen ? ask('', timed({ ...wanted, from }, request)) : reminder(wanted, request);
      const next = asked.kind === 'ask' ? asked.complete(answer) : undefined;
      return typeof next === 'object' ? next : undefined;
    },
  };
}

/**
 * The answer without where it stands, if it is the one that was given: a note may have been the better one. What came
 * with that question is not searched any more, and the sentence that was quoted from it is all there is.
 */
function answeredBefore(found: Result, request: UserRequest): string | undefined {
  const answer = answerIn(found, request);
  const given = request.earlier.at(-1)?.text ?? '';
  const said = answer !== '' && given.includes(answer) ? answer : QUOTED.exec(given)?.[0];
  return said && taskIn(said.replace(/(?<!\s)\s*\[[^[\]]*\]/gu, ''));
}

/** One sentence and its place. */
const QUOTED = /^[^[\]\n]{1,300}\[[^[\]\n]{1,300}\]$/u;

/** `wake me at {hour}`: an hour without a word of time in front. */
export const remindAtHour: Handler = ({ task, hour, kind }, request) => {
  const words = request.tell('at hour', { hour });
  return remind({ task, kind, time: findTime(words, { ...request, waking: kind === 'alarm' }) }, request);
};

/** `{event}, remind me {lead} before`: the event has the time. */
export const remindAhead: Handler = ({ event, lead }, request) => {
  const time = findTime(String(event), request);
  const task = time && taskIn(time.rest.replace(HAVING, ''));
  return task === undefined ? undefined : reminder({ task, time, lead: lead as Span | undefined }, request, true);
};

/** `{event}, remind me the day before`: at what time is asked. */
export const remindEve: Handler = ({ event }, request) => {
  const found = findTime(String(event), request);
  const task = found && taskIn(found.rest.replace(HAVING, ''));
  if (task === undefined || (found?.kind !== 'once' && found?.kind !== 'day')) return undefined;
  const at = addToDate(found.at, -1, { unit: 'day', timeZone: request.timeZone });
  return reminder({ task, time: findTime(localDate(at, request.timeZone), request) }, request);
};

/** What stands in front of the name of an event, and is no part of it. */
const HAVING =
  /^(?:(?:ich|wir|habe?|haben|es|da|ist|gibt|steht|i|i've|we|we've|have|got|there|there's|is)\b['’]?s? )+/iu;

/** A reminder, or the question for what is missing. */
function reminder(wanted: Wanted, request: UserRequest, isAhead = false): Intent {
  const { task, lead, from } = wanted;
  const { now, saying, timeZone, tell } = request;
  if (from) return ofAnswer(from, wanted, request);
  const time = countedFrom(task, wanted.time, request);
  if (isAhead && lead === undefined)
    return ask(tell('ask how long before'), (answer) => {
      const span = spanAnswered(answer, request);
      return span && reminder({ ...wanted, lead: span }, request);
    });
  if (!time || time.kind === 'unclear' || time.kind === 'day')
    return ask(whenQuestion(wanted, request), timed(wanted, request));
  if (time.kind === 'once') {
    const at = lead ? spanBefore(time.at, lead, timeZone) : time.at;
    if (at.getTime() < now.getTime() - 1000) {
      const past = tell('ask later time', { at: at.toISOString() });
      return ask(past, timed({ ...wanted, time: undefined, lead: undefined }, request));
    }
    return task === undefined
      ? whatQuestion(wanted, countsFromNow(time, request) ? time.words : saying.nearAndTime(at), request)
      : scheduled({ when: at.toISOString(), task }, request);
  }
  return task === undefined
    ? whatQuestion(wanted, time.words, request)
    : scheduled({ when: time.words, task }, request);
}

/** "Two days before at 9" does not say before what: before the one day that is named in what it is about. */
function countedFrom(task: string | undefined, time: FoundTime | undefined, request: UserRequest) {
  if (time?.kind !== 'unclear' || task === undefined || !ANCHOR.test(time.words)) return time;
  const event = findTime(task, request);
  const isOne = (event?.kind === 'once' || event?.kind === 'day') && findTime(event.rest, request) === undefined;
  if (!isOne) return time;
  const day = localDate(event.at, request.timeZone);
  const read = findTime(time.words.replace(ANCHOR, `$& ${day}`), request);
  return read?.kind === 'once' && read.rest === '' ? read : time;
}

const ONLY_HOUR = /^(?:at |um )?\d{1,2}(?:[:.]\d{2})? ?(?:am|pm|uhr)?$/iu;
const ANCHOR = /\b(?:before|after)\b/iu;

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
function timed(wanted: Wanted, request: UserRequest): (answer: string) => string | Intent | undefined {
  return (said) => {
    const known = wanted.time;
    const answer = withoutCourtesy(said.trim().replace(/(?<!\d)[.!?]+$/u, ''));
    if (known?.kind === 'unclear' && known.corrected !== undefined && agrees(answer)) {
      return known.corrected;
    }
    const hour = /^\d{1,2}$/u.test(answer) ? request.tell('at hour', { hour: answer }) : answer;
    const words = known?.words ?? '';
    // "The day before", "at 8": an hour alone would drop the day that was said.
    if (known?.kind === 'unclear' && ANCHOR.test(words) && ONLY_HOUR.test(hour) && !ONLY_HOUR.test(words))
      return reminder({ ...wanted, time: { ...known, words: `${words} ${hour}` } }, request);
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
    if (!time) return undefined;
    return reminder({ ...wanted, time }, request);
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

const BEFORE = /(?<!\s)\s*(?:before(?:hand)?|vorher|davor|earlier|früher)[.!]*$/iu;

function spanAnswered(answer: string, request: UserRequest): Span | undefined {
  return spanIn(withoutCourtesy(answer).replace(BEFORE, ''), request, isNothing);
}

function whenQuestion({ task, time }: Wanted, { saying, timeZone, tell }: UserRequest): string {
  if (time?.kind === 'day') return tell('ask time of day', { task, day: saying.near(time.at) });
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

/** No request of its own asks so: "what happens tomorrow at 9", "if it rains on Friday". */
const QUESTION = pattern(
  'iu',
  String.raw`^(?:what|how|when|which|who|why|where|is|was|are|do|does|did|if|wie|wann|welche\p{L}*|wer`,
  String.raw`|warum|wo|was|ist|sind|wenn|falls)\b|\?`,
);

/** "Remind me to do the dishes", not "remind me do I have to pay". */
const IS_DONE = /^do (?!(?:i|you|we|they)\b)/iu;

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
  if (QUESTION.test(text)) return undefined;
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
