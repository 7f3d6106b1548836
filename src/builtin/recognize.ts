import { taught } from '../base/examples.ts';
import { agrees } from './choice.ts';
import { backTo } from './frame.ts';
import { aboutHanded } from './handed.ts';
import { REMINDER } from './handlers/jobs-said.ts';
import { questionOf } from './handlers/query-documents.ts';
import { looseReminder } from './handlers/remind.ts';
import { intended, meaningOf, whichOf } from './intents.ts';
import { LONGEST_REQUEST, notUnderstood } from './not-understood.ts';
import { readRequest } from './read-request.ts';
import { type Intent, type RawRequest, say } from './request.ts';
import { severalIn } from './several.ts';
import { tokensOf } from './tokens.ts';
import { type Meaning, type Understood, understand } from './understand.ts';

/** Our questions waiting for each other are no more than these. */
const LONGEST_CHAIN = 4;
/** So many exchanges ago a question of ours may have been asked that is still open. */
const STILL_OPEN = 2;

/** Turn what a person said into what to do about it. */
export function recognizeIntent(raw: RawRequest): Intent {
  // Such a reminder is repeated as it stands, even where it speaks of something to be done.
  if (raw.isDue && raw.text.startsWith(REMINDER)) return say(raw.text);
  const intent = understood(raw, LONGEST_CHAIN);
  if (raw.handed !== undefined) return aboutHanded(intent, readRequest(raw));
  // A scheduled text that asks for nothing is a reminder: it is said when it is due.
  if (raw.isDue && (intent === undefined || intent.kind === 'ask')) return say(raw.text);
  return intent ?? mistyped(raw) ?? notUnderstood(readRequest(raw), nearOf(meaningOf(raw)));
}

function nearOf(found: Understood): readonly Meaning[] {
  return found.kind === 'none' ? found.near : [];
}

function understood(raw: RawRequest, left: number): Intent | undefined {
  return (
    replied(raw, left) ??
    severalIn(raw) ??
    needsPlugin(raw) ??
    intended(raw) ??
    questionOf({ ...readRequest(raw), text: raw.text.trim() }) ??
    loose(raw)
  );
}

/** A sentence that is as like as this to an example is another request, which could not be dealt with. */
const ANOTHER = 0.7;

/** A thing with a time, or a request with one. */
function loose(raw: RawRequest): Intent | undefined {
  if (raw.isDue || raw.text.length > LONGEST_REQUEST) return undefined;
  const found = meaningOf(raw);
  const isAnother = found.kind === 'none' && found.best > ANOTHER;
  const kindOf = (text: string) => {
    const alone = { ...raw, text, earlier: [] };
    const meaning = meaningOf(alone);
    if (meaning.kind !== 'act') return isAnother ? 'other' : undefined;
    return WORDS_TOO.has(meaning.taught.tool) ? 'thing' : 'request';
  };
  return looseReminder(readRequest(raw), kindOf);
}

/** What a plugin would do that is off: how to switch it on. */
function needsPlugin(raw: RawRequest): Intent | undefined {
  if (raw.isDue || !raw.offers?.length) return undefined;
  const found = understand(
    raw.text,
    raw,
    raw.offers.flatMap((offer) => offer.examples.flatMap((each) => taught(each))),
  );
  if (found.kind !== 'act') return undefined;
  // What is on understands it as well.
  const own = meaningOf(raw);
  if (own.kind === 'act' && own.score >= found.score) return undefined;
  const { tool, intent } = found.taught;
  const owner = raw.offers.find(({ examples }) =>
    examples.some((each) => each.tool === tool && each.intent === intent),
  );
  if (!owner) return undefined;
  return say(readRequest(raw, found.language).tell('plugin off', owner));
}

/** "Do you mean ...?", where it is an example but for slips of the keyboard. */
function mistyped(raw: RawRequest): Intent | undefined {
  const found = raw.isDue ? undefined : meaningOf(raw);
  return found?.kind === 'none' && found.slips.length > 0 ? whichOf(found.slips, raw) : undefined;
}

/** The last requests as they were made, each with its answer, the newest first. */
function exchanges(raw: RawRequest): readonly { readonly asked: RawRequest; readonly answer: string }[] {
  const { earlier } = raw;
  const answered = earlier.flatMap(({ by, text }, at) =>
    by === 'assistant' && earlier[at - 1]?.by === 'person' ? [{ at: at - 1, answer: text }] : [],
  );
  return answered
    .slice(-STILL_OPEN)
    .reverse()
    .map(({ at, answer }) => ({ asked: backTo(raw, at), answer }));
}

/**
 * What answers a question of ours. A question is known by asking it again: it is what we make of the request before.
 * Anything else is a new request, and the question stays open.
 */
function replied(raw: RawRequest, left: number): Intent | undefined {
  if (left === 0 || raw.isDue) return undefined;
  const last = exchanges(raw);
  // What a request came to is done: what follows goes on from there.
  const isDone = raw.done?.some(({ ago }) => ago === 1) ?? false;
  for (const [ago, { asked, answer }] of last.entries()) {
    // What was answered since is no longer open.
    const since = last[ago - 1];
    if (since && replied(since.asked, left - 1)) return undefined;
    const asking = understood(asked, left - 1);
    const request = { ...raw, earlier: asked.earlier };
    if (asking?.kind === 'act' && asking.complete && ago === 0 && !isDone && isShort(raw.text)) {
      const next = startsAnew(request, true, 0) ? undefined : asking.complete(raw.text.trim());
      if (next) return next;
    }
    if (asking?.kind !== 'ask' || asking.text.trim() !== answer.trim()) continue;
    if (startsAnew(request, asking.wordsOnly ?? false, ago)) return undefined;
    const next = asking.complete(raw.text.trim());
    if (typeof next === 'string') return understood({ ...request, text: next }, left - 1);
    if (next) return next;
  }
  return undefined;
}

/** Few words choose one of several things. */
function isShort(text: string): boolean {
  return tokensOf(text).length <= 6;
}
/** "Buy flowers" is a line of a list, and a thing to do; so is "call Ben". */
const WORDS_TOO: ReadonlySet<string> = new Set(['change_list', 'beyond']);

/** A request of its own instead of the answer that was asked for. */
function startsAnew(raw: RawRequest, wordsOnly: boolean, ago: number): boolean {
  if (agrees(raw.text)) return false;
  const found = meaningOf({ ...raw, earlier: [] });
  // Any words would answer a question that asks for words: that is one which was asked just now.
  if (wordsOnly && ago > 0) return true;
  if (found.kind !== 'act' && found.kind !== 'ask') return false;
  return !(wordsOnly && WORDS_TOO.has(found.taught.tool));
}
