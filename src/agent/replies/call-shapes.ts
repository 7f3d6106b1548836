import { isRecord } from '../../base/json.ts';
import { looseJson } from '../../base/loose-json.ts';

/** A call that a model wrote into its words: the name as it was written, and whatever stood for the input. */
export interface WrittenCall {
  readonly name: string;
  readonly input: unknown;
  /** The format leaves no doubt that a call was meant, whether or not there is such a tool. */
  readonly certain: boolean;
}

const NAMES = [
  'name',
  'tool',
  'tool_name',
  'toolName',
  'function_name',
  'recipient_name',
  'action',
  'function',
] as const;
const INPUTS = [
  ...(['arguments', 'input', 'args', 'parameters', 'params', 'tool_input', 'toolInput', 'tool_args'] as const),
  ...(['action_input', 'actionInput', 'kwargs', 'argument', 'inputs'] as const),
];
const LISTS = ['tool_calls', 'toolCalls', 'tool_uses', 'function_calls', 'calls', 'tools', 'actions'] as const;
const SINGLE = [
  'function_call',
  'tool_call',
  'function',
  'toolCall',
  'functionCall',
  'call',
  'action',
  'tool',
] as const;
/** What may stand beside name and input without making it something else. */
const BESIDE = new Set(['id', 'type', 'index', 'thought', 'thoughts', 'reasoning', 'explanation', 'reason', 'comment']);
/** Names under which models send an answer as if it were a call. */
const ANSWERING = /^(?:final_?answer|answer|respond|response|reply|final|finish|attempt_completion|respond_to_user)$/iu;
/** How an input begins that was meant as fields, an object or tags, and is a text since it could not be read. */
const UNREAD_FIELDS = /^\s*(?:\{\s*(?:["'“]|[\w-]+\s*:|$)|<(?:parameter|param|arg)[=\s])/iu;
const IDENTIFIER = /^[A-Za-z_][\w.:/<>|-]*$/u;

/**
 * The calls that a JSON value stands for, in any of the formats that models were trained on; undefined where it is
 * something else. `{"write_note": {…}}` counts only where the key is a tool.
 */
export function callsInValue(value: unknown, isTool: (name: string) => boolean): WrittenCall[] | undefined {
  if (Array.isArray(value)) return allOf(value, isTool);
  if (!isRecord(value)) return undefined;
  const [list] = LISTS.map((name) => value[name]).filter(Array.isArray);
  if (list) return allOf(list, isTool);
  const single = SINGLE.map((name) => value[name]).find(isRecord);
  if (single) return callsInValue(single, isTool);
  const call = namedCall(value, isTool);
  return call ? [call] : keyedCall(value, isTool);
}

function allOf(values: readonly unknown[], isTool: (name: string) => boolean): WrittenCall[] | undefined {
  const calls = values.map((each) => (isRecord(each) ? callsInValue(each, isTool) : undefined));
  return calls.length > 0 && calls.every((each) => each !== undefined) ? calls.flat() : undefined;
}

export function isAnswering(name: string): boolean {
  return ANSWERING.test(name);
}

/**
 * `{"name": …, "arguments": …}` and its kin. A list of tools with descriptions is none. Without arguments, or with them
 * at the top, the name must be a tool.
 */
function namedCall(value: Record<string, unknown>, isTool: (name: string) => boolean): WrittenCall | undefined {
  const key = NAMES.find((each) => typeof value[each] === 'string' && IDENTIFIER.test(String(value[each]).trim()));
  if (key === undefined || 'description' in value) return undefined;
  const name = String(value[key]).trim();
  const field = INPUTS.find((each) => each in value);
  const rest = Object.keys(value).filter((each) => each !== key && each !== field && !BESIDE.has(each));
  if (field !== undefined) {
    if (rest.length > 0 && !isTool(name)) return undefined;
    return { name, input: inputOf(value[field]), certain: isRecord(inputOf(value[field])) };
  }
  if (!isTool(name)) return undefined;
  return { name, input: Object.fromEntries(rest.map((each) => [each, value[each]])), certain: false };
}

/** `{"write_note": {"text": "milk"}}`: only where it is the one key. */
function keyedCall(value: Record<string, unknown>, isTool: (name: string) => boolean): WrittenCall[] | undefined {
  const [only, ...more] = Object.entries(value);
  if (!only || more.length > 0 || !isTool(only[0])) return undefined;
  if (!isRecord(only[1]) && !isAnswering(only[0])) return undefined;
  return [{ name: only[0], input: only[1], certain: false }];
}

/** Whether the input of a call could not be read to its end: what is left of it is no text that the model chose. */
export function breaksOff({ input }: WrittenCall): boolean {
  return typeof input === 'string' && UNREAD_FIELDS.test(input);
}

/** Arguments come as an object, as JSON in a string, or as the one text. */
export function inputOf(raw: unknown): unknown {
  if (typeof raw !== 'string') return raw ?? {};
  const text = raw.trim();
  if (text === '') return {};
  return /^[[{"]/u.test(text) ? (looseJson(text) ?? raw) : raw;
}
