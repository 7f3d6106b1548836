import type { Taught } from '../base/examples.ts';
import type { Language } from '../words/spelling.ts';
import { type Came, COMPUTATIONS, type Computed, ownExamples } from './compute.ts';
import { withoutPoliteness } from './politeness.ts';
import { readRequest } from './read-request.ts';
import { fillReply, type Reader } from './reply.ts';
import { type Action, act, ask, type Intent, type RawRequest, type Result, say } from './request.ts';
import { type Accepts, type Understood, understand } from './understand.ts';
import { WORK } from './work.ts';

const OWN = ownExamples();
const TALK = OWN.filter(({ tool }) => tool === 'say' || tool === 'recall_said');
/** What is worked out without a tool. */
const WORKED_OUT = OWN.filter(({ tool }) => tool in COMPUTATIONS && tool !== 'say');

/** Small talk is all of a sentence or none of it. */
const WHOLE = 0.9;

/** What is nothing but politeness is compared as it stands, and with its like alone: "thanks, and ..." is more. */
export function talk(raw: RawRequest): Intent | undefined {
  const found = understand(raw.text, raw, usable(TALK, raw));
  if (found.kind !== 'act' || found.score < WHOLE) return undefined;
  return intentFor(found.taught, found.input, raw, readRequest(raw).language);
}

/** Without those that a tool which is there does better. */
function usable(examples: readonly Taught[], { can }: Pick<RawRequest, 'can'>): readonly Taught[] {
  return examples.filter(({ unless }) => unless === undefined || !can(unless));
}

/** A request that the examples of a tool have: nobody has to write code for it. */
export function taught(raw: RawRequest): Intent | undefined {
  if (raw.isDue) return undefined;
  const understood = understoodOf(raw);
  if (understood?.kind === 'ask') return ask(understood.question, (answer) => `${raw.text.trim()} ${answer}`);
  return understood?.kind === 'act'
    ? intentFor(understood.taught, understood.input, raw, understood.language)
    : undefined;
}

type Input = Readonly<Record<string, unknown>>;

/** What to do about an example with its gaps filled; undefined where nothing can be made of them. */
function intentFor(example: Taught, input: Input, raw: RawRequest, language: Language): Intent | undefined {
  const { tool } = example;
  if (tool in COMPUTATIONS) {
    const computed = computedBy(example, input, { raw, language });
    const asker = { ...raw, language: languageOf(example, raw, language) };
    return computed && say(saidBy(example, computed.code, { ...input, ...computed.values }, asker) ?? '');
  }
  const reader = { ...raw, language };
  const work = WORK[tool];
  if (work) return work(input, { ...readRequest(raw), language });
  // A tool that has nothing to work on yet is not there to be called: that there is nothing is all there is to say.
  const { empty } = example.reply ?? {};
  if (!raw.can(tool)) return empty && say(fillReply(empty[language], input, reader));
  const told: Action['say'] = (result) => sayBy(example, result, reader, input);
  return act({ tool, input, say: told });
}

/** What is said alike in both languages, such as "3 + 4", is answered in that of the conversation. */
function languageOf({ en, de }: Taught, raw: RawRequest, language: Language): Language {
  return en.some((sentence) => de.includes(sentence)) ? readRequest(raw).language : language;
}

interface Asking {
  readonly raw: RawRequest;
  /** Of the example that was understood. */
  readonly language: Language;
  /** So many requests before it are looked at. */
  readonly left?: number;
}

function computedBy(example: Taught, input: Input, { raw, language, left = LONGEST_CHAIN }: Asking): Computed | undefined {
  const asker = { ...raw, language: languageOf(example, raw, language), before: () => cameBefore(raw, left) };
  return COMPUTATIONS[example.tool]?.(input, asker);
}

/** What the request before this one came to. */
function cameBefore(raw: RawRequest, left: number): Came | undefined {
  const at = raw.earlier.findLastIndex(({ by }) => by === 'person');
  const said = raw.earlier[at];
  if (!said || left === 0) return undefined;
  const before = { ...raw, text: said.text, earlier: raw.earlier.slice(0, at) };
  const found = understoodOf(before, left - 1);
  if (found?.kind !== 'act') return undefined;
  return computedBy(found.taught, found.input, { raw: before, language: found.language, left: left - 1 })?.came;
}

/** Follow-ups in a row lead back no further than this. */
const LONGEST_CHAIN = 4;

function understoodOf(raw: RawRequest, left = LONGEST_CHAIN): Understood | undefined {
  const examples = usable([...WORKED_OUT, ...(raw.examples ?? [])], raw);
  if (examples.length === 0) return undefined;
  const accepts: Accepts = (example, input, language) =>
    !(example.tool in COMPUTATIONS || example.tool in WORK) || intentFor(example, input, raw, language) !== undefined;
  const text = withoutPoliteness(raw.text);
  const alone = examples.filter(({ follows }) => follows === undefined);
  const found = understand(text, raw, alone, accepts);
  if (found.kind !== 'none' || left === 0 || alone.length === examples.length) return found;
  const next = understand(text, raw, examples, accepts);
  return next.kind === 'act' && calledBefore(raw, left) === next.taught.follows ? next : found;
}

/** The tool that the request before this one called. */
function calledBefore(raw: RawRequest, left: number): string | undefined {
  const at = raw.earlier.findLastIndex(({ by }) => by === 'person');
  const before = raw.earlier[at];
  if (!before) return undefined;
  const found = understoodOf({ ...raw, text: before.text, earlier: raw.earlier.slice(0, at) }, left - 1);
  return found?.kind === 'act' ? found.taught.tool : undefined;
}

/** By the reply for the code of the result, else for an empty one, else for all. */
function sayBy(example: Taught, { value, told, text }: Result, reader: Reader, input: Input): string {
  const code = told?.code ?? (isEmpty(value) && example.reply?.empty ? 'empty' : '');
  const values = Array.isArray(value) ? value : { ...input, ...asFields(value), ...told?.values };
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
