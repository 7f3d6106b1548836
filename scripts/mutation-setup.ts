/**
 * First of the setup files in a process that stays: while a test file is read again, the last mutant must be away, and what
 * the files before it met is told already.
 */
import { inject } from 'vitest';

const names = globalThis as unknown as Record<string, { activeMutant?: string; mutantCoverage?: object } | undefined>;
const stryker = names[inject('globalNamespace' as never) as string];
if (stryker) delete stryker.activeMutant;
if (stryker?.mutantCoverage) Object.assign(stryker.mutantCoverage, { perTest: {} });
