import { looseJson, readLoose } from '../../base/loose-json.ts';
import { withoutThinking } from '../../base/thinking.ts';
import { fencedBlocks, outside } from '../code/reply-blocks.ts';
import { breaksOff, callsInValue, isAnswering, type WrittenCall } from './call-shapes.ts';
import { callsInFunctions } from './function-calls.ts';
import { labelledCalls, unfenced } from './labelled-calls.ts';
import { markedCalls } from './marked-calls.ts';

/**
 * A reply in words that is more than words. `calls`: nothing but calls, thinking and a line that announces them aside.
 * `unsure`: it may mean its calls or quote them. `quoted`: it explains them. `broken`: meant as a call, but it cannot
 * be read. `answer`: an answer in a frame, such as `Final Answer:`.
 */
export type Written =
  | { readonly kind: 'calls' | 'unsure'; readonly calls: readonly WrittenCall[] }
  | { readonly kind: 'broken' }
  | { readonly kind: 'quoted' }
  | { readonly kind: 'answer'; readonly text: string };

export interface Known {
  isTool(name: string): boolean;
  /** Whether `write_note("milk")` is such a call; false where replies are scripts. */
  readonly functions: boolean;
}

interface Found {
  readonly calls: readonly WrittenCall[];
  readonly prose: string;
}

/** Calls are short; longer replies are documents. */
const MAX_CHARS = 60_000;
const MAX_VALUES = 20;
const MAX_PROSE_CHARS = 300;

/** How a reply starts that is a call or nothing. */
const CALL_START = new RegExp(
  [
    '^\\s*(?:(?:`{3,}|~{3,})\\s*\\w*\\s*)?(?:',
    '<\\|?(?:tool|function|python_tag|channel|invoke|call)|\\[TOOL_(?:CALL|REQUEST)|<｜tool|functools\\s*\\[|',
    '[[\\s]*\\{\\s*["\'“]?(?:name|tool|tool_name|function|function_name|action|recipient_name|tool_calls|type)',
    '["\'”]?\\s*:',
    '|(?:thought:[^\\n]*\\s+)?action\\s*:)',
  ].join(''),
  'iu',
);
/** Words of someone who is about to act. */
const ANNOUNCES = new RegExp(
  [
    "\\b(?:i(?:'|’| wi)ll|i(?:'|’| a)m (?:going to|about to|now)",
    "|i (?:will|need|want|have|should|must|am going)|let me|let(?:'|’)s)\\b",
    '|^(?:now|first|next|then|okay|ok|sure|certainly|of course|alright|great|right|yes|understood|got it|done)\\b',
    '|^(?:calling|using|searching|checking|looking|reading|saving|writing|setting|adding|creating|scheduling)\\b',
    '|^fetching\\b',
    '|^(?:noting|listing|getting|running|sending|invoking|one moment|going to|retrieving|deleting|moving|updating)\\b',
    "|^(?:here(?: is|(?:'|’)s) (?:the|my) )?(?:tool|function)?[ _-]?calls?:?$",
    '|\\b(?:ich (?:werde|muss|suche|prüfe|schaue|notiere|speichere|lese|erinnere)|lass mich|moment)\\b',
  ].join(''),
  'imu',
);
/** Words of someone who explains or quotes. */
const EXPLAINS = new RegExp(
  [
    '\\b(?:examples?|e\\.g\\.|for instance|such as|looks? like|would (?:be|look|call|send|use|have|read|write)',
    '|instead of',
    '|you (?:can|could|would|might|should|may)|to (?:call|invoke) (?:it|this|the|a)',
    '|format|syntax|schema|quot(?:e|es|ed|ing)',
    '|says?|said|contains?|contained|reads|wrote|written|according|means|shows|instructs?|instructions?',
    '|asks? (?:me|to|us|you)',
    '|tells? (?:me|us|you)|told|ignored?|inject\\w*|not (?:run|call|act|do|execute)|never',
    '|suspicious|attempts?|trick|text of',
    '|documentation|template|literally|verbatim|what .{1,40} (?:is|are) called|one could|people|in other programs',
    '|zum beispiel|beispiel|steht|sieht .{1,20} aus|enthält|lautet|würde|könnte(?:st)?)\\b',
  ].join(''),
  'iu',
);

