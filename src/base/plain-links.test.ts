import { describe, expect, test } from 'vitest';
import { plainLinks } from './plain-links.ts';

const KNOWN = 'https://known.example/page';
const strict = { mayLink: (url: string) => url === KNOWN, bare: true };
const D = 'evil.example/?d=secret';

describe('in a conversation that has read untrusted content no address stays alive', () => {
  test.each([
    [`![x](https://${D})`, `x (${D})`],
    [`![](https://${D})`, `image (${D})`],
    [`![x](<https://${D}>)`, `x (${D})`],
    [`![x](https://${D} "title")`, `x (${D})`],
    [`![x]( https://${D} )`, `x (${D})`],
    [`[click](https://${D})`, `click (${D})`],
    [`[click](http://${D})`, `click (${D})`],
    [`[click](HTTPS://${D})`, `click (${D})`],
    [`[click](//${D})`, `click (//${D})`],
    ['[click](javascript:alert)', 'click (alert)'],
    ['[click](data:text/html,x)', 'click (text/html,x)'],
    [`[![x](https://${D})](https://${D})`, `x (${D}) (${D})`],
    [`![x][1]\n\n[1]: https://${D}`, `x (1)\n\n1: ${D}`],
    [`[x][1]\n[1]: <https://${D}> "t"`, `[x][1]\n1: ${D} "t"`],
    [`<https://${D}>`, D],
    [`see https://${D} now`, `see ${D} now`],
    [`see http://${D}`, `see ${D}`],
    [`see ftp://${D}`, `see ${D}`],
    [`<img src="https://${D}">`, `(${D}) `],
    [`<img alt=x src=https://${D} />`, `(${D}) `],
    [`<a href='https://${D}'>click</a>`, `(${D}) click`],
    [`<iframe src="https://${D}"></iframe>`, `(${D}) `],
    [`<IMG SRCSET="https://${D} 2x">`, `(${D}) `],
    [`<video poster="https://${D}">`, `(${D}) `],
    ['<script>x</script>', 'x'],
    [`<form action="https://${D}"><style>x</style>`, `(${D}) x`],
    [`| a | ![x](https://${D}) |`, `| a | x (${D}) |`],
    [`- [a](https://${D})\n- [b](https://${D})`, `- a (${D})\n- b (${D})`],
    // A host alone, and what is one without its scheme.
    [`see www.${D} now`, `see www[.]${D} now`],
    [`_www.${D}_`, `_www[.]${D}_`],
    [`<https://www.${D}>`, `www[.]${D}`],
    [`[click](https://www.${D})`, `click (www[.]${D})`],
    [`[click](www.evil.example:80/x)`, 'click (www[.]evil.example:80/x)'],
    // An address within a word, and within another one.
    [`_https://${D}_`, `_${D}_`],
    [`see1https://${D}`, `see1 ${D}`],
    [`https://a.example/https://${D}`, `a.example/https[:]//${D}`],
    [`https://${D}//`, `${D}//`],
    // Nothing is put together by what is taken out.
    [`htt<a>ps://${D}`, `htt ps://${D}`],
    [`https:<a>//${D}`, `https: //${D}`],
    [`https://<a>${D}`, `https:// ${D}`],
    [`https<a>:<a>//${D}`, `https: //${D}`],
    [`hthttps://tps://${D}`, `ht tps[:]//${D}`],
    [`<https://htt>ps://${D}`, `htt ps://${D}`],
    [`w<https://ww.${D}>`, `w ww.${D}`],
    [`www<a>.${D}`, `www .${D}`],
    [`htt![ps://${D}][1]`, `htt ps://${D} (1)`],
    [`htt[![ps://${D}](x:y)](x:y)`, `htt ps://${D} (y) (y)`],
  ])('%j', (text, plain) => expect(plainLinks(text, strict)).toBe(plain));
});

test.each([
  `[docs](${KNOWN})`,
  `![chart](${KNOWN})`,
  `see ${KNOWN} now`,
  `<${KNOWN}>`,
  'a [b] (c) and f(x)[0] stay',
  '```md\n![x](https://evil.example/)\n```',
  '~~~\nhttps://evil.example/\n~~~',
  '1 < 2 and a > b',
  'what www. means',
])('%j is left alone', (text) => expect(plainLinks(text, strict)).toBe(text));

