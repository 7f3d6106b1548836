/** Installs the engine of local models for the tests: `node scripts/install-engine.ts`. No part of the program needs it. */
import { join, resolve } from 'node:path';
import { ENGINE, engineDir, installEngine, platformPackage } from '../src/models/local/engine/engine.ts';

const ENGINES = resolve(import.meta.dirname, '../node_modules/.cache/engines');

if (platformPackage() === undefined) {
  console.log(`There is no ${ENGINE} for this platform; the tests that need it are skipped.`);
} else {
  await installEngine(ENGINES, new AbortController().signal);
  console.log(join(engineDir(ENGINES), ''));
}
