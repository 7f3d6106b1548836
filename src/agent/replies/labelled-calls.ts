import { inputOf, type WrittenCall } from './call-shapes.ts';
import { callsInFunctions } from './function-calls.ts';

/** Calls with labels, as `Action:` and `Action Input:`; what was left over is prose. */
export interface Labelled {
  readonly calls: readonly WrittenCall[];
  readonly prose: string;
  /** The words after `Final Answer:`, where no call comes before them. */
  readonly answer: string | undefined;
}

const NAME_LABEL = 'action|tool|function|tool call|function call|tool name|function name|tool to use|call';
const INPUT_LABEL = 'action input|tool input|function input|input|arguments|args|parameters|params|argument';
const OTHER_LABEL = 'thought|thoughts|question|plan|reasoning|observation|result|final answer|answer|final';
const LABEL = new RegExp(
  `^[ \\t>*#-]*\\**(${NAME_LABEL}|${INPUT_LABEL}|${OTHER_LABEL})\\**[ \\t]*:\\**[ \\t]*`,
  'gimu',
);
const IS_NAME = new RegExp(`^(?:${NAME_LABEL})$`, 'iu');
const IS_INPUT = new RegExp(`^(?:${INPUT_LABEL})$`, 'iu');
const IS_THOUGHT = /^(?:thoughts?|question|plan|reasoning)$/iu;
const IS_ANSWER = /^(?:final answer|answer|final)$/iu;
/** What only the program could tell. */
const MADE_UP = new Set(['observation', 'result']);
/** Actions that mean the end. */
const ENDS = /^(?:final[ _]?answer|finish|none|answer|respond|end)\b/iu;

/**
 * Calls in the manner of ReAct: `Thought: … Action: … Action Input: …`. What a model puts behind `Observation:` it has
 * made up, so reading ends there.
 */
export function labelledCalls(text: string, isTool: (name: string) => boolean): Labelled | undefined {
  const parts = partsOf(text);
  const end = parts.findIndex(({ label }) => MADE_UP.has(label));
  const known = end < 0 ? parts : parts.slice(0, end);
  const calls: WrittenCall[] = [];
  for (const [index, { label, body }] of known.entries()) {
    if (!IS_NAME.test(label)) continue;
    const next = known[index + 1];
    const input = next && IS_INPUT.test(next.label) ? next.body : undefined;
    if (ENDS.test(body)) return calls.length > 0 ? undefined : { calls: [], prose: '', answer: input ?? '' };
    const found = callOf({ label, body, input }, isTool);
    if (!found) return undefined;
    calls.push(...found);
  }
  const answer = calls.length > 0 ? undefined : known.find(({ label }) => IS_ANSWER.test(label))?.body;
  const isReAct = known.some(({ label }) => IS_THOUGHT.test(label) || label === 'final answer');
  if (calls.length === 0 && (answer === undefined || !isReAct)) return undefined;
  return { calls, prose: text.slice(0, known[0]?.start ?? 0).trim(), answer };
}

interface Part {
  readonly label: string;
  readonly body: string;
  readonly start: number;
}

function partsOf(text: string): Part[] {
  const labels = [...text.matchAll(LABEL)];
  return labels.map((match, index) => ({
    label: (match[1] ?? '').toLowerCase(),
    body: text.slice(match.index + match[0].length, labels[index + 1]?.index ?? text.length).trim(),
    start: match.index,
  }));
}

/** `Action: write_note` with its input, `Action: write_note("milk")`, or `Action: write_note[milk]`. */
function callOf(
  { label, body, input }: { label: string; body: string; input: string | undefined },
  isTool: (name: string) => boolean,
): WrittenCall[] | undefined {
  const name = body.replace(/^[`"'*\s]+|[`"'*.\s]+$/gu, '');
  if (/^[\w.-]+$/u.test(name)) {
    if (input === undefined && !isTool(name)) return undefined;
    // Other texts have a line `Function:` and a line `Input:` too.
    return [{ name, input: inputOf(input && unfenced(input)), certain: input !== undefined && label === 'action' }];
  }
  const inBrackets = /^([\w.-]+)\[([^\n]*)\]$/u.exec(body);
  if (inBrackets?.[1] && isTool(inBrackets[1])) {
    return [{ name: inBrackets[1], input: inputOf(inBrackets[2]), certain: true }];
  }
  const inLine = /^([\w.-]+)\s+(\{[\s\S]*\})$/u.exec(body);
  if (inLine?.[1] && isTool(inLine[1])) return [{ name: inLine[1], input: inputOf(inLine[2]), certain: true }];
  return callsInFunctions(unfenced(body), isTool);
}

/** The inside of a code fence, where the text is one. */
export function unfenced(text: string): string {
  return /^\s*(?:```|~~~)[\w+.-]*[ \t]*\n?([\s\S]*?)\n?(?:```|~~~)?\s*$/u.exec(text)?.[1] ?? text;
}
