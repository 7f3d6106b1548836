import { describe, expect, test } from 'vitest';
import { readHtml } from './html.ts';

const text = (said: string, from = 1, to = from) => ({ kind: 'text', text: said, lines: [from, to] });
const heading = (level: number, said: string, from = 1, to = from) => ({
  ...{ kind: 'heading', level, text: said, lines: [from, to] },
});
const blocks = (source: string, options = {}) => readHtml(source, options).blocks;

test('headings and paragraphs have the lines of the source on which they stand', () => {
  const source = [
    '<html><head><title> Sour\n dough </title></head>',
    '<body>',
    '',
    '  <h1>Bread\n and  butter</h1>',
    '<p>',
    '  Feed the  starter',
    '   <b>twice</b> a day.',
    '</p><h6>Deep</h6>',
    'Loose text',
    '</body></html>',
  ].join('\n');
  expect(readHtml(source)).toEqual({
    title: 'Sour\ndough',
    blocks: [
      heading(1, 'Bread and butter', 5, 6),
      text('Feed the starter\ntwice a day.', 8, 9),
      heading(6, 'Deep', 10),
      text('Loose text', 11, 11),
    ],
  });
});

test.each([
  ['the first heading', '<p>x</p><h2>Two</h2><h1>One</h1>', 'Two'],
  ['its own title', '<title>Own</title><h1>One</h1>', 'Own'],
  ['nothing', '<p>x</p>', undefined],
])('a page is called by %s', (_what, source, title) => expect(readHtml(source).title).toBe(title));

test.each(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])('%s is a heading', (name) => {
  expect(blocks(`a<${name}>b</${name}>c`)).toEqual([text('a'), heading(Number(name[1]), 'b'), text('c')]);
});

test.each(['h7', 'hgroup', 'span', 'b'])('%s is within its paragraph', (name) => {
  expect(blocks(`<p>a<${name}>b</${name}>c</p>`)).toEqual([text('abc')]);
});

test.each([
  'address',
  'article',
  'blockquote',
  'div',
  'dd',
  'dt',
  'figcaption',
  'footer',
  'header',
  'hr',
  'li',
  'main',
  'section',
])('%s is a paragraph of its own', (name) => {
  const end = name === 'hr' ? '' : `</${name}>`;
  expect(blocks(`<div>a<${name}>b${end}${name === 'hr' ? '' : 'c'}</div>`)).toEqual(
    ['a', 'b', ...(end === '' ? [] : ['c'])].map((said) => text(said)),
  );
});

test.each(['script', 'style', 'noscript', 'template', 'svg', 'nav', 'iframe', 'select', 'button', 'math'])(
  'what stands in %s is no text, and what follows it is',
  (name) =>
    expect(blocks(`<p>a</p><${name}><p>no</p></${name}><p>b</p>`, { xml: true })).toEqual([text('a'), text('b')]),
);

test('what is left out may hold its like, tables and titles', () => {
  const inner = '<title>no</title><table><tr><td>no</td></tr></table><h1>no</h1>no<nav>no</nav>no';
  expect(readHtml(`<p>a<nav>${inner}</nav>b</p>`, { xml: true })).toEqual({ title: undefined, blocks: [text('ab')] });
  expect(blocks('</nav><p>a</p><nav>no</nav><p>b</p>')).toEqual([text('a'), text('b')]);
});

