/** What the two builds share: the package's, and that of a checkout. */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { type BuildOptions, type Plugin, transform } from 'esbuild';

export const ROOT = resolve(import.meta.dirname, '..');
export const PLUGIN_API = 'src/plugins/plugin.ts';

/** What is loaded by its address: each becomes one file right in the build, so that all of them are at the same depth. */
export const ENTRIES = [
  'src/main.ts',
  PLUGIN_API,
  'src/plugins/child/plugin-child.ts',
  'src/plugins/watchdog-thread.ts',
  ...['ingest', 'search', 'parse'].map((name) => `src/rag/threads/${name}-thread.ts`),
  'src/rag/threads/parse-process.ts',
  'src/models/local/child/engine-process.ts',
];

/** Read as text at run time: what a sandbox's child is started with. It stands beside the entries. */
const CHILD = 'src/sandbox/child.ts';

/** Without its types, so that no program has to load Node's type stripper for it. */
export async function writeChild(outdir: string): Promise<void> {
  const { code } = await transform(readFileSync(join(ROOT, CHILD), 'utf8'), { loader: 'ts', target: 'node24' });
  writeFileSync(join(outdir, `${builtName(CHILD)}.js`), code);
}

export const BUNDLE = {
  absWorkingDir: ROOT,
  chunkNames: '[name]-[hash]',
  ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node24' },
  legalComments: 'none',
  // The text of a loaded file stays in memory, twice as large when one letter of it is not Latin.
  ...{ minifyWhitespace: true, lineLimit: 120, charset: 'ascii' },
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** The name of an entry in the build, without its extension. */
export function builtName(path: string): string {
  return basename(path, '.ts');
}

/** Our own plugins share one copy of the plugin API with the program. */
export const pluginApi: Plugin = {
  name: 'plugin-api',
  setup({ onResolve }) {
    onResolve({ filter: /^#plugin$/ }, () => ({ path: join(ROOT, PLUGIN_API) }));
  },
};

/**
 * Code in the build sees itself where its source is, below `root`: `prompts/`, `config/` and the rest are found by the
 * same relative paths. Only what is started by its address is looked for under its built name.
 *
 * @param root  an expression for the folder's URL, in which `import.meta.url_built` is the address of the built file.
 */
export function addresses(root: string): Plugin {
  return {
    name: 'addresses',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const source = readFileSync(path, 'utf8');
        if (!source.includes('import.meta')) return undefined;
        const here = `new URL(${JSON.stringify(`./${relative(ROOT, path)}`)}, ${root})`;
        const contents = source
          .replace(/new URL\('([./\w-]+)\.ts', import\.meta\.url\)/gu, (whole, target: string) => {
            const file = relative(ROOT, resolve(dirname(path), `${target}.ts`));
            return [...ENTRIES, CHILD].includes(file)
              ? `new URL('./${builtName(file)}.js', import.meta.url_built)`
              : whole;
          })
          .replace(/import\.meta\.url(?!_)/gu, `${here}.href`)
          .replace(/import\.meta\.dirname/gu, `decodeURIComponent(new URL('.', ${here}).pathname)`)
          .replaceAll('import.meta.url_built', 'import.meta.url');
        return { contents, loader: 'ts' };
      });
    },
  };
}
