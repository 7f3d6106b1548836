import type { Taught } from '../../builtin/examples.ts';
import { fillReply } from '../../builtin/reply.ts';
import { type Understood, understand } from '../../builtin/understand.ts';
import { withoutPoliteness } from './politeness.ts';
import { readRequest } from './read-request.ts';
import { type Action, act, ask, type Intent, type RawRequest, type Result, say } from './request.ts';
import { search } from './skills/documents.ts';

/** A request that the examples of a tool have: nobody has to write code for it. */
export function taught(raw: RawRequest): Intent | undefined {
  if (raw.isDue) return undefined;
  const understood = understoodOf(raw);
  if (understood?.kind === 'ask') return ask(understood.question, (answer) => `${raw.text.trim()} ${answer}`);
  if (understood?.kind !== 'act') return undefined;
  const { taught: example, input, language } = understood;
  // A tool that has nothing to work on yet is not there to be called: that there is nothing is all there is to say.
  const { empty } = example.reply ?? {};
  if (!raw.can(example.tool)) return empty && say(fillReply(empty[language], input, { ...raw, language }));
  // What is found is said by what was asked, not by one text.
  if (example.tool === 'query_rag') return act(search(String(input.query), readRequest(raw)));
  const told: Action['say'] = (result) => sayBy(example, result, { ...raw, language }, input);
  return act({ tool: example.tool, input, say: told });
}

/** Follow-ups in a row lead back no further than this. */
const LONGEST_CHAIN = 4;

function understoodOf(raw: RawRequest, left = LONGEST_CHAIN): Understood | undefined {
  const examples = (raw.examples ?? []).filter(({ unless }) => unless === undefined || !raw.can(unless));
  if (examples.length === 0) return undefined;
  const text = withoutPoliteness(raw.text);
  const alone = examples.filter(({ follows }) => follows === undefined);
  const found = understand(text, raw, alone);
  if (found.kind !== 'none' || left === 0 || alone.length === examples.length) return found;
  const next = understand(text, raw, examples);
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
function sayBy(
  { reply }: Taught,
  { value, told, text }: Result,
  reader: Parameters<typeof fillReply>[2],
  input: Readonly<Record<string, unknown>>,
): string {
  const codes = [told?.code ?? '', ...(isEmpty(value) ? ['empty'] : []), ''];
  const template = codes.map((code) => reply?.[code]).find((each) => each !== undefined);
  const values = Array.isArray(value) ? value : { ...input, ...asFields(value), ...told?.values };
  return template ? fillReply(template[reader.language], values, reader).trimEnd() : text;
}

/** A list without rows, or a record with nothing but one. */
function isEmpty(value: unknown): boolean {
  const lists = Array.isArray(value) ? [value] : Object.values(asFields(value)).filter(Array.isArray);
  return lists.length > 0 && lists.every((list) => list.length === 0);
}

function asFields(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : { value };
}
