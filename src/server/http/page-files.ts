import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

/** A file of the page as it is sent. */
export interface PageFile {
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly zipped: Uint8Array<ArrayBuffer> | undefined;
}

/** By their paths under `/`; those in `assets/` have a hash in their names. */
export type PageFiles = ReadonlyMap<string, PageFile>;

const SOURCES = new URL('../page/', import.meta.url);
/** Only in a package, where there is nothing to build with. */
const BUILT = new URL('../page/built/', import.meta.url);
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};
const AS_IT_IS = ['icon.svg', 'icon-192.png', 'icon-512.png', 'manifest.webmanifest'];

/** The page as a package brings it; in a checkout it is built from its sources, in about a quarter of a second. */
export async function loadPage(): Promise<PageFiles> {
  const texts = existsSync(BUILT) ? await readBuilt() : await buildPage();
  return new Map([...texts].map(([path, body]) => [path, fileOf(path, body)]));
}

function fileOf(path: string, given: Uint8Array): PageFile {
  const body = new Uint8Array(given);
  const type = TYPES[extname(path)] ?? 'application/octet-stream';
  return { type, body, zipped: type === 'image/png' ? undefined : new Uint8Array(gzipSync(body, { level: 9 })) };
}

async function readBuilt(): Promise<Map<string, Uint8Array>> {
  const paths = (await readdir(BUILT, { recursive: true })).filter((path) => extname(path) !== '');
  return new Map(await Promise.all(paths.map(async (path) => [path, await readFile(new URL(path, BUILT))] as const)));
}

/** Bundle the page: scripts and styles under names that change with them, and a first file that names those. */
async function buildPage(): Promise<Map<string, Uint8Array>> {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    absWorkingDir: fileURLToPath(SOURCES),
    entryPoints: ['main.ts', 'style.css', 'sw.ts'],
    entryNames: 'assets/[name]-[hash]',
    outdir: '/',
    ...{ bundle: true, minify: true, write: false, format: 'esm', platform: 'browser', target: 'es2023' },
    legalComments: 'none',
    logLevel: 'silent',
  });
  const built = new Map(outputFiles.map(({ path, contents }) => [path.replace(/^.*?assets\//u, 'assets/'), contents]));
  const named = (start: string) => [...built.keys()].find((path) => path.startsWith(`assets/${start}-`)) ?? '';
  const worker = named('sw');
  const page = readFileSync(new URL('index.html', SOURCES), 'utf8')
    .replace('main.ts', named('main'))
    .replace('style.css', named('style'));
  const own = AS_IT_IS.map((name) => [name, readFileSync(new URL(name, SOURCES))] as const);
  const files = new Map<string, Uint8Array>([...built, ...own, ['index.html', Buffer.from(page)]]);
  // A worker is asked for under one name for ever, and serves the folder that it lies in.
  files.set('sw.js', built.get(worker) ?? new Uint8Array());
  files.delete(worker);
  return files;
}

/** Put the page where a package has it. @param dist the folder of the package's sources. */
export async function writePage(dist: URL): Promise<void> {
  for (const [path, body] of await buildPage()) {
    const file = new URL(`server/page/built/${path}`, dist);
    await mkdir(new URL('.', file), { recursive: true });
    await writeFile(file, body);
  }
}
