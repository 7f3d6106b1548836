import { taught as taughtExample } from '../base/examples.ts';
import { pattern } from '../base/pattern.ts';
import { findTime } from '../when/find.ts';
import { corrected } from './correction.ts';
import { aboutHanded } from './handed.ts';
import { answerLanguage } from './language.ts';
import { loadUnits } from './measure.ts';
import { LONGEST_REQUEST, notUnderstood } from './not-understood.ts';
import { otherWays } from './other-ways.ts';
import { withoutPoliteness } from './politeness.ts';
import { plainOf, readRequest } from './read-request.ts';
import { type Action, act, type Intent, type NeedsUnits, type RawRequest, type Skill, say } from './request.ts';
import { SKILLS } from './skills.ts';
import { taught } from './taught.ts';
import { withTimeOfThat } from './that-time.ts';
import { understand } from './understand.ts';

/** Where one request may end and the next begin: "note that ..., and remind me ...". */
const NEXT_REQUEST = pattern(
  'giu',
  String.raw`\s*[,;.]?\s+(?:and|und)(?:\s+(?:then|also|dann|auch))?\s+(?:please\s+|bitte\s+)?`,
  String.raw`|\s*[,;.]\s*(?:then|also|dann|außerdem)\s+|\s*[;.]\s+`,
);
/** More parts than these are a text, not requests. */
const MOST_PARTS = 6;
const SPLIT_CHARS = 500;
/** Instead of an answer to a question. */
const NEVER_MIND = pattern(
  'iu',
  '^(?:(?:no|not now|oh|ah),? )?(?:never ?mind|forget (?:about )?it|leave it|not now|cancel(?: it| that)?|stop|no|nein',
  String.raw`|vergiss es|abbrechen|schon gut|egal|stopp)\b[.!]*$`,
);
/** Our questions waiting for each other are no more than these. */
const LONGEST_CHAIN = 6;

/** Turn what a person said into what to do about it. The library of units is loaded for a request that needs it. */
export async function intentOf(raw: RawRequest): Promise<Intent> {
  const intent = recognizeIntent(raw);
  if (intent.kind !== 'needs units') return intent;
  return intentOf({ ...raw, units: await loadUnits() });
}

/** The same at once, with what is loaded. */
export function recognizeIntent(raw: RawRequest): Intent | NeedsUnits {
  const request = withTimeOfThat(completed(raw, LONGEST_CHAIN));
  const intent = understood(request);
  if (raw.handed !== undefined && intent?.kind !== 'needs units') return aboutHanded(intent, readRequest(request));
  // A scheduled text that asks for nothing is a reminder: it is said when it is due.
  if (raw.isDue && (intent === undefined || intent.kind === 'ask')) return say(raw.text);
  return intent ?? notUnderstood(readRequest(request));
}

function understood(raw: RawRequest): Intent | NeedsUnits | undefined {
  return (
    needsPlugin(raw) ??
    corrected(raw, readRequest(raw).in) ??
    taught(raw) ??
    several(raw) ??
    bySkills(raw, SKILLS.slice(0, LAST_RESORTS)) ??
    inOtherWords(raw) ??
    bySkills(raw, SKILLS.slice(LAST_RESORTS))
  );
}

/** What a plugin would do that is off: how to switch it on. */
function needsPlugin(raw: RawRequest): Intent | undefined {
  if (raw.isDue || !raw.offers?.length) return undefined;
  const { in: either } = readRequest(raw);
  const offer = raw.offers.find(
    ({ examples }) =>
      understand(
        raw.text,
        raw,
        examples.flatMap((each) => taughtExample(each)),
      ).kind === 'act',
  );
  if (!offer) return undefined;
  const { plugin } = offer;
  const why = either(
    `That is what the plugin "${plugin}" is for, which is off. Switch it on with`,
    `Dafür gibt es das Plugin „${plugin}“, das ausgeschaltet ist. Einschalten`,
  );
  return say(`${why}: /plugins enable ${plugin}`);
}

/** Skills from here on take what no other understood, such as any question for the documents. */
const LAST_RESORTS = SKILLS.findIndex(({ name }) => name === 'documents');