describe('lines', () => {
  test('a break is one between words, and none before the first', () => {
    expect(blocks('<p><br>one<br>two<br/><br>three</p>')).toEqual([text('one\ntwo\nthree')]);
    expect(blocks('<p>one<br></p>\n<br>two')).toEqual([text('one'), text('two', 2)]);
  });

  test('they may be folded, as a browser does', () => {
    const source = '<p>one\n  two<br>three\n<b>four</b>\n</p><pre>a\n  b</pre>';
    expect(blocks(source, { foldLines: true })).toEqual([
      text('one two\nthree four', 1, 3),
      { kind: 'code', text: 'a\n  b', lines: [4, 5] },
    ]);
    expect(blocks('<p>one\n  two</p>')).toEqual([text('one\ntwo', 1, 2)]);
  });

  test('text that is preformatted keeps its spaces and lines, but those at its end', () => {
    expect(blocks('a<pre>  x = 1\n\n   y<br><br>z \n \n</pre>b  c\n d')).toEqual([
      text('a'),
      { kind: 'code', text: '  x = 1\n\n   y\n\nz', lines: [1, 4] },
      text('b c\nd', 5, 6),
    ]);
    expect(blocks('<pre><br>one</pre>')).toEqual([{ kind: 'code', text: '\none', lines: [1, 1] }]);
    expect(blocks('<h2><pre>a  b</pre></h2>')).toEqual([heading(2, 'a b')]);
    expect(blocks('<pre> \n </pre>')).toEqual([]);
  });

  test('of a block are those of its first and its last character', () => {
    expect(blocks('<p>\n\n  one\ntwo</p>\n')).toEqual([text('one\ntwo', 3, 4)]);
    expect(blocks('\none\n<p>two')).toEqual([text('one', 2), text('two', 3)]);
    expect(blocks('one')).toEqual([text('one')]);
    expect(blocks('')).toEqual([]);
  });

  test('mean nothing to a person in a book or a mail', () => {
    const position = { place: 'chapter 2' };
    const rows = [{ text: 'x', line: undefined, number: 1 }];
    expect(blocks('<h1>One</h1>\n<p>two</p><table><tr><td>x</table>', { position })).toEqual([
      { kind: 'heading', level: 1, text: 'One', ...position },
      { kind: 'text', text: 'two', ...position },
      { kind: 'table', header: '', rows, ...position },
    ]);
  });
});

describe('a table', () => {
  const table = (
    header: string,
    rows: readonly (readonly [said: string, line: number])[],
    lines: readonly number[],
  ) => ({
    ...{ kind: 'table', header, lines },
    rows: rows.map(([said, line], index) => ({ text: said, line, number: index + 1 })),
  });

  test('has its heading, and rows with their lines', () => {
    const source = [
      'before<table class="x"> no cell <caption>none</caption>',
      '<thead><tr><th>Flour<th>Gr<b>am</b>s</tr></thead><tbody>',
      '<tr><td> Rye\n  flour </td><td>200</td></tr>',
      '<tr><td> </td><td></td></tr><tr></tr>',
      '<tr><td>Wheat</td><td></td></tr></tbody></table>after',
    ].join('\n');
    expect(blocks(source)).toEqual([
      text('before'),
      table(
        'Flour | Grams',
        [
          ['Rye\nflour | 200', 3],
          ['Wheat | ', 6],
        ],
        [2, 6],
      ),
      text('after', 6),
    ]);
  });

  test('may have no heading, or nothing else', () => {
    expect(blocks('<table><tr><td>a<tr><td>b</table>')).toEqual([
      table(
        '',
        [
          ['a', 1],
          ['b', 1],
        ],
        [1, 1],
      ),
    ]);
    expect(blocks('<table><tr><th>a</table>')).toEqual([table('', [['a', 1]], [1, 1])]);
    expect(blocks('<table><tr><td>a<tr><th>b</table>')).toEqual([
      table(
        '',
        [
          ['a', 1],
          ['b', 1],
        ],
        [1, 1],
      ),
    ]);
    expect(blocks('a<table></table>b')).toEqual([text('a'), text('b')]);
    expect(blocks('a<table><tr><td> </table>b')).toEqual([text('a'), text('b')]);
    expect(blocks('<table><td>a</table>b</table>c')).toEqual([text('bc')]);
    expect(blocks('<td>a</td><tr>b')).toEqual([text('a'), text('b')]);
  });

  test('takes the text of tables, headings and paragraphs in its cells', () => {
    const inner = '<table><tr><td>in</td></tr></table>';
    expect(blocks(`<table><tr><td><h1>a</h1><p>b</p>${inner}</td></tr><tr><td>last</td></tr></table><p>x`)).toEqual([
      table(
        '',
        [
          ['ab', 1],
          ['in', 1],
          ['last', 1],
        ],
        [1, 1],
      ),
      text('x'),
    ]);
  });
});

test('a page as XML closes what is closed there', () => {
  expect(blocks('<p>a<script/>b</p><p>c</p>', { xml: true })).toEqual([text('ab'), text('c')]);
  expect(blocks('<p>a<script/>b</p>c')).toEqual([text('a')]);
});
