import { expect, test } from 'vitest';
import type { ScriptResult } from '../../sandbox/contract.ts';
import { type FeedbackDeps, feedback, formatFeedback } from './feedback.ts';
import { ScriptCalls } from './script-calls.ts';

const NEXT = 'Answer the user in plain text, or write the next script.';
const AGAIN =
  'Write the whole script again, corrected. Calls that already succeeded return their result again without acting twice.';

function told(result: Partial<ScriptResult>, more: Partial<FeedbackDeps> = {}): Promise<string> {
  return feedback({
    result: { value: undefined, logs: [], droppedLogs: 0, calls: [], ms: 1, ...result } as ScriptResult,
    stored: new Map(),
    names: ['finalAnswer', 'write_note', 'writeNote', 'mail.send'],
    like: () => [],
    maxChars: 20,
    attemptsLeft: 1,
    calls: new ScriptCalls(),
    earlier: [],
    deadEnd: undefined,
    ...more,
  });
}

const failed = (message: string, more: object = {}) => ({ failed: { reason: 'exception', message, ...more } as const });

/** The calls of a script: one that succeeded and one that failed. */
function someCalls(): ScriptCalls {
  const calls = new ScriptCalls();
  calls.add({ name: 'queryRAG', args: ['boat'], reply: { ok: true, value: { answer: 'blue' } } });
  calls.add({ name: 'writeNote', args: [], reply: { ok: false, error: 'no text' } });
  return calls;
}

test.each([
  ['no value', undefined, 'The script ran without errors and returned no value.'],
  ['null', null, 'The script ran without errors and returned no value.'],
  ['a text', 'blue', 'The script ran. Value:\nblue'],
  ['an empty text', '', 'The script ran. Value:\n'],
  ['zero', 0, 'The script ran. Value:\n0'],
  ['an object', { a: [1] }, 'The script ran. Value:\n{"a":[1]}'],
  ['a text that just fits', 'x'.repeat(20), `The script ran. Value:\n${'x'.repeat(20)}`],
  [
    'a text that is longer',
    `${'x'.repeat(20)}yz`,
    `The script ran. Value:\n${'x'.repeat(20)}\n… 2 characters left out; store() the value and return only the part you need.`,
  ],
  [
    'a long object',
    { text: 'x'.repeat(20) },
    'The script ran. Value:\n{"text":"xxxxxxxxxxx\n… 11 characters left out; store() the value and return only the part you need.',
  ],
  [
    'a long list',
    ['first', 'second', 'third'],
    'The script ran. Value:\n["first","second"]\n… 1 of 3 items left out; store() the value and return only the part you need.',
  ],
  [
    'a list whose items just fit',
    [123456789, 12345678, 3],
    'The script ran. Value:\n[123456789,12345678]\n… 1 of 3 items left out; store() the value and return only the part you need.',
  ],
  [
    'a list whose second item does not fit',
    [123456789, 123456789, 3],
    'The script ran. Value:\n[123456789]\n… 2 of 3 items left out; store() the value and return only the part you need.',
  ],
  [
    'a list that is one character longer',
    [123456789, 123456789],
    'The script ran. Value:\n[123456789]\n… 1 of 2 items left out; store() the value and return only the part you need.',
  ],
  [
    'a list whose first item is too long',
    ['x'.repeat(20), 'y'],
    'The script ran. Value:\n["xxxxxxxxxxxxxxxxxx\n… 8 characters left out; store() the value and return only the part you need.',
  ],
  [
    'a list with nothing in it',
    [undefined, ...'abcdef'],
    'The script ran. Value:\n[null,"a","b","c"]\n… 3 of 7 items left out; store() the value and return only the part you need.',
  ],
])('after a script that gave %s', async (_name, value, text) => {
  expect(await told({ value })).toBe(`${text}\n${NEXT}`);
});

test('a long value that is kept is told with its id, and a short one is not kept', async () => {
  const kept: unknown[] = [];
  const keep = async (value: unknown) => {
    kept.push(value);
    return 'a1';
  };
  const value = ['first', 'second', 'third'];
  expect(await told({ value }, { keep })).toBe(
    `The script ran. Value:\n["first","second"]\n… 1 of 3 items left out; the whole value is kept: getArtifact('a1') returns it in any script, in later turns too.\n${NEXT}`,
  );
  await told({ value: 'short' }, { keep });
  expect(kept).toEqual([value]);
});

