import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ENGINE, engineDir, platformPackage } from '../../models/local/engine/engine.ts';
import { cannotBeHad } from '../needs.ts';

/** Where `scripts/install-engine.ts` puts it. */
export const TEST_ENGINES = resolve(import.meta.dirname, '../../../node_modules/.cache/engines');

/**
 * Whether the engine is here, for `test.runIf(needsEngine())`.
 *
 * @throws Error where WOOSTER_TESTS_NEED_ALL is set and it could be here.
 */
export function needsEngine(): boolean {
  if (existsSync(engineDir(TEST_ENGINES))) return true;
  const isOffered = platformPackage() !== undefined;
  if (isOffered && process.env.WOOSTER_TESTS_NEED_ALL)
    throw new Error(`WOOSTER_TESTS_NEED_ALL is set, and ${ENGINE} is absent: node scripts/install-engine.ts`);
  cannotBeHad(
    'the engine of local models',
    isOffered ? 'node scripts/install-engine.ts' : 'no package for this platform',
  );
  return false;
}
