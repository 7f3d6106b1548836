import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** An empty folder that goes away with the test. */
export function temporaryFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'wooster-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A new folder for all tests of a group; `remove` it after the last. */
export function lastingFolder(): { readonly dir: string; remove(): void } {
  const dir = mkdtempSync(join(tmpdir(), 'wooster-'));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}