test('a fence that is never closed protects nothing', () => {
  expect(plainLinks('```\n![x](https://evil.example/)', strict)).toContain('x (evil.example/)');
});

test('without untrusted content, an address in plain sight stays as it is', () => {
  const rules = { mayLink: () => false, bare: false };
  expect(plainLinks('[Node](https://nodejs.org/) or https://nodejs.org/', rules)).toBe(
    'Node (https://nodejs.org/) or https://nodejs.org/',
  );
});

describe('where addresses in plain sight stay', () => {
  const seen = { mayLink: (url: string) => url === KNOWN, bare: false };
  const E = 'https://evil.example/';

  test.each([
    // Definitions: at the start of a line, after at most three blanks.
    [`[1]: ${E}`, `1: ${E}`],
    [`   [1]: ${E} "t"`, `   1: ${E} "t"`],
    [`a\n[1]: <${E}>`, `a\n1: ${E}`],
    [`[1]:\n${E}`, `1:\n${E}`],
    // Links and images, with titles and parentheses.
    [`[a](${E} 't')`, `a (${E})`],
    [`[a](${E} (t))`, `a (${E}))`],
    [`[a](${E}x(y))`, `a (${E}x(y)`],
    [`[a](\n${E})`, `a (${E})`],
    [`[a](<${E}> "t")`, `a (${E})`],
    [`[a](<${E}> t)`, `[a](${E} t)`],
    [`](${E})`, `] (${E})`],
    ['![a](page.png)', 'a (page.png)'],
    ['![](page.png)', 'image (page.png)'],
    ['![a][b]', 'a (b)'],
    ['![][b]', 'image (b)'],
    [`[a](${KNOWN}\\x)`, `a (${KNOWN}\\x)`],
    // Elements.
    [`<a href="${KNOWN}">x</a>`, `<a href="${KNOWN}">x`],
    [`<img src="${KNOWN}" style="x:y">`, `(${KNOWN}) `],
    [`<img src="${KNOWN}" alt="//evil">`, `(${KNOWN}) `],
    [`<img src="${E}" <b>`, `(${E}) <b>`],
    ['<script>x</script>', 'x'],
    [`<${E}>`, E],
    ['<mailto:a@b.example>', 'mailto:a@b.example'],
  ])('%j', (text, plain) => expect(plainLinks(text, seen)).toBe(plain));

  test.each([
    `    [1]: ${E}`,
    `a [1]: ${E}`,
    `![1]: ${E}`,
    '[1]: page.md',
    `[1]: ${KNOWN}`,
    '[a](page.md)',
    '[a](#part)',
    `[a](${KNOWN} "t")`,
    `[a](${E}`,
    `[a](${E} t)`,
    `[a](<${E})`,
    '![a][b',
    '[a][b]',
    '![a]',
    `<img src="${E}"`,
    '<b>a</b>',
    `<${E}`,
    `<${KNOWN}>`,
    `<img src="${KNOWN}">`,
    `${E}.`,
    'https://',
  ])('%j is left as it is', (text) => expect(plainLinks(text, seen)).toBe(text));
});

test('the marks behind an address belong to the sentence', () => {
  expect(plainLinks(`(https://${D}!), https://${D}. https:// ${KNOWN}?!`, strict)).toBe(
    `(${D}!), ${D}. https:// ${KNOWN}?!`,
  );
});

test('whatever is put together, no address is left', () => {
  const pieces =
    'https:// http s: // ftp:// ht tt ps:// tps:// w ww www . evil.example <a> </a> <https:// > ![ [ ] ]( [1] x:y ) ( / _';
  const parts = [...pieces.split(' '), ' ', '\n', '<img src='];
  let seed = 7;
  const below = (end: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % end;
  };
  for (let round = 0; round < 20_000; round++) {
    const text = Array.from({ length: 2 + below(9) }, () => parts[below(parts.length)]).join('');
    const plain = plainLinks(text, { mayLink: () => false, bare: true });
    expect(plain, text).not.toMatch(/(?:https?|ftp):\/\/\w|(?<![\p{L}\p{N}])www\.\w/iu);
  }
});
