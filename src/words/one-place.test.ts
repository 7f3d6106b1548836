import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { resolve } from 'node:path';
import { type Node, parse } from 'acorn';
import { full } from 'acorn-walk';
import { expect, test } from 'vitest';
import { MONTHS } from './months.ts';
import { NUMBER_WORDS } from './numbers.ts';
import { fold, oneOf } from './spelling.ts';
import { WEEKDAYS } from './weekdays.ts';

const SRC = resolve(import.meta.dirname, '..');
const OTHERS = /^(?:words|testing)\/|\.(?:test|contract|gen|d)\.ts$/u;
/** Texts for a model or a person, in which a day is an example. */
const SHOWN = /^(?:examples?|description|usage|hint|summary)$/u;

/** "May" and "march" are also verbs; "null" and "one" have other uses in programs. */
const OTHERWISE_USED = new Set(['may', 'march']);
const LEAST = 2;
const DAYS = Object.values(WEEKDAYS)
  .flat()
  .flatMap((day) => day.names);
const MONTH_NAMES = Object.values(MONTHS)
  .flat()
  .flatMap((month) => month.names);
const NUMBERS = Object.values(NUMBER_WORDS).flatMap((words) =>
  [...words].flatMap(([word, value]) => (value < LEAST ? [] : [fold(word)])),
);
const NAME = oneOf([...DAYS, ...MONTH_NAMES].filter((name) => !OTHERWISE_USED.has(name)));
const WORD = `(?<!\\p{L})(?:${NAME}s?|${oneOf(NUMBERS)})(?!\\p{L})`;
const STEM = oneOf(DAYS.flatMap((name) => /^(.+)(?:day|tag)$/u.exec(name)?.[1] ?? []));
/** A single word as an entry of a list, or two adjacent words in a list or an alternation. */
const LIST = new RegExp(
  `^['"]${WORD}['"]$|${WORD}(?:[\\s|,;:'"()]|\\?:)+${WORD}|(?<!\\p{L})${STEM}\\|${STEM}(?!\\p{L})`,
  'iu',
);

/** The literals of a source that list such words. */
function listsIn(source: string): string[] {
  const code = stripTypeScriptTypes(source);
  const shown: Node[] = [];
  const literals: Node[] = [];
  full(parse(code, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true }), (node) => {
    if (node.type === 'Literal' || node.type === 'TemplateElement') literals.push(node);
    else if (node.type === 'Property') {
      const { key } = node as Node & { readonly key: Node };
      if (key.type === 'Identifier') literals.push(key);
      if (SHOWN.test(code.slice(key.start, key.end))) shown.push(node);
    }
  });
  return literals
    .filter(({ start, end }) => !shown.some((node) => node.start <= start && end <= node.end))
    .map(({ start, end, type }) => (type === 'Identifier' ? `'${code.slice(start, end)}'` : code.slice(start, end)))
    .filter((literal) => LIST.test(fold(literal)));
}

test.each([
  ["const TENS = ['twenty', 'Thirty'];", 2],
  ['const IN = /(?:mon|tues|wednes)days?/u;', 1],
  ["const MONTH = 'january|february';", 1],
  ["const EINS = 'eins zwei drei';", 1],
  ['const DAY = { Sunday: 1 };', 1],
  ["const hint = 'Say it like this: on Friday at 9.';", 0],
  ["const tool = { examples: ['Monday'] };", 0],
  ["// 'Monday'", 0],
])('%s has %i lists', (source, count) => expect(listsIn(source)).toHaveLength(count));

test('the names of days and months and the words for numbers are listed in this room alone', {
  timeout: 60_000,
}, () => {
  const files = globSync('**/*.ts', { cwd: SRC }).filter((path) => !OTHERS.test(path));
  const found = files.flatMap((path) =>
    listsIn(readFileSync(resolve(SRC, path), 'utf8')).map((literal) => `${path}: ${literal.slice(0, 80)}`),
  );
  expect(found).toEqual([]);
});
