import { readFileSync } from 'node:fs';

/** The program's version. It is read at run time because the package is built without knowing it. */
export function version(): string {
  const file = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return String((JSON.parse(file) as { version: unknown }).version);
}
