import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The tables of a file of JSON lines, each of which is a row with the name of its table in front. */
export function testRows(dir: string, file: string): <Row extends readonly unknown[]>(table: string) => Row[] {
  const lines = readFileSync(join(dir, file), 'utf8').trimEnd().split('\n');
  const tables = Map.groupBy(
    lines.map((line) => JSON.parse(line) as [string, ...unknown[]]),
    ([table]) => table,
  );
  return <Row extends readonly unknown[]>(table: string) => {
    const rows = tables.get(table);
    if (!rows) throw new Error(`${file} has no table "${table}"`);
    return rows.map(([, ...row]) => row as readonly unknown[] as Row);
  };
}
