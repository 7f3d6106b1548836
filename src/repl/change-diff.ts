import { isRecord } from '../base/json.ts';
import { counted } from '../base/text.ts';
import { visibleLine } from '../base/visible-characters.ts';

/** Unchanged lines that are shown before and after a change. */
const CONTEXT = 2;
const MAX_LINES = 40;
const MAX_LINE_CHARS = 200;

/**
 * What a call would change in a file, line by line: `- ` goes, `+ ` comes. Every line is indented and has its hidden
 * characters written out, so that none can pass for a line of ours.
 *
 * @param read  gives the present text of a file of the project; undefined when there is none.
 * @returns no lines for calls that write no file.
 */
export async function changeDiff(
  input: unknown,
  read: (path: string) => Promise<string | undefined>,
): Promise<readonly string[]> {
  if (!isRecord(input) || typeof input.path !== 'string') return [];
  const { path, content, old, new: replacement } = input;
  if (typeof old === 'string' && typeof replacement === 'string') return diffLines(old, replacement);
  return typeof content === 'string' ? diffLines((await read(path)) ?? '', content) : [];
}

/** Lines that differ, with a few around them. What both texts start and end with is left out. */
function diffLines(before: string, after: string): string[] {
  const [was, is] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < Math.min(was.length, is.length) && was[start] === is[start]) start++;
  let end = 0;
  const most = Math.min(was.length, is.length) - start;
  while (end < most && was[was.length - 1 - end] === is[is.length - 1 - end]) end++;
  if (start === was.length && start === is.length) return ['    (nothing changes)'];
  const rows = [
    ...was.slice(Math.max(0, start - CONTEXT), start).map((line) => `  ${line}`),
    ...was.slice(start, was.length - end).map((line) => `- ${line}`),
    ...is.slice(start, is.length - end).map((line) => `+ ${line}`),
    ...was.slice(was.length - end, was.length - end + CONTEXT).map((line) => `  ${line}`),
  ];
  const shown = rows.slice(0, MAX_LINES).map((line) => `    ${visibleLine(line.slice(0, MAX_LINE_CHARS))}`);
  const left = rows.length - shown.length;
  return left > 0 ? [...shown, `    … ${counted(left, 'more line')}`] : shown;
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/u, '').split('\n');
}
