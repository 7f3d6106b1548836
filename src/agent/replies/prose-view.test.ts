import { expect, test } from 'vitest';
import { CODE_PROSE } from '../code/ask-model.ts';
import { type ProseRules, ProseView } from './prose-view.ts';

function viewed(text: string, isText: boolean): string {
  let shown = '';
  const view = new ProseView((part) => {
    shown += part;
  }, CODE_PROSE);
  for (const part of text.match(/.{1,3}/gsu) ?? []) view.add(part);
  if (isText) view.finish();
  return shown;
}

/** What is shown after each part. */
function steps(parts: readonly string[], rules: ProseRules = CODE_PROSE): string[] {
  let shown: string[] = [];
  const view = new ProseView((part) => shown.push(part), rules);
  return parts.map((part) => {
    shown = [];
    view.add(part);
    return shown.join('|');
  });
}

const LONG = 'This is a plain answer that is long enough to be sure of, and then some.';
const SURE = 'x'.repeat(40);

test.each([
  ['plain text, whole', LONG, true, LONG],
  ['a short answer, at its end', 'Four.', true, 'Four.'],
  ['nothing of a short answer before its end', 'Four.', false, ''],
  ['an answer without its thinking', `<think>Hm. ${LONG}</think>\n\n${LONG}`, true, LONG],
  ['nothing of thinking that never ends', `<think>Hm. ${LONG}`, true, ''],
  ['nothing of a fence', `\`\`\`js\n${'x();\n'.repeat(20)}\`\`\``, false, ''],
  ['nothing of bare code', `const x = await fetchText('https://example.org/a/long/path');\n${LONG}`, false, ''],
  ['words before a fence, but nothing of it', `${LONG}\n\`\`\`js\nx();\n\`\`\``, false, `${LONG}\n`],
  ['words before tildes', `${LONG}\n~~~js\nx();\n~~~`, false, `${LONG}\n`],
  ['words before code in a tag', `${LONG}\n<code>x();</code>`, false, `${LONG}\n`],
  ['words before a call in a tag', `${LONG}\n<tool_call>{"name": "a"}</tool_call>`, false, `${LONG}\n`],
  ['words before a call as JSON', `${LONG}\n{"name": "a"}`, false, `${LONG}\n`],
  ['words with braces', `${LONG} {a} and so on`, true, `${LONG} {a} and so on`],
  ['words with one backtick', `${LONG} Use \`npm\`.`, true, `${LONG} Use \`npm\`.`],
])('%s', (_name, text, isText, expected) => {
  expect(viewed(text, isText)).toBe(expected);
});

test.each([
  ...['```js\n', '`x()`', '~~~', '<code>', '{"name"', '[{', '// a', '/* a', '#!/usr', 'Thought: a', 'action : a'],
  ...[
    'const x',
    'let x',
    'var x',
    'async () =>',
    'await x',
    'function x',
    'import x',
    'export x',
    'for (',
    'if (',
    'try {',
  ],
  ...['return 1', 'queryRAG(', 'tools.query_rag(', '$x(', '  const x'],
])('nothing is shown of a reply that begins like a script or a call: %s', (start) => {
  expect(viewed(`${start} ${LONG}`, false)).toBe('');
});

test.each(['Constant rain.', 'Iffy: it may rain.', 'Rain (a lot of it)', 'Thoughts on rain:', '/home is a folder.'])(
  'a reply that begins with a word like those of scripts is prose: %s',
  (start) => {
    expect(viewed(`${start} ${LONG}`, true)).toBe(`${start} ${LONG}`);
    expect(viewed(`${start} ${LONG}`, false)).not.toBe('');
  },
);

test('forty characters tell prose, blanks around them aside', () => {
  expect(steps([SURE])).toEqual([SURE]);
  expect(steps([SURE.slice(1)])).toEqual(['']);
  expect(steps([`   ${SURE.slice(1)}   `])).toEqual(['']);
  expect(steps([SURE.slice(1), 'yz'])).toEqual(['', `${SURE.slice(1)}yz`]);
});

test('each part is shown once, as it comes', () => {
  expect(steps([SURE, ' one', ' two'])).toEqual([SURE, ' one', ' two']);
});

test('a long text is looked at again when it has grown by a fiftieth', () => {
  const looks: number[] = [];
  const rules = { ...CODE_PROSE, mayBeElse: (text: string) => looks.push(text.length) < 0 };
  const long = 'x'.repeat(1000);
  expect(steps([long, ...Array.from({ length: 25 }, () => 'y')], rules)).toEqual([
    long,
    ...Array.from({ length: 19 }, () => ''),
    'y'.repeat(20),
    ...Array.from({ length: 5 }, () => ''),
  ]);
  expect(looks).toEqual([1000, 1020]);
});

test.each([
  ['a backtick', '`'],
  ['a tilde', '~'],
  ['a bracket', '<'],
  ['the beginning of a tag', '<too'],
  ['the beginning of a closing tag', '</too'],
  ['a backtick and a word', '`npm'],
])('%s waits for what comes next', (_name, end) => {
  expect(steps([`${SURE} ${end}`, ' and more'])).toEqual([`${SURE} `, `${end} and more`]);
});

test('a word too long for a tag is shown', () => {
  expect(steps([`${SURE} <${'y'.repeat(12)}`])).toEqual([`${SURE} `]);
  expect(steps([`${SURE} <${'y'.repeat(13)}`])).toEqual([`${SURE} <${'y'.repeat(13)}`]);
});

test('what was shown is not taken back when the text turns out to be another', () => {
  let shown = '';
  const view = new ProseView((part) => {
    shown += part;
  }, CODE_PROSE);
  expect(view.hasShown).toBe(false);
  view.add(SURE);
  expect(view.hasShown).toBe(true);
  view.add(`</think>${LONG}`);
  view.finish();
  expect(shown).toBe(SURE);
});

test('the end brings nothing twice', () => {
  const parts: string[] = [];
  const view = new ProseView((part) => parts.push(part), CODE_PROSE);
  view.add(SURE);
  view.finish();
  view.finish();
  expect(parts).toEqual([SURE]);
});
