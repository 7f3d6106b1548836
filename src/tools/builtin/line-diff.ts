/** Longest diff that a person is shown, in lines. */
const MAX_LINES = 60;
/** Unchanged lines shown around a change. */
const AROUND = 2;

/**
 * What changes between two texts, line by line: `-` is taken away, `+` is new, two spaces are unchanged. What lies
 * between the first and the last changed line counts as changed, so the work is linear in the length.
 *
 * @param before undefined: there was no file.
 */
export function lineDiff(before: string | undefined, after: string): string {
  const [old, next] = [linesOf(before ?? ''), linesOf(after)];
  let start = 0;
  while (start < old.length && start < next.length && old[start] === next[start]) start++;
  let end = 0;
  while (end < old.length - start && end < next.length - start && old.at(-1 - end) === next.at(-1 - end)) end++;
  const lines = [
    ...old.slice(Math.max(0, start - AROUND), start).map((line) => `  ${line}`),
    ...cut(old.slice(start, old.length - end).map((line) => `- ${line}`)),
    ...cut(next.slice(start, next.length - end).map((line) => `+ ${line}`)),
    ...old.slice(old.length - end, old.length - end + AROUND).map((line) => `  ${line}`),
  ];
  return lines.join('\n');
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  return text.replace(/\n$/u, '').split('\n');
}

/** Head and tail of a long change, with the number of lines between them. */
function cut(lines: readonly string[]): readonly string[] {
  if (lines.length <= MAX_LINES) return lines;
  const [head, tail] = [MAX_LINES - 20, 20];
  return [...lines.slice(0, head), `… ${lines.length - head - tail} more lines …`, ...lines.slice(-tail)];
}
