import { expect, test } from 'vitest';
import { failureAt, locateFailure } from './locate.ts';

/** What was compiled has one line more than its source. */
const ABOUT = {
  source: 'one\r\n  two  \n\u2028four\u2029five\rsix',
  original: ({ line, column }: { line: number; column: number }) => ({ line: line - 1, column: column + 1 }),
};

test.each([
  [
    'in its stack',
    { text: 'Error: no', stack: 'Error: no\n    at f (agent.js:3:12)\n    at agent.js:4:1' },
    { message: 'Error: no', line: 2, column: 13, context: 'two' },
  ],
  [
    'in its text',
    { text: 'SyntaxError: no [agent.js:12:34]', stack: '' },
    { message: 'SyntaxError: no', line: 11, column: 35, context: '' },
  ],
  [
    'in both',
    { text: 'no [agent.js:2:1]', stack: 'at agent.js:5:1' },
    { message: 'no', line: 4, column: 2, context: 'four' },
  ],
  ['nowhere', { text: 'Error: agent.js:x', stack: 'at other.js:1:1' }, { message: 'Error: agent.js:x' }],
  [
    'in the middle of its text',
    { text: 'see [agent.js:2:1] there', stack: '' },
    { message: 'see [agent.js:2:1] there', line: 1, column: 2, context: 'one' },
  ],
])('an error whose place is %s', (_where, error, failure) => {
  expect(locateFailure('exception', error, ABOUT)).toEqual({ reason: 'exception', ...failure });
});

test.each([
  [1, 'one'],
  [2, 'two'],
  [3, ''],
  [4, 'four'],
  [5, 'five'],
  [6, 'six'],
  [7, ''],
])('line %d is shown with a failure there', (line, context) => {
  const failure = { reason: 'syntax', message: 'no', line, column: 1, context };
  expect(failureAt('syntax', 'no', { line, column: 1 }, ABOUT.source)).toEqual(failure);
});

test('of a long line its beginning is shown', () => {
  const { context } = failureAt('syntax', 'no', { line: 1, column: 1 }, `  ${'x'.repeat(201)}`);
  expect(context).toBe('x'.repeat(200));
});
