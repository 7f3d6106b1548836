import { findMoment, type Moment, sayMoment } from './moment.ts';
import { act, ask, bare, type Plan, type Recognizer, type Utterance } from './utterance.ts';

const EVERY = '(?:every|each)';
const DAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const AT = String.raw`(?:\s+(?:at|from|around)?\s*(?:\d{1,2}(?::\d{2})?\s*(?:am|pm|a\.m\.|p\.m\.|o'clock)?|noon|midnight)(?![\w:]))`;
const SPAN = String.raw`(?:other\s+|second\s+)?(?:\d+\s+|two\s+|three\s+|few\s+)?(?:seconds?|minutes?|mins?|hours?|days?|weekdays?|working days?|weekends?|weeks?|months?|years?|mornings?|evenings?|afternoons?|nights?|${DAY}s?)(?:(?:,\s*|\s+and\s+|,\s*and\s+)${DAY}s?)*`;
const RECURRENCES: readonly RegExp[] = [
  new RegExp(String.raw`\b(?:at\s+[\w:]+(?:\s*[ap]m)?\s+)${EVERY}\s+${SPAN}`, 'iu'),
  new RegExp(String.raw`\b(?:on\s+)?${EVERY}\s+${SPAN}(?:\s+on\s+${DAY}s?)?${AT}?(?:\s+on\s+${DAY}s?)?`, 'iu'),
  new RegExp(String.raw`\b(?:hourly|daily|weekly|monthly|nightly|yearly)\b(?:\s+on\s+${DAY}s?)?${AT}?`, 'iu'),
  new RegExp(String.raw`\b(?:on\s+)?(?:weekdays|weekends|${DAY}s)\b${AT}?`, 'iu'),
];

