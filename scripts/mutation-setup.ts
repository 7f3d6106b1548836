/**
 * First of the setup files in a process that stays: while a test file is read again, the last mutant must be away, and what
 * the files before it met is told already. What the program loads late is loaded here, so that what runs while it loads is
 * not taken for a part of the first test that needed it.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inject } from 'vitest';

const names = globalThis as unknown as Record<string, { activeMutant?: string; mutantCoverage?: object } | undefined>;
const stryker = names[inject('globalNamespace' as never) as string];
if (stryker) delete stryker.activeMutant;
if (stryker?.mutantCoverage) Object.assign(stryker.mutantCoverage, { perTest: {} });

const late = JSON.parse(process.env.MUTATE_LATE ?? '[]') as string[];
for (const path of late) await import(pathToFileURL(resolve(path)).href);
