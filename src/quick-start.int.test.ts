import { execFile, execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { temporaryFolder } from './testing/home.ts';
import { sheet } from './testing/pictures.ts';

const ROOT = resolve(import.meta.dirname, '..');
const COPIED = ['bin', 'config', 'plugins', 'prompts', 'scripts', 'src', 'package.json', 'package-lock.json'];
const BUILD_MS = 240_000;

/** A checkout of its own whose packages are links into ours. */
function checkout(): string {
  const root = temporaryFolder();
  for (const path of COPIED) cpSync(join(ROOT, path), join(root, path), { recursive: true });
  const packages = join(root, 'node_modules');
  mkdirSync(packages);
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (!name.startsWith('.')) symlinkSync(join(ROOT, 'node_modules', name), join(packages, name));
  writeFileSync(join(packages, '.package-lock.json'), '{}');
  return root;
}

const builds = (root: string) => join(root, 'node_modules/.cache/wooster-build');

function env(root: string): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: root, WOOSTER_HOME: join(root, 'home'), ROUTING_LOCAL_ENABLED: 'false' };
}

async function wooster(root: string, ...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(join(root, 'bin/wooster'), words, { env: env(root) });
  return stdout;
}

function build(root: string): void {
  execFileSync(process.execPath, ['--no-warnings', join(root, 'scripts/build-checkout.ts')], { env: env(root) });
}

/** Wait for what a start began. */
async function built(root: string, before?: string): Promise<void> {
  const isNew = () => existsSync(join(builds(root), 'current')) && nameOf(root) !== before;
  await vi.waitUntil(() => isNew() && !existsSync(join(builds(root), 'lock')), { timeout: BUILD_MS, interval: 200 });
}

const nameOf = (root: string) => readFileSync(join(builds(root), 'current/name'), 'utf8').trim();

/** Whether the start ran the build, which notes who uses it. */
async function runsBuild(root: string): Promise<boolean> {
  const users = join(builds(root), 'current/used-by');
  rmSync(users, { recursive: true, force: true });
  expect(await wooster(root, 'ask', 'what is 2+2?')).toContain('4');
  return existsSync(users);
}

/** What is taken by name from a built file that does not give it: a package in CommonJS gives only all of it. */
function missingNames(files: string): string[] {
  const built = new Map<string, string>();
  for (const name of readdirSync(files))
    if (name.endsWith('.js')) built.set(name, readFileSync(join(files, name), 'utf8'));
  const taken = /\{([^{}]*)\} = await import\("\.\/([^"]+)"\)/gu;
  return [...built.values()].flatMap((text) =>
    [...text.matchAll(taken)].flatMap(([, names = '', file = '']) => {
      const given =
        built
          .get(file)
          ?.match(/^export \{[^}]*\}|^export default/gmu)
          ?.join(' ') ?? '';
      const wanted = names.split(',').map((name) => name.split(':')[0]?.trim() ?? '');
      return wanted.filter((name) => !new RegExp(`\\b${name}\\b`, 'u').test(given)).map((name) => `${file}: ${name}`);
    }),
  );
}

describe('a checkout', { timeout: BUILD_MS }, () => {
  let root: string;
  beforeEach(() => {
    root = checkout();
  });

  test('runs from source without a build, builds meanwhile, and starts what was built', async () => {
    expect(await runsBuild(root)).toBe(false);
    await built(root);
    expect(await runsBuild(root)).toBe(true);
    const files = join(builds(root), 'current');
    expect(readFileSync(join(files, 'main.js'), 'utf8')).not.toContain('import.meta.url_built');
    expect(missingNames(files)).toEqual([]);
    // Whoever may not write into the build still starts it. Nobody may write where processes are listed.
    rmSync(join(files, 'used-by'), { recursive: true });
    symlinkSync('/proc', join(files, 'used-by'));
    expect(await wooster(root, 'ask', 'what is 2+2?')).toContain('4');
  });

  // What reads them is loaded by name in a process and threads of its own, each a file of the build.
  test('what was built reads a picture', async () => {
    build(root);
    const docs = join(root, 'docs');
    mkdirSync(docs);
    const page = await sheet('The anchor stands there', { width: 900, height: 600 });
    writeFileSync(join(docs, 'anchor.png'), await page.png().toBuffer());
    expect(await wooster(root, 'ingest', docs)).toContain('1 read');
    expect(await wooster(root, 'rag', 'search', 'anchor')).toContain('[anchor.png, upper half]');
    expect(existsSync(join(builds(root), 'current/used-by'))).toBe(true);
  });

  test('an edit shows at the next start, also one that keeps an old date, and the next build has it', async () => {
    build(root);
    const first = nameOf(root);
    const file = join(root, 'src/app.ts');
    appendFileSync(file, '\nprocess.stdout.write("edited\\n");\n');
    utimesSync(file, new Date(0), new Date(0));
    expect(await wooster(root, 'ask', 'what is 2+2?')).toContain('edited');
    await built(root, first);
    expect(await runsBuild(root)).toBe(true);
    expect(await wooster(root, 'ask', 'what is 2+2?')).toContain('edited');
  });

  test('starts at the same time make one build, and what is in use stays', async () => {
    build(root);
    const first = nameOf(root);
    const used = join(builds(root), first, 'used-by');
    mkdirSync(used, { recursive: true });
    writeFileSync(join(used, String(process.pid)), '');
    appendFileSync(join(root, 'src/main.ts'), '\n');
    await Promise.all([1, 2, 3].map(() => wooster(root, '--version')));
    await built(root, first);
    expect(readdirSync(builds(root)).sort()).toEqual([first, nameOf(root), 'current'].sort());
  });
});
