import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The rows of a test's table: one JSON value per line of `NAME.jsonl` in the folder of the test. */
export function rowsOf<Row>(folder: string, name: string): readonly Row[] {
  const lines = readFileSync(join(folder, `${name}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as Row);
}
