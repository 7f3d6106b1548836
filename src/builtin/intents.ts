import type { Taught } from '../base/examples.ts';
import { chosenFrom, quoted } from './choice.ts';
import type { Came, Computed } from './computation.ts';
import { saidIn } from './compute/said.ts';
import { COMPUTATIONS, ownExamples } from './compute.ts';
import { backTo } from './frame.ts';
import { questionOf } from './handlers/query-documents.ts';
import { HANDLERS } from './handlers.ts';
import { answerLanguage } from './language.ts';
import { readRequest } from './read-request.ts';
import { fillReply, type Reader, tell } from './reply.ts';
import { type Action, act, ask, type Intent, type RawRequest, type Result, say } from './request.ts';
import { SLOT_TYPES } from './slots.ts';
import { answered, type Meaning, type Understood, understand } from './understand.ts';

/** Requests lead back no further than this: "and on Saturday?", "and on Sunday?". */
const LONGEST_CHAIN = 4;
/** Small talk is all of a sentence or none of it: "thanks, and ..." is more. */
const WHOLE = 0.9;

const OWN = ownExamples();

/** What a request means by the examples of the tools of its turn and by our own. */
export function meaningOf(raw: RawRequest, left = LONGEST_CHAIN): Understood {
  return understand(
    raw.text,
    { ...raw, language: answerLanguage(raw.text, raw.earlier) },
    [...OWN, ...(raw.examples ?? [])],
    (meaning) => isUsable(meaning, raw, left),
  );
}

/** Whether a request that is understood so can be dealt with. */
function isUsable(meaning: Meaning, raw: RawRequest, left: number): boolean {
  const { tool, unless, follows } = meaning.taught;
  if (unless !== undefined && raw.can(unless)) return false;
  if (tool === 'say' && meaning.score < WHOLE) return false;
  if (follows === '*' && raw.earlier.length === 0) return false;
  if (follows !== undefined && follows !== '*' && toolBefore(raw, left) !== follows) return false;
  return !(tool in COMPUTATIONS || tool in HANDLERS) || intentFor(meaning, raw) !== undefined;
}

interface Earlier {
  readonly meaning: Meaning;
  readonly raw: RawRequest;
}

/** Looked for once a request, however many examples are tried: each may lead back to the request before it. */
const EARLIER = new WeakMap<RawRequest, { readonly found: Earlier | undefined }>();

/** What the request before this one meant. */
function before(raw: RawRequest, left = LONGEST_CHAIN): Earlier | undefined {
  const known = EARLIER.get(raw) ?? { found: meantBefore(raw, left) };
  EARLIER.set(raw, known);
  return known.found;
}

function meantBefore(raw: RawRequest, left: number): Earlier | undefined {
  const earlier = rawBefore(raw);
  if (!earlier || left === 0) return undefined;
  const found = meaningOf(earlier, left - 1);
  return found.kind === 'act' ? { meaning: found, raw: earlier } : undefined;
}

function rawBefore(raw: RawRequest): RawRequest | undefined {
  const at = raw.earlier.findLastIndex(({ by }) => by === 'person');
  return at < 0 ? undefined : backTo(raw, at);
}

/** The calls that it came to; of what no example has, those that a question comes to. */
function actionsBefore(raw: RawRequest): readonly Action[] {
  const last = before(raw);
  const earlier = last ? undefined : rawBefore(raw);
  const intent = last ? intentFor(last.meaning, last.raw) : earlier && questionOf(readRequest(earlier));
  return intent?.kind === 'act' ? intent.actions : [];
}

function toolBefore(raw: RawRequest, left: number): string | undefined {
  return before(raw, left)?.meaning.taught.tool;
}

/** What to do about a request that the examples have; undefined where none has it. */
export function intended(raw: RawRequest): Intent | undefined {
  return intentOf(meaningOf(raw), raw);
}

function intentOf(found: Understood, raw: RawRequest): Intent | undefined {
  switch (found.kind) {
    case 'act':
      return intentFor(found, raw);
    case 'ask':
      return {
        kind: 'ask',
        text: found.question,
        complete: (answer) => {
          const next = answered(found, found.slot, { answer, situation: raw });
          return next && intentOf(next, raw);
        },
        wordsOnly: found.slot !== 'when' && !(found.slot in SLOT_TYPES),
      };
    case 'unclear':
      return whichOf(found.between, raw);
    default:
      return undefined;
  }
}

