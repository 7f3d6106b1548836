import { calculation } from './calculation.ts';
import { dates } from './dates.ts';
import { documents } from './documents.ts';
import { files } from './files.ts';
import { lists } from './kept-things.ts';
import { notes } from './notes.ts';
import { outside } from './outside.ts';
import { looseReminder, reminders } from './reminders.ts';
import { delivered, echo, notUnderstood, recall, smallTalk } from './small-talk.ts';
import { conversion } from './units.ts';
import {
  type Action,
  act,
  type Plan,
  type Recognizer,
  type Said,
  stripPoliteness,
  type Utterance,
} from './utterance.ts';

/** In this order; the first that recognises the request wins. */
const RECOGNIZERS: readonly Recognizer[] = [
  delivered,
  smallTalk,
  recall,
  dates,
  calculation,
  conversion,
  lists,
  reminders,
  files,
  outside,
  notes,
  echo,
  documents,
  looseReminder,
];

/** Where one request ends and the next begins: "note that ..., and remind me ...". */
const NEXT_REQUEST =
  /(?:\s*[,;.]?\s+and(?: then| also)?|\s*[,;.]\s*(?:then|also)|\s*;|\.)\s+(?:please\s+)?(?=(?:remind me|take a note|make a note|note (?:that|down)|jot down|add .+ (?:to|on) my|set (?:a|an) (?:reminder|alarm|timer)|schedule|send|notify me|read|show|search|fetch|write .+ to|save .+ to|list my|wake me)\b)/iu;

const WAITING_FOR =
  /^(?:When should I remind you|At what time|What should I (?:remind|note|search|look)|What should the message)/u;

/** The words that were no time go when a better one is given. */
const UNCLEAR_TIME = /\bI cannot read "(.+)" as a time\.$/su;

export interface Question {
  readonly text: string;
  readonly now: Date;
  readonly timeZone: string;
  readonly can: (tool: string) => boolean;
  readonly earlier: readonly Said[];
}

/** Turn what a person said into what to do about it. */
export function understand(question: Question): Plan {
  const text = complete(question);
  return several(text, question) ?? single(text, question) ?? notUnderstood();
}

function single(raw: string, question: Question): Plan | undefined {
  const plain = raw.trim().replace(/[’‘]/gu, "'");
  const greeting = smallTalk(utter(plain, question));
  if (greeting) return greeting;
  const utterance = utter(stripPoliteness(raw), question);
  for (const recognize of RECOGNIZERS) {
    const plan = recognize(utterance);
    if (plan) return plan;
  }
  return undefined;
}

function utter(text: string, { now, timeZone, can, earlier }: Question): Utterance {
  return { text, lower: text.toLowerCase(), now, timeZone, can, earlier };
}

/** Several requests in one sentence are done together, when each of them is one by itself. */
function several(text: string, question: Question): Plan | undefined {
  const parts = text.split(NEXT_REQUEST);
  if (parts.length < 2) return undefined;
  const actions: Action[] = [];
  for (const part of parts) {
    const plan = single(part, question);
    if (plan?.kind !== 'act') return undefined;
    actions.push(...plan.actions);
  }
  return act(...actions);
}

/** After "When should I ...?" the next words complete the request before. */
function complete(question: Question): string {
  const { text, earlier } = question;
  const asked = earlier.at(-1);
  if (asked?.by !== 'assistant' || !WAITING_FOR.test(asked.text)) return text;
  if (/^(?:never ?mind|forget it|cancel|stop|no)\b/iu.test(text) || startsAnew(text)) return text;
  const before = earlier.slice(0, -1);
  const opened = before.findLast(({ by }) => by === 'person');
  if (!opened) return text;
  const request = complete({ ...question, text: opened.text, earlier: before.slice(0, before.indexOf(opened)) });
  const unclear = UNCLEAR_TIME.exec(asked.text)?.[1];
  const start = (unclear ? request.replace(unclear, '') : request).trim().replace(/[.!?\s]+$/u, '');
  if (/^What should I (?:note|search|look)|^What should the message/u.test(asked.text)) return `${start}: ${text}`;
  const joint =
    /^What should I remind/u.test(asked.text) && !/^(?:to|that|about|of|at|in|on)\b/iu.test(text) ? ' to ' : ' ';
  return `${start}${joint}${text}`;
}

function startsAnew(text: string): boolean {
  return /^(?:note|remind|what|how|show|add|search|read|write|send|help|take|list|who|convert|calculate)\b/iu.test(
    stripPoliteness(text),
  );
}
