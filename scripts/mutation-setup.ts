/** First of the setup files in a process that stays: while a test file is read again, the last mutant must be away. */
import { inject } from 'vitest';

const names = globalThis as unknown as Record<string, { activeMutant?: string } | undefined>;
const stryker = names[inject('globalNamespace' as never) as string];
if (stryker) delete stryker.activeMutant;
