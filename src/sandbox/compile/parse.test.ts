import { describe, expect, test } from 'vitest';
import { tablesOf } from '../../testing/rows.ts';
import { parseScript } from './parse.ts';

const rows = tablesOf(import.meta.dirname, 'parse');

const blank = (text: string) => ' '.repeat(text.length);

/** What is parsed of a text: the text itself, or the text without its types. */
function parsed(text: string): string {
  const found = parseScript(text);
  if (!found.ok) throw new Error(found.message);
  return found.source;
}

test.each(rows<[string, string]>('valid JavaScript stays as it is'))(
  'valid JavaScript stays as it is: %s',
  (_what, text) => {
    expect(parsed(text)).toBe(text);
  },
);

describe('types become spaces', () => {
  test.each([
    ['of a variable', 'const n: number = 1; n', `const n${blank(': number')} = 1; n`],
    ['that are declared', 'interface A { x: B }\nx', `${blank('interface A { x: B }')}\nx`],
    ['that are asserted', 'x = y as Z', `x = y${blank(' as Z')}`],
    ['behind return and await', 'return await (x as Y)', `return await (x${blank(' as Y')})`],
    ['behind a hashbang', '#!/bin/node\nx as Y', `${blank('#!/bin/node')}\nx${blank(' as Y')}`],
    ['next to an import', "import x from 'x'\ny as Z", `import x from 'x'\ny${blank(' as Z')}`],
    ['next to an import in double quotes', 'import x from "x";\ny as Z', `import x from "x";\ny${blank(' as Z')}`],
    ['next to an import that stands apart', "\t import 'x' ;\ny as Z", `\t import 'x' ;\ny${blank(' as Z')}`],
    ['in the line of an import', "import x from 'x'; y as Z", `import x from 'x'; y${blank(' as Z')}`],
    [
      'next to an import over lines',
      "import {\n  x,\n} from 'x'\ny as Z",
      `import {\n  x,\n} from 'x'\ny${blank(' as Z')}`,
    ],
    [
      'next to imports',
      "import x from 'x'\nimport y from 'y'\n\nimport z from 'z'\nx as Z",
      `import x from 'x'\nimport y from 'y'\n\nimport z from 'z'\nx${blank(' as Z')}`,
    ],
    [
      'that are imported',
      "import x from 'x'\nimport type { Y } from 'y'\n  import  type\n Z from 'z';\nimport z from 'z'",
      `import x from 'x'\n${blank("import type { Y } from 'y'")}\n${blank('  import  type')}\n${blank(" Z from 'z';")}\nimport z from 'z'`,
    ],
    ['of text with a hashbang', "x = '#!/bin' as Y", `x = '#!/bin'${blank(' as Y')}`],
    ['next to a hashbang of any letters', '#!/bin/📝\nx as Y', `${blank('#!/bin/📝')}\nx${blank(' as Y')}`],
    [
      'whose names are not of ASCII',
      "let größe: Größe;\nimport x from 'x'",
      "let größe    \u00A0\u00A0 ;\nimport x from 'x'",
    ],
    ['but not in text', `x = "import type { A } from 'a'" as Y`, `x = "import type { A } from 'a'"${blank(' as Y')}`],
    [
      'next to an import that is called',
      "const x = await import('x') as Y",
      `const x = await import('x')${blank(' as Y')}`,
    ],
    ['next to what is called like an import', "importance('x') as Y", `importance('x')${blank(' as Y')}`],
  ])('%s', (_of, text, source) => {
    expect(parsed(text)).toBe(source);
  });
});

test.each(rows<[string, string, string, number, number]>('is told with its place'))(
  '%s is told with its place',
  (_what, text, message, line, column) => {
    expect(parseScript(text)).toEqual({ ok: false, message: `SyntaxError: ${message}`, position: { line, column } });
  },
);

describe('code that could be too much for whoever takes the types away', () => {
  const nested = (depth: number) => `x = ${'('.repeat(depth)}y as Y${')'.repeat(depth)}`;

  test.each([
    ['200 brackets deep', nested(200)],
    ['with comparisons in many lines', `${'a < b\n'.repeat(300)}x = y as Y`],
    ['with arrows in many lines', `${'a = (b) => b\n'.repeat(300)}x = y as Y`],
    ['with 1000 operators in a line', `x = y as Y${' + 1'.repeat(999)}`],
    ['with operators in many lines', `${'a = 1 + 1\n'.repeat(2000)}x = y as Y`],
  ])('%s is not', (_how, text) => {
    expect(parsed(text)).toBe(text.replaceAll(' as Y', blank(' as Y')));
  });

  test.each([
    ['201 brackets deep', nested(201)],
    ['201 brackets deep behind others', `// ${')'.repeat(300)}\n${nested(201)}`],
    ['201 lists deep', `${'['.repeat(201)} as`],
    ['201 blocks deep', `${'{'.repeat(201)} as`],
    ['201 type arguments deep', `let x: ${'A<'.repeat(201)}B${'>'.repeat(201)}`],
    ['with 1001 operators in one of its lines', `x\ny as Y${' + 1'.repeat(1001)}\nz`],
    ['with 1001 operators in a line', `x = y as Y${' + 1'.repeat(1000)}`],
  ])('%s is told as it is without types', (_how, text) => {
    expect(parseScript(text)).toMatchObject({ ok: false, message: 'SyntaxError: Unexpected token' });
  });
});
