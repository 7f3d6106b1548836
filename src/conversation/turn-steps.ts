import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { cut, preview } from '../base/text.ts';
import { compactFeedback, compactResult } from './compact-result.ts';
import { feedbackMessage, toMessage } from './messages.ts';
import { callsOf, resultOf, type StoredResult } from './stored-calls.ts';
import type { Step } from './types.ts';

/** A saved step with its place in the conversation. */
export interface NumberedStep extends Step {
  readonly sequence: number;
}

/** A message of history and its row. */
export interface FromRow {
  readonly message: BaseMessage;
  readonly sequence: number;
}

/** Servers reject a call without a result, and a model that is not told of a call makes it again. */
const LOST = '(The request was stopped before the result was known.)';

/** What the results of a turn may take, in characters: the more there are, the shorter is each; none is left out. */
const ALL_CHARS = 60_000;
const LEAST_CHARS = 120;
/** What is shown of a call in words. */
const CALL_CHARS = 160;

/** Shorter answers may occur in a script by chance. */
const MIN_ANSWER_CHARS = 24;

/** The calls of an earlier turn and their results, as messages of its own mode; results are compact. */
export function stepsInOrder(steps: readonly NumberedStep[], answer: string): FromRow[] {
  const results = resultsById(steps);
  const chars = charsEach(steps);
  return steps.flatMap((step, index): FromRow[] => {
    const { sequence } = step;
    if (step.kind === 'tool_calls') {
      const { calls } = callsOf(step.content);
      const given = calls.map(({ id, name }) => results.get(id) ?? { id, name, ok: false, text: LOST, sequence });
      return [
        { message: toMessage(step), sequence },
        ...given.map((result) => ({
          message: toMessage(compacted(result, { answer, chars })),
          sequence: result.sequence,
        })),
      ];
    }
    // A script and its output belong together.
    const next = steps[index + 1];
    if (step.kind !== 'code' || next?.kind !== 'feedback') return [];
    return [
      { message: toMessage({ ...step, content: withoutAnswer(step.content, answer) }), sequence },
      { message: feedbackMessage(cut(compactFeedback(next.content, answer), chars), {}), sequence: next.sequence },
    ];
  });
}

/** The same in words, for older turns and those of the other mode; undefined when nothing was called. */
export function stepsInWords(steps: readonly NumberedStep[], answer = ''): string | undefined {
  const results = resultsById(steps);
  const chars = charsEach(steps);
  const lines = steps.flatMap((step, index): string[] => {
    if (step.kind === 'feedback') {
      const before = steps[index - 1];
      const script = before?.kind === 'code' ? `script ${preview(before.content, CALL_CHARS)}: ` : '';
      return [script + cut(compactFeedback(step.content, answer), chars)];
    }
    if (step.kind !== 'tool_calls') return [];
    return callsOf(step.content).calls.map(({ id, name, args }) => {
      const gave = cut(compactResult(results.get(id)?.text ?? LOST, answer), chars);
      return `${name} ${preview(JSON.stringify(args), CALL_CHARS)}: ${gave}`;
    });
  });
  if (lines.length === 0) return undefined;
  return `(What was called for this request, and what it gave:\n${lines.join('\n')})`;
}

function resultsById(steps: readonly NumberedStep[]): Map<string, StoredResult & { readonly sequence: number }> {
  const results = steps.filter(({ kind }) => kind === 'tool_result');
  return new Map(
    results.map(({ content, sequence }) => {
      const result = resultOf(content);
      return [result.id, { ...result, sequence }];
    }),
  );
}

/** How much of each result is shown. */
function charsEach(steps: readonly NumberedStep[]): number {
  const results = steps.filter(({ kind }) => kind === 'tool_result' || kind === 'feedback').length;
  return Math.max(LEAST_CHARS, Math.floor(ALL_CHARS / Math.max(1, results)));
}

function compacted(result: StoredResult, { answer, chars }: { readonly answer: string; readonly chars: number }): Step {
  const { id, name, ok, text, told } = result;
  const content = JSON.stringify({ id, name, ok, text: cut(compactResult(text, answer), chars), told });
  return { role: 'tool', kind: 'tool_result', content };
}

/** The script without the answer, which comes as the next message anyway. */
function withoutAnswer(source: string, answer: string): string {
  if (answer.length < MIN_ANSWER_CHARS) return source;
  const spellings = [
    answer,
    JSON.stringify(answer).slice(1, -1),
    answer.replaceAll("'", "\\'").replaceAll('\n', '\\n'),
  ];
  return spellings.reduce((text, spelling) => text.replaceAll(spelling, '…'), source);
}

/** The answer to a request that was stopped or failed, since many servers insist on alternating roles. */
export function noAnswer(): AIMessage {
  return new AIMessage('(This request was not answered.)');
}
