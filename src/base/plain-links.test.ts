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
