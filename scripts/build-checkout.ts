/**
 * Builds the program of a checkout for quick starts: one run reads a few dozen files instead of more than a thousand.
 * `bin/wooster` starts what `current` names as long as no source is newer, and the sources otherwise. Silent when
 * another build is at work.
 */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { runs } from '../src/base/process-identity.ts';
import { addresses, BUNDLE, builtName, ENTRIES, pluginApi, ROOT, writeChild } from './bundle.ts';

const BUILDS = join(ROOT, 'node_modules/.cache/wooster-build');
const LOCK = join(BUILDS, 'lock');
/** They load machine code from beside their sources; esbuild builds the page when it is first asked for. */
const NATIVE = ['isolated-vm', 'hnswlib-node', 'sharp', 'tesseract.js-core', 'libheif-js', 'esbuild'];
/** CommonJS packages in the bundle look for these. */
const COMMON_JS = [
  "import { createRequire as __createRequire } from 'node:module';",
  "import { fileURLToPath as __toPath } from 'node:url';",
  'const require = __createRequire(import.meta.url);',
  'const __filename = __toPath(import.meta.url);',
  // A chunk may have a URL of its own.
  "const __dirname = __toPath(new globalThis.URL('.', import.meta.url));",
].join('\n');

/** Providers that are not installed are looked for when they are asked for, as without a build. */
const missingPackages: Plugin = {
  name: 'missing-packages',
  setup({ onResolve }) {
    const installed = createRequire(join(ROOT, 'package.json'));
    onResolve({ filter: /^@?[\w-]/ }, ({ path, kind }) => {
      if (kind !== 'dynamic-import' && kind !== 'require-call') return undefined;
      try {
        installed.resolve(path);
        return undefined;
      } catch (error) {
        return (error as { code?: string }).code === 'MODULE_NOT_FOUND' ? { path, external: true } : undefined;
      }
    });
  },
};

/** Zod brings its messages in fifty languages; ours are in English. */
const englishOnly: Plugin = {
  name: 'english-only',
  setup({ onLoad }) {
    onLoad({ filter: /\/zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

async function main(): Promise<void> {
  mkdirSync(BUILDS, { recursive: true });
  if (!takeLock()) return;
  try {
    const name = `${Date.now().toString(36)}-${process.pid}`;
    const part = join(BUILDS, `${name}.part`);
    mkdirSync(part);
    // Before anything is read: what changes meanwhile is newer than the build.
    writeFileSync(join(part, 'stamp'), `${ROOT}\n`);
    writeFileSync(join(part, 'name'), `${name}\n`);
    // Else Node reads each file once more to find out.
    writeFileSync(join(part, 'package.json'), '{"type":"module"}');
    await bundle(part);
    await writeChild(part);
    renameSync(part, join(BUILDS, name));
    point(name);
    warmUp(join(BUILDS, name, 'main.js'));
    clearAway(name);
  } finally {
    rmSync(LOCK, { recursive: true, force: true });
  }
}

async function bundle(outdir: string): Promise<void> {
  await build({
    ...BUNDLE,
    entryPoints: ENTRIES.map((path) => ({ in: path, out: builtName(path) })),
    outdir,
    external: NATIVE,
    banner: { js: COMMON_JS },
    plugins: [pluginApi, missingPackages, englishOnly, addresses(JSON.stringify(`${pathToFileURL(ROOT).href}/`))],
  });
}

/** A lock whose process is gone counts as free. */
function takeLock(): boolean {
  for (let tries = 0; tries < 2; tries++) {
    try {
      mkdirSync(LOCK);
      writeFileSync(join(LOCK, 'owner'), String(process.pid));
      return true;
    } catch {
      if (holds(LOCK)) return false;
      rmSync(LOCK, { recursive: true, force: true });
    }
  }
  return false;
}

function holds(lock: string): boolean {
  try {
    return runs(Number(readFileSync(join(lock, 'owner'), 'utf8')));
  } catch {
    // It has just been taken, or was left in that moment.
    return existsSync(lock) && Date.now() - statSync(lock).mtimeMs < 10_000;
  }
}

/** A link is replaced in one step, so a start finds the old build or the new one. */
function point(name: string): void {
  const link = join(BUILDS, `${name}.link`);
  symlinkSync(name, link);
  renameSync(link, join(BUILDS, 'current'));
}

/** The first run compiles what later ones read from Node's cache, which depends on the flags of `bin/wooster`. */
function warmUp(program: string): void {
  const home = join(tmpdir(), `wooster-build-${process.pid}`);
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    ROUTING_LOCAL_ENABLED: 'false',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(ROOT, 'node_modules/.cache/wooster'),
  };
  for (const question of ['what is 2+2?', '/quit']) {
    const words = question === '/quit' ? [] : ['ask', question];
    const options = {
      env,
      input: `${question}\n`,
      stdio: ['pipe', 'ignore', 'ignore'] as ['pipe', 'ignore', 'ignore'],
    };
    const flags = ['--no-sparkplug', `--max-semi-space-size=${words.length > 0 ? 1 : 4}`];
    execFileSync(process.execPath, [...flags, program, ...words, '--home', home], options);
  }
  rmSync(home, { recursive: true, force: true });
}

/** Older builds go, but those that a running program may still load parts of: it notes its id in `used-by`. */
function clearAway(current: string): void {
  for (const name of readdirSync(BUILDS)) {
    const path = join(BUILDS, name);
    const kept = name === current || name === 'current' || path === LOCK;
    if (!kept && !usersOf(path).some(runs)) rmSync(path, { recursive: true, force: true });
  }
}

function usersOf(build: string): number[] {
  const folder = join(build, 'used-by');
  return existsSync(folder) ? readdirSync(folder).map(Number) : [];
}

await main();