test('logs, calls and stored values follow the value', async () => {
  const calls = [
    { name: 'queryRAG', ok: true, ms: 1 },
    { name: 'writeNote', ok: false, ms: 1 },
  ];
  const stored = new Map([
    ['list', 7],
    ['day', 12],
  ]);
  expect(await told({ value: 3, logs: ['one', 'two'], calls }, { stored, calls: someCalls() })).toBe(
    [
      'The script ran. Value:\n3',
      'Log:\none\ntwo',
      'Calls: queryRAG ok, writeNote failed',
      'Stored, available with recall(key): list (7 characters), day (12 characters)',
      NEXT,
    ].join('\n'),
  );
});

test('logs have half the room of a value, and lines that were dropped are counted', async () => {
  const text = await told({ logs: ['x'.repeat(10)], droppedLogs: 3 });
  expect(text).toBe(
    `The script ran without errors and returned no value.\nLog:\n${'x'.repeat(10)}\n… 3 more lines dropped\n${NEXT}`,
  );
  expect(await told({ logs: ['x'.repeat(11)] })).not.toContain('x'.repeat(11));
  expect(await told({ logs: ['x'.repeat(11)] }, { maxChars: 21 })).toContain('x'.repeat(11));
  expect(await told({ droppedLogs: 3 })).not.toContain('Log');
});

test.each([
  [30, ''],
  [31, ', and 1 more'],
  [33, ', and 3 more'],
])('of %i calls thirty are named', async (count, more) => {
  const calls = Array.from({ length: count }, () => ({ name: 'a', ok: true, ms: 1 }));
  const names = Array.from({ length: 30 }, () => 'a ok').join(', ');
  expect(await told({ value: 1, calls })).toBe(`The script ran. Value:\n1\nCalls: ${names}${more}\n${NEXT}`);
});

test.each([
  ['its message', failed('it broke'), 'The script failed: it broke'],
  ['its place', failed('it broke', { line: 3, column: 5 }), 'The script failed: it broke (line 3, column 5)'],
  [
    'its line',
    failed('it broke', { line: 3, column: 5, context: 'a(;' }),
    'The script failed: it broke (line 3, column 5)\n  a(;',
  ],
  [
    'plain quotes for others',
    failed("SyntaxError: Unexpected character '\u201c'"),
    "The script failed: SyntaxError: Unexpected character '\u201c'\nUse plain quotes: ' or \".",
  ],
  [
    'all functions for a name that is like none',
    failed('ReferenceError: shoppingList is not defined'),
    'The script failed: ReferenceError: shoppingList is not defined\nFunctions here: finalAnswer, writeNote.',
  ],
  [
    'all functions for a tool that is like none',
    failed('TypeError: tools.shop is not a function'),
    'The script failed: TypeError: tools.shop is not a function\nFunctions here: finalAnswer, writeNote.',
  ],
  [
    'no functions for what a value lacks',
    failed('TypeError: list.contains is not a function'),
    'The script failed: TypeError: list.contains is not a function',
  ],
])('a failure is told with %s', async (_name, result, text) => {
  expect(await told(result)).toBe(`${text}\n${AGAIN}`);
});

test.each([
  [['queryRAG(query): { answer }'], 'Did you mean queryRAG(query): { answer }?'],
  [['queryRAG', 'query'], 'Did you mean queryRAG or query?'],
  [['search', 'queryRAG'], 'Did you mean queryRAG?'],
  [['search'], 'Functions here: finalAnswer, writeNote.'],
])('names that are near are told: %j', async (near, hint) => {
  const asked: string[] = [];
  const like = (name: string) => {
    asked.push(name);
    return near;
  };
  const message = 'Error in line 1: search is not defined';
  expect(await told(failed(message), { like })).toBe(`The script failed: ${message}\n${hint}\n${AGAIN}`);
  expect(asked).toEqual(['search']);
});

test.each([
  'Cannot read properties of undefined',
  'Cannot set property a',
  'found is not iterable',
  'found.map is not a function',
  'it was undefined',
  'it was null',
])('where a field is not what the script expected, it is told what calls gave: %s', async (message) => {
  expect(await told(failed(message), { calls: someCalls() })).toBe(
    [
      `The script failed: ${message}`,
      'queryRAG gave an object with answer.',
      'These calls succeeded:\n- queryRAG("boat"): {"answer":"blue"}',
      AGAIN,
    ].join('\n'),
  );
});

