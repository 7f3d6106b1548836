/**
 * Which tests are run against mutants of some files: those of the same folder and the few others that import one of the
 * files themselves. Tests that start programs, take minutes or read the sources are left out.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** What a mutant's report says that was left out. */
export const NOT_TRIED = 'not tried';

const ROOT = resolve(import.meta.dirname, '..');
/** What the sources of a test say when it starts programs. */
const STARTS_PROGRAMS =
  /testing\/(?:wooster|program-faults|live-screen)\.ts|node:child_process|crash-child|bin\/wooster/u;
/** They draw thousands of cases, which takes many times as long where coverage is counted. */
const LONG = /(?:invariant|oracle|fuzz|linear-time)\.test\.ts$/u;
/** What they say when they list or read the sources, which look different with mutants in them. */
const LISTS_FILES = /readdirSync|globSync|dirname, '[\w./-]+\.ts'\)/u;
const OWN_PLACE = /import\.meta\.dirname/u;
/** What more tests of other folders than these import is their tool, such as a clock, and not what they are about. */
const MOST_USES = 3;
const IMPORTED = /from\s+'(\.[^']+)'|import\('(\.[^']+)'\)/gu;

/** `src/tools/gate` for the files below it, `src/when` for those of `src/when/grammar`, and `plugins/mail`. */
export function folderOf(file: string): string {
  const [root = '', module = '', part = ''] = file.split('/');
  return ['tools', 'repl'].includes(module) && !part.endsWith('.ts')
    ? `${root}/${module}/${part}`
    : `${root}/${module}`;
}

/**
 * Paths in the checkout, sorted. With `own`, only those of the same folder: faster, and no mutant is killed more.
 *
 * @param options.more  folders whose tests are run as well: what puts the parts together is reached from elsewhere.
 */
export function testsFor(
  files: readonly string[],
  { own = false, more = [] }: { readonly own?: boolean; readonly more?: readonly string[] } = {},
): string[] {
  const folders = new Set(files.map(folderOf));
  const tests = globSync('{src,plugins,bench}/**/*.test.ts', { cwd: ROOT })
    .filter((test) => !LONG.test(test))
    .map((test) => ({ test, text: readFileSync(join(ROOT, test), 'utf8') }))
    .filter(({ text }) => !STARTS_PROGRAMS.test(text) && !readsSources(text))
    .map(({ test, text }) => ({ test, imports: importsOf(test, text).filter((path) => files.includes(path)) }));
  const inside = tests.filter(
    ({ test }) => folders.has(folderOf(test)) || more.some((folder) => test.startsWith(`${folder}/`)),
  );
  const others = own ? [] : tests.filter((each) => !inside.includes(each));
  const uses = (file: string) => others.filter(({ imports }) => imports.includes(file)).length;
  const near = others.filter(({ imports }) => imports.some((file) => uses(file) <= MOST_USES));
  return [...inside, ...near].map(({ test }) => test).sort();
}

/** Of these files, those that another loads only when it needs them. */
export function loadedLate(files: readonly string[]): string[] {
  const late = files.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/import\('(\.[^']+)'\)/gu)].map(([, path = '']) =>
      join(dirname(file), path),
    ),
  );
  return [...new Set(late)].filter((path) => files.includes(path)).sort();
}

function readsSources(text: string): boolean {
  return LISTS_FILES.test(text) && OWN_PLACE.test(text);
}

function importsOf(test: string, text: string): string[] {
  return [...text.matchAll(IMPORTED)].map(([, stated, late]) =>
    relative(ROOT, resolve(ROOT, dirname(test), stated ?? late ?? '')),
  );
}
