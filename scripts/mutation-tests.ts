/**
 * Which tests are run against mutants of some files: those of the same folder and those that import one of the files
 * themselves. Tests that start programs, or that take minutes, are left out: every mutant would pay for them.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** What a mutant's report says that was left out. */
export const NOT_TRIED = 'not tried';

const ROOT = resolve(import.meta.dirname, '..');
/** What the sources of a test say when it starts programs. */
const STARTS_PROGRAMS =
  /testing\/(?:wooster|program|terminal|live-screen|built)|node:child_process|crash-child|bin\/wooster/u;
const IMPORTED = /from\s+'(\.[^']+)'|import\('(\.[^']+)'\)/gu;

/** `src/tools/gate` for the files below it, `src/when` for those of `src/when/grammar`, and `plugins/mail`. */
export function folderOf(file: string): string {
  const [root = '', module = '', part = ''] = file.split('/');
  return ['tools', 'repl', 'rag'].includes(module) && !part.endsWith('.ts')
    ? `${root}/${module}/${part}`
    : `${root}/${module}`;
}

/** Paths in the checkout, sorted. */
export function testsFor(files: readonly string[]): string[] {
  const folders = new Set(files.map(folderOf));
  return globSync('{src,plugins,bench}/**/*.test.ts', { cwd: ROOT })
    .filter((test) => !test.endsWith('.int.test.ts'))
    .filter((test) => {
      const text = readFileSync(join(ROOT, test), 'utf8');
      if (STARTS_PROGRAMS.test(text)) return false;
      return folders.has(folderOf(test)) || importsOf(test, text).some((path) => files.includes(path));
    })
    .sort();
}

function importsOf(test: string, text: string): string[] {
  return [...text.matchAll(IMPORTED)].map(([, stated, late]) =>
    relative(ROOT, resolve(ROOT, dirname(test), stated ?? late ?? '')),
  );
}
