import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { reasonInGerman } from './reasons-german.ts';

const WHEN = resolve(import.meta.dirname, '..');

test('every reason to ask is known in German', () => {
  const sources = readdirSync(WHEN, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
  );
  const reasons = sources.flatMap((path) => {
    const source = readFileSync(join(WHEN, path), 'utf8');
    return [...source.matchAll(/(?:new Unclear\(|\bwhy: )(?:'([^']+)'|`([^`]+)`)/gu)].map(
      ([, plain, template]) => plain ?? template ?? '',
    );
  });
  expect(reasons.length).toBeGreaterThan(50);
  // What is quoted in them.
  const filled = reasons.map((reason) =>
    reason
      .replace(/\$\{\w+\.join\(' or '\)\}/u, '05:00 or 17:00')
      .replace(/of the \$\{unit\}/u, 'of the week')
      .replace(/day \$\{\w+\} in/u, 'day 31 in')
      .replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/gu, 'x'),
  );
  expect(filled.filter((reason) => reasonInGerman(reason) === undefined)).toEqual([]);
});
