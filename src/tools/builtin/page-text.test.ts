import { describe, expect, test } from 'vitest';
import { growth, repeated } from '../../testing/hostile-shapes.ts';
import { pageText } from './page-text.ts';

describe('what a reader sees of a page', () => {
  test.each([
    ['named entities', '<p>Caf&eacute; &amp; cr&egrave;me br&ucirc;l&eacute;e</p>', 'Café & crème brûlée'],
    ['numeric entities', '<p>&#8364; 5, &#x20AC; 6</p>', '€ 5, € 6'],
    ['an entity that is text, not markup', '<p>a &lt;b&gt; c</p>', 'a <b> c'],
    ['a bracket inside an attribute', '<p title="x > y">text</p>', 'text'],
    [
      'a capital that lower case makes longer',
      '<p>İstanbul İİİ</p><script>x()</script><p>after</p>',
      'İstanbul İİİ\nafter',
    ],
    ['lines of preformatted text', '<pre>one\n  two\nthree</pre>', 'one\n  two\nthree'],
    ['comments', '<p>a<!-- <b>hidden</b> -->b</p>', 'ab'],
    ['scripts and styles', '<style>p{}</style><p>a</p><script>if (a < b) alert("</p>")</script><p>b</p>', 'a\nb'],
    ['a script that is never closed', '<p>a</p><script>evil()', 'a'],
    ['the title, once, before the text', '<head><title>My &amp; page</title></head><p>a</p>', 'My & page\na'],
    ['a title that is also the heading', '<title>News</title><h1>News</h1><p>a</p>', 'News\na'],
    ['one line per block, white space folded', '<div>a\n  b</div><ul><li>c</li><li>d</li></ul>', 'a b\nc\nd'],
    [
      'a table row by row',
      '<table><tr><th>Day</th><th>Tide</th></tr><tr><td>Mon</td><td>low</td></tr></table>',
      'Day | Tide\nMon | low',
    ],
    ['a page that is only a title', '<title>Empty</title>', 'Empty'],
    ['nothing', '', ''],
    ['paragraphs that are never closed', '<p>a<p>b', 'a\nb'],
    ['a line break', 'a<br>b', 'a\nb'],
    ['odd spellings of tags', '<SCRIPT type="x">x</SCRIPT >y', 'y'],
    ['a tag that begins like another', '<scripty>kept</scripty>', 'kept'],
    ['entities that do not exist', 'a &copy; &unknown; &#0;&#x1F600;&#9999999;', 'a © &unknown; \uFFFD😀\uFFFD'],
    ['a header', '<header>top</header>', 'top'],
  ])('%s', (_name, html, text) => {
    expect(pageText(html)).toBe(text);
  });

  test.each(['<script', '<!--', '<p title="', '<div>'])(
    'of a page of nothing but %s nothing is left, in one pass',
    (unit) => {
      const textOf = (chars: number) => repeated(unit, chars);
      expect(pageText(unit.repeat(20_000))).toBe('');
      expect(growth(pageText, textOf, 800_000)).toBeLessThan(25);
    },
  );

  test('a page of brackets is read in one pass', () => {
    expect(growth(pageText, (chars) => repeated('<', chars), 800_000)).toBeLessThan(25);
  });
});
