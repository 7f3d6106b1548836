import { headAndTail } from '../../base/text.ts';
import type { ScriptFailure, ScriptResult } from '../../sandbox/contract.ts';
import { ASK_WHICH_TIME } from '../replies/ask-which-time.ts';
import type { Reply } from './read-reply.ts';
import { RAN, type ScriptCalls } from './script-calls.ts';
import type { DeadEnd } from './world.ts';

export interface FeedbackDeps {
  readonly result: ScriptResult;
  /** Values kept by `store`: their sizes in characters of JSON. */
  readonly stored: ReadonlyMap<string, number>;
  /** Names that work in a script, for suggestions. */
  readonly names: readonly string[];
  /** Suggests what an unknown name may mean. */
  readonly like: (name: string) => readonly string[];
  /** Keep a value that is too long to show in full. @returns its artifact id; undefined where it is not kept. */
  readonly keep?: ((value: unknown) => Promise<string | undefined>) | undefined;
  /** The longest value to show, in characters; logs get half of that. */
  readonly maxChars: number;
  /** Where more of this value is shown than of others. */
  readonly maxValueChars?: number;
  readonly attemptsLeft: number;
  /** What the calls of this script gave. */
  readonly calls: ScriptCalls;
  /** Earlier scripts of the turn; their variables are gone. */
  readonly earlier: readonly string[];
  /** How the script ended, where another attempt would end the same way. */
  readonly deadEnd: DeadEnd | undefined;
}

/** What the model reads after its script: outcome, value, logs, calls, stored values. Never a path of the host. */
export async function feedback(deps: FeedbackDeps): Promise<string> {
  const { result, stored } = deps;
  const lines = [
    result.failed ? await describeFailure(result.failed, deps) : await successText(result.value, deps),
    logText(result, Math.ceil(deps.maxChars / 2)),
    result.failed ? deps.calls.results() : callText(result),
    result.failed ? '' : deps.calls.besides(),
    storedText(stored),
    result.failed ? nextText(deps) : 'Answer the user in plain text, or write the next script.',
  ];
  return lines.filter((line) => line !== '').join('\n');
}

/** What the model reads after a reply that could not be run. */
export function formatFeedback(reply: Exclude<Reply, { kind: 'code' }>): string {
  if (reply.kind === 'cut')
    return 'Your reply was cut off, by the length limit or the connection, and was not run. Write a shorter script.';
  if (reply.kind === 'foreign')
    return `Your reply was not run: only JavaScript runs here${named(reply.language)}. Write it as one \`\`\`js block.`;
  const problem = reply.kind === 'empty' ? 'Your reply was empty.' : 'Your reply had no code block.';
  return `${problem} Reply with one \`\`\`js block that ends with finalAnswer(text).`;
}

function named(language: string): string {
  return language === '' ? '' : `, not ${language}`;
}

async function successText(value: unknown, { maxChars: usual, maxValueChars: maxChars = usual, keep }: FeedbackDeps) {
  if (value === undefined || value === null) return `${RAN} without errors and returned no value.`;
  return `${RAN}. Value:\n${await cutValue(value, { maxChars, keep })}`;
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
  // One character for the bracket.
  for (let chars = 1, index = 0; index < value.length; index++) {
    const item = JSON.stringify(value[index]) ?? 'null';
    chars += item.length + 1;
    if (chars > maxChars) break;
    shown.push(item);
  }
  if (shown.length === 0) return head;
  return `[${shown.join(',')}]\n… ${value.length - shown.length} of ${value.length} items left out; ${how}.`;
}

async function describeFailure(failed: ScriptFailure, deps: FeedbackDeps): Promise<string> {
  const { line, column, context } = failed;
  const place = line === undefined ? '' : ` (line ${line}, column ${column})`;
  const source = context ? `\n  ${context}` : '';
  return `The script failed: ${failed.message}${place}${source}${await hint(failed.message, deps)}`;
}

/** What a TypeError says about a field that is not there, or has another type than the script expected. */
const WRONG_FIELD = /Cannot (?:read|set) propert|is not iterable|is not a function|undefined|null/u;

async function hint(message: string, { names, like, calls, earlier }: FeedbackDeps): Promise<string> {
  if (/Unexpected character '[\u2018\u2019\u201c\u201d]'/u.test(message)) return '\nUse plain quotes: \' or ".';
  const [, owner, name] = /(?:^|: )((?:[\w$]+\.)*)([\w$]+) is not (?:defined|a function)/u.exec(message) ?? [];
  const shapes = WRONG_FIELD.test(message) ? await calls.shapes() : '';
  if (name === undefined || (owner !== '' && owner !== 'tools.')) return shapes && `\n${shapes}`;
  if (earlier.some((source) => declares(source, name)))
    return `\n${name} was a variable of an earlier script, and variables do not survive: ${instead(name)}.`;
  const guesses = like(name).filter((guess) => guess !== name);
  if (guesses.length > 0) return `\nDid you mean ${guesses.join(' or ')}?`;
  // Each under one name: the ids of tools work as well.
  return `\nFunctions here: ${names.filter((each) => /^[A-Za-z0-9$]+$/u.test(each)).join(', ')}.`;
}

function instead(name: string): string {
  return `store('${name}', value) there and recall('${name}') here, or do it all in one script`;
}

/** Whether a script has a variable of this name. */
function declares(source: string, name: string): boolean {
  const plain = name.replaceAll('$', '\\$');
  return new RegExp(`\\b(?:const|let|var|function|class)\\s+(?:[[{][^=]*\\b)?${plain}(?![\\w$])`, 'u').test(source);
}

function logText({ logs, droppedLogs }: ScriptResult, maxChars: number): string {
  const dropped = droppedLogs > 0 ? `\n… ${droppedLogs} more lines dropped` : '';
  if (logs.length === 0) return '';
  const whole = logs.join('\n');
  const cut = whole.length > maxChars ? '\n(The log is cut: log less at once, or store() what is needed.)' : '';
  return `Log:\n${headAndTail(whole, maxChars)}${dropped}${cut}`;
}

function callText({ calls }: ScriptResult): string {
  if (calls.length === 0) return '';
  const shown = calls.slice(0, 30).map(({ name, ok }) => `${name} ${ok ? 'ok' : 'failed'}`);
  const more = calls.length > shown.length ? `, and ${calls.length - shown.length} more` : '';
  return `Calls: ${shown.join(', ')}${more}`;
}

function storedText(stored: ReadonlyMap<string, number>): string {
  if (stored.size === 0) return '';
  const keys = [...stored].map(([key, chars]) => `${key} (${chars} characters)`);
  return `Stored, available with recall(key): ${keys.join(', ')}`;
}

const REPEATED = 'Calls that already succeeded return their result again without acting twice.';

/** What to do after a failure. Trying again helps against a fault of the script, not against a refusal. */
function nextText({ attemptsLeft, deadEnd }: FeedbackDeps): string {
  if (deadEnd === 'refused')
    return 'Do not try that again. Go on without it, or tell the user what was refused and why.';
  if (deadEnd === 'unclear') return ASK_WHICH_TIME;
  if (attemptsLeft <= 0) return '';
  return `Write the whole script again, corrected. ${REPEATED}`;
}
