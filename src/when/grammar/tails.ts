import type { Token } from './token.ts';

/** After a time: `or so`, `5-ish`, `sharp`, `on the dot`. They say how exact it is and change nothing. */
const TAILS = [
  ...[
    ['or', 'so'],
    ['or', 'thereabouts'],
    ['oder', 'so'],
    ['-', 'ish'],
    ['on', 'the', 'dot'],
    ['from', 'now'],
    ['ab', 'jetzt'],
    ['ab', 'sofort'],
    ['at', 'the', 'latest'],
  ],
];

/** @returns the index after the tail of a time that ends at `end`. */
export function tailOf(tokens: readonly Token[], end: number): number {
  if (tokens[end]?.senses.some(({ is, name }) => is === 'approx' && name === 'tail')) return end + 1;
  // "In two days' time", "in a week's time".
  const ofUnit = tokens[end - 1]?.senses.some(({ is }) => is === 'unit') ?? false;
  const mark = /^['’]$/u.test(tokens[end]?.text ?? '') ? 1 : 0;
  if (ofUnit && /^time$/iu.test(tokens[end + mark]?.text ?? '')) return end + mark + 1;
  const tail = TAILS.find((words) => words.every((word, index) => tokens[end + index]?.text.toLowerCase() === word));
  return end + (tail?.length ?? 0);
}