/** What is said back is what the person wrote, never our own words for it. */
const REWORDED = SKILLS.slice(0, LAST_RESORTS).filter(({ name }) => name !== 'echo');

/** "Um 18 Uhr Zähler ablesen" is for the person to do: words turned round are never carried out by themselves. */
function isPrompt(intent: Intent | NeedsUnits): boolean {
  return intent.kind === 'act' && intent.actions.some(({ input }) => input.as === 'prompt');
}

function inOtherWords(raw: RawRequest): Intent | NeedsUnits | undefined {
  for (const text of otherWays(withoutPoliteness(raw.text), answerLanguage(raw.text, raw.earlier))) {
    const intent = bySkills({ ...raw, text }, REWORDED);
    if (intent && !isPrompt(intent)) return intent;
  }
  return undefined;
}

/** The first skill that takes it. What is nothing but politeness, as "hello" and "thanks", is tried as it stands. */
function bySkills(raw: RawRequest, skills: readonly Skill[]): Intent | NeedsUnits | undefined {
  const request = readRequest(raw);
  const asWritten = { ...request, text: raw.text.trim(), plain: plainOf(raw.text) };
  const isLong = raw.text.length > LONGEST_REQUEST;
  for (const skill of skills) {
    if (isLong && !skill.anyLength) continue;
    const intent = skill.recognize(skill.name === 'small talk' ? asWritten : request);
    if (intent) return intent;
  }
  return undefined;
}

/** Several requests in one sentence are done together when each of them asks for something to be done. */
function several(raw: RawRequest): Intent | undefined {
  if (raw.text.length > SPLIT_CHARS) return undefined;
  const commands = SKILLS.filter(({ command }) => command);
  const marks = [...withoutPoliteness(raw.text).matchAll(NEXT_REQUEST)].slice(0, MOST_PARTS);
  const text = withoutPoliteness(raw.text);
  const actions: Action[] = [];
  let from = 0;
  const take = (part: string) => {
    const intent = bySkills({ ...raw, text: part, earlier: [] }, commands);
    if (intent?.kind !== 'act' || intent.together) return false;
    actions.push(...intent.actions);
    return true;
  };
  for (const { index, 0: mark } of marks) {
    const rest = text.slice(index + mark.length);
    if (!startsRequest(rest, raw, commands) || !take(text.slice(from, index))) continue;
    from = index + mark.length;
  }
  return from > 0 && take(text.slice(from)) ? act(...actions) : undefined;
}

/** How requests begin; "milk and honey on the list" is one. */
const COMMANDING = pattern(
  'iu',
  '^(?:please |bitte )?(?:add|put|remind|note|take|make|write|set|schedule|send|notify|read|show|search|fetch|list',
  '|wake|cancel|delete|remove|move|tick|cross|check|buy|jot|save|start|create|every|tomorrow|tell|don.t|erinner|notier',
  '|merk|schreib|setz|stell|weck|zeig|lösch|streich|verschieb|schick|sende|such|lies|kauf|hak|pack|jeden|morgen|trag)',
);

/** Whether the rest, up to its own end, is a request by itself. */
function startsRequest(rest: string, raw: RawRequest, commands: readonly Skill[]): boolean {
  const [first = ''] = rest.split(NEXT_REQUEST);
  if (!COMMANDING.test(rest)) return false;
  return [rest, first].some((part) => bySkills({ ...raw, text: part, earlier: [] }, commands)?.kind === 'act');
}

