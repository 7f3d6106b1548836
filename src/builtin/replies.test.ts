import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { REPLIES } from './reply.ts';

/** `{name}`, `{at:near}`, `{#rows}`, `{?there}`: what a text asks for, without the form in which it is said. */
function gapsIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/\{[#?]?(\w+)/gu)].map(([, name = '']) => name));
}

test('every reply is said somewhere', () => {
  const files = globSync('**/*.ts', { cwd: import.meta.dirname }).filter((file) => !file.endsWith('.test.ts'));
  const code = files.map((file) => readFileSync(join(import.meta.dirname, file), 'utf8')).join('\n');
  const isSaid = (name: string) => code.includes(`'${name}'`) || code.includes(`REPLIES.${name}`);
  expect(Object.keys(REPLIES).filter((name) => !isSaid(name))).toEqual([]);
});

test('no reply in German asks for what the English one does not know', () => {
  const more = Object.entries(REPLIES).flatMap(([code, { en, de }]) =>
    [...gapsIn(de)].flatMap((name) => (gapsIn(en).has(name) ? [] : [`${code}: ${name}`])),
  );
  // Two words of German for one of English, and a warning that comes in English alone.
  expect(more).toEqual(['near passages: several', 'near passages: one', 'nothing brings it: missing']);
});
