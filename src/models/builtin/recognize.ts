import { pattern } from '../../base/pattern.ts';
import { findTime, withoutTime } from '../../when/find.ts';
import { calculation } from './calculation.ts';
import { dates } from './dates.ts';
import { documents } from './documents.ts';
import { fileList, files } from './files.ts';
import { type Action, act, type Intent, type Recognizer, stripPoliteness, type UserRequest } from './intent.ts';
import { notes } from './notes.ts';
import { looseReminder, reminders, scheduleList } from './reminders.ts';
import { delivered, echo, notUnderstood, recall, smallTalk } from './small-talk.ts';
import { conversion } from './units.ts';
import { outside } from './web-and-messages.ts';

/** In this order; the first that recognises the request wins. */
const RECOGNIZERS: readonly Recognizer[] = [
  delivered,
  smallTalk,
  recall,
  dates,
  calculation,
  conversion,
  scheduleList,
  fileList,
  reminders,
  files,
  outside,
  notes,
  echo,
  documents,
  looseReminder,
];

/** Where one request ends and the next begins: "note that ..., and remind me ...". */
const NEXT_REQUEST = pattern(
  'iu',
  String.raw`(?:\s*[,;.]?\s+and(?: then| also)?|\s*[,;.]\s*(?:then|also)|\s*;`,
  String.raw`|\.)\s+(?:please\s+)?(?=(?:remind me|take a note|make a note|note (?:that|down)|jot down`,
  '|add .+ (?:to|on) my|set (?:a|an) (?:reminder|alarm|timer)|schedule|send|notify me|read',
  String.raw`|show|search|fetch|write .+ to|save .+ to|list my|wake me)\b)`,
);

/** Our own questions, from the other recognisers: the next message answers them. */
const WAITING_FOR =
  /^(?:When should I remind you|At what time|What should I (?:remind|note|search|look)|What should the message)/u;

/** A request as the person typed it, politeness and all. */
export type RawRequest = Omit<UserRequest, 'lower'>;

/** Turn what a person said into what to do about it. */
export function recognizeIntent(raw: RawRequest): Intent {
  const text = complete(raw);
  return several(text, raw) ?? single(text, raw) ?? notUnderstood();
}

/** One request by one recogniser. */
function single(text: string, raw: RawRequest): Intent | undefined {
  // Small talk first, as it stands: "hello" and "thanks" are nothing but politeness.
  const greeting = smallTalk(withText(text.trim().replace(/[’‘]/gu, "'"), raw));
  if (greeting) return greeting;
  const request = withText(stripPoliteness(text), raw);
  for (const recognize of RECOGNIZERS) {
    const intent = recognize(request);
    if (intent) return intent;
  }
  return undefined;
}

function withText(text: string, raw: RawRequest): UserRequest {
  return { ...raw, text, lower: text.toLowerCase() };
}

/** Several requests in one sentence are done together when each of them is one by itself. */
function several(text: string, raw: RawRequest): Intent | undefined {
  const parts = text.split(NEXT_REQUEST);
  if (parts.length < 2) return undefined;
  const actions: Action[] = [];
  for (const part of parts) {
    const intent = single(part, raw);
    if (intent?.kind !== 'act') return undefined;
    actions.push(...intent.actions);
  }
  return act(...actions);
}

/** After a question such as "When should I remind you?", the reply completes the request before it. */
function complete(raw: RawRequest): string {
  const { text, earlier } = raw;
  const asked = earlier.at(-1);
  if (asked?.by !== 'assistant' || !WAITING_FOR.test(asked.text)) return text;
  if (/^(?:never ?mind|forget it|cancel|stop|no)\b/iu.test(text) || startsAnew(text)) return text;
  const before = earlier.slice(0, -1);
  const opened = before.findLast(({ by }) => by === 'person');
  if (!opened) return text;
  const request = complete({ ...raw, text: opened.text, earlier: before.slice(0, before.indexOf(opened)) });
  const time = findTime(request, raw);
  const unclear = time?.kind === 'unclear' ? time : undefined;
  if (unclear?.corrected && /^(?:yes|yep|yeah|right|correct|ja|genau)\b/iu.test(text)) return unclear.corrected;
  // The words that were no time to come go when a better one is given.
  const replaced = unclear !== undefined || /^At what time\? It is already past/u.test(asked.text);
  const start = (replaced ? withoutTime(request) : request).trim().replace(/[.!?\s]+$/u, '');
  if (/^What should I (?:note|search|look)|^What should the message/u.test(asked.text)) return `${start}: ${text}`;
  const startsWithPreposition = /^(?:to|that|about|of|at|in|on)\b/iu.test(text);
  return `${start}${/^What should I remind/u.test(asked.text) && !startsWithPreposition ? ' to ' : ' '}${text}`;
}

/** A new request instead of the answer that was asked for. */
function startsAnew(text: string): boolean {
  return /^(?:note|remind|what|how|show|add|search|read|write|send|help|take|list|who|convert|calculate)\b/iu.test(
    stripPoliteness(text),
  );
}
