import { expect, test } from 'vitest';
import { readable } from './readable.ts';

test.each([
  ['| a | b |', 'a, b;'],
  ['  |a|  |c|  ', 'a, c;'],
  ['a | b', 'a, b;'],
  ['a|b', 'a|b'],
  ['| a | b |\n|---|:--|\n| 1 | 2 |', 'a, b;\n1, 2;'],
  ['## Key\n\n> quoted\n- [x] done\n* item', 'Key\n\nquoted\ndone\nitem'],
  ['```js\nlet a;\n```\n~~~', 'let a;'],
  ['[the key](https://a.example/b_(c)) and ![a hook](h.png)', 'the key and a hook'],
  ['[a.md, line 1] stays', '[a.md, line 1] stays'],
  ['**bold** __too__ *em* _em_ `code`', 'bold too em em code'],
  ['2 * 3 * 4 and a_b_c and ** no **', '2 * 3 * 4 and a_b_c and ** no **'],
  ['* *', '*'],
  ['_ a_ and _a _', '_ a_ and _a _'],
])('%j reads %j', (markdown, text) => expect(readable(markdown)).toBe(text));
