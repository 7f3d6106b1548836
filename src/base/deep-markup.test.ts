import { Parser } from 'htmlparser2';
import { expect, test } from 'vitest';
import { isTooDeep } from './deep-markup.ts';

/** How many of a number of nested elements the parser keeps as elements. */
function counted(depth: number): { elements: number; left: number } {
  let [elements, left] = [0, 0];
  const parser = new Parser({
    onopentag(name) {
      if (isTooDeep(parser, name)) return;
      elements++;
    },
    onclosetag: () => left++,
  });
  parser.end('<b>'.repeat(depth));
  return { elements, left };
}

test('512 elements may be inside each other, and what is deeper is forgotten', () => {
  expect(counted(512)).toEqual({ elements: 512, left: 512 });
  expect(counted(600)).toEqual({ elements: 512, left: 512 });
});

test('an element without content is never too deep', () => {
  const seen: string[] = [];
  const parser = new Parser({
    onopentag(name) {
      if (!isTooDeep(parser, name)) seen.push(name);
    },
  });
  parser.end(`${'<b>'.repeat(513)}<br>`);
  expect(seen.filter((name) => name === 'br')).toHaveLength(1);
});
