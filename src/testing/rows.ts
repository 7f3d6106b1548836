import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The rows of a test's table: one JSON value per line of `NAME.jsonl` in the folder of the test. */
export function rowsOf<Row>(folder: string, name: string): readonly Row[] {
  const lines = readFileSync(join(folder, `${name}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as Row);
}

/** Several tables of one such file: each row has the name of its table in front. */
export function tablesOf(folder: string, name: string): <Row extends readonly unknown[]>(table: string) => Row[] {
  const tables = Map.groupBy(rowsOf<[string, ...unknown[]]>(folder, name), ([table]) => table);
  return <Row extends readonly unknown[]>(table: string) => {
    const rows = tables.get(table);
    if (!rows) throw new Error(`${name}.jsonl has no table "${table}"`);
    return rows.map(([, ...row]) => row as readonly unknown[] as Row);
  };
}
