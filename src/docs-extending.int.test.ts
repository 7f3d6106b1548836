import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const NODE = join(ROOT, 'node_modules/node/bin/node');
const BIOME = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
const COPIED = ['src', 'scripts', 'plugins', 'prompts', 'config', 'docs', 'bench', 'vendor', 'examples'];
const SETTINGS = ['package.json', 'package-lock.json', 'tsconfig.json', 'vitest.config.ts', 'biome.json'];
const TOP_FILES = [...SETTINGS, 'AGENTS.md', 'README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'NOTICE', '.env.example'];
const LIMIT_MS = 240_000;

/** Rules about lists and names that an addition could break. */
const RULES = ['src/rooms.test.ts', 'src/notify/channel-names.test.ts', 'src/repl/command-list.test.ts'];

/** A fenced block that names a file: ```` ```ts src/x.ts ```` is the whole file, ```` ```diff src/x.ts ```` a change. */
interface Block {
  readonly kind: string;
  readonly path: string;
  readonly body: string;
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

function blocksOf(page: string): Block[] {
  const fenced = read(page).matchAll(/^```(\w+) (\S+)\n(.*?)^```$/gmsu);
  return [...fenced].map(([, kind = '', path = '', body = '']) => ({ kind, path, body }));
}

/** The README names the file of its example in the text before it. */
function readmeExample(): Block {
  const [, path = '', body = ''] = /in\s`(user-plugins\/[^`]+)`:\n\n```ts\n(.*?)^```$/msu.exec(read('README.md')) ?? [];
  return { kind: 'ts', path, body };
}

const pages = [...blocksOf('docs/extending.md'), ...blocksOf('docs/plugins.md')];
const blocks = [...pages, readmeExample()];
const files = [...new Set(blocks.map(({ path }) => path))];
const tests = files.filter((path) => path.endsWith('.test.ts'));

/** Put the change where its unchanged and removed lines stand, exactly once. */
function patched(text: string, { path, body }: Block): string {
  const lines = body.trimEnd().split('\n');
  const side = (skip: string) =>
    lines
      .filter((line) => !line.startsWith(skip))
      .map((line) => `${line.slice(1)}\n`)
      .join('');
  const pieces = text.split(side('+'));
  if (pieces.length !== 2) throw new Error(`${path} has ${pieces.length - 1} places like:\n${side('+')}`);
  return pieces.join(side('-'));
}

function fillWithExamples(dir: string): void {
  for (const folder of COPIED) cpSync(join(ROOT, folder), join(dir, folder), { recursive: true });
  for (const file of TOP_FILES) cpSync(join(ROOT, file), join(dir, file));
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
  for (const block of blocks) {
    const path = join(dir, block.path);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, block.kind === 'diff' ? patched(readFileSync(path, 'utf8'), block) : block.body);
  }
}

/** Run a program of node_modules in the copy. */
function run(dir: string, program: string, args: readonly string[]) {
  const ran = spawnSync(NODE, [program, ...args], { cwd: dir, encoding: 'utf8' });
  return { status: ran.status, said: `${ran.stdout}${ran.stderr}` };
}

describe('the examples of docs/extending.md, docs/plugins.md and the README in a copy of the checkout', () => {
  const dir = mkdtempSync(join(tmpdir(), 'wooster-extending-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  beforeAll(() => {
    fillWithExamples(dir);
    expect(run(dir, 'scripts/generate.ts', [])).toMatchObject({ status: 0 });
  }, LIMIT_MS);

  test('every kind of addition has a file and a test', () => {
    expect(tests.length).toBeGreaterThanOrEqual(6);
    expect(readmeExample().body).toContain('definePlugin');
  });

  test(
    'they compile',
    () => {
      expect(run(dir, 'node_modules/typescript/bin/tsc', [])).toEqual({ status: 0, said: '' });
    },
    LIMIT_MS,
  );

  test(
    'they are formatted and pass the linter',
    () => {
      const ran = run(dir, BIOME, ['check', '--vcs-enabled=false', ...files]);
      expect(ran.status, ran.said).toBe(0);
    },
    LIMIT_MS,
  );

  test(
    'the program starts every plugin',
    () => {
      const plugins = files.flatMap((path) => /^user-plugins\/(\w+)\/index\.ts$/u.exec(path)?.[1] ?? []);
      const on = Object.fromEntries(plugins.map((name) => [`PLUGIN_${name.toUpperCase()}_ENABLED`, 'true']));
      const env = { PATH: process.env.PATH, ROUTING_LOCAL_ENABLED: 'false', WOOSTER_HOME: dir, ...on };
      const { stdout, stderr } = spawnSync(NODE, ['--no-sparkplug', 'src/main.ts', 'plugins'], {
        cwd: dir,
        encoding: 'utf8',
        env,
      });
      const started = [...stdout.matchAll(/^on\s+(\S+)/gmu)].map((match) => match[1] ?? '');
      expect(started, stdout + stderr).toEqual(expect.arrayContaining(plugins));
      expect(plugins.length).toBeGreaterThanOrEqual(4);
    },
    LIMIT_MS,
  );

  test(
    'they keep the rules, and their own tests pass',
    () => {
      const ran = run(dir, 'node_modules/vitest/vitest.mjs', ['run', ...RULES, ...tests]);
      expect(ran.status, ran.said).toBe(0);
    },
    LIMIT_MS,
  );
});
