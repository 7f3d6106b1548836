import { pattern } from '../../base/pattern.ts';
import { sayDayAndTime, sayNearDay } from '../../when/calendar.ts';
import { findTime } from '../../when/find.ts';
import { act, ask, bare, type Intent, REMINDER, type Recognizer, type UserRequest } from './intent.ts';

/** Ways of asking for it; the rest of the sentence holds what and when. */
const REQUESTS: readonly RegExp[] = [
  /^(?:remind|alert|nudge|warn|notify|tell|message|ping|text)\s+me\b[,:]?\s*(.*)$/isu,
  /^(?:i (?:want|need|would like|'d like) to be reminded|i should be reminded)\b\s*(.*)$/isu,
  pattern(
    'isu',
    String.raw`^(?:set|create|add|make|give me|schedule|put|start)\s+(?:up\s+)?(?:an?|the|another`,
    String.raw`|me an?)?\s*(?:new\s+)?(?:recurring\s+)?(?:reminder|alarm|timer|alert`,
    String.raw`|wake-?up call)\b[,:]?\s*(.*)$`,
  ),
  /^(?:reminder|timer|alarm)\b[,:]?\s*(.*)$/isu,
  /^(?:don't|do not|never) let me forget\b\s*(.*)$/isu,
  /^(?:make sure|see to it) (?:that )?i (?:don't forget|remember)\b\s*(.*)$/isu,
];
/** These send at once unless a time comes with them. */
const SENDING = /^(?:tell|notify|message|ping|text)\b/iu;
/** `wake me up at 7`. */
const WAKE = /^wake me(?: up)?\b\s*(.*)$/isu;
/** Only with a time: without one they are notes, or nothing. */
const TIMED = /^(?:remember|don't forget|do not forget)\s+(to\s.*)$/isu;
/** `schedule a search for news every day at 9`. */
const SCHEDULE = /^schedule\b[:,]?\s*(.*)$/isu;
/** `set a timer for 10 minutes`, `20-minute timer for the eggs`: amount, unit, purpose. */
const TIMER = pattern(
  'iu',
  '^(?:set |start |create |give me )?(?:an? )?(?:(?:timer|alarm|countdown) (?:for |of ',
  String.raw`|in )?)?(\d+|an?|half an?|[a-z]+)[ -]?(second|minute|min|hour)s?(?: (?:timer|alarm`,
  '|countdown))?(?: for (.+))?$',
);
/** "Tomorrow at 9 remind me to ...": the time comes first. */
const TIME_FIRST = /^(.{2,60}?)[,:]?\s+(?:please\s+)?(?:remind|tell|ping|alert|wake)\s+me\b\s*(.*)$/isu;
/** What an assistant can do by itself when the time comes; anything else is a reminder. */
const TASK = /^(?:say|send|notify|message|search|fetch|read|look up|show|list|write|post|note|what|how|who|where)\b/iu;
/** A sentence that begins so is no task of its own, even with a time in it: "what happens tomorrow at 9". */
const QUESTION =
  /^(?:what|how|when|which|who|why|where|is|was|are|do|does|did|can|could|will|would|should|note|add|if)\b/iu;

/** "Remind me in 30 mins to call Anna", "every weekday at 8 say good morning", "wake me at 7". */
export const reminders: Recognizer = (request) => {
  const { text } = request;
  const timer = /\b(?:timer|alarm|countdown)\b/iu.test(text) ? TIMER.exec(text) : null;
  if (timer) return remind(`in ${timer[1]} ${timer[2]}s ${timer[3] ?? ''}`, request, 'the time is up');
  const wake = WAKE.exec(text)?.[1];
  if (wake !== undefined) return remind(wake, request, 'wake up');
  const asked = requested(request);
  if (asked === 'send') return undefined;
  if (asked !== undefined) return remind(asked, request, /\balarm\b/iu.test(text) ? 'wake up' : '');
  const timed = TIMED.exec(text)?.[1];
  if (timed && findTime(timed, request)) return remind(timed, request);
  return timeFirst(request) ?? bareTask(request);
};

/** What stands behind a way of asking; `send` for a message that is to go out now. */
function requested(request: UserRequest): string | undefined {
  const { text } = request;
  const rest = REQUESTS.map((form) => form.exec(text)?.[1]).find((found) => found !== undefined);
  if (rest === undefined || !SENDING.test(text)) return rest;
  return /^(?:that|saying|with)\b|^:/iu.test(rest) || !findTime(rest, request) ? 'send' : rest;
}

/** Only when the words in front are a time and nothing else. */
function timeFirst(request: UserRequest): Intent | undefined {
  const [, time = '', rest = ''] = TIME_FIRST.exec(request.text) ?? [];
  const when = time === '' ? undefined : findTime(time, request);
  return when && clean(when.rest) === '' ? remind(`${rest} ${time}`, request) : undefined;
}

/** A task with a time in front or behind: "in 1 minute say hello", "search the web for news every day at 9". */
function bareTask(request: UserRequest): Intent | undefined {
  const { text } = request;
  const said = SCHEDULE.exec(text)?.[1];
  if (said !== undefined) return remind(said, request, '', TASK.test(clean(findTime(said, request)?.rest ?? '')));
  const when = findTime(text, request);
  if (!when || QUESTION.test(text)) return undefined;
  const start = (words: string) => words.toLowerCase().replace(/^(?:at|on|in|by)\s+/u, '');
  const leads = start(text).startsWith(start(when.words)) || /^(?:at|in|on|by)\b/iu.test(text);
  const relative = /^in\b/iu.test(when.words);
  return TASK.test(clean(when.rest)) && (leads || when.kind === 'repeats' || relative)
    ? remind(text, request, '', true)
    : undefined;
}

/** The last resort for a sentence with an exact time that nothing else understood: "call Anna tomorrow at 5pm". */
export const looseReminder: Recognizer = (request) => {
  const when = findTime(request.text, request);
  const exact = when?.kind === 'once' || when?.kind === 'repeats';
  return exact && !QUESTION.test(request.text) && clean(when.rest) !== '' ? remind(request.text, request) : undefined;
};

/** @param isTask the words are a request that is to be carried out then, not a thing to be reminded of. */
function remind(sentence: string, request: UserRequest, fallback = '', isTask = false): Intent {
  const { now, timeZone } = request;
  const found = findTime(sentence, { now, timeZone, waking: fallback === 'wake up' });
  const task = clean(found ? found.rest : sentence) || fallback;
  if (!found) {
    return task
      ? ask(`When should I remind you${aim(task)}? For example "tomorrow at 9" or "in 20 minutes".`)
      : ask('What should I remind you of, and when?');
  }
  const whom = task ? ` should I remind you${aim(task)}` : '';
  if (found.kind === 'unclear') return ask(`When${whom || ' should I remind you'}? ${found.question}`);
  if (found.kind === 'day') return ask(`At what time ${sayNearDay(found.at, now, timeZone)}${whom}?`);
  const when = found.kind === 'once' ? sayDayAndTime(found.at, now, timeZone) : found.words;
  if (!task) return ask(`What should I remind you of ${when}?`);
  if (found.kind === 'once' && found.at.getTime() < now.getTime() - 1000)
    return ask(`At what time? It is already past ${when}.`);
  const input = {
    when: found.kind === 'once' ? found.at.toISOString() : found.words,
    text: isTask ? task : `${REMINDER}${task}`,
  };
  return act({ tool: 'schedule', input, about: `${when}: ${task}` });
}

/** "of the meeting", "of swimming", but "to call Anna". */
function aim(task: string): string {
  const thing = /^(?:the|my|our|his|her|their|an?)\b/iu.test(task) || /ing$/u.test(task.split(' ')[0] ?? '');
  return ` ${thing ? 'of' : 'to'} ${task}`;
}

/** The task itself, without the words that joined it to the request and the time. */
function clean(text: string): string {
  let task = text.replace(/\s+/gu, ' ').trim();
  for (let before = ''; before !== task; ) {
    before = task;
    task = task
      .replace(/^[\s,:;.-]+|[\s,:;.!?-]+$/gu, '')
      .replace(
        pattern(
          'iu',
          '^(?:to|that|about|of|for|and|then|please|saying|with the text|called|named|an? reminder',
          String.raw`|remind me|tell me)\b\s*`,
        ),
        '',
      )
      .replace(/\s+(?:at|on|in|by|for|and|please|from|this)$/iu, '');
  }
  return bare(task);
}

/** What people call scheduled jobs. */
const THINGS = '(?:reminders?|schedules?|scheduled (?:tasks?|prompts?|jobs?|things)|alarms?|timers?|jobs?)';
/** `list my reminders`, `what is scheduled`, `do I have any alarms`. */
const SHOW_SCHEDULES = pattern(
  'u',
  `^(?:(?:show|list|display|give|tell|read)(?: me)?(?: all)?(?: of)?(?: my| the`,
  `| our)?(?: upcoming| pending| next| scheduled)? ${THINGS}|(?:what|which)(?: are)?(?: my`,
  `| the)?(?: upcoming| pending| next)? ?${THINGS}(?: do i have| have i got| are (?:there|set`,
  `|pending|coming)| have i set)?|what(?:'s| is)(?: still)? scheduled`,
  `|do i have (?:any )?${THINGS}|(?:my )?${THINGS})(?: please)?$`,
);
/** `cancel job_1m7we5m`. */
const CANCEL_BY_ID = new RegExp(
  `^(?:cancel|delete|remove|drop|stop)\\s+(?:the |my )?(?:${THINGS}\\s+)?#?([a-z]+_[a-z0-9]+)$`,
  'iu',
);
/** Without an id: show what there is, with the ids. */
const CANCEL_SOME = new RegExp(
  `^(?:cancel|delete|remove|stop|turn off) (?:the |my |all |that |all my )?(?:last |next )?${THINGS}$`,
  'u',
);

/** "List my reminders", "cancel job_...". */
export const scheduleList: Recognizer = ({ text, lower }) => {
  const question = lower.replace(/[?!.\s]+$/u, '');
  if (SHOW_SCHEDULES.test(question)) return act({ tool: 'list_schedules', input: {} });
  if (CANCEL_SOME.test(question)) return act({ tool: 'list_schedules', input: {}, about: 'cancel' });
  const id = CANCEL_BY_ID.exec(text.replace(/[.!\s]+$/u, ''))?.[1];
  return id === undefined ? undefined : act({ tool: 'cancel_schedule', input: { id } });
};