/** After a question of ours, the reply completes the request before it, unless it is a request by itself. */
function completed(raw: RawRequest, left: number): RawRequest {
  const { text, earlier } = raw;
  const asked = earlier.at(-1);
  if (left === 0 || asked?.by !== 'assistant' || !/[?.“"]\s*$/u.test(asked.text) || NEVER_MIND.test(text.trim()))
    return raw;
  const before = earlier.slice(0, -1);
  const at = before.findLastIndex(({ by }) => by === 'person');
  const opened = before[at];
  if (!opened) return raw;
  const request = withTimeOfThat(completed({ ...raw, text: opened.text, earlier: before.slice(0, at) }, left - 1));
  const question = understood(request);
  if (question?.kind !== 'ask' || question.text.trim() !== asked.text.trim() || startsAnew(raw, asked.text)) return raw;
  return {
    ...raw,
    text: question.complete(
      text
        .trim()
        .replace(SUGGESTING, '')
        .replace(/(?:,? (?:though|then|please|bitte|dann)[.!]*|\?)$/iu, ''),
    ),
    earlier: before.slice(0, at),
  };
}

/** Nobody answers a question of ours with a question that names no time. */
const QUESTION = pattern(
  'iu',
  '^(?:and |but |und |aber )?(?:(?:what|how|who|where|which|why|is|are|do|does|did|can|could|was|wie|wer|wo',
  '|warum|wieso',
  String.raw`|welche[rsmn]?|ist|sind|hat|kann|darf|muss)(?:'s)?\b|(?:if|wenn)\b.+\b(?:how|what|wie|was)\b)`,
);

/** "How about 5?": the answer is behind it. */
const SUGGESTING = pattern(
  'iu',
  "^(?:how about|what about|let's say|lets say|say|maybe|perhaps|probably|i think|wie wär's mit|wie wäre es mit",
  '|wie wärs mit|sagen wir|vielleicht|ich denke|am besten|am liebsten) (?=.)',
);

/** Asks even where it speaks of a time; "how about 5?" answers. */
const ASKS = pattern(
  'iu',
  String.raw`^(?:and |but |so |und |aber )?(?:when (?:is|are|was|were|do|does|did|will|can|should)\b`,
  '|wann (?:ist|sind|war|kommt|kommen|hat|habe|muss|soll|beginnt|endet|fängt) ',
  String.raw`|(?:what|how|who|where|which|why|was|wie|wer|wo|warum|welche[rsmn]?)(?! (?:about|if|wär|ist mit)))\b.*\?$`,
);

/** What we ask for by these is words, such as a thing to do: "buy flowers" is one, not a line of the shopping list. */
const FOR_WORDS = /^(?:What|Was|Woran)\b/u;

const FOR_TIMES = /^(?:When|At what time|Wann|Um wie viel)\b/u;
const SMALL_TALK = SKILLS.filter(({ name }) => name === 'small talk');
/** Besides the time, an answer to "when?" has no more words than these: "how about 5 then?" */
const MOST_WORDS = 3;

function wordsIn(text: string): number {
  return text.match(/\p{L}+/gu)?.length ?? 0;
}

/** A new request instead of the answer that was asked for. "18:45" is a time before it is a sum. */
function startsAnew(raw: RawRequest, question: string): boolean {
  const found = raw.text.length < SPLIT_CHARS ? findTime(raw.text, raw) : undefined;
  if (found?.rest === '') return false;
  if (taught({ ...raw, earlier: [] })?.kind === 'act') return true;
  // A time may stand in a question about something else: "in which year was the treaty signed?"
  if (found && !FOR_WORDS.test(question) && raw.text.trim().endsWith('?') && wordsIn(found.rest) > MOST_WORDS)
    return true;
  // "Thanks!" is no answer to "when?".
  if (!found && FOR_TIMES.test(question) && bySkills({ ...raw, earlier: [] }, SMALL_TALK)?.kind === 'say') return true;
  const plain = withoutPoliteness(raw.text);
  if (ASKS.test(plain) || (!found && QUESTION.test(plain))) return true;
  const others = ['small talk', 'documents', 'loose reminder', 'echo', 'beyond'];
  // "Half 4" is no sum where a time was asked for.
  const isTime = found && !FOR_WORDS.test(question) && raw.text.length < 30;
  const skills = SKILLS.filter(({ name }) => !others.includes(name) && !(isTime && name === 'arithmetic'));
  const intent = bySkills({ ...raw, earlier: [] }, skills);
  if (intent?.kind === 'act' && FOR_WORDS.test(question) && !/list/iu.test(raw.text))
    return intent.actions.some(({ tool }) => tool !== 'change_list');
  // Nobody answers "When should I remind you?" with "remind me of something else", or "make a list of films".
  const isOther = () => COMMANDING.test(plain) || /\bremind me\b/iu.test(plain) || !(found || FOR_WORDS.test(question));
  return intent !== undefined && (intent.kind !== 'ask' || isOther());
}
