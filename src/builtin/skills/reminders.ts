import { isRecord } from '../../base/json.ts';
import { pattern } from '../../base/pattern.ts';
import { type FoundTime, findTime } from '../../when/find.ts';
import { understand } from '../../when/understand.ts';
import { phrases } from '../phrases.ts';
import { act, ask, type Intent, type Result, type Skill, type UserRequest } from '../request.ts';
import { completed, stem } from './reminder-answers.ts';
import { askWhen, dayQuestion } from './reminder-questions.ts';
import { clean, holdsTask } from './task-words.ts';

/** Ways of asking for it; the rest of the sentence holds what and when. */
const REMIND = phrases({
  en: [
    '(remind|alert|nudge|warn|buzz) me {rest:maybe}',
    'give me a (shout|nudge|ping|buzz|heads-up|heads up|call) {rest}',
    "(i want|i need|i would like|i'd like) to be reminded {rest:maybe}",
    `(set|create|add|make|give me|schedule|put|start) [up] [a|an|the|another|me a|me an] [new] [recurring]
      (reminder|alert|wake-up call) {rest:maybe}`,
    '(i need|i want) a reminder {rest}',
    '(add|put) {rest} (to|in|on) [my|the] calendar [for] {when:maybe}',
    'reminder {rest:maybe}',
    `{rest:(?!.*\\b(?:can|could|will|does|did|do|when|what)\\b).+?} remind me [of it|about it|about that]
      {when:maybe}`,
    "(don't|do not|never) let me forget {rest:maybe}",
    "(make sure|see to it) [that] i (don't forget|remember) {rest:maybe}",
  ],
  de: [
    'erinner[e] mich [bitte|mal] {rest:maybe}',
    '[mich] {rest} [zu] erinnern',
    'trag[e] {rest} in [meinen|den] kalender ein',
    '(erstell[e]|leg[e]|mach[e]|setz[e]|stell[e]) [mir] [eine|ne] [neue] erinnerung {rest:maybe} [an|ein]',
    'erinnerung [an] {rest:maybe}',
    `(ich brauche|ich brauch|ich hätte gern[e]|gib mir|mach mir|setz[e] mir|stell[e] mir) {when:maybe}
      (eine|ne|noch eine) erinnerung {rest:maybe}`,
    'lass mich nicht vergessen {rest:maybe}',
    '(ich|wir) (darf|dürfen|sollte|sollten) {rest} nicht vergessen {when:maybe}',
    '{rest} (erinner[e]) mich [bitte|mal] (daran|dran)',
    '{rest:.*(?:[.,;]|bitte)} (erinner[e]) mich [bitte|mal]',
    '{rest:.*(?:[.,;]|bitte)} (erinner[e]) mich [bitte|mal] {when:(?:um|gegen) \\d.*}',
    '{rest} (daran|dran) [bitte] erinnern',
    'denk[e] [bitte] daran mich {rest} zu erinnern',
    'ich (möchte|will) {rest} erinnert werden',
  ],
});
/** These send at once unless a time comes with them. */
const TELL = phrases({
  en: ['(tell|notify|message|ping|text) me {rest}'],
  de: ['(sag|gib) mir {rest} [bescheid]', 'benachrichtige mich {rest}'],
});
const WAKE = phrases({
  en: [
    'wake me [up] {rest:maybe}',
    '(set|create|add|make) [a|an|the|my] alarm [clock] {rest:maybe}',
    'alarm {rest:maybe}',
  ],
  de: [
    'weck[e] mich {rest:maybe} [auf]',
    'mich {rest} [auf]wecken',
    '(stell[e]|setz[e]) [mir] [einen|den|meinen] wecker {rest:maybe}',
    'wecker {rest:maybe}',
  ],
});
/** Only with a time: without one they are notes, or nothing. */
const TIMED = phrases({
  en: ["(remember|don't forget|do not forget) to {rest}", '(i have to|i must|i need to) {rest}'],
  de: [
    '(vergiss nicht|denk[e] daran|denk[e] dran) {rest}',
    '(ich muss|ich soll|ich sollte) {rest}',
    '{rest} [bitte] nicht vergessen',
    '{rest:(?:in|um|am|morgen|heute|übermorgen|nächste\\p{L}*)\\b.+ (?:soll|muss|sollte) ich .+}',
  ],
});
const SCHEDULE = phrases({ en: ['schedule {rest}'], de: ['(plan[e]|plane mir) {rest} [ein]'] });
const TIMER = phrases({
  en: [
    '(set|start|create|give me|run) [a|an|the] timer (for|of|to|in) {length} for {rest}',
    '[set|start|create|give me|run] [a|an|the] (timer|countdown) [for|of|to|in] {length}',
    '[set|start|create|give me|run] [a|an|the] {length} timer [for {rest}]',
  ],
  de: [
    `[stell[e]|starte|start|setz[e]|mach[e]] [mir] [einen|den] timer für {rest:\\D+?} [auf|von|mit|über]
      {length:\\d+ .+}`,
    '[stell[e]|starte|start|setz[e]|mach[e]] [mir] [einen|den] timer [auf|für|von|mit] {length} [für {rest}]',
    '[stell[e]|starte|start|setz[e]|mach[e]] [mir] [einen] {length} timer [für {rest}]',
    '(stell[e]|starte) [mir] {length} [für {rest}] (timer|als timer)',
  ],
});
/** "Tomorrow at 9 remind me to ...": the time comes first. */
const TIME_FIRST = phrases({
  en: ['{time} (remind|tell|ping|alert) me {rest:maybe}', '{time} {wake:wake} me [up] {rest:maybe}'],
  de: ['{time} (erinner[e]) mich {rest:maybe}', '{time} {wake:wecke?} mich [auf] {rest:maybe}'],
});
/** What an assistant can do by itself when the time comes; anything else is a reminder. */
const TASK = pattern(
  'iu',
  '^(?:say|send|notify|message|search|fetch|read|look up|show|list|write|post|note|what|how|who',
  String.raw`|where|sag|sende|schick|suche?|lies|zeige?|notiere?|was|wie|wer)\b`,
);
/** A sentence that begins so is no task of its own, even with a time in it: "what happens tomorrow at 9". */
const QUESTION = pattern(
  'iu',
  '^(?:what|how|when|which|who|why|where|is|was|are|do|does|did|can|could|will|would|should|note',
  '|add|if|wie|wann|welche[rs]?|wer|warum|wo|ist|sind|kann|wird|soll|hat|habe|notiz|notiere?|from',
  String.raw`|between|von|zwischen|the|der|die|das)\b`,
);

