import { headAndTail, nearest } from '../../base/text.ts';
import type { ScriptFailure, ScriptResult } from '../../sandbox/contract.ts';

export interface FeedbackDeps {
  readonly result: ScriptResult;
  /** Values kept by `store`, as JSON sizes. */
  readonly stored: ReadonlyMap<string, number>;
  /** Names that work in a script, for suggestions. */
  readonly names: readonly string[];
  /** Keep a value that is too long to be shown, whole. @returns its id; undefined where nothing is kept. */
  readonly keep?: ((value: unknown) => string | undefined) | undefined;
  /** Longest value, in characters; logs get half of it. */
  readonly maxChars: number;
  readonly attemptsLeft: number;
}

/** What the model reads after its script: outcome, value, logs, calls, what is stored; never a host path. */
export function feedback(deps: FeedbackDeps): string {
  const { result, stored } = deps;
  const lines = [
    result.failed ? failureText(result.failed, deps.names) : successText(result.value, deps),
    logText(result, Math.ceil(deps.maxChars / 2)),
    callText(result),
    storedText(stored),
    result.failed ? retryText(deps.attemptsLeft) : 'Go on, or end with finalAnswer(text).',
  ];
  return lines.filter((line) => line !== '').join('\n');
}

/** For replies that held no script that could be run. */
export function formatFeedback(kind: 'cut' | 'empty' | 'text'): string {
  if (kind === 'cut')
    return 'Your answer was cut off at the length limit and was not run. Write a shorter script; do less in one block.';
  const problem = kind === 'empty' ? 'Your answer was empty.' : 'Your answer had no code block.';
  return `${problem} Reply with one \`\`\`js block that ends with finalAnswer(text).`;
}

function successText(value: unknown, { maxChars, keep }: FeedbackDeps): string {
  if (value === undefined || value === null) return 'The script ran without an error and gave no value.';
  return `The script ran. Value:\n${cutValue(value, { maxChars, keep })}`;
}

/** Whole list items as far as they go, else the head of the text; says what is missing and how to get it. */
function cutValue(value: unknown, { maxChars, keep }: Pick<FeedbackDeps, 'maxChars' | 'keep'>): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  if (text.length <= maxChars) return text;
  const id = keep?.(value);
  const how =
    id === undefined
      ? 'store() the value and return only the part you need'
      : `the whole value is kept: getArtifact('${id}') gives it in any script, also in later turns`;
  if (!Array.isArray(value)) {
    return `${text.slice(0, maxChars)}\n… ${text.length - maxChars} characters left out; ${how}.`;
  }
  const shown: string[] = [];
  for (let chars = 0, index = 0; index < value.length; index++) {
    const item = JSON.stringify(value[index]) ?? 'null';
    chars += item.length + 1;
    if (chars > maxChars) break;
    shown.push(item);
  }
  if (shown.length === 0) return `${text.slice(0, maxChars)}\n… ${text.length - maxChars} characters left out; ${how}.`;
  return `[${shown.join(',')}]\n… ${value.length - shown.length} of ${value.length} items left out; ${how}.`;
}

function failureText(failed: ScriptFailure, names: readonly string[]): string {
  const { line, column, context } = failed;
  const place = line === undefined ? '' : ` (line ${line}, column ${column})`;
  const source = context ? `\n  ${context}` : '';
  return `The script failed: ${failed.message}${place}${source}${hint(failed.message, names)}`;
}

function hint(message: string, names: readonly string[]): string {
  if (/Unexpected character '[\u2018\u2019\u201c\u201d]'/u.test(message)) return '\nUse plain quotes: \' or ".';
  const unknown = /(?:^|: )(?:[\w$]+\.)?([\w$]+) is not (?:defined|a function)/u.exec(message)?.[1];
  if (unknown === undefined) return '';
  const guess = nearest(unknown, names);
  if (guess && guess !== unknown) return `\nDid you mean ${guess}?`;
  return `\nFunctions here: ${names.filter((name) => /^[\w$]+$/u.test(name)).join(', ')}.`;
}

function logText({ logs, droppedLogs }: ScriptResult, maxChars: number): string {
  const dropped = droppedLogs > 0 ? `\n… ${droppedLogs} more lines were dropped` : '';
  return logs.length === 0 ? '' : `Log:\n${headAndTail(logs.join('\n'), maxChars)}${dropped}`;
}

function callText({ calls }: ScriptResult): string {
  if (calls.length === 0) return '';
  const shown = calls.slice(0, 30).map(({ name, ms, ok }) => `${name} ${ok ? 'ok' : 'failed'} ${ms} ms`);
  const more = calls.length > shown.length ? `, and ${calls.length - shown.length} more` : '';
  return `Calls: ${shown.join(', ')}${more}`;
}

function storedText(stored: ReadonlyMap<string, number>): string {
  if (stored.size === 0) return '';
  const keys = [...stored].map(([key, chars]) => `${key} (${chars} characters)`);
  return `Stored, still there under recall(key): ${keys.join(', ')}`;
}

function retryText(left: number): string {
  if (left <= 0) return '';
  return 'Write the whole script again, corrected. Calls that already succeeded give their result again and do not act twice.';
}
