import { expect, test } from 'vitest';
import { isFeed, readFeed } from './feed.ts';

const rss = (items: string, title = '<title>Garden news</title>') =>
  `<?xml version="1.0"?><rss version="2.0"><channel>${title}${items}</channel></rss>`;
const item = (parts: Readonly<Record<string, string>>) =>
  `<item>${Object.entries(parts)
    .map(([name, text]) => `<${name}>${text}</${name}>`)
    .join('')}</item>`;

test.each([
  ['application/rss+xml', '<rss version="2.0">', true],
  ['text/xml', '<?xml version="1.0"?>\n<feed xmlns="http://www.w3.org/2005/Atom">', true],
  ['application/atom+xml', '<feed>', true],
  ['APPLICATION/XML', '<rdf:RDF xmlns="x">', true],
  ['text/xml', '<svg></svg>', false],
  ['text/xml', '<rssfeed>', false],
  ['text/html', '<rss>', false],
  ['text/xml', `${' '.repeat(1995)}<rss>`, true],
  ['text/xml', `${' '.repeat(1996)}<rss>`, false],
])('%s with %j is a feed: %s', (type, source, expected) => {
  expect(isFeed(type, source)).toBe(expected);
});

test('an entry has its date, title, address and first words, as far as it has them', () => {
  const whole = item({
    title: 'Tulips',
    link: 'https://garden.example/tulips',
    pubDate: 'Fri, 20 Nov 2026 23:30:00 GMT',
    description: '&lt;p&gt;They &lt;b&gt;bloom&lt;/b&gt;.&lt;/p&gt;&lt;p&gt;In April.&lt;/p&gt;',
  });
  const table = item({
    title: 'Prices',
    description: '&lt;table&gt;&lt;tr&gt;&lt;td&gt;1&lt;/td&gt;&lt;/tr&gt;&lt;/table&gt;',
  });
  const undated = item({ title: 'Some day', pubDate: 'soon' });
  expect(readFeed(rss(whole + undated + table + item({ link: 'https://garden.example/x' })))).toBe(
    [
      'Garden news',
      '- 2026-11-20 Tulips',
      '  https://garden.example/tulips',
      '  They bloom. In April.',
      '- Some day',
      '- Prices',
      '- Without a title',
      '  https://garden.example/x',
    ].join('\n'),
  );
});

test('a feed without a title is called one', () => {
  expect(readFeed(rss(item({ title: 'Tulips' }), ''))).toBe('A feed\n- Tulips');
});

test('what is no feed stays as it is', () => {
  expect(readFeed('<svg></svg>')).toBe('<svg></svg>');
});

test.each([
  [300, 'x'.repeat(300)],
  [301, `${'x'.repeat(299)}…`],
])('of %i characters that describe an entry, the first 300 are shown', (length, expected) => {
  const text = readFeed(rss(item({ title: 'Long', description: 'x'.repeat(length) })));
  expect(text).toBe(`Garden news\n- Long\n  ${expected}`);
});

test.each([
  [50, undefined],
  [51, '… 1 more entry not shown'],
  [60, '… 10 more entries not shown'],
])('of %i entries, fifty are shown', (count, more) => {
  const items = Array.from({ length: count }, (_, nth) => item({ title: `entry ${nth}` })).join('');
  const [head, ...lines] = readFeed(rss(items)).split('\n');
  expect([head, lines[0], lines[49]]).toEqual(['Garden news', '- entry 0', '- entry 49']);
  expect(lines.slice(50)).toEqual(more === undefined ? [] : [more]);
});