/** Read a reply that is not a script. Undefined: it is plain text. */
export function readWritten(reply: string, known: Known): Written | undefined {
  const text = withoutThinking(reply).trim();
  if (text.length > MAX_CHARS) return undefined;
  const labelled = labelledCalls(text, known.isTool);
  if (labelled?.answer !== undefined) return { kind: 'answer', text: labelled.answer };
  const found = labelled ?? inParts(text, known);
  if (found && found.calls.length > 0 && found.calls.every((call) => call.certain || isNamed(known)(call.name))) {
    const kind = judge(found.prose);
    if (kind === 'calls' && found.calls.some(breaksOff)) return { kind: 'broken' };
    return kind === 'quoted' ? { kind } : { kind, calls: found.calls };
  }
  const isBroken = CALL_START.test(text) && looseJson(unfenced(text)) === undefined && namesTool(text, known);
  return isBroken ? { kind: 'broken' } : undefined;
}

/** A tool, or one of the names under which answers are sent. */
function isNamed(known: Known): (name: string) => boolean {
  return (name) => known.isTool(name) || isAnswering(name);
}

/** Whether a reply that is still arriving may turn out to be calls. */
export function startsLikeCall(text: string): boolean {
  return CALL_START.test(text) || /^\s*(?:```|~~~|[[{<]|thought\s*:|final answer\s*:)/iu.test(text);
}

/** What a call with such words around it is: meant, doubtful, or quoted. */
function judge(prose: string): 'calls' | 'unsure' | 'quoted' {
  const lines = prose.split('\n').filter((line) => /\p{L}/u.test(line));
  if (lines.length === 0) return 'calls';
  if (EXPLAINS.test(prose)) return 'quoted';
  const announces = lines.some((line) => ANNOUNCES.test(line.trim()));
  if (lines.length > 2 || prose.length > MAX_PROSE_CHARS) return announces ? 'unsure' : 'quoted';
  if (announces) return 'calls';
  return lines.length === 1 ? 'unsure' : 'quoted';
}

/** Calls in tags, fences, values and lines; what is left is prose. Undefined where a fence holds something else. */
function inParts(text: string, known: Known): Found | undefined {
  const marked = markedCalls(text);
  const calls: WrittenCall[] = [...marked.calls];
  const blocks = fencedBlocks(marked.rest);
  for (const { source } of blocks) {
    const inside = inText(source, known);
    if (inside === undefined || inside.prose !== '') return undefined;
    calls.push(...inside.calls);
  }
  const rest = outside(marked.rest, blocks);
  const bare = inText(rest, known);
  return bare && { calls: [...calls, ...bare.calls], prose: bare.prose };
}

/** Calls in a text without fences. */
function inText(text: string, known: Known): Found | undefined {
  const functions = known.functions ? callsInFunctions(text, isNamed(known)) : undefined;
  if (functions) return { calls: functions, prose: '' };
  const values = inValues(text, known);
  if (!values) return undefined;
  const last = known.functions && values.calls.length === 0 ? inLastLines(values.prose, known) : undefined;
  return last ?? values;
}

/** JSON values that are calls, also with the name in front: `write_note {"text": "milk"}`. */
function inValues(text: string, known: Known): Found | undefined {
  const calls: WrittenCall[] = [];
  let prose = '';
  let from = 0;
  for (let count = 0; count <= MAX_VALUES; count++) {
    const start = text.slice(from).search(/[[{]/u);
    if (start < 0) break;
    const at = from + start;
    const value = readLoose(text, at);
    if (!value) return undefined;
    const before = text.slice(from, at);
    const inside = callsInValue(value.value, isNamed(known));
    const name = /(?:^|[\s`"'.:])([A-Za-z_][\w.-]*)[\s`"':(=>]{0,8}$/u.exec(before);
    if (inside) {
      calls.push(...inside);
      prose += `${before}\n`;
    } else if (name?.[1] && known.isTool(name[1])) {
      calls.push({ name: name[1], input: value.value, certain: false });
      prose += `${before.slice(0, before.lastIndexOf(name[1]))}\n`;
    } else return undefined;
    from = value.end;
  }
  return { calls, prose: `${prose}${text.slice(from)}`.replace(/^[\s,;)]+|[\s,;(]+$/gu, '') };
}

/** A line of prose, then calls of functions. */
function inLastLines(text: string, known: Known): Found | undefined {
  const [first = '', ...rest] = text.split('\n');
  const calls = callsInFunctions(rest.join('\n'), known.isTool);
  return calls && { calls, prose: first };
}

/** Whether one of the first words is a tool: a reply that only looks like a call is an answer. */
function namesTool(text: string, known: Known): boolean {
  const words = text.slice(0, 2000).match(/[A-Za-z_][\w.-]{2,60}/gu) ?? [];
  return words.some((word) => /[_.A-Z]|^(?:schedule|reschedule|notify|remember)$/u.test(word) && known.isTool(word));
}
