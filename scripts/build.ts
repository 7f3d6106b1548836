/** Builds the package: dist/ with JavaScript, declarations and the files that are read at run time. */
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { writePage } from '../src/server/http/page-files.ts';
import { addresses, BUNDLE, builtName, ENTRIES, pluginApi, ROOT, writeChild } from './bundle.ts';

const DIST = join(ROOT, 'dist');
/** What embedders import. */
const EXPORTS = ['index', 'runtime', 'langchain', 'compiler', 'parser', 'builtin-tools'];
/** Of config/, only what is ours: a checkout may hold keys in config/local.json. */
const PLUGIN_CARDS = globSync('plugins/*/{plugin.json,examples.jsonl}', { cwd: ROOT });
const COPIED = [
  ...['docs', 'README.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...['prompts', 'evals', 'config/default.json', 'config/custom-environment-variables.json'],
  // Read as text at run time: what goes first into the isolate of a script.
  'src/sandbox/prelude.js',
  ...['src/models/local/catalogue.json', 'src/models/local/engine/lock.json'],
  ...globSync('src/**/*.examples.jsonl', { cwd: ROOT }),
  ...globSync(['src/builtin/*.json', 'src/quantities/*.jsonl'], { cwd: ROOT }),
  ...globSync('src/lang/starters/*.{tl,json}', { cwd: ROOT }),
  ...PLUGIN_CARDS,
];

async function bundle(): Promise<void> {
  const plugins = readdirSync(join(ROOT, 'plugins'), { withFileTypes: true }).filter((each) => each.isDirectory());
  await build({
    ...BUNDLE,
    entryPoints: [
      ...[...EXPORTS.map((name) => `src/${name}.ts`), ...ENTRIES].map((path) => ({ in: path, out: builtName(path) })),
      ...plugins.map(({ name }) => ({ in: `plugins/${name}/index.ts`, out: `plugins/${name}/index` })),
    ],
    outdir: 'dist',
    packages: 'external',
    plugins: [pluginApi, addresses('import.meta.url_built')],
  });
}

async function copyFiles(): Promise<void> {
  for (const path of COPIED) cpSync(join(ROOT, path), join(DIST, path), { recursive: true });
  await writeChild(DIST);
  const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, unknown>;
  writeFileSync(join(DIST, 'package.json'), `${JSON.stringify({ name, version, type: 'module', private: true })}\n`);
}

/** Declarations of what the package exports, and of all they mention. */
function declarations(): void {
  const out = join(DIST, 'types');
  const config = join(DIST, 'tsconfig.json');
  const options = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: join(ROOT, 'src'),
    outDir: out,
  };
  const files = EXPORTS.map((name) => join(ROOT, 'src', `${name}.ts`));
  writeFileSync(
    config,
    JSON.stringify({
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: options,
      include: [join(ROOT, 'src/**/*.d.ts')],
      files,
    }),
  );
  execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', config], { stdio: 'inherit' });
  rmSync(config);
  for (const path of readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((each) => each.endsWith('.d.ts'))) {
    const text = readFileSync(join(out, path), 'utf8');
    // tsc leaves the extensions of the sources in declarations.
    writeFileSync(join(out, path), text.replace(DECLARED, '$1$2.js$3'));
  }
  keepMentioned(
    out,
    EXPORTS.map((name) => `${name}.d.ts`),
  );
}

/** The relative imports of a declaration file: what stands before the path, the path, the quote. */
const DECLARED = /((?:from |import\()["'])(\.{1,2}\/[^"']+)\.[tj]s(["'])/gu;

/** Our inner modules need no declarations in the package. */
function keepMentioned(dir: string, entries: readonly string[]): void {
  const kept = new Set(entries);
  for (const path of kept) {
    for (const [, , target = ''] of readFileSync(join(dir, path), 'utf8').matchAll(DECLARED)) {
      kept.add(join(dirname(path), `${target}.d.ts`));
    }
  }
  for (const path of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
    if (path.endsWith('.d.ts') && !kept.has(path)) rmSync(join(dir, path));
  }
}

rmSync(DIST, { recursive: true, force: true });
await bundle();
await copyFiles();
await writePage(pathToFileURL(`${DIST}/src/`));
declarations();
