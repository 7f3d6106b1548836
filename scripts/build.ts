/** Builds the package: dist/ with JavaScript, declarations and the files that are read at run time. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { build, type Plugin, transform } from 'esbuild';

const ROOT = resolve(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');
const PLUGIN_API = 'src/plugins/plugin.ts';

/** What is loaded by its address: each becomes one file right in dist/, so that all of them are at the same depth. */
const ENTRIES = [
  'src/index.ts',
  'src/langchain.ts',
  'src/main.ts',
  PLUGIN_API,
  ...['ingest', 'search', 'vector', 'parse'].map((name) => `src/rag/threads/${name}-thread.ts`),
  'src/rag/threads/parse-process.ts',
];
/** Of config/, only what is ours: a checkout may hold keys in config/local.json. */
const COPIED = ['prompts', 'config/default.json', 'config/custom-environment-variables.json'];
/** Read as text at run time: what a sandbox's child is started with. */
const TEXTS = ['src/sandbox/prelude.js', 'src/sandbox/child.ts'];

async function bundle(): Promise<void> {
  const plugins = readdirSync(join(ROOT, 'plugins'), { withFileTypes: true }).filter((each) => each.isDirectory());
  await build({
    absWorkingDir: ROOT,
    entryPoints: [
      ...ENTRIES.map((path) => ({ in: path, out: builtName(path) })),
      ...plugins.map(({ name }) => ({ in: `plugins/${name}/index.ts`, out: `plugins/${name}/index` })),
    ],
    outdir: 'dist',
    chunkNames: '[name]-[hash]',
    ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node24' },
    packages: 'external',
    plugins: [pluginApi, addresses],
    legalComments: 'none',
    logLevel: 'warning',
  });
}

/** The name of an entry in dist/, without its extension. */
function builtName(path: string): string {
  return basename(path, '.ts');
}

/** Our own plugins share one copy of the plugin API with the program. */
const pluginApi: Plugin = {
  name: 'plugin-api',
  setup({ onResolve }) {
    onResolve({ filter: /^#plugin$/ }, () => ({ path: join(ROOT, PLUGIN_API) }));
  },
};

/**
 * Code in dist/ sees itself where its source was, below dist/: `prompts/`, `config/` and the rest are found by the same
 * relative paths. Only what is started by its address is looked for under its built name.
 */
const addresses: Plugin = {
  name: 'addresses',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      if (!source.includes('import.meta')) return undefined;
      const here = JSON.stringify(`./${relative(ROOT, path)}`);
      const contents = source
        .replace(/new URL\('([./\w-]+)\.ts', import\.meta\.url\)/gu, (whole, target: string) => {
          const file = relative(ROOT, resolve(dirname(path), `${target}.ts`));
          return ENTRIES.includes(file) ? `new URL('./${builtName(file)}.js', import.meta.url_built)` : whole;
        })
        .replace(/import\.meta\.url(?!_)/gu, `new URL(${here}, import.meta.url_built).href`)
        .replace(
          /import\.meta\.dirname/gu,
          `decodeURIComponent(new URL('.', new URL(${here}, import.meta.url_built)).pathname)`,
        )
        .replaceAll("'./child.ts'", "'./child.js'")
        .replaceAll('import.meta.url_built', 'import.meta.url');
      return { contents, loader: 'ts' };
    });
  },
};

async function copyFiles(): Promise<void> {
  for (const path of COPIED) cpSync(join(ROOT, path), join(DIST, path), { recursive: true });
  for (const path of TEXTS) {
    const target = join(DIST, path.replace(/\.ts$/u, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    const source = readFileSync(join(ROOT, path), 'utf8');
    writeFileSync(
      target,
      path.endsWith('.ts') ? (await transform(source, { loader: 'ts', target: 'node24' })).code : source,
    );
  }
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
  const files = ['index', 'langchain'].map((name) => join(ROOT, 'src', `${name}.ts`));
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
  keepMentioned(out, ['index.d.ts', 'langchain.d.ts']);
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
declarations();