/** What asks for a change is never a task of its own: "make the stretch one half past six instead". */
const CHANGING = pattern(
  'iu',
  '^(?:make|change|move|shift|push|postpone|delay|reschedule|switch|set|cancel|delete|remove|stop|undo|rename',
  String.raw`|verschieb|verleg|änder|mach|stell|lösch|storniere|streich|stopp)e?\b`,
  String.raw`|\b(?:instead|rather|stattdessen|lieber)$`,
);

export const reminders: Skill = {
  name: 'reminders',
  command: true,
  examples: {
    en: ['remind me tomorrow at 9 to call Anna', 'set a timer for 10 minutes', 'every weekday at 8 say good morning'],
    de: ['erinnere mich morgen um 9 daran, Anna anzurufen', 'stelle einen Timer auf 10 Minuten', 'weck mich um 6:30'],
  },
  recognize: (request) => timer(request) ?? asked(request) ?? timeFirst(request) ?? bareTask(request),
};

/** The last resort for a sentence with an exact time that nothing else understood: "call Anna tomorrow at 5pm". */
export const looseReminder: Skill = {
  name: 'loose reminder',
  examples: { en: [], de: [] },
  recognize: (request) => {
    const when = findTime(request.text, request);
    // "Jeden Werktag um Viertel vor sieben: Hund raus" has one question left.
    const twofold = when?.kind === 'unclear' && when.between.length === 2 && request.text.startsWith(when.words);
    const exact = when?.kind === 'once' || when?.kind === 'repeats' || twofold;
    const task = exact ? clean(when.rest) : '';
    if (task === '' || QUESTION.test(request.plain) || CHANGING.test(request.plain)) return undefined;
    if (request.text.includes('?') || /[,;] ?(?:when|what|how|which|who|where)\b/iu.test(request.text))
      return undefined;
    return remind(request.text, request);
  },
};

