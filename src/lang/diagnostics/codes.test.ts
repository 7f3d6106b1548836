import { describe, expect, test } from 'vitest';
import { checkSource } from '../check/check.ts';
import type { CodeEntry } from './code-entry.ts';
import { CODES } from './codes.ts';

/** The codes of the diagnostics of a text. */
function codesOf(source: string): string[] {
  const read = () => {
    throw new Error('no file is read');
  };
  return checkSource(source, 'example.tl', { read, tools: [] }).main.diagnostics.map(({ code }) => code);
}

describe('the example of each code', () => {
  const entries: [string, CodeEntry][] = Object.entries(CODES);
  test.each(entries.filter(([, { example }]) => example))('%s', (code, { example }) => {
    expect(codesOf(example?.wrong ?? '')).toEqual([code]);
    expect(codesOf(example?.right ?? '')).toEqual([]);
  });
});
