import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { temporaryFolder } from './testing/home.ts';

const SRC = resolve(import.meta.dirname);
const CACHE = resolve(SRC, '../node_modules/.cache/wooster');

/** The packages that a command loads, sorted. It runs from source, where each file is loaded by itself. */
async function loaded(words: readonly string[], input = ''): Promise<string[]> {
  const home = temporaryFolder();
  const list = join(home, 'loaded');
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    ROUTING_LOCAL_ENABLED: 'false',
    NODE_COMPILE_CACHE: CACHE,
    LOADED_PACKAGES: list,
  };
  const node = ['--disable-warning=ExperimentalWarning', '--import', join(SRC, 'testing/note-packages.ts')];
  const child = spawn(process.execPath, [...node, join(SRC, 'main.ts'), ...words, '--home', home], { env });
  child.stdin.end(input);
  const ended = once(child, 'close');
  await Promise.all([text(child.stdout), text(child.stderr), ended]);
  expect(child.exitCode).toBe(0);
  return existsSync(list) ? readFileSync(list, 'utf8').trim().split('\n').sort() : [];
}

/** What shows a line. */
const WORDS = ['get-east-asian-width'];
/** What the program is put together from. */
const PROGRAM = [
  ...WORDS,
  ...['zod', 'kysely', 'croner', 'chrono-node', 'config', 'json5', 'node-cron'],
  ...['pino', '@pinojs/redact', 'atomic-sleep', 'on-exit-leak-free', 'pino-std-serializers', 'sonic-boom'],
  ...['quick-format-unescaped', 'safe-stable-stringify', 'thread-stream'],
];
/** What a turn is taken with. */
const TURN = [
  ...PROGRAM,
  ...['@langchain/core', '@langchain/classic', 'langsmith', 'js-tiktoken', 'base64-js', '@cfworker/json-schema'],
  ...['eventemitter3', 'p-finally', 'p-queue', 'p-timeout', 'jsonpointer', 'mustache'],
];

/** A package more is a start that takes longer, for everybody: no HTTP, no client of a model, no watcher, no thread. */
test.each([
  ['--version', ['--version'], '', WORDS],
  ['help', ['help'], '', WORDS],
  ['/quit', [], '/quit\n', PROGRAM],
  ['ask', ['ask', 'what is 2+2?'], '', TURN],
  ['schedule list', ['schedule', 'list'], '', PROGRAM],
] as const)('%s loads no other packages than these', { timeout: 60_000 }, async (_name, words, input, allowed) => {
  expect((await loaded(words, input)).filter((name) => !allowed.includes(name))).toEqual([]);
});

test('files without pictures are read without what reads pictures', { timeout: 60_000 }, async () => {
  const list = join(temporaryFolder(), 'loaded');
  const reads = ['garden.md', 'garden.xlsx', 'warranty.pdf'].map((name) => join(SRC, 'rag/read/fixtures', name));
  const program = `
    const { read } = await import(${JSON.stringify(join(SRC, 'rag/read/read.ts'))});
    const { readFileSync } = await import('node:fs');
    for (const path of ${JSON.stringify(reads)}) await read(readFileSync(path), path);`;
  const node = ['--disable-warning=ExperimentalWarning', '--import', join(SRC, 'testing/note-packages.ts')];
  const env = { PATH: process.env.PATH, LOADED_PACKAGES: list };
  const child = spawn(process.execPath, [...node, '--input-type=module', '--eval', program], { env });
  await once(child, 'close');
  expect(child.exitCode).toBe(0);
  const names = readFileSync(list, 'utf8').trim().split('\n');
  expect(names).toContain('unpdf');
  expect(names.filter((name) => /sharp|tesseract|@img|libheif/u.test(name))).toEqual([]);
});