function timer(request: UserRequest): Intent | undefined {
  if (!/\b(?:timer|countdown)\b/iu.test(request.plain)) return undefined;
  const slots = TIMER(request.plain);
  const length = slots?.length
    ?.replace(/-/gu, ' ')
    .replace(/\b(minute|second|hour)$/iu, '$1s')
    .replace(/^one (.+)s$/iu, '1 $1');
  if (length === undefined) return undefined;
  return remind(`in ${length} ${slots?.rest ?? ''}`, request, {
    fallback: request.in('the time is up', 'Zeit ist um'),
  });
}

function asked(request: UserRequest): Intent | undefined {
  const { plain } = request;
  const wake = WAKE(plain);
  if (wake) return remind(wake.rest ?? '', request, gettingUp(request));
  const said = REMIND(plain);
  if (said) return remind(`${said.rest ?? ''} ${said.when ?? ''}`.trim(), request);
  const told = TELL(plain)?.rest;
  const atOnce = told !== undefined && (/^(?:that|saying|with|dass)\b|^:/iu.test(told) || !findTime(told, request));
  if (told !== undefined && !atOnce) return remind(told, request);
  const timed = TIMED(plain)?.rest;
  const exact = timed !== undefined && ['once', 'repeats', 'unclear'].includes(findTime(timed, request)?.kind ?? '');
  return exact ? remind(timed ?? '', request) : undefined;
}

/** Only when the words in front are a time and nothing else. */
function timeFirst(request: UserRequest): Intent | undefined {
  const { time = '', rest = '', wake } = TIME_FIRST(request.plain) ?? {};
  const when = findTime(time, request);
  if (!when || clean(when.rest) !== '') return undefined;
  return remind(`${rest} ${time}`.trim(), request, wake === undefined ? {} : gettingUp(request));
}

const gettingUp = (request: UserRequest): Manner => ({ fallback: request.in('wake up', 'aufstehen'), waking: true });

/** A task with a time in front or behind: "in 1 minute say hello", "search the web for news every day at 9". */
function bareTask(request: UserRequest): Intent | undefined {
  const { text, plain } = request;
  const said = SCHEDULE(plain)?.rest;
  if (said !== undefined)
    return remind(said, request, { isTask: TASK.test(clean(findTime(said, request)?.rest ?? '')) });
  const when = findTime(text, request);
  if (!when || QUESTION.test(text)) return undefined;
  const start = (words: string) => words.toLowerCase().replace(/^(?:at|on|in|by|um|am)\s+/u, '');
  const leads = start(text).startsWith(start(when.words)) || /^(?:at|in|on|by|um|am)\b/iu.test(text);
  const relative = /^in\b/iu.test(when.words);
  return TASK.test(clean(when.rest)) && (leads || when.kind === 'repeats' || relative)
    ? remind(text, request, { isTask: true })
    : undefined;
}

const PARTICLE = / (?:on|in|by)$/iu;

/** "Put the oven on": a last word that joins no time to the rest belongs to the task. */
function withParticle(task: string, sentence: string, found: FoundTime | undefined): string {
  const ends = (text: string) => PARTICLE.exec(text.replace(/(?<![.!?\s])[.!?\s]+$/u, ''))?.[0];
  // "On at 7pm": two joints, of which the first is the verb's.
  const [first] = /^(?:on|in|by)(?= at\b)/iu.exec(found?.words ?? '') ?? [];
  const particle = ends(sentence) ?? (first === undefined ? undefined : ` ${first}`);
  return particle === undefined || task === '' || PARTICLE.test(task) ? task : `${task}${particle}`;
}

interface Manner {
  /** What it is about when nothing is said. */
  readonly fallback?: string;
  /** The words are a request that is to be carried out then, not a thing to be reminded of. */
  readonly isTask?: boolean;
  /** It is about getting up. */
  readonly waking?: boolean;
}

