import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { preview } from '../base/text.ts';
import { compactFeedback, compactResult } from './compact-result.ts';
import { callsOf, feedbackMessage, resultOf, type StoredResult, toMessage } from './messages.ts';
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

/** Only the last calls of a long turn are kept. */
const MAX_STEPS = 8;

/** Shorter answers may occur in a script by chance. */
const MIN_ANSWER_CHARS = 24;

/** The calls of an earlier turn and their results, as messages of its own mode; results are compact. */
export function stepsInOrder(steps: readonly NumberedStep[], answer: string): FromRow[] {
  const results = resultsById(steps);
  const asked = steps.filter(({ kind }) => kind === 'tool_calls' || kind === 'code').slice(-MAX_STEPS / 2);
  return steps.flatMap((step, index): FromRow[] => {
    const { sequence } = step;
    if (sequence < (asked[0]?.sequence ?? 0)) return [];
    if (step.kind === 'tool_calls') {
      const { calls } = callsOf(step.content);
      // Servers reject a call without a result, which is what a killed program leaves behind.
      const answered = calls.flatMap(({ id }) => results.get(id) ?? []);
      if (answered.length < calls.length) return [];
      return [
        { message: toMessage(step), sequence },
        ...answered.map((result) => ({ message: toMessage(compacted(result)), sequence: result.sequence })),
      ];
    }
    // A script and its output belong together.
    const next = steps[index + 1];
    if (step.kind !== 'code' || next?.kind !== 'feedback') return [];
    return [
      { message: toMessage({ ...step, content: withoutAnswer(step.content, answer) }), sequence },
      { message: feedbackMessage(compactFeedback(next.content), {}), sequence: next.sequence },
    ];
  });
}

/** The same in words, for older turns and those of the other mode; undefined when nothing was called. */
export function stepsInWords(steps: readonly NumberedStep[]): string | undefined {
  const results = resultsById(steps);
  const lines = steps.flatMap((step): string[] => {
    if (step.kind === 'feedback') return [compactFeedback(step.content)];
    if (step.kind !== 'tool_calls') return [];
    return callsOf(step.content).calls.flatMap(({ id, name, args }) => {
      const result = results.get(id);
      return result ? [`${name} ${preview(JSON.stringify(args), 160)}: ${compactResult(result.text)}`] : [];
    });
  });
  if (lines.length === 0) return undefined;
  return `(What was called for this request, and what it gave:\n${lines.slice(-MAX_STEPS).join('\n')})`;
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

function compacted(result: StoredResult): Step {
  const { id, name, ok, text, told } = result;
  const content = JSON.stringify({ id, name, ok, text: compactResult(text), told });
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
