import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
/** The one file that may use the machine's own zone. */
const ALLOWED = /^src\/(?:when|testing)\//u;

/** Code whose result depends on the machine's zone, which may differ from the owner's. */
const FORBIDDEN: readonly RegExp[] = [
  /\.[gs]et(?:Hours|Minutes|Seconds|Milliseconds|Day|Date|Month|FullYear|Year|TimezoneOffset)\(/u,
  /\.toLocale(?:Date|Time)?String\(/u,
  /\.to(?:Date|Time)String\(/u,
  /\bDateTimeFormat\b/u,
  /\bTZ\b(?!\s*:)/u,
  // A date made from fields: `new Date(2026, 10, 20)`.
  /\bnew Date\((?:[^()]|\([^()]*\))*,/u,
  // ISO 8601 without an offset: `new Date('2026-11-20T09:00')`.
  /\b(?:new Date|Date\.parse)\(\s*(['"`])[^'"`]*T[^'"`]*[^Z'"`]\1\s*\)/u,
  /['"]localtime['"]/u,
];

const isTest = (path: string) => /\.(?:test|contract)\.ts$/u.test(path);

function sources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => relative(ROOT, join(ROOT, folder, path)))
    .filter((path) => /\.(?:ts|js|mjs|cjs)$/u.test(path) && !isTest(path) && !ALLOWED.test(path));
}

function machineZoneIn(path: string): string[] {
  return readFileSync(join(ROOT, path), 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      const isComment = /^\s*(?:\/\/|\/?\*)/u.test(line);
      return !isComment && FORBIDDEN.some((form) => form.test(line)) ? [`${path}:${index + 1} ${line.trim()}`] : [];
    });
}

test('no code outside when/ reads or says a time in the zone of the machine', () => {
  expect([...sources('src'), ...sources('plugins')].flatMap(machineZoneIn)).toEqual([]);
});