function remind(
  sentence: string,
  request: UserRequest,
  { fallback = '', isTask = false, waking }: Manner = {},
): Intent {
  const { now, timeZone } = request;
  const found = findTime(sentence, { now, timeZone, waking });
  const said = withParticle(clean(found ? found.rest : sentence), sentence, found);
  const task = (holdsTask(said) ? said : '') || fallback;
  const more = (answer: string) => completed(request, { found, task }, answer);
  if (!found || found.kind === 'unclear') return askWhen({ sentence, found, fallback }, request, more);
  if (found.kind === 'day') return ask(dayQuestion(found.at, task, request), more);
  const when = found.kind === 'once' ? request.saying.nearAndTime(found.at) : found.words;
  if (!task) {
    const question = request.in(`What should I remind you of ${when}?`, `Woran soll ich dich ${when} erinnern?`);
    return ask(
      question,
      (answer) => `${stem(request)} ${request.in(/^(?:to|of|about) /iu.test(answer) ? '' : 'to', 'an')} ${answer}`,
    );
  }
  if (found.kind === 'once' && found.at.getTime() < now.getTime() - 1000)
    return ask(
      request.in(`At what time? It is already past ${when}.`, `Um wie viel Uhr? Es ist schon später als ${when}.`),
      more,
    );
  const at = found.kind === 'once' ? found.at.toISOString() : found.words;
  return scheduled({ when: at, task, isTask }, request);
}

/** What is known when nothing is left to ask. */
interface Planned {
  /** An instant, or the words of a repetition. */
  readonly when: string;
  readonly task: string;
  readonly isTask: boolean;
}

export function scheduled({ when, task, isTask }: Planned, request: UserRequest): Intent {
  // A reminder is delivered as it stands; a task is carried out.
  const input = { when, text: task, as: isTask ? 'prompt' : 'reminder' };
  return act({ tool: 'schedule', input, say: (result) => confirmed(result, task, request) });
}

/** Written large at the start of the request alone. */
const FIRST_WORD = /^(?:A[mnb]|Um|In|Jed\p{L}+|Alle|Every|Each|On|At)\b/u;

/** Said from what was handed to the tool: read again, "in 1 minute" would be later by the time that the call took. */
function confirmed({ input, value }: Result, task: string, request: UserRequest): string {
  const when = String(input.when);
  const once = /^\d{4}-\d\d-\d\dT/u.test(when) ? new Date(when) : undefined;
  const first = once ?? new Date(isRecord(value) ? String(value.next) : '');
  const runs = once ? [once] : Number.isNaN(first.getTime()) ? [] : following(when, first, request);
  const repeats = once ? '' : ` ${when.replace(FIRST_WORD, (word) => word.toLowerCase())}`;
  const coming = comingOn(runs, request);
  // The tool made no second one of what was there already.
  if (isRecord(value) && typeof value.note === 'string')
    return request.in(
      `That is scheduled already${repeats && `,${repeats}`}: ${task}. It comes ${coming}.`,
      `Das ist schon geplant${repeats && `,${repeats}`}: ${task}. Es kommt ${coming}.`,
    );
  return request.in(
    `Scheduled${repeats}: ${task}. It comes ${coming}.`,
    `Geplant${repeats}: ${task}. Das kommt ${coming}.`,
  );
}

/** `tomorrow, Tuesday 24 November 2026 at 09:00 (Europe/Oslo)`. */
function comingOn(runs: readonly Date[], { saying, in: either }: UserRequest): string {
  const [first, ...others] = runs;
  const near = first && others.length === 0 ? saying.near(first) : '';
  const isNear = first !== undefined && near !== '' && !near.includes(saying.day(first));
  return `${isNear ? `${near},` : either('on', 'am')} ${saying.runs(runs)}`;
}

/** The first run and the two after it. Read as of the request: "every second Tuesday" counts from the first one. */
function following(words: string, first: Date, { timeZone, now }: UserRequest): Date[] {
  return [first, ...understand(words, { timeZone, from: now, count: 3 }).next.slice(1)];
}