/** "Do you mean A or B?" */
export function whichOf(meanings: readonly Meaning[], raw: RawRequest): Intent {
  const language = meanings[0]?.language ?? 'en';
  const sentences = meanings.map(({ sentence }) => sentence);
  return ask(tell('ask which meaning', { language }, { sentences: quoted(sentences, language) }), (answer) => {
    const chosen = meanings[chosenFrom(answer, sentences) ?? -1];
    return chosen && intentFor(chosen, raw);
  });
}

/** What to do about an example with its gaps filled; undefined where nothing can be made of them. */
function intentFor(meaning: Meaning, raw: RawRequest): Intent | undefined {
  const { taught, input, language } = meaning;
  const { tool } = taught;
  const reader = { ...raw, language };
  if (tool in COMPUTATIONS) {
    const computed = computedBy(meaning, raw);
    return computed && say(saidBy(taught, computed.code, { ...input, ...computed.values }, reader) ?? '');
  }
  const handle = HANDLERS[tool];
  if (handle)
    return handle(input, {
      ...readRequest(raw, language),
      meaning,
      before: () => before(raw)?.meaning,
      doneBefore: () => actionsBefore(raw),
      call: (name, given) =>
        callOf({ ...meaning, input: given, taught: { ...taught, tool: name } }, { raw, reader, input }),
    });
  // A tool that has nothing to work on yet is not there to be called: that there is nothing is all there is to say.
  const { empty } = taught.reply ?? {};
  if (!raw.can(tool)) return empty && say(fillReply(empty[language], input, reader));
  return act(callOf(meaning, { raw, reader, input }));
}

interface Said {
  readonly raw: RawRequest;
  readonly reader: Reader;
  /** What the sentence filled in. */
  readonly input: Input;
}

/** A call, told by the replies of its example, or else by those that its tool has elsewhere. */
function callOf({ taught, input }: Pick<Meaning, 'taught' | 'input'>, { raw, reader, input: said }: Said): Action {
  const { tool } = taught;
  const reply = taught.reply ?? raw.examples?.find((other) => other.tool === tool && other.reply)?.reply;
  return { tool, input, say: (result) => sayBy({ ...taught, reply }, result, reader, { ...said, ...input }) };
}

function computedBy({ taught, input, language }: Meaning, raw: RawRequest): Computed | undefined {
  return COMPUTATIONS[taught.tool]?.(input, { ...raw, language, before: () => cameBefore(raw) });
}

const cameBy = new WeakMap<RawRequest['earlier'], Came>();

/** What "that" is: what the request before this one came to, as it is worked out anew; once for each conversation. */
function cameBefore(raw: RawRequest): Came {
  const known = cameBy.get(raw.earlier);
  if (known) return known;
  const last = before({ ...raw, earlier: raw.earlier.slice(-2 * LONGEST_CHAIN) });
  const came = (last && computedBy(last.meaning, last.raw)?.came) ?? saidIn(raw);
  cameBy.set(raw.earlier, came);
  return came;
}

type Input = Readonly<Record<string, unknown>>;

/** By the reply for the code of the result, else for an empty one, else for all. */
function sayBy(example: Taught, { value, told, text }: Result, reader: Reader, input: Input): string {
  // A tool that tells no kinds of results apart says `ok` of all.
  const kind = told?.code === 'ok' ? undefined : told?.code;
  const code = kind ?? (isEmpty(value) && example.reply?.empty ? 'empty' : '');
  const isTold = Object.keys(told?.values ?? {}).length > 0;
  const isRows = Array.isArray(value) && value.length > 0 && !isTold;
  const values = isRows ? value : { ...input, ...asFields(value), ...told?.values };
  return saidBy(example, code, values, reader) ?? text;
}

/** The reply for the code, else for all. */
function saidBy({ reply }: Taught, code: string, values: unknown, reader: Reader): string | undefined {
  const template = reply?.[code] ?? reply?.[''];
  return template && fillReply(template[reader.language], values, reader).trimEnd();
}

/** A list without rows, or a record with nothing but one. */
function isEmpty(value: unknown): boolean {
  const lists = Array.isArray(value) ? [value] : Object.values(asFields(value)).filter(Array.isArray);
  return lists.length > 0 && lists.every((list) => list.length === 0);
}

function asFields(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : { value };
}
