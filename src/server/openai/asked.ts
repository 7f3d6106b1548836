import { z } from 'zod';
import type { Said } from '../../conversation/types.ts';
import { type SentFile, sentFile } from '../http/attached.ts';
import { checked, Refused } from '../http/problem.ts';

/** What a client of the OpenAI protocol asks for, whichever of the two endpoints it uses. */
export interface Asked {
  readonly model: string;
  /** What is asked now. */
  readonly text: string;
  readonly files: readonly SentFile[];
  /** The client's own instructions. */
  readonly system: string;
  /** What the client says was said before. */
  readonly before: readonly Said[];
  readonly stream: boolean;
  /** A last chunk of a stream tells what it has cost. */
  readonly usageInStream: boolean;
  readonly session: { readonly conversation?: string | undefined; readonly previous?: string | undefined };
  /** What was sent and has no effect. */
  readonly ignored: readonly string[];
}

const MOST_FILES = 8;

const textPart = z.looseObject({ type: z.enum(['text', 'input_text', 'output_text', 'refusal']), text: z.string() });
const imagePart = z.looseObject({
  type: z.enum(['image_url', 'input_image']),
  image_url: z.union([z.string(), z.looseObject({ url: z.string() })]),
});
const fileFields = { filename: z.string().max(200).optional(), file_data: z.string() };
const filePart = z.looseObject({ type: z.literal('file'), file: z.looseObject(fileFields) });
const inputFilePart = z.looseObject({ type: z.literal('input_file'), ...fileFields });
const part = z.union([textPart, imagePart, filePart, inputFilePart], {
  error: 'only texts, and pictures and files as data, are taken',
});
type Part = z.output<typeof part>;

const content = z.union([z.string(), z.array(part)]).nullish();
const message = z.looseObject({ role: z.string(), content });
type Message = z.output<typeof message>;
const tool = z.looseObject({ type: z.string().optional(), name: z.string().optional() });
const tools = z.array(tool.extend({ function: z.looseObject({ name: z.string() }).optional() })).nullish();

const chatBody = z.looseObject({
  model: z.string(),
  messages: z.array(message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  tools,
});

/** An item of another type, such as a call of a tool of the client's. */
const otherItem = z.looseObject({ type: z.string().refine((type) => type !== 'message') });
const responsesBody = z.looseObject({
  model: z.string(),
  input: z.union([z.string(), z.array(z.union([message, otherItem])).min(1)]),
  instructions: z.string().nullish(),
  previous_response_id: z.string().max(100).nullish(),
  conversation: z.union([z.string().max(100), z.looseObject({ id: z.string().max(100) })]).nullish(),
  stream: z.boolean().nullish(),
  tools,
});

/** @throws Refused 400 naming the field. */
export function chatAsked(body: unknown, conversation: string | undefined): Asked {
  const { model, messages, stream, stream_options, tools: given, ...rest } = checked(chatBody, body);
  const usageInStream = stream_options?.include_usage === true;
  return {
    ...{ model, stream: stream === true, usageInStream, session: { conversation } },
    ...read(messages),
    ignored: ignoredOf(messages, given, rest),
  };
}

/** @throws Refused 400 naming the field. */
export function responseAsked(body: unknown, header: string | undefined): Asked {
  const { model, input, instructions, stream, tools: given, ...more } = checked(responsesBody, body);
  const { previous_response_id, conversation: kept, ...rest } = more;
  const items: readonly (Message | z.output<typeof otherItem>)[] =
    typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  const messages = items.filter(isMessage);
  const conversation = (typeof kept === 'string' ? kept : kept?.id) ?? header;
  const { system, ...asked } = read(messages);
  return {
    ...{ model, ...asked, stream: stream === true, usageInStream: true },
    system: [instructions ?? '', system].filter(Boolean).join('\n\n'),
    session: { conversation, previous: previous_response_id ?? undefined },
    ignored: ignoredOf(items, given, rest),
  };
}

function isMessage(item: object): item is Message {
  return 'role' in item;
}

/** The request is what the user said last, behind the last answer. */
function read(messages: readonly Message[]): Pick<Asked, 'text' | 'files' | 'system' | 'before'> {
  const talk = messages.filter(({ role }) => role === 'user' || role === 'assistant');
  const now = talk.slice(talk.findLastIndex(({ role }) => role === 'assistant') + 1);
  const text = now.map(textOf).filter(Boolean).join('\n\n');
  const files = now.flatMap(filesOf);
  if (now.length === 0 || (text === '' && files.length === 0))
    throw new Refused(400, 'no_request', 'There is no message of the user at the end.');
  if (files.length > MOST_FILES) throw new Refused(400, 'too_many_files', `At most ${MOST_FILES} files are taken.`);
  return {
    text: text || 'What is this?',
    files,
    system: messages.filter(isSystem).map(textOf).filter(Boolean).join('\n\n'),
    before: talk
      .slice(0, talk.length - now.length)
      .map((each) => ({ role: each.role === 'user' ? 'user' : 'assistant', text: textOf(each) }) as const)
      .filter((each) => each.text !== ''),
  };
}

const isSystem = ({ role }: Message) => role === 'system' || role === 'developer';

function textOf({ content: parts }: Message): string {
  if (typeof parts === 'string') return parts.trim();
  return (parts ?? [])
    .flatMap((each) => ('text' in each && typeof each.text === 'string' ? [each.text] : []))
    .join('\n')
    .trim();
}

function filesOf({ content: parts }: Message): SentFile[] {
  return typeof parts === 'string' ? [] : (parts ?? []).flatMap(fileOf);
}

function fileOf(each: Part): SentFile[] {
  if (each.type === 'image_url' || each.type === 'input_image') {
    const { image_url } = each as z.output<typeof imagePart>;
    return [sentFile(typeof image_url === 'string' ? image_url : image_url.url)];
  }
  if (each.type !== 'file' && each.type !== 'input_file') return [];
  const { file_data, filename } =
    each.type === 'file' ? (each as z.output<typeof filePart>).file : (each as z.output<typeof inputFilePart>);
  return [sentFile(file_data, filename)];
}

const TAKEN_ROLES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system', 'developer']);

function ignoredOf(
  items: readonly object[],
  given: z.output<typeof tools>,
  rest: Readonly<Record<string, unknown>>,
): readonly string[] {
  const other = items.filter((item) => !('role' in item && TAKEN_ROLES.has(item.role)));
  const kinds = other.map((item) => ('role' in item ? item.role : 'type' in item ? item.type : 'item'));
  return [
    ...(given ?? []).map(({ type, name, function: called }) => `tool ${called?.name ?? name ?? type ?? '?'}`),
    ...[...new Set(kinds)].map((kind) => `messages of ${kind}`),
    ...Object.keys(rest).filter((name) => rest[name] !== null && rest[name] !== undefined),
  ];
}
