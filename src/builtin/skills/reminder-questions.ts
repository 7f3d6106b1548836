import { pattern } from '../../base/pattern.ts';
import { fromWallClock } from '../../when/calendar.ts';
import { type FoundTime, findTime } from '../../when/find.ts';
import { withoutTime } from '../../when/without-time.ts';
import { numberWord } from '../../words/numbers.ts';
import { ask, type Intent, type UserRequest } from '../request.ts';
import { clean } from './task-words.ts';

/** For a reminder without a time, and perhaps without a task. */
function whenQuestion(task: string, request: UserRequest): string {
  if (task === '')
    return request.in('What should I remind you of, and when?', 'Woran soll ich dich erinnern, und wann?');
  return request.in(
    `When should I remind you${aim(task)}? For example "tomorrow at 9" or "in 20 minutes".`,
    `${erinnern('Wann', task)}? Zum Beispiel „morgen um 9“ oder „in 20 Minuten“.`,
  );
}

/** "Two days before". */
const AHEAD = `(?:the|an?|${numberWord('en', 1, 12)}|\\d+) (?:day|night|evening|morning|week|hour)s? before`;
/** "When I am home to call Anna", "half past to call": what stands before "to" says when, in words not known here. */
const WHENEVER = pattern(
  'iu',
  `^(?:${AHEAD}|when|whenever|if|as soon as`,
  '|once|before|after',
  '|past|half|quarter|until|till|by|at|on|during|while)',
  String.raw`\b[^,]{0,60}?,? (?:to|about|that) `,
);

/** By an event of which no day is known. */
const ANCHORED = new RegExp(`^${AHEAD}\\b`, 'iu');

/** A reminder whose time is not known, or not known well enough. */
interface Untimed {
  readonly sentence: string;
  readonly found: (FoundTime & { kind: 'unclear' }) | undefined;
  /** What it is about when nothing is said. */
  readonly fallback: string;
}

/** Ask for the time. @param more  the request with the answer in it. */
export function askWhen(
  { sentence, found, fallback }: Untimed,
  request: UserRequest,
  more: (answer: string) => string,
): Intent {
  const task = clean((found ? withoutTime(sentence) : sentence).replace(WHENEVER, '')) || fallback;
  const anchored = request.language === 'en' && WHENEVER.test(sentence) && (!found || ANCHORED.test(sentence));
  if (!anchored) return ask(found ? unclearQuestion(found, task, request) : whenQuestion(task, request), more);
  // "The day before the trip to pack": the trip is not known, so the answer is the whole time.
  const todo = clean(sentence.replace(WHENEVER, ''));
  const again = (answer: string) => (findTime(answer, request) ? `remind me to ${todo} ${answer}` : request.text);
  return ask(whenQuestion(todo, request), again);
}

/** One question: which of two times, whether a word was misspelt, or when, with what was not clear. */
function unclearQuestion(
  { corrected, question, between, why }: FoundTime & { kind: 'unclear' },
  task: string,
  request: UserRequest,
): string {
  if (corrected !== undefined) return question;
  const asked = request.in(`When should I remind you${task ? aim(task) : ''}`, erinnern('Wann', task));
  const or = request.in(' or ', ' oder ');
  if (between.length > 0) return `${asked}: ${between.map((each) => request.in(each, dayOf(each, request))).join(or)}?`;
  return `${asked}? ${why.replace(SHORT_DAY, (_short, date: string) => `(${dayOf(date, request)})`)}`.trim();
}

/** As reasons have it: `(Sat 2026-11-21)`. */
const SHORT_DAY = /\([A-Z][a-z]{2} (\d{4}-\d\d-\d\d)\)/u;

/** A date in figures, as a person says it; anything else stays. */
export function dayOf(said: string, { saying, timeZone }: Pick<UserRequest, 'saying' | 'timeZone'>): string {
  return /^\d{4}-\d\d-\d\d$/u.test(said) ? saying.day(fromWallClock(`${said}T12:00:00Z`, timeZone)) : said;
}

export function dayQuestion(at: Date, task: string, request: UserRequest): string {
  const near = request.saying.near(at);
  return request.in(
    `At what time ${near}${task ? ` should I remind you${aim(task)}` : ''}?`,
    `${erinnern(`Um wie viel Uhr ${near}`, task)}?`,
  );
}

/** "of the meeting", "of swimming", but "to call Anna". */
function aim(task: string): string {
  const [first = ''] = task.split(' ');
  const isDoing = /ing$/iu.test(first) && /[aeiouy]/iu.test(first.slice(0, -3));
  const thing = isDoing || /^(?:the|my|our|his|her|their|an?)\b/iu.test(task);
  return ` ${thing ? 'of' : 'to'} ${task}`;
}

/** Prefixes that leave their verb: "rausstellen" is "rauszustellen". The others only look as if they had one. */
const PREFIX = pattern(
  'u',
  '^(?!antworten|umarmen|hinter|hindern|herrschen|umgehen$|durchsuchen|einigen|beicht',
  '|abonn|absolv|analys|annull|anim)(?<prefix>ab|an|auf|aus|ein|mit|nach',
  '|vorbei|vor|weg|zurück|um|los|heraus|herein|her|hinaus|hin|fest|durch|bei|raus|rein|runter|rauf|hoch|zusammen',
  String.raw`|weiter|statt|teil|rüber|nieder)(?<verb>\p{Ll}{3,}n)$`,
);

/** "Wann soll ich dich daran erinnern, die Blumen zu gießen", but "an den Zahnarzt" and "an „Zahnarzt“". */
function erinnern(lead: string, task: string): string {
  if (task === '') return `${lead} soll ich dich erinnern`;
  const [, before = '', last = ''] = /^(.* )?(\p{Ll}{2,}n)$/u.exec(task) ?? [];
  if (last !== '') {
    const { prefix, verb } = PREFIX.exec(last)?.groups ?? {};
    const todo = prefix === undefined ? `zu ${last}` : `${prefix}zu${verb}`;
    return `${lead} soll ich dich daran erinnern, ${before}${todo}`;
  }
  const named = /^(?:den|die|das|meinen?|unseren?)\b/u.test(task) ? task : `„${task}“`;
  return `${lead} soll ich dich an ${named} erinnern`;
}