test('where something else failed, only what succeeded is told', async () => {
  expect(await told(failed('it broke'), { calls: someCalls(), stored: new Map([['a', 1]]) })).toBe(
    [
      'The script failed: it broke',
      'These calls succeeded:\n- queryRAG("boat"): {"answer":"blue"}',
      'Stored, available with recall(key): a (1 characters)',
      AGAIN,
    ].join('\n'),
  );
});

test.each([
  'const notes = 1',
  'let notes;',
  'var  notes',
  'function notes() {}',
  'class notes {}',
  'const { a, notes } = x',
  'const [notes] = x',
])('a variable of an earlier script is known as one: %s', async (source) => {
  const message = 'ReferenceError: notes is not defined';
  expect(await told(failed(message), { earlier: ['a()', source], like: () => ['note'] })).toBe(
    [
      `The script failed: ${message}`,
      'notes was a variable of an earlier script, and variables do not survive: ' +
        "store('notes', value) there and recall('notes') here, or do it all in one script.",
      AGAIN,
    ].join('\n'),
  );
});

test.each(['const notes2 = 1', 'const noted = notes', 'constnotes', 'const { a } = notes', 'notes()'])(
  'what only looks like one is not: %s',
  async (source) => {
    const text = await told(failed('notes is not defined'), { earlier: [source] });
    expect(text).toContain('Functions here');
  },
);

test('a variable may have a dollar sign', async () => {
  const text = await told(failed('$notes is not defined'), { earlier: ['const $notes = 1'] });
  expect(text).toContain("$notes was a variable of an earlier script, and variables do not survive: store('$notes'");
});

test.each([
  ['the last attempt', { attemptsLeft: 0 }, undefined],
  [
    'a refusal',
    { deadEnd: 'refused' },
    'Do not try that again. Go on without it, or tell the user what was refused and why.',
  ],
  ['a time that only the person knows', { deadEnd: 'unclear' }, 'Ask the user which time is meant, in plain text.'],
  [
    'a refusal at the last attempt',
    { deadEnd: 'refused', attemptsLeft: 0 },
    'Do not try that again. Go on without it, or tell the user what was refused and why.',
  ],
] as const)('after %s the script is not to be written again', async (_name, deps, next) => {
  expect(await told(failed('it broke'), deps)).toBe(['The script failed: it broke', next].filter(Boolean).join('\n'));
});

test.each([
  [
    { kind: 'cut' },
    'Your reply was cut off, by the length limit or the connection, and was not run. Write a shorter script.',
  ],
  [
    { kind: 'foreign', language: 'python' },
    'Your reply was not run: only JavaScript runs here, not python. Write it as one ```js block.',
  ],
  [
    { kind: 'foreign', language: '' },
    'Your reply was not run: only JavaScript runs here. Write it as one ```js block.',
  ],
  [{ kind: 'empty' }, 'Your reply was empty. Reply with one ```js block that ends with finalAnswer(text).'],
  [
    { kind: 'text', text: 'Four.' },
    'Your reply had no code block. Reply with one ```js block that ends with finalAnswer(text).',
  ],
] as const)('after a reply that could not be run: %j', (reply, text) => {
  expect(formatFeedback(reply)).toBe(text);
});

test('what is known beside the results of calls stands behind them', async () => {
  const calls = new ScriptCalls();
  const reply = { ok: true, value: 'one', beside: '[a.md, lines 1-2]' } as const;
  calls.add({ name: 'readFile', args: ['a.md'], reply });
  const record = { name: 'readFile', ok: true, ms: 1 };
  expect(await told({ value: 1, calls: [record] }, { calls })).toBe(
    `The script ran. Value:\n1\nCalls: readFile ok\n- readFile("a.md"): [a.md, lines 1-2]\n${NEXT}`,
  );
  expect(calls.kept()).toBe('The script ran. Its calls gave:\n- readFile("a.md"): [a.md, lines 1-2] one');
});

test('a log that is cut says so behind it', async () => {
  expect(await told({ logs: ['x'.repeat(11)] })).toContain('\n(The log is cut: log less at once');
  expect(await told({ logs: ['x'.repeat(10)] })).not.toContain('cut');
});
