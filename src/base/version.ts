import { readFileSync } from 'node:fs';

/** Of the program. Read at run time: the package is built without knowing its version. */
export function version(): string {
  const file = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return String((JSON.parse(file) as { version: unknown }).version);
}
