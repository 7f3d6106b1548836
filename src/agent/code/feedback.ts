import { headAndTail, nearest } from '../../base/text.ts';
import type { ScriptFailure, ScriptResult } from '../../sandbox/contract.ts';

export interface FeedbackDeps {
  readonly result: ScriptResult;
  /** Values kept by `store`: their sizes in characters of JSON. */
  readonly stored: ReadonlyMap<string, number>;
  /** Names that work in a script, for suggestions. */
  readonly names: readonly string[];
  /** Keep a value that is too long to show in full. @returns its artifact id; undefined where it is not kept. */
  readonly keep?: ((value: unknown) => Promise<string | undefined>) | undefined;
  /** The longest value to show, in characters; logs get half of that. */
  readonly maxChars: number;
  readonly attemptsLeft: number;
}

/** What the model reads after its script: outcome, value, logs, calls, stored values. Never a path of the host. */
export async function feedback(deps: FeedbackDeps): Promise<string> {
  const { result, stored } = deps;
  const lines = [
    result.failed ? describeFailure(result.failed, deps.names) : await successText(result.value, deps),
    logText(result, Math.ceil(deps.maxChars / 2)),
    callText(result),
    storedText(stored),
    result.failed ? retryText(deps.attemptsLeft) : 'Continue, or end with finalAnswer(text).',
  ];
  return lines.filter((line) => line !== '').join('\n');
}

/** What the model reads after a reply without a script that could run. */
export function formatFeedback(kind: 'cut' | 'empty' | 'text'): string {
  if (kind === 'cut')
    return 'Your reply was cut off at the length limit and was not run. Write a shorter script; do less in one block.';
  const problem = kind === 'empty' ? 'Your reply was empty.' : 'Your reply had no code block.';
  return `${problem} Reply with one \`\`\`js block that ends with finalAnswer(text).`;
}

async function successText(value: unknown, { maxChars, keep }: FeedbackDeps): Promise<string> {
  if (value === undefined || value === null) return 'The script ran without errors and returned no value.';
  return `The script ran. Value:\n${await cutValue(value, { maxChars, keep })}`;
}

/** Cut a value: a list to the items that fit, anything else to its first characters. Says how to get the rest. */
async function cutValue(value: unknown, { maxChars, keep }: Pick<FeedbackDeps, 'maxChars' | 'keep'>): Promise<string> {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  if (text.length <= maxChars) return text;
  const id = await keep?.(value);
  const how =
    id === undefined
      ? 'store() the value and return only the part you need'
      : `the whole value is kept: getArtifact('${id}') returns it in any script, in later turns too`;
  const head = `${text.slice(0, maxChars)}\n… ${text.length - maxChars} characters left out; ${how}.`;
  if (!Array.isArray(value)) return head;
  const shown: string[] = [];
  for (let chars = 0, index = 0; index < value.length; index++) {
    const item = JSON.stringify(value[index]) ?? 'null';
    chars += item.length + 1;
    if (chars > maxChars) break;
    shown.push(item);
  }
  if (shown.length === 0) return head;
  return `[${shown.join(',')}]\n… ${value.length - shown.length} of ${value.length} items left out; ${how}.`;
}

function describeFailure(failed: ScriptFailure, names: readonly string[]): string {
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
  const dropped = droppedLogs > 0 ? `\n… ${droppedLogs} more lines dropped` : '';
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
  return `Stored, available with recall(key): ${keys.join(', ')}`;
}

function retryText(left: number): string {
  if (left <= 0) return '';
  const repeated = 'Calls that already succeeded return their result again without acting twice.';
  return `Write the whole script again, corrected. ${repeated}`;
}
