import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { stripTypes } from './strip-types.ts';

/** What a child is started with. Everything is passed as text, so it needs no access to files. */
export interface ChildFiles {
  readonly program: string;
  readonly prelude: string;
  /** Absolute path of the isolated-vm addon for this platform. */
  readonly addon: string;
}

/** In a build it is JavaScript already. */
const PROGRAM = new URL('./child.ts', import.meta.url);

/**
 * Read the files of a child. @throws the resolver's error where isolated-vm is not installed or has no build for this
 * platform.
 */
export function loadChildFiles(): ChildFiles {
  const here = createRequire(import.meta.url);
  const entry = here.resolve('isolated-vm');
  const build = createRequire(entry)('node-gyp-build') as { path(dir: string): string };
  const program = readFileSync(PROGRAM, 'utf8');
  return {
    program: `'use strict';\n${PROGRAM.pathname.endsWith('.js') ? program : stripTypes(program)}`,
    prelude: readFileSync(new URL('./prelude.js', import.meta.url), 'utf8').replace(/^\/\/.*\n/gmu, ''),
    addon: build.path(dirname(entry)),
  };
}
