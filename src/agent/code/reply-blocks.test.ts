import { expect, test } from 'vitest';
import { fencedBlocks, inlineFence, outside, taggedBlocks } from './reply-blocks.ts';

const FENCE = '```';

test('blocks come with language, source and place, and the rest is outside', () => {
  const text = `One\n${FENCE}JS title="x"\na()\n${FENCE}\ntwo\n  ~~~ C++\nb\n~~~\nthree`;
  const blocks = fencedBlocks(text);
  expect(blocks).toEqual([
    { language: 'js', source: 'a()\n', start: 4, end: 27 },
    { language: 'c++', source: 'b\n', start: 32, end: 47 },
  ]);
  expect(blocks.map(({ start, end }) => text.slice(start, end))).toEqual([
    `${FENCE}JS title="x"\na()\n${FENCE}`,
    '  ~~~ C++\nb\n~~~',
  ]);
  expect(outside(text, blocks)).toBe('One\n\n\ntwo\n\n\nthree');
});

test.each([
  ['no block', 'One', []],
  ['nothing', '', []],
  ['a fence in the middle of a line', `a ${FENCE}js\nb\n${FENCE}`, []],
  ['a fence after an empty line', `\n${FENCE}js\na\n${FENCE}`, [['js', 'a\n']]],
  ['a fence at the very end', `a\n${FENCE}js`, []],
  ['a fence with a backtick behind it', `${FENCE}js \`\na\n`, []],
  ['two marks', '``\na\n``', []],
  ['a fence that is never closed', `${FENCE}js\na\nb`, [['js', 'a\nb']]],
  ['an empty block', `${FENCE}\n${FENCE}`, [['', '']]],
  ['a block that other marks do not close', `${FENCE}js\na\n~~~\nb\n${FENCE}`, [['js', 'a\n~~~\nb\n']]],
  [
    'a block that fewer marks do not close',
    `${FENCE}${FENCE}js\na\n${FENCE}\nb\n${FENCE}${FENCE}`,
    [['js', `a\n${FENCE}\nb\n`]],
  ],
  ['a block that more marks close', `${FENCE}js\na\n${FENCE}\`\nb`, [['js', 'a\n']]],
  [
    'a block that marks with words do not close',
    `${FENCE}js\na\n${FENCE}js\nb\n${FENCE}`,
    [['js', `a\n${FENCE}js\nb\n`]],
  ],
  ['a closing fence with blanks', `${FENCE}js\na\n\t${FENCE} \r\nb`, [['js', 'a\n']]],
  ['a language with signs in it', `${FENCE} objective-c.x+y z\na\n${FENCE}`, [['objective-c.x+y', 'a\n']]],
  ['an empty line in a block', `${FENCE}\n\n${FENCE}`, [['', '\n']]],
])('%s', (_name, text, expected) => {
  expect(fencedBlocks(text).map(({ language, source }) => [language, source])).toEqual(expected);
});

test('without blocks everything is outside', () => {
  expect(outside('One', [])).toBe('One');
});

test.each([
  [`${FENCE}js a() ${FENCE}`, 'a()'],
  [` ${FENCE}typescript\ta()${FENCE}\n`, 'a()'],
  [`${FENCE}javascript a()${FENCE}`, 'a()'],
  [`${FENCE}ts a()${FENCE}`, 'a()'],
  [`${FENCE} a() ${FENCE}`, 'a()'],
  [`${FENCE} ${FENCE}`, undefined],
  [`${FENCE}js ${FENCE}`, undefined],
  [`${FENCE}${FENCE}`, undefined],
  [`${FENCE}a()${FENCE}`, undefined],
  [`${FENCE}py a()${FENCE}`, undefined],
  [`${FENCE}js\na() ${FENCE}`, undefined],
  [FENCE, undefined],
  [`${FENCE}js a() and b`, undefined],
  [`run a() ${FENCE}`, undefined],
  ['``js a() ``', undefined],
])('one line in a fence: %s', (text, source) => {
  expect(inlineFence(text)).toBe(source);
});

test.each([
  ['<code>a()</code>', ['a()']],
  ['<CODE>\n a()\n</CODE>', ['a()']],
  ['<code class="js">a()</code>', ['a()']],
  ['<code\nclass="js">a()</code>', ['a()']],
  ['See <code>a()</code> and <code>b()</code>.', ['a()', 'b()']],
  ['<code></code><code> </code><code>b()</code>', ['b()']],
  ['<code>a()', ['a()']],
  ['<code>a()</cod', ['a()']],
  ['<code>a()<', ['a()']],
  ['<code>a()</ \n', ['a()']],
  ['<code>a()</code', ['a()']],
  ['<code>a() < b', ['a() < b']],
  ['<code>a<c', ['a']],
  ['<code>a<c</code>', ['a<c']],
  [`<code>a()</cod${' '.repeat(8)}`, ['a()']],
  ['<code>a</codec>', ['a']],
  ['<code class="js', []],
  ['<codec>a()</codec>', []],
  ['a()', []],
])('code in tags: %j', (text, blocks) => {
  expect(taggedBlocks(text)).toEqual(blocks);
});