/** Ways of asking for it; the rest of the sentence holds what and when. */
const REQUESTS: readonly RegExp[] = [
  /^(?:remind|alert|nudge|warn|notify|tell|message|ping|text)\s+me\b[,:]?\s*(.*)$/isu,
  /^(?:i (?:want|need|would like|'d like) to be reminded|i should be reminded)\b\s*(.*)$/isu,
  /^(?:set|create|add|make|give me|schedule|put)\s+(?:up\s+)?(?:an?|the|another|me an?)?\s*(?:new\s+)?(?:recurring\s+)?(?:reminder|alarm|timer|alert|wake-?up call)\b[,:]?\s*(.*)$/isu,
  /^reminder\b[,:]?\s*(.*)$/isu,
  /^(?:don't|do not|never) let me forget\b\s*(.*)$/isu,
  /^(?:make sure|see to it) (?:that )?i (?:don't forget|remember)\b\s*(.*)$/isu,
  /^schedule\b[:,]?\s*(.*)$/isu,
];
/** These send at once unless a time comes with them. */
const SENDING = /^(?:tell|notify|message|ping|text)/iu;
const WAKE = /^wake me(?: up)?\b\s*(.*)$/isu;
/** Only with a time: without one they are notes, or nothing. */
const TIMED = /^(?:remember|don't forget|do not forget)\s+(to\s.*)$/isu;
const TASK =
  /^(?:say|send|notify|message|search|check|fetch|read|look|tell|show|list|give|write|post|run|ask|remind|ping|what|how)\b/iu;

/** "Remind me in 30 mins to call Anna", "every weekday at 8 say good morning", "wake me at 7". */
export const reminders: Recognizer = (utterance) => {
  const { text } = utterance;
  const wake = WAKE.exec(text);
  if (wake) return plan(`${wake[1]}`, utterance, 'wake up');
  for (const request of REQUESTS) {
    const rest = request.exec(text)?.[1];
    if (rest === undefined) continue;
    if (SENDING.test(text) && (/^(?:that|saying|with)\b|^:/iu.test(rest) || !hasWhen(rest, utterance.now)))
      return undefined;
    return plan(
      rest,
      utterance,
      /\b(?:alarm|wake-?up)\b/iu.test(text.slice(0, text.length - rest.length)) ? 'wake up' : '',
    );
  }
  const timed = TIMED.exec(text)?.[1];
  if (timed && hasWhen(timed, utterance.now)) return plan(timed, utterance);
  return bareTask(utterance);
};

/** A task with a time in front or behind: "in 1 minute say hello", "search the web for news every day at 9". */
function bareTask(utterance: Utterance): Plan | undefined {
  const { text, now } = utterance;
  const when = findWhen(text, now);
  if (!when || /^(?:what|how|when|which|who|why|where|is|was|are|do|does|did|note|add)\b/iu.test(text))
    return undefined;
  const leads = text
    .toLowerCase()
    .replace(/^(?:at|on|in|by)\s+/u, '')
    .startsWith(when.words.toLowerCase().replace(/^(?:at|on|in|by)\s+/u, ''));
  const task = clean(when.rest);
  if (!TASK.test(task) || (!leads && when.repeats === false && !when.relative)) return undefined;
  return plan(text, utterance);
}

interface When {
  readonly words: string;
  readonly rest: string;
  readonly repeats: boolean;
  readonly relative: boolean;
  readonly moment?: Moment;
}

function findWhen(text: string, now: Date): When | undefined {
  for (const recurrence of RECURRENCES) {
    const match = recurrence.exec(text);
    if (!match) continue;
    const rest = `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`;
    return { words: match[0].replace(/^on\s+(?=every|each)/iu, '').trim(), rest, repeats: true, relative: false };
  }
  const moment = findMoment(text, now);
  return (
    moment && { words: moment.words, rest: moment.rest, repeats: false, relative: /^in\b/iu.test(moment.words), moment }
  );
}

const hasWhen = (text: string, now: Date) => findWhen(text, now) !== undefined;

function plan(rest: string, { now }: Utterance, fallback = ''): Plan {
  const timer =
    /^(?:for |of )?(\d+|an?|half an?|two|three|five|ten|fifteen|twenty|thirty)[ -]?(second|minute|min|hour)s?\b\s*(.*)$/iu.exec(
      rest,
    );
  const text = timer && !/\bin\b/iu.test(rest) ? `in ${timer[1]} ${timer[2]}s ${timer[3]}` : rest;
  const when = findWhen(text, now);
  const task = clean(when ? when.rest : text) || fallback || (timer ? 'the time is up' : '');
  if (!when)
    return task
      ? ask(`When should I remind you${aim(task)}? For example "tomorrow at 9" or "in 20 minutes".`)
      : ask('What should I remind you of, and when?');
  if (when.moment && !when.moment.hasTime) {
    const day = sayMoment(when.moment.date, now).replace(/ at .*$/u, '');
    return ask(`At what time ${day}${task ? ` should I remind you${aim(task)}` : ''}?`);
  }
  if (!task) return ask(`What should I remind you of ${when.moment ? sayMoment(when.moment.date, now) : when.words}?`);
  return schedule(when, { task, now });
}

function schedule(when: When, { task, now }: { task: string; now: Date }): Plan {
  const text = TASK.test(task) ? task : `Reminder: ${task}`;
  if (!when.moment) {
    return act({ tool: 'schedule', input: { when: withTime(when.words), text }, about: `${when.words}: ${task}` });
  }
  const { date } = when.moment;
  if (date.getTime() < now.getTime() - 1000) return ask(`At what time? ${sayMoment(date, now)} is already past.`);
  return act({
    tool: 'schedule',
    input: { when: date.toISOString(), text },
    about: `${sayMoment(date, now)}: ${task}`,
  });
}

/** "Every morning" says no hour; nine is the usual one for the parts of the day. */
function withTime(words: string): string {
  const hour = /\bmornings?$/iu.test(words)
    ? 9
    : /\bafternoons?$/iu.test(words)
      ? 15
      : /\bevenings?$/iu.test(words)
        ? 19
        : /\bnights?$/iu.test(words)
          ? 21
          : undefined;
  return hour === undefined
    ? words
    : `${words.replace(/\b(?:morning|afternoon|evening|night)s?$/iu, 'day')} at ${hour}:00`;
}

function aim(task: string): string {
  return /^(?:the|my|our|his|her|their|an?)\b/iu.test(task) || /ing$/u.test(task.split(' ')[0] ?? '')
    ? ` of ${task}`
    : ` to ${task}`;
}

function clean(text: string): string {
  let task = text.replace(/\s+/gu, ' ').trim();
  for (let before = ''; before !== task; ) {
    before = task;
    task = task
      .replace(/^[\s,:;.-]+|[\s,:;.!?-]+$/gu, '')
      .replace(/^(?:to|that|about|of|for|and|then|please|saying|with the text|called|named)\b\s*/iu, '')
      .replace(/\s+(?:at|on|in|by|for|and|please|from|this)$/iu, '');
  }
  return bare(task);
}
